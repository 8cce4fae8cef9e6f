"""What a hand laid on the table: it was not there before the hand covered the place, and lay after.

What was thrown comes into sight before it comes to rest: its place changes last while no hand
is over it. What a hand laid down or pushed lies there as the hand uncovers it, and stays so.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.capture.scene import Scene
from vision.capture.small import Grey, Mask, Small
from vision.table.lying import Lying, LyingPig, part

# A hand's blurred edge and its shadow reach further, in small pixels, and for a moment longer.
_AROUND = 7
_LINGERS_S = 0.07
# So many small pixels of a pig's place must have changed, and such a share of them by the hand.
_SOMETHING = 12
_MOST = 0.8


class Laid:
    """Follows who changed each place of the table last: a hand that lay over it, or something else.

    Counted anew from each rest in which the table was judged.
    """

    def __init__(self) -> None:
        self._open: Grey | None = None
        self._under_s: NDArray[np.float64] = np.zeros((0, 0))
        self._under = self._changed = self._by_hand = np.zeros((0, 0), bool)

    def begin(self) -> None:
        """Begin to count anew."""
        self._changed = np.zeros_like(self._changed)

    def see(self, scene: Scene, small: Small) -> None:
        """Take the next frame."""
        if scene.blind:
            return
        if self._open is None or self._open.shape != small.grey.shape or scene.rebased:
            self._start(small)
        elif scene.reach is None and not scene.moving and not self._under.any():
            self._open = small.grey
        else:
            self._follow(self._open, scene, small)

    def all_laid(self, lying: Lying) -> bool:
        """Tell whether a hand laid every pig where it lies."""
        return self._open is not None and all(self._is_laid(pig) for pig in lying.pigs)

    def _start(self, small: Small) -> None:
        high, wide = small.grey.shape
        self._open = small.grey
        self._under_s = np.full((high, wide), -np.inf)
        self._under, self._changed, self._by_hand = (np.zeros((high, wide), bool) for _ in range(3))

    def _follow(self, before: Grey, scene: Scene, small: Small) -> None:
        if scene.reach is not None:
            self._under_s[_widened(scene.reach)] = small.time_s
        # A clock that was set back uncovers everything, too.
        under = np.abs(small.time_s - self._under_s) <= _LINGERS_S
        changed = (scene.change.between(before, small.grey) > 0) & ~under
        self._changed |= changed
        self._by_hand[changed] = self._under[changed]
        self._open = np.where(under, before, small.grey)
        self._under = under

    def _is_laid(self, pig: LyingPig) -> bool:
        place = part(pig.box)
        changed = int(np.count_nonzero(self._changed[place]))
        by_hand = int(np.count_nonzero(self._by_hand[place] & self._changed[place]))
        return changed >= _SOMETHING and by_hand >= _MOST * changed


def _widened(mask: Mask) -> NDArray[np.bool_]:
    import cv2

    return cv2.dilate(mask, np.ones((_AROUND, _AROUND), np.uint8)) > 0
