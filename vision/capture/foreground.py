"""Hands over the table, bumped cameras, changed light: what differs from the table as it lay."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from vision.capture.area import Area
from vision.capture.bump import Warp, find_bump
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


@dataclass(frozen=True, slots=True, eq=False)
class Over:
    """What lies over the table.

    `hand`: something reaches in, and `outline` is all that differs from the table then, pigs
    that were moved included, else None; `reach` is the part of it that hangs together with what
    reaches in. `rebased`: why the picture of the table was taken anew just
    now, else None. `warp`: where a bump moved the table in the picture, in small pixels.
    """

    hand: bool
    rebased: Rebased | None = None
    warp: Warp | None = None
    outline: Mask | None = None
    reach: Mask | None = None


class Foreground:
    """Keeps a picture of the table as it last lay still without a hand, pigs and all."""

    def __init__(self, area: Area | None = None) -> None:
        self._area = area
        self._table: Grey | None = None
        self._inside = self._edge = np.zeros((0, 0), np.uint8)

    def look(self, small: Small, motion: Motion) -> Over:
        """Judge a picture with what moves in it."""
        quiet = motion.quiet_s >= _QUIET_S
        if self._table is None or self._table.shape != small.grey.shape:
            self._table = small.grey
            self._inside, self._edge = _inside_and_edge(self._area, small.grey)
            return Over(hand=False)
        mask = motion.change.between(self._table, small.grey) & self._inside
        whole = int(np.count_nonzero(self._inside))
        share = float(np.count_nonzero(mask)) / whole
        if quiet and share >= _WORTH_A_LOOK:
            warp = find_bump(self._table, small.grey, mask, motion.change)
            if warp is not None:
                self._table = small.grey
                return Over(hand=False, rebased=Rebased.BUMP, warp=warp)
            if share >= _EVERYTHING:
                self._table = small.grey
                return Over(hand=False, rebased=Rebased.LIGHT)
        reach = _reach(mask, self._edge, whole) if share < _EVERYTHING else None
        if reach is not None and motion.quiet_s >= _ABSORB_S:
            self._table = small.grey
            return Over(hand=False, rebased=Rebased.OBJECT)
        if reach is not None:
            return Over(hand=True, outline=mask, reach=reach)
        if quiet:
            self._table = small.grey
        return Over(hand=False)


def _inside_and_edge(area: Area | None, grey: Grey) -> tuple[Mask, Mask]:
    """Draw what is looked at, and the edge over which a hand must come."""
    import cv2

    inside = np.ones_like(grey) if area is None else area.mask(*grey.shape)
    framed = cv2.copyMakeBorder(inside, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0,))
    core = cv2.erode(framed, np.ones((5, 5), np.uint8))[1:-1, 1:-1]
    return inside, ((inside > 0) & (core == 0)).astype(np.uint8)


def _reach(mask: Mask, edge: Mask, whole: int) -> Mask | None:
    """Give the part of what differs that reaches in, or covers much; None if nothing does."""
    import cv2

    if np.count_nonzero(mask) < _HAND_AT_BORDER * whole:
        return None
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    areas = stats[:, cv2.CC_STAT_AREA]
    at_edge = set(np.unique(labels[edge > 0]).tolist())
    large = [
        k
        for k in range(1, count)
        if areas[k] >= (_HAND_AT_BORDER if k in at_edge else _HAND_ANYWHERE) * whole
    ]
    return np.isin(labels, large).astype(np.uint8) if large else None
