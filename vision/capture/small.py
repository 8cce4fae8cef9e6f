"""A frame made small: all that motion, hands and bumps are judged by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Frame

Grey = NDArray[np.uint8]
"""uint8[h, w], brightness."""

Mask = NDArray[np.uint8]
"""uint8[h, w], 0 or 1."""

LONG_SIDE = 320
"""A small picture's long side in pixels, about; a pig is then 5 to 50 pixels long."""


@dataclass(frozen=True, slots=True, eq=False)
class Small:
    """A small grey picture of a frame.

    `grey` is uint8[h, w]; `scale` the pixels of the frame to one of these; `index` and `time_s`
    those of the frame.
    """

    grey: Grey
    scale: int
    index: int
    time_s: float


def shrink(frame: Frame) -> Small:
    """Make a frame small by averaging whole blocks of pixels, which also averages their noise."""
    import cv2

    height, width = frame.image.shape[:2]
    scale = max(1, round(max(height, width) / LONG_SIDE))
    size = (max(1, width // scale), max(1, height // scale))
    whole = frame.image[: size[1] * scale, : size[0] * scale]
    small = cv2.resize(whole, size, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    return Small(grey, scale, frame.index, frame.time_s)  # type: ignore[arg-type]
