"""Hands over the table, bumped cameras, changed light: what differs from the table as it lay."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from vision.capture.light import changed, difference
from vision.capture.settle import Motion
from vision.capture.small import Grey, Mask, Small

# Shares of the picture. A sleeve or hand comes from the border; a pig there is smaller.
_HAND_AT_BORDER = 0.02
_HAND_ANYWHERE = 0.08
_EVERYTHING = 0.6
# What differs by less than this needs no look for a moved camera.
_WORTH_A_LOOK = 0.01
_QUIET_S = 0.25
# A hand is never this still for so long; a phone put down is.
_ABSORB_S = 2.5
_LEAST_SHIFT = 0.6
_MOST_SHIFT = 0.2
_EXPLAINED = 0.4
_FOLLOW = 0.1


class Rebased(StrEnum):
    """Why the table as it lay was taken anew."""

    BUMP = "bump"
    LIGHT = "light"
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
class Over:
    """What lies over the table.

    `hand`: something reaches in. `rebased`: why the picture of the table was taken anew just
    now, else None. `shift`: how far a bump moved the table in the picture, (x, y) in small pixels.
    """

    hand: bool
    rebased: Rebased | None = None
    shift: tuple[float, float] = (0.0, 0.0)


class Foreground:
    """Keeps a picture of the table as it last lay still without a hand, pigs and all."""

    def __init__(self) -> None:
        self._table: Grey | None = None

    def look(self, small: Small, motion: Motion) -> Over:
        """Judge a picture with what moves in it."""
        quiet = motion.quiet_s >= _QUIET_S
        if self._table is None or self._table.shape != small.grey.shape:
            self._table = small.grey
            return Over(hand=False)
        mask = changed(difference(self._table, small.grey), motion.threshold)
        share = float(np.count_nonzero(mask)) / mask.size
        if quiet and share >= _WORTH_A_LOOK:
            shift = _shift(self._table, small.grey, motion.threshold, mask)
            if shift is not None:
                self._table = small.grey
                return Over(hand=False, rebased=Rebased.BUMP, shift=shift)
            if share >= _EVERYTHING:
                self._table = small.grey
                return Over(hand=False, rebased=Rebased.LIGHT)
        hand = share < _EVERYTHING and _is_hand(mask)
        if hand and motion.quiet_s >= _ABSORB_S:
            self._table = small.grey
            return Over(hand=False, rebased=Rebased.OBJECT)
        if quiet and not hand:
            self._table = small.grey
        return Over(hand=hand)


def _is_hand(mask: Mask) -> bool:
    import cv2

    if np.count_nonzero(mask) < _HAND_AT_BORDER * mask.size:
        return False
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    height, width = mask.shape
    for x, y, w, h, area in stats[1:count]:
        border = x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1
        if area >= (_HAND_AT_BORDER if border else _HAND_ANYWHERE) * mask.size:
            return True
    return False


def _shift(before: Grey, after: Grey, threshold: float, mask: Mask) -> tuple[float, float] | None:
    """Find how far the whole picture moved, if that explains most of what changed."""
    import cv2

    a, b = before.astype(np.float32), after.astype(np.float32)
    window = cv2.createHanningWindow((before.shape[1], before.shape[0]), cv2.CV_32F)
    (dx, dy), _ = cv2.phaseCorrelate(a, b, window)
    length = float(np.hypot(dx, dy))
    if not _LEAST_SHIFT <= length <= _MOST_SHIFT * max(before.shape):
        return None
    matrix = np.array([[1, 0, dx], [0, 1, dy]], dtype=np.float32)
    size = (before.shape[1], before.shape[0])
    moved = cv2.warpAffine(before, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    left = changed(difference(moved, after), threshold)  # type: ignore[arg-type]
    if np.count_nonzero(left) > _EXPLAINED * np.count_nonzero(mask):
        return None
    return float(dx), float(dy)
