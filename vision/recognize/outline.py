"""What of a picture is table and what is not: the outlines of two pigs, and the gap between them.

If two pigs touch, the point where they touch lies inside both outlines, whatever the camera's
angle. So table that is visible all along between the outlines proves that they do not touch,
while outlines that meet prove nothing: the one may only hide the gap to the other. Everything
that does not look like the table around the pigs counts as pig, so a doubt never becomes proof.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.recognize.crop import Box, union, window

PIG_MM = 28.0
"""A pig from nose to tail, in millimetres."""

LONGEST_PX = 256
"""A pair's window is shrunk to this before it is looked at: about 4 pixels a millimetre."""

TABLE_COLOURS = 6
SHADE = (0.55, 1.2)
"""A table's colour in light shadow and in a brighter spot, as a factor of its usual brightness."""

TOLERANCE = 3.0
"""How far from a table colour a pixel may be, in the table's own spread, and still be table."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Gap:
    """How two pigs lie to each other in the picture.

    `box_mm` is the distance between their boxes, `seen_mm` the least width of visible table
    between their outlines, 0 where the outlines meet; both in millimetres by the pigs' own
    length. `overlap` is the share of the smaller box that the other covers, 0 to 1.
    """

    box_mm: float
    seen_mm: float
    overlap: float


def measure_gap(image: Image, a: Box, b: Box) -> Gap:
    """Measure the gap between the pigs in two boxes of a picture, uint8[H, W, 3] RGB."""
    pig_px = max(a[2] - a[0], a[3] - a[1], b[2] - b[0], b[3] - b[1])
    mm = PIG_MM / pig_px
    box_mm = box_distance(a, b) * mm
    if box_mm >= PIG_MM / 2:  # far apart: what lies between is no matter
        return Gap(box_mm, box_mm, 0.0)
    view, boxes, scale = _look_closer(image, a, b, pig_px)
    seen_px = visible_gap(view, *boxes)
    return Gap(box_mm, seen_px / scale * mm, _overlap(a, b))


def box_distance(a: Box, b: Box) -> float:
    """Give the least distance between two boxes in pixels, 0 where they meet."""
    return math.hypot(max(0.0, a[0] - b[2], b[0] - a[2]), max(0.0, a[1] - b[3], b[1] - a[3]))


def visible_gap(view: Image, a: Box, b: Box) -> float:
    """Give the least width in pixels of table between two outlines, 0 where they meet."""
    import cv2

    solid = ~table_mask(view, a, b)
    # A break of one pixel may be noise or an edge: only a band of table holds them apart.
    joined = cv2.dilate(solid.astype(np.uint8), np.ones((3, 3), np.uint8))
    _, labels = cv2.connectedComponents(joined, connectivity=8)
    inside_a, inside_b = _inside(view, a), _inside(view, b)
    parts_a = np.unique(labels[solid & inside_a & ~inside_b])
    parts_b = np.unique(labels[solid & inside_b & ~inside_a])
    if not len(parts_a) or not len(parts_b) or np.intersect1d(parts_a, parts_b).size:
        return 0.0
    of_a = solid & np.isin(labels, parts_a)
    of_b = solid & np.isin(labels, parts_b)
    away = cv2.distanceTransform((~of_a).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return max(0.0, float(away[of_b].min()) - 1.0)


def table_mask(view: Image, a: Box, b: Box) -> Mask:
    """Say which pixels look like the table around the two boxes, in light shadow or not."""
    import cv2

    smooth = cv2.GaussianBlur(view, (3, 3), 0).astype(np.float32)
    around = ~(_inside(view, a, grow=0.04) | _inside(view, b, grow=0.04))
    samples = smooth[around]
    if len(samples) < 4 * TABLE_COLOURS:
        return np.zeros(view.shape[:2], np.bool_)
    samples = samples[:: max(1, len(samples) // 1500)]
    colours = _cluster(samples, TABLE_COLOURS)
    spread = float(np.percentile(_distance(samples, colours), 90)) + 2.0
    distance = _distance(smooth.reshape(-1, 3), colours).reshape(view.shape[:2])
    mask: Mask = cv2.medianBlur((distance < TOLERANCE * spread).astype(np.uint8), 3) > 0
    return mask


def _distance(pixels: NDArray[Any], colours: NDArray[Any]) -> NDArray[np.float32]:
    """Give each pixel's distance to the nearest table colour, whatever the shade (`SHADE`)."""
    nearest = np.full(len(pixels), np.inf, np.float32)
    for colour in colours:
        shade = (pixels @ colour) / max(1.0, float(colour @ colour))
        off = pixels - np.clip(shade, *SHADE)[:, None] * colour
        np.minimum(nearest, np.sqrt(np.einsum("ij,ij->i", off, off)), out=nearest)
    return nearest


def _cluster(samples: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """Give `count` typical colours; starts from the quantiles of brightness, so always alike."""
    order = np.argsort(samples.sum(axis=1), kind="stable")
    centres = np.stack([part.mean(axis=0) for part in np.array_split(samples[order], count)])
    for _ in range(5):
        nearest = ((samples[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
        for index in range(count):
            members = samples[nearest == index]
            if len(members):
                centres[index] = members.mean(axis=0)
    return centres


def _inside(view: Image, box: Box, grow: float = 0.0) -> Mask:
    height, width = view.shape[:2]
    extra = grow * max(box[2] - box[0], box[3] - box[1])
    mask = np.zeros((height, width), np.bool_)
    x0, y0 = max(0, math.floor(box[0] - extra)), max(0, math.floor(box[1] - extra))
    mask[y0 : max(0, math.ceil(box[3] + extra)), x0 : max(0, math.ceil(box[2] + extra))] = True
    return mask


def _look_closer(
    image: Image, a: Box, b: Box, pig_px: float
) -> tuple[Image, tuple[Box, Box], float]:
    """Cut out both pigs with some table around, shrunk to `LONGEST_PX` where it is larger."""
    import cv2

    around = union(a, b)
    left, top = math.floor(around[0] - 0.2 * pig_px), math.floor(around[1] - 0.2 * pig_px)
    width = math.ceil(around[2] + 0.2 * pig_px) - left
    height = math.ceil(around[3] + 0.2 * pig_px) - top
    view = window(image, left, top, width, height)
    scale = min(1.0, LONGEST_PX / max(width, height))
    if scale < 1.0:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        view = np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA), np.uint8)

    def moved(box: Box) -> Box:
        x0, y0, x1, y1 = box
        return (
            (x0 - left) * scale,
            (y0 - top) * scale,
            (x1 - left) * scale,
            (y1 - top) * scale,
        )

    return view, (moved(a), moved(b)), scale


def _overlap(a: Box, b: Box) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    smaller = min((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1]))
    return width * height / smaller
