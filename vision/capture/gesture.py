"""An open hand held still: the sign that banks a turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.capture.small import Mask

# A hand held still goes on sharing at least this much of its area with its first outline.
_SAME_HAND = 0.8
# The gaps between spread fingers are at least this deep, in shares of the hand's own size.
_GAP_DEPTH = 0.14
# Four gaps, and perhaps one on each side where the hand is wider than the arm.
_GAPS = 4
_MOST_GAPS = 7
_LEAST_PX = 150


def is_open_hand(mask: Mask) -> bool:
    """Tell whether an outline, uint8[h, w] of 0 and 1, is a hand with its fingers spread.

    The gaps between five fingers are deep notches of the outline; an arm, a fist, a sleeve or
    a box has none or few.
    """
    import cv2

    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return False
    outline = max(outlines, key=cv2.contourArea)
    area = cv2.contourArea(outline)
    if area < _LEAST_PX:
        return False
    hull = cv2.convexHull(outline, returnPoints=False)
    # In the order along the outline, or OpenCV calls the outline one that crosses itself.
    defects: Any = cv2.convexityDefects(outline, np.sort(hull, axis=0)[::-1])
    if defects is None:
        return False
    depths = defects.reshape(-1, 4)[:, 3] / 256
    return _GAPS <= int((depths > _GAP_DEPTH * np.sqrt(area)).sum()) <= _MOST_GAPS


class OpenHand:
    """Measures for how long an open hand has been held still."""

    def __init__(self) -> None:
        self._outline: Mask | None = None
        self._since_s = 0.0

    def look(self, hand: Mask | None, time_s: float) -> float:
        """Take the outline of the hand in the next picture; gives the seconds it has been held.

        0 without a hand, with another one than an open one, and when it has just moved.
        """
        if hand is None or not is_open_hand(hand):
            self._outline = None
            return 0.0
        first = self._outline
        if first is None or first.shape != hand.shape or _shared(first, hand) < _SAME_HAND:
            self._outline, self._since_s = hand, time_s
        return time_s - self._since_s


def _shared(a: Mask, b: Mask) -> float:
    either = int(np.count_nonzero(a | b))
    return int(np.count_nonzero(a & b)) / either if either else 0.0
