"""When the table lies still: motion on small grey pictures, measured against the camera's noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.capture.area import Area
from vision.capture.light import ANY, Change, changed, difference, smoothed
from vision.capture.small import Grey, Mask, Small

_SIGMAS = 5.0
_MOST_NOISE = 12.0
# The noise of two pictures' difference follows a quieter camera at once, and a noisier one
# slowly: a hand all over the picture is no noise.
_FALL, _RISE = 0.2, 0.02
_MEDIAN_TO_SIGMA = 1.4826
# In so much noise only what is smoothed so far shows a hand or a pig; in less it would hide small
# steps. A noise that falls keeps its smoothing until it is well below.
_SMOOTH = ((8.0, 5), (4.0, 3), (0.0, 1))
_WELL_BELOW = 7 / 8
# Pixels of a small picture that must change together.
_LEAST_AREA = 4


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """What moves in a picture.

    `moving` says whether anything does; `mask` where; `quiet_s` for how long nothing has, in
    seconds, and `quiet_frames` in pictures; `change` what counts as one.
    """

    moving: bool
    mask: Mask
    quiet_s: float
    quiet_frames: int
    change: Change


class Settle:
    """Compares each picture with the one before and with the first since all was quiet.

    The second comparison finds what rolls or leans too slowly to be seen from one picture to
    the next. Changes of the light of the whole table count as none, and so does everything
    outside the throwing area.
    """

    def __init__(self, area: Area | None = None) -> None:
        self._area = area
        self._previous: Grey | None = None
        self._anchor: Grey | None = None
        self._anchor_s = 0.0
        self._frames = 0
        self._noise = 1.0
        self._grain = 1.0
        self._smooth = 1

    def look(self, small: Small) -> Motion:
        """Judge the next picture; a new size starts afresh."""
        previous, anchor = self._previous, self._anchor
        self._previous = small.grey
        if previous is None or anchor is None or previous.shape != small.grey.shape:
            self._anchor, self._anchor_s, self._frames = small.grey, small.time_s, 0
            return Motion(False, np.zeros_like(small.grey), 0.0, 0, self._change)
        step = self._step(previous, small.grey)
        change = self._change
        mask = changed(step, change.threshold)
        if anchor is not previous:
            mask |= change.between(anchor, small.grey)
        if self._area is not None:
            mask &= self._area.mask(*mask.shape)
        if int(np.count_nonzero(mask)) >= _LEAST_AREA:
            return self._moved(small, mask)
        self._frames += 1
        quiet_s = small.time_s - self._anchor_s
        return Motion(False, mask, quiet_s, self._frames, change)

    def _moved(self, small: Small, mask: Mask) -> Motion:
        self._anchor, self._anchor_s, self._frames = small.grey, small.time_s, 0
        return Motion(True, mask, 0.0, 0, self._change)

    @property
    def _change(self) -> Change:
        return Change(max(ANY.threshold, _SIGMAS * self._noise), self._smooth)

    def _step(self, previous: Grey, grey: Grey) -> Grey:
        """Compare two pictures, smoothed where the camera is noisy, and learn its noise."""
        plain = difference(previous, grey)
        self._grain = _followed(self._grain, _noise_of(plain))
        smooth = smooth_for(self._grain, self._smooth)
        step = plain
        if smooth > 1:
            step = difference(smoothed(previous, smooth), smoothed(grey, smooth))
        seen = _noise_of(step)
        self._noise = _followed(self._noise, seen) if smooth == self._smooth else seen
        self._smooth = smooth
        return step


def smooth_for(grain: float, now: int) -> int:
    """Give the side of the square to average over in a noise of `grain` levels."""
    least = {side: noise * (_WELL_BELOW if side <= now else 1.0) for noise, side in _SMOOTH}
    return max(side for side, noise in least.items() if grain >= noise)


def _noise_of(step: Grey) -> float:
    return min(_MOST_NOISE, _MEDIAN_TO_SIGMA * float(np.median(step[::2, ::2])))


def _followed(noise: float, seen: float) -> float:
    share = _RISE if seen > noise else _FALL
    return noise + share * (seen - noise)
