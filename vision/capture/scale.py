"""How many millimetres a pixel of the table is, and how far the camera is tilted."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.capture.mat import find_markers
from vision.errors import CaptureError

CARD_MM = (85.60, 53.98)
"""A bank card, ISO/IEC 7810 ID-1, in millimetres."""

_LEAST_MARKERS = 2
_CARD_SHARES = (0.002, 0.3)
_MOST_TILT = 70.0


class How(StrEnum):
    """What the scale was measured with."""

    MAT = "mat"
    CARD = "card"
    PIGS = "pigs"


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale in the middle of what was measured.

    `mm_per_px` along the direction that the camera's tilt does not shorten; `tilt_deg` from
    straight above, None where it cannot be told.
    """

    mm_per_px: float
    tilt_deg: float | None
    how: How

    def __post_init__(self) -> None:
        if not 0.001 < self.mm_per_px < 50:
            raise CaptureError(f"a scale of {self.mm_per_px:.4g} mm a pixel is not of a table")


def measure_mat(image: Image) -> Scale | None:
    """Measure with the printed mat; None when two of its markers are not in the picture."""
    import cv2

    pixels, mm = find_markers(image)
    if len(pixels) < 4 * _LEAST_MARKERS:
        return None
    matrix = np.asarray(cv2.findHomography(mm, pixels)[0], np.float64)
    return _scale_at(matrix, mm.mean(axis=0), How.MAT) if matrix.shape == (3, 3) else None


def measure_card(image: Image) -> Scale | None:
    """Measure with a bank card that lies in the picture; None when no or several shapes fit."""
    import cv2

    found = [q for q in _quadrilaterals(image) if _card_fits(q)]
    distinct: list[NDArray[np.float32]] = []
    for quad in sorted(found, key=lambda q: -cv2.contourArea(q)):
        middle = quad.mean(axis=0)
        if all(cv2.pointPolygonTest(d, tuple(map(float, middle)), False) < 0 for d in distinct):
            distinct.append(quad)
    if len(distinct) != 1:
        return None
    matrix = _card_matrix(distinct[0])
    return _scale_at(matrix, np.array(CARD_MM) / 2, How.CARD)


def measure_pigs(lengths_px: list[float], pig_mm: float) -> Scale | None:
    """Measure with the pigs' own length, of boxes' longer sides in pixels; ±10 %."""
    if not lengths_px:
        return None
    return Scale(pig_mm / float(np.median(lengths_px)), None, How.PIGS)


def _scale_at(matrix: NDArray[np.float64], point: NDArray[np.float64], how: How) -> Scale | None:
    """Give the scale at a point of the table from the map of millimetres to pixels.

    Its derivative there is a turn, a scale, and a shortening by the cosine of the tilt.
    """
    x, y = (float(v) for v in point)
    w = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2]
    u = matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2]
    v = matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2]
    jacobian = np.array(
        [
            [matrix[0, k] / w - u * matrix[2, k] / w**2 for k in (0, 1)],
            [matrix[1, k] / w - v * matrix[2, k] / w**2 for k in (0, 1)],
        ]
    )
    longest, shortest = (float(s) for s in np.linalg.svd(jacobian, compute_uv=False))
    if longest <= 0:
        return None
    return Scale(1 / longest, math.degrees(math.acos(min(1.0, shortest / longest))), how)


def _quadrilaterals(image: Image) -> list[NDArray[np.float32]]:
    """Find the four-cornered outlines of a picture, float32[4, 2] each, in pixels."""
    import cv2

    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), (5, 5), 0)
    whole = float(grey.size)
    found: list[NDArray[np.float32]] = []
    for low, high in ((30, 90), (60, 180), (15, 45)):
        edges = cv2.dilate(cv2.Canny(grey, low, high), np.ones((3, 3), np.uint8))
        outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            area = cv2.contourArea(outline)
            if not _CARD_SHARES[0] * whole < area < _CARD_SHARES[1] * whole:
                continue
            # A card's corners are round: its straight sides meet a little outside.
            hull = np.asarray(cv2.convexHull(outline), np.int32)
            near = cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, True), True)
            if len(near) == 4 and area > 0.9 * cv2.contourArea(near):
                found.append(_straightened(hull, near.reshape(4, 2).astype(np.float32)))
    return found


def _straightened(outline: NDArray[np.int32], corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Move corners to where the straight sides, fitted between the round corners, would meet."""
    import cv2

    points = outline.reshape(-1, 2).astype(np.float32)
    dense = np.concatenate(
        [
            a + (b - a) * np.linspace(0, 1, 20, endpoint=False, dtype=np.float32)[:, None]
            for a, b in zip(points, np.roll(points, -1, axis=0), strict=True)
        ]
    )
    lines = []
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = ((dense - a) @ (b - a)) / float((b - a) @ (b - a))
        (ux, uy), (px, py) = b - a, (dense - a).T
        across = np.abs(ux * py - uy * px) / np.linalg.norm(b - a)
        side = dense[(along > 0.15) & (along < 0.85) & (across < 0.06 * np.linalg.norm(b - a))]
        if len(side) < 2:
            return corners
        vx, vy, x, y = cv2.fitLine(side, cv2.DIST_L2, 0, 0.01, 0.01).ravel()
        lines.append((float(vx), float(vy), float(x), float(y)))
    meets = [_meet(lines[k - 1], lines[k]) for k in range(4)]
    return np.array(meets, np.float32) if all(m is not None for m in meets) else corners


Line = tuple[float, float, float, float]


def _meet(a: Line, b: Line) -> tuple[float, float] | None:
    across = a[0] * b[1] - a[1] * b[0]
    if abs(across) < 1e-3:
        return None
    t = ((b[2] - a[2]) * b[1] - (b[3] - a[3]) * b[0]) / across
    return a[2] + t * a[0], a[3] + t * a[1]


def _card_matrix(quad: NDArray[np.float32]) -> NDArray[np.float64]:
    """Map the card's millimetres to the picture, its long side along the longer sides seen.

    Of the two ways to lay it, the one that is less tilted: a card stood on its short side would
    need a far more slanted camera.
    """
    import cv2

    width, height = CARD_MM
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    ways = [
        np.asarray(cv2.getPerspectiveTransform(corners, np.roll(quad, turn, axis=0)), np.float64)
        for turn in (0, 1)
    ]
    return min(ways, key=_tilt_of_card)


def _tilt_of_card(matrix: NDArray[np.float64]) -> float:
    scale = _scale_at(matrix, np.array(CARD_MM) / 2, How.CARD)
    return 90.0 if scale is None or scale.tilt_deg is None else scale.tilt_deg


def _card_fits(quad: NDArray[np.float32]) -> bool:
    """Tell whether a four-cornered outline can be a card that lies on the table."""
    sides = [float(np.linalg.norm(a - b)) for a, b in itertools.pairwise([*quad, quad[0]])]
    if min(sides) < 12 or max(sides[0], sides[2]) > 2 * min(sides[0], sides[2]):
        return False
    if max(sides[1], sides[3]) > 2 * min(sides[1], sides[3]):
        return False
    return _tilt_of_card(_card_matrix(quad)) < _MOST_TILT
