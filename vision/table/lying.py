"""The pigs that lie on the table since their throw was logged, and whether they still do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.throw import Throw
from vision.capture.bump import Warp
from vision.capture.small import Grey, Small
from vision.recognize.reading import Decision, PigDetection, Reading

Box = tuple[float, float, float, float]

# How like the picture of then a pig's place must be; light, noise and a shadow over it leave
# more than this, another pose or an empty place less, even on a newspaper.
SAME = 0.88
_FLAT = 2.0
# What is compared is the middle of the box: around the pig lies table, the same without a pig.
_CORE = 0.8
_SEARCH = 2
# Shares of a pig's length. No thrown pig lands so near its old place in the same pose; one whose
# place looks as before may be found a little aside; a knock on the table moves it further.
_SAME_PLACE = 0.15
_SAME_LOOKS = 0.35
NUDGED = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class LyingPig:
    """One pig where it lies: `box` and `patch` (the grey middle of it) in small pixels."""

    box: Box
    pose: str
    patch: Grey

    @property
    def length(self) -> float:
        """The longer side of its box."""
        return max(self.box[2] - self.box[0], self.box[3] - self.box[1])

    def lies_in(self, grey: Grey) -> bool:
        """Tell whether its place looks as it did, whatever the light."""
        import cv2

        area = _cut(grey, self.box, _SEARCH)
        high, wide = self.patch.shape
        if area.shape[0] < high or area.shape[1] < wide or float(self.patch.std()) < _FLAT:
            return False
        match = cv2.matchTemplate(area, self.patch, cv2.TM_CCOEFF_NORMED)
        return float(np.nan_to_num(match).max()) >= SAME

    def warped(self, warp: Warp, grey: Grey) -> LyingPig:
        """Follow a bump of the camera into the picture after it."""
        x0, y0, x1, y1 = self.box
        x, y = warp.point((x0 + x1) / 2, (y0 + y1) / 2)
        w, h = (x1 - x0) / 2, (y1 - y0) / 2
        box = (x - w, y - h, x + w, y + h)
        return LyingPig(box, self.pose, _cut(grey, box, 0))

    def keeps(self, pose: str, far: float, small: Small, *, lifted: bool) -> bool:
        """Tell whether a pig found `far` of its lengths away is this one, not thrown since."""
        if far <= _SAME_PLACE and pose == self.pose:
            return True
        if not lifted:
            return far <= NUDGED
        return far <= _SAME_LOOKS and self.lies_in(small.grey)

    def distance(self, box: Box) -> float:
        """Give how far a box's middle is from this pig's, in this pig's lengths."""
        dx = (box[0] + box[2] - self.box[0] - self.box[2]) / 2
        dy = (box[1] + box[3] - self.box[1] - self.box[3]) / 2
        return math.hypot(dx, dy) / self.length


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """The pigs of a reading as they lie.

    `logged` is the throw that they were told as, None where a person said it or nobody did.
    `otherwise`: since then they have been read, for sure, as lying in another way.
    """

    pigs: tuple[LyingPig, ...]
    scale: int
    logged: Throw | None = None
    otherwise: bool = False

    @classmethod
    def of(cls, pigs: Sequence[PigDetection], small: Small) -> Lying:
        """Take the pigs of a reading from the small picture of the same moment."""
        return cls(tuple(_lying(pig, small) for pig in pigs), small.scale)

    def with_unread(self, box: Box, small: Small) -> Lying:
        """Add a pig that could not be read, by its box in small pixels."""
        unread = LyingPig(box, "", _cut(small.grey, box, 0))
        return replace(self, pigs=(*self.pigs, unread))

    def told(self, reading: Reading) -> Lying:
        """Remember as which throw they are logged; of a question a person will say it."""
        sure = reading.decision is Decision.ACCEPT
        return replace(self, logged=reading.throw if sure else None)

    def again(self, here: Lying, reading: Reading) -> Lying:
        """Take the same pigs as they lie now, by a later reading of them."""
        otherwise = self.otherwise
        if reading.decision is Decision.ACCEPT:
            otherwise = self.logged not in (None, reading.throw)
        return replace(here, logged=self.logged, otherwise=otherwise)

    def nudged(self, here: Lying, reading: Reading) -> Lying:
        """Take the same pigs as they lie now that a hand moved one: how they fell, they did."""
        return self.again(here, reading) if self.otherwise else here.told(reading)

    def said(self) -> Lying:
        """Take note that a person said how they lie."""
        return replace(self, logged=None, otherwise=False)

    def all_lie_in(self, small: Small) -> bool:
        """Tell whether every pig lies as it did."""
        return all(pig.lies_in(small.grey) for pig in self.pigs)

    def warped(self, warp: Warp, small: Small) -> Lying:
        """Follow a bump of the camera into the picture after it."""
        return replace(self, pigs=tuple(p.warped(warp, small.grey) for p in self.pigs))

    def unthrown(self, pigs: Sequence[PigDetection], small: Small, *, lifted: bool) -> int:
        """Count the pigs of a reading that lie where one of these lay, each counted once.

        Without a hand since (`lifted` false) a pig that lies close by counts too: a knock
        against the table moved it.
        """
        left = list(self.pigs)
        count = 0
        for pig in pigs:
            box = _small_box(pig, small.scale)
            near = min(left, key=lambda old: old.distance(box), default=None)
            if near is None:
                break
            far = near.distance(box)
            if near.keeps(pig.pose, far, small, lifted=lifted):
                left.remove(near)
                count += 1
        return count


def part(box: Box) -> tuple[slice, slice]:
    """Give the rows and columns of a picture that a box covers, what is outside of it left out."""
    x0, y0, x1, y1 = (max(0, round(v)) for v in box)
    return slice(y0, y1), slice(x0, x1)


def _lying(pig: PigDetection, small: Small) -> LyingPig:
    box = _small_box(pig, small.scale)
    return LyingPig(box, pig.pose, _cut(small.grey, box, 0))


def _small_box(pig: PigDetection, scale: int) -> Box:
    x0, y0, x1, y1 = pig.box
    return (x0 / scale, y0 / scale, x1 / scale, y1 / scale)


def _cut(grey: Grey, box: Box, more: int) -> Grey:
    """Cut the middle of a box, and `more` pixels a side, out of a picture."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    w, h = (_CORE * (box[2] - box[0]) / 2 + more, _CORE * (box[3] - box[1]) / 2 + more)
    height, width = grey.shape
    x0, y0 = max(0, math.floor(x - w)), max(0, math.floor(y - h))
    x1, y1 = min(width, math.ceil(x + w)), min(height, math.ceil(y + h))
    return grey[y0 : max(y1, y0), x0 : max(x1, x0)]
