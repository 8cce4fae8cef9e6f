"""Hands over the table, bumped cameras, changed light: what differs from the table as it lay."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from vision.capture.bump import Warp, find_bump
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


class Rebased(StrEnum):
    """Why the table as it lay was taken anew."""

    BUMP = "bump"
    LIGHT = "light"
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
class Over:
    """What lies over the table.

    `hand`: something reaches in. `rebased`: why the picture of the table was taken anew just
    now, else None. `warp`: where a bump moved the table in the picture, in small pixels.
    """

    hand: bool
    rebased: Rebased | None = None
    warp: Warp | None = None


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
            warp = find_bump(self._table, small.grey, mask, motion.threshold)
            if warp is not None:
                self._table = small.grey
                return Over(hand=False, rebased=Rebased.BUMP, warp=warp)
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
