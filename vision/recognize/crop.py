"""The one way a pig is cut out of a picture; training data and run time both use it.

A crop is square, taken at the picture's own resolution around the box, and only then resized:
by area when it shrinks (no aliasing), linearly when it grows. Beyond the picture's edge the
last row or column is repeated: a constant would draw an edge that models learn to lean on, and
a reflection would show a mirrored pig, which is another pose.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image

Box = tuple[float, float, float, float]
"""(x0, y0, x1, y1) in pixels of the whole picture, x right, y down."""

POSE_MARGIN = 0.25
"""How much longer than the box's longer side a pose crop is."""

PAIR_MARGIN = 0.10
"""How much longer than the longer side of both boxes' union a pair crop is."""


def pose_crop(image: Image, box: Box, size: int) -> Image:
    """Cut out one pig: uint8[size, size, 3], centred on the box, with `POSE_MARGIN`."""
    return square_crop(image, box, size, POSE_MARGIN)


def pair_crop(image: Image, box_a: Box, box_b: Box, size: int) -> Image:
    """Cut out both pigs: uint8[size, size, 3], centred on both boxes' union."""
    return square_crop(image, union(box_a, box_b), size, PAIR_MARGIN)


def union(a: Box, b: Box) -> Box:
    """Give the smallest box around both."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def square_crop(image: Image, box: Box, size: int, margin: float) -> Image:
    """Cut the square around `box`, `1 + margin` times its longer side, resized to `size`."""
    import cv2

    x0, y0, x1, y1 = box
    side = max(2, round(max(x1 - x0, y1 - y0) * (1.0 + margin)))
    left, top = round((x0 + x1 - side) / 2), round((y0 + y1 - side) / 2)
    patch = window(image, left, top, side, side)
    how = cv2.INTER_AREA if side > size else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(patch, (size, size), interpolation=how), np.uint8)


def window(image: Image, left: int, top: int, width: int, height: int) -> Image:
    """Give `width` by `height` pixels from (left, top): a view inside, repeated edges beyond."""
    rows, columns = image.shape[:2]
    if left >= 0 and top >= 0 and left + width <= columns and top + height <= rows:
        return image[top : top + height, left : left + width]
    ys = np.clip(np.arange(top, top + height), 0, rows - 1)
    xs = np.clip(np.arange(left, left + width), 0, columns - 1)
    return image[ys[:, None], xs]


def as_tensor(images: Sequence[Image]) -> NDArray[np.float32]:
    """Lay images of one size, uint8[H, W, 3], into float32[N, 3, H, W] of 0 to 1.

    The same as `cv2.dnn.blobFromImages`, twelve times as fast (docs/decisions/0013-backends.md).
    """
    import cv2

    height, width = images[0].shape[:2]
    tensor = np.empty((len(images), 3, height, width), np.float32)
    for image, planes in zip(images, tensor, strict=True):
        for channel, plane in zip(cv2.split(image), planes, strict=True):
            np.multiply(channel, np.float32(1 / 255), out=plane)
    return tensor
