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
from vision.recognize.crop import Box, union

PIG_MM = 28.0
"""A pig from nose to tail, in millimetres."""

BOX_CLEAR_MM = 4.0
"""Boxes this far from each other need no outline: a locator's box is not that wrong."""

LONGEST_PX = 256
"""A pair's window is shrunk to this before it is looked at: about 4 pixels a millimetre."""

TABLE_COLOURS = 6
SHADE = (0.6, 1.2)
"""A table's colour in light shadow and in a brighter spot, as a factor of its usual brightness."""

TOLERANCE = 3.0
"""How far from a table colour a pixel may be, in the table's own spread, and still be table."""

RARE = 0.04
"""A colour that fewer of the pixels around have is a thing on the table, not the table."""

LOOSE = 0.25
"""The most, of a box's side, that an outline may fall short of it."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Gap:
    """How two pigs lie to each other in the picture.

    `box_mm` is the distance between their boxes, `seen_mm` the least width of visible table
    between their outlines, 0 where the outlines meet; both in millimetres by the pigs' own
    length. Of boxes that are `BOX_CLEAR_MM` apart `seen_mm` is their distance, the least it can
    be. `overlap` is the share of the smaller box that the other covers, 0 to 1.
    """

    box_mm: float
    seen_mm: float
    overlap: float


def measure_gap(image: Image, a: Box, b: Box) -> Gap:
    """Measure the gap between the pigs in two boxes of a picture, uint8[H, W, 3] RGB."""
    box_mm = box_gap_mm(a, b)
    if box_mm >= BOX_CLEAR_MM:
        return Gap(box_mm, box_mm, 0.0)
    pig_px = _pig_px(a, b)
    view, boxes, scale = _look_closer(image, a, b, pig_px)
    seen_px = visible_gap(view, *boxes)
    return Gap(box_mm, seen_px / scale * PIG_MM / pig_px, _overlap(a, b))


def box_gap_mm(a: Box, b: Box) -> float:
    """Give the least distance between two boxes in millimetres by the pigs' own length."""
    return box_distance(a, b) * PIG_MM / _pig_px(a, b)


def _pig_px(a: Box, b: Box) -> float:
    return max(a[2] - a[0], a[3] - a[1], b[2] - b[0], b[3] - b[1])


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
    if not (_fills(of_a, a) and _fills(of_b, b)):
        return 0.0
    away = cv2.distanceTransform((~of_a).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return max(0.0, float(away[of_b].min()) - 1.0)


def _fills(outline: Mask, box: Box) -> bool:
    """Whether an outline reaches all sides of its box: else a part of it looks like the table."""
    ys, xs = np.flatnonzero(outline.any(axis=1)), np.flatnonzero(outline.any(axis=0))
    height, width = outline.shape
    x0, y0, x1, y1 = max(0.0, box[0]), max(0.0, box[1]), min(width, box[2]), min(height, box[3])
    slack_x, slack_y = LOOSE * (x1 - x0), LOOSE * (y1 - y0)
    return bool(
        xs[0] <= x0 + slack_x
        and xs[-1] + 1 >= x1 - slack_x
        and ys[0] <= y0 + slack_y
        and ys[-1] + 1 >= y1 - slack_y
    )


def table_mask(view: Image, a: Box, b: Box) -> Mask:
    """Say which pixels look like the table around the two boxes, in light shadow or not."""
    import cv2

    smooth = cv2.GaussianBlur(view, (3, 3), 0).astype(np.float32)
    around = ~(_inside(view, a, grow=0.04) | _inside(view, b, grow=0.04))
    samples = smooth[around]
    if len(samples) < 4 * TABLE_COLOURS:
        return np.zeros(view.shape[:2], np.bool_)
    colours, spreads = _cluster(samples[:: max(1, len(samples) // 1500)], TABLE_COLOURS)
    pixels = smooth.reshape(-1, 3)
    table = np.zeros(len(pixels), np.bool_)
    for colour, spread in zip(colours, spreads, strict=True):
        table |= _off(pixels, colour) < TOLERANCE * spread
    mask: Mask = cv2.medianBlur(table.reshape(view.shape[:2]).astype(np.uint8), 3) > 0
    return mask


def _off(pixels: NDArray[Any], colour: NDArray[Any]) -> NDArray[np.float32]:
    """Give each pixel's distance to a table colour in whatever shade suits it best (`SHADE`)."""
    shade = (pixels @ colour) / max(1.0, float(colour @ colour))
    off = pixels - np.clip(shade, *SHADE)[:, None] * colour
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", off, off)), np.float32)


def _cluster(samples: NDArray[np.float32], count: int) -> tuple[NDArray[Any], list[float]]:
    """Give up to `count` typical colours and how far theirs lie from each.

    It starts from the quantiles of brightness, so the same picture gives the same colours.
    """
    order = np.argsort(samples.sum(axis=1), kind="stable")
    centres = np.stack([part.mean(axis=0) for part in np.array_split(samples[order], count)])
    nearest = np.zeros(len(samples), np.intp)
    for _ in range(5):
        nearest = ((samples[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
        for index in np.unique(nearest):
            centres[index] = samples[nearest == index].mean(axis=0)
    kept = [i for i in range(count) if np.count_nonzero(nearest == i) >= RARE * len(samples)]
    members = [samples[nearest == i] for i in kept]
    return centres[kept], [
        float(np.percentile(_off(m, centres[i]), 90)) + 2.0
        for i, m in zip(kept, members, strict=True)
    ]


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
    left = max(0, math.floor(around[0] - 0.2 * pig_px))
    top = max(0, math.floor(around[1] - 0.2 * pig_px))
    right, bottom = math.ceil(around[2] + 0.2 * pig_px), math.ceil(around[3] + 0.2 * pig_px)
    view = image[top:bottom, left:right]
    height, width = view.shape[:2]
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
