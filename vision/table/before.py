"""The table as it lay before what moved last: what has come since was thrown, the rest was not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.area import Area
from vision.capture.bump import Warp
from vision.capture.light import ANY, Change
from vision.capture.small import Grey, Mask, Small
from vision.table.lying import Box

# Pictures of a still table that are averaged against the camera's noise.
_MOST = 8
# Pixels of a small picture that must change together to be something; a pig is larger.
_SOMETHING = 12


@dataclass(slots=True, eq=False)
class _Rest:
    """One rest of the table: the mean of its pictures, and what counts as a change."""

    mean: NDArray[np.float32]
    change: Change
    count: int = 1

    def add(self, grey: Grey, change: Change) -> None:
        import cv2

        self.count = min(self.count + 1, _MOST)
        self.change = change
        cv2.accumulateWeighted(grey, self.mean, 1.0 / self.count)

    @property
    def grey(self) -> Grey:
        return self.mean.round().astype(np.uint8)

    def warped(self, warp: Warp) -> _Rest:
        import cv2

        size = (self.mean.shape[1], self.mean.shape[0])
        moved = cv2.warpAffine(self.mean, warp.matrix, size, borderMode=cv2.BORDER_REPLICATE)
        return _Rest(np.asarray(moved, np.float32), self.change, self.count)


@dataclass(frozen=True, slots=True)
class Came:
    """Something that was not there before: its box and how many pixels it covers, small pixels."""

    box: Box
    pixels: int


@dataclass(frozen=True, slots=True, eq=False)
class Then:
    """The table as it lay once, and what differs now, the largest first: what came or went."""

    grey: Grey
    changes: tuple[Came, ...]


class Before:
    """Keeps the table as it lay still before it changed, and before it changed to that.

    Only a rest in which the table was judged counts: pigs that rock pause as well. Motion that
    leaves the table as it was (a shadow, a hand that passes, a lamp) changes nothing.
    """

    def __init__(self, area: Area | None = None) -> None:
        self._area = area
        self._earlier: _Rest | None = None
        self._then: _Rest | None = None
        self._last: _Rest | None = None
        self._now: _Rest | None = None

    def rests(self, small: Small, change: Change) -> None:
        """Take the picture of a still table, and what counts as a change in it."""
        if self._now is None:
            self._now = _Rest(small.grey.astype(np.float32), change)
        else:
            self._now.add(small.grey, change)

    def moved(self, *, judged: bool) -> None:
        """Take note that the rest is over, and whether the table was judged in it."""
        if self._now is not None and judged:
            self._earlier, self._then = self._rests()
            self._last = self._now
        self._now = None

    def bumped(self, warp: Warp) -> None:
        """Follow a bump of the camera."""
        rests = (self._earlier, self._then, self._last, self._now)
        self._earlier, self._then, self._last, self._now = (r and r.warped(warp) for r in rests)

    @property
    def now(self) -> Grey | None:
        """The table as it lies now, its noise averaged out; None while it moves."""
        return None if self._now is None else self._now.grey

    def then(self) -> tuple[Then, ...]:
        """Give the table before it changed, and before the change before that, where known."""
        if self._now is None:
            return ()
        earlier, then = self._rests()
        known = (rest for rest in (then, earlier) if rest is not None)
        return tuple(Then(rest.grey, self._differs(rest, self._now)) for rest in known)

    def _rests(self) -> tuple[_Rest | None, _Rest | None]:
        """Give the rests before the last two changes, the newer one last."""
        if self._last is None or self._now is None or not self._differs(self._last, self._now):
            return self._earlier, self._then
        return self._then, self._last

    def _differs(self, a: _Rest, b: _Rest) -> tuple[Came, ...]:
        # Averaged noise is less, but the light of a table at rest still flickers.
        levels = max(a.change.threshold, b.change.threshold) / np.sqrt(min(a.count, b.count))
        smooth = max(a.change.smooth, b.change.smooth)
        mask = Change(max(ANY.threshold, float(levels)), smooth).between(a.grey, b.grey)
        if self._area is not None:
            mask &= self._area.mask(*mask.shape)
        return _things(mask)


def _things(mask: Mask) -> tuple[Came, ...]:
    """Give what hangs together in a mask, small gaps closed."""
    import cv2

    joined = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    pixels = np.bincount(labels[mask > 0], minlength=count)
    found = []
    for k in range(1, count):
        if pixels[k] >= _SOMETHING:
            x, y, w, h = (float(v) for v in stats[k, :4])
            found.append(Came((x + 1, y + 1, x + w - 1, y + h - 1), int(pixels[k])))
    return tuple(sorted(found, key=lambda c: -c.pixels))
