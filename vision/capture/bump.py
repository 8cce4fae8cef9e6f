"""How far a bumped camera or table moved in the picture, by the features of its surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.light import Change
from vision.capture.small import Grey, Mask

_FEATURES = 150
_LEAST_FEATURES = 12
_LEAST_AGREEING = 0.5
_WITHIN_PX = 1.0
_LEAST_SHIFT_PX = 0.6
# A moved picture laid over the new one must leave less than this share of what had changed.
_UNEXPLAINED = 0.4
_SURE_GUESS = 0.05


@dataclass(frozen=True, slots=True)
class Warp:
    """Where the points of a small picture went: turned and scaled by (a, b), moved by (dx, dy).

    (x, y) goes to (a*x - b*y + dx, b*x + a*y + dy).
    """

    a: float
    b: float
    dx: float
    dy: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Give where a point went."""
        return self.a * x - self.b * y + self.dx, self.b * x + self.a * y + self.dy

    @property
    def matrix(self) -> NDArray[np.float32]:
        """The same as float32[2, 3], as OpenCV takes it."""
        return np.array([[self.a, -self.b, self.dx], [self.b, self.a, self.dy]], np.float32)


def find_bump(before: Grey, after: Grey, mask: Mask, change: Change) -> Warp | None:
    """Find how the whole picture moved, if that explains most of what changed (`mask`).

    None when it did not move, or when what changed is something else: a hand, other pigs.
    """
    import cv2

    warp = _follow_features(before, after)
    if warp is None:
        return None
    height, width = before.shape
    corners = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)]
    far = max(float(np.hypot(*np.subtract(warp.point(x, y), (x, y)))) for x, y in corners)
    if far < _LEAST_SHIFT_PX:
        return None
    moved = cv2.warpAffine(before, warp.matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.warpAffine(np.ones_like(before), warp.matrix, (width, height)).astype(bool)
    left = change.between(moved, after)  # type: ignore[arg-type]
    if np.count_nonzero(left[seen]) > _UNEXPLAINED * np.count_nonzero(mask[seen]):
        return None
    return warp


def _follow_features(before: Grey, after: Grey) -> Warp | None:
    """Follow corners of the table from one picture to the other, and fit what most of them did."""
    import cv2

    corners = cv2.goodFeaturesToTrack(before, _FEATURES, 0.01, 5)
    if corners is None or len(corners) < _LEAST_FEATURES:
        return None
    guess = corners + np.array(_guess(before, after), np.float32)
    found, tracked, _ = cv2.calcOpticalFlowPyrLK(
        before,
        after,
        corners,
        guess,
        winSize=(15, 15),
        maxLevel=3,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    good = tracked.ravel() == 1
    if int(good.sum()) < _LEAST_FEATURES:
        return None
    matrix, agreeing = cv2.estimateAffinePartial2D(
        corners[good], found[good], method=cv2.RANSAC, ransacReprojThreshold=_WITHIN_PX
    )
    if matrix is None or float(agreeing.mean()) < _LEAST_AGREEING:
        return None
    return Warp(*(float(matrix[i, j]) for i, j in ((0, 0), (1, 0), (0, 2), (1, 2))))


def _guess(before: Grey, after: Grey) -> tuple[float, float]:
    """Guess how far the whole picture moved: corners are only followed from nearby."""
    import cv2

    window = cv2.createHanningWindow(before.shape[::-1], cv2.CV_32F)
    a, b = before.astype(np.float32), after.astype(np.float32)
    (dx, dy), sure = cv2.phaseCorrelate(a, b, window)
    return (dx, dy) if sure >= _SURE_GUESS else (0.0, 0.0)
