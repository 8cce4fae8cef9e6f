"""When the table lies still: motion on small grey pictures, measured against the camera's noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.capture.area import Area
from vision.capture.light import changed, difference
from vision.capture.small import Grey, Mask, Small

# Levels of 255. Compressed video moves edges by a few levels at every key frame.
_LEAST_THRESHOLD = 8.0
_SIGMAS = 5.0
_MOST_NOISE = 12.0
# The noise of two pictures' difference follows a quieter camera at once, and a noisier one
# slowly: a hand all over the picture is no noise.
_FALL, _RISE = 0.2, 0.02
_MEDIAN_TO_SIGMA = 1.4826
# Pixels of a small picture that must change together.
_LEAST_AREA = 4


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """What moves in a picture.

    `moving` says whether anything does; `mask` where; `quiet_s` for how long nothing has, in
    seconds, and `quiet_frames` in pictures; `threshold` the levels that count as a change.
    """

    moving: bool
    mask: Mask
    quiet_s: float
    quiet_frames: int
    threshold: float


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

    def look(self, small: Small) -> Motion:
        """Judge the next picture; a new size starts afresh."""
        previous, anchor = self._previous, self._anchor
        self._previous = small.grey
        if previous is None or anchor is None or previous.shape != small.grey.shape:
            self._anchor, self._anchor_s, self._frames = small.grey, small.time_s, 0
            return Motion(False, np.zeros_like(small.grey), 0.0, 0, self._threshold)
        step = difference(previous, small.grey)
        self._learn_noise(step)
        mask = changed(step, self._threshold)
        if anchor is not previous:
            mask |= changed(difference(anchor, small.grey), self._threshold)
        if self._area is not None:
            mask &= self._area.mask(*mask.shape)
        if int(np.count_nonzero(mask)) >= _LEAST_AREA:
            return self._moved(small, mask)
        self._frames += 1
        quiet_s = small.time_s - self._anchor_s
        return Motion(False, mask, quiet_s, self._frames, self._threshold)

    def _moved(self, small: Small, mask: Mask) -> Motion:
        self._anchor, self._anchor_s, self._frames = small.grey, small.time_s, 0
        return Motion(True, mask, 0.0, 0, self._threshold)

    @property
    def _threshold(self) -> float:
        return max(_LEAST_THRESHOLD, _SIGMAS * self._noise)

    def _learn_noise(self, step: Grey) -> None:
        seen = min(_MOST_NOISE, _MEDIAN_TO_SIGMA * float(np.median(step[::2, ::2])))
        share = _RISE if seen > self._noise else _FALL
        self._noise += share * (seen - self._noise)
