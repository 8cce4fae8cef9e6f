"""What changed between two small pictures, once the light is taken out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.capture.small import Grey, Mask

Levels = NDArray[np.float32]
"""Brightness of some pixels, 0 to 255: float32[N]."""

_GRID = 4
_FITS = 2
_SPECK = 5
_NOISE = 1.5
"""Levels by which pixels of one light differ, half of them more, from picture to picture."""
# Where less than this share of the table looks as before, no light can be told from no table.
_GAIN_RANGE = (0.5, 2.0)


class Light(NamedTuple):
    """How brightness went from one picture to another: `gain` times, plus `offset` levels."""

    gain: float
    offset: float


class Change(NamedTuple):
    """What counts as a change under a camera's noise: so many levels, after so much smoothing.

    `smooth` is the side of the square of pixels that is averaged, 1 for none.
    """

    threshold: float
    smooth: int = 1

    def between(self, before: Grey, after: Grey) -> Mask:
        """Mark where a picture differs from another one by more than light and noise."""
        step = difference(smoothed(before, self.smooth), smoothed(after, self.smooth))
        return changed(step, self.threshold)


ANY = Change(8.0)
"""Under the noise of a good camera; compressed video moves edges by a few levels all the time."""


def smoothed(grey: Grey, side: int) -> Grey:
    """Average each pixel with those around it."""
    import cv2

    return grey if side == 1 else cv2.blur(grey, (side, side))  # type: ignore[return-value]


def light_between(before: Grey, after: Grey) -> Light:
    """Fit the change of light that most of the picture went through.

    A lamp or an automatic exposure brightens everything by about the same factor; what does not
    follow it (a hand, a pig) is left out of the fit step by step.
    """
    x = before[::_GRID, ::_GRID].ravel().astype(np.float32)
    y = after[::_GRID, ::_GRID].ravel().astype(np.float32)
    same = Light(1.0, float(np.median(y - x)))
    left = float(np.median(np.abs(y - x - same.offset)))
    if abs(same.offset) >= 1.0:
        return _fitted(x, y, same)
    if left < _NOISE:
        return same
    # Dark may have risen as bright fell, the middle staying; noise alone no light explains.
    light = _fitted(x, y, same)
    explained = float(np.median(np.abs(y - light.gain * x - light.offset))) < 0.5 * left
    return light if explained else same


def _fitted(x: Levels, y: Levels, light: Light) -> Light:
    for _ in range(_FITS):
        left = np.abs(y - (light.gain * x + light.offset))
        follows = left <= 2.5 * np.median(left) + 1.0
        xs, ys = x[follows], y[follows]
        spread = float(xs.var())
        if spread < 4.0:  # a table of one brightness: a factor cannot be told
            return Light(1.0, float(np.median(ys - xs)))
        gain = float(((xs - xs.mean()) * (ys - ys.mean())).mean()) / spread
        gain = min(max(gain, _GAIN_RANGE[0]), _GAIN_RANGE[1])
        light = Light(gain, float(ys.mean() - gain * xs.mean()))
    return light


def difference(before: Grey, after: Grey) -> Grey:
    """Give how far each pixel is from what the change of light alone would have made of it."""
    import cv2

    gain, offset = light_between(before, after)
    if gain != 1.0 or abs(offset) >= 0.5:
        before = cv2.addWeighted(before, gain, before, 0.0, offset)  # type: ignore[assignment]
    return cv2.absdiff(before, after)  # type: ignore[return-value]


def changed(difference: Grey, threshold: float) -> Mask:
    """Mark what differs by more than `threshold` levels, single specks of noise left out."""
    import cv2

    over = cv2.threshold(difference, threshold, 1, cv2.THRESH_BINARY)[1]
    around = cv2.boxFilter(over, -1, (3, 3), normalize=False, borderType=cv2.BORDER_REFLECT)
    return cv2.threshold(around, _SPECK - 1, 1, cv2.THRESH_BINARY)[1]  # type: ignore[return-value]
