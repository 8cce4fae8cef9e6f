"""The throwing area: the part of the picture that is the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.capture.frame import Image
from vision.capture.small import Mask
from vision.errors import CaptureError

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Area:
    """A polygon as shares of the picture's width and height, so that its size does not matter.

    What happens outside (people passing by, a scoreboard) is not looked at; pigs outside are off
    the table.
    """

    corners: tuple[Point, ...]

    def __post_init__(self) -> None:
        if len(self.corners) < 3:
            raise CaptureError(f"a throwing area has three corners or more, got {self.corners}")
        if not all(0.0 <= v <= 1.0 for corner in self.corners for v in corner):
            raise CaptureError(f"a throwing area lies inside the picture, got {self.corners}")
        if self.share < 0.01:
            raise CaptureError("a throwing area is at least a hundredth of the picture")

    @classmethod
    def of_pixels(cls, corners: tuple[Point, ...], width: int, height: int) -> Area:
        """Make an area of corners in pixels; what lies outside the picture is cut to its edge."""
        shares = ((x / width, y / height) for x, y in corners)
        return cls(tuple((min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)) for x, y in shares))

    @property
    def share(self) -> float:
        """The share of the picture that it covers, 0 to 1."""
        xs, ys = np.array(self.corners).T
        return float(abs(xs @ np.roll(ys, 1) - ys @ np.roll(xs, 1))) / 2

    def mask(self, height: int, width: int) -> Mask:
        """Draw it: uint8[height, width], 1 inside."""
        import cv2

        drawn = np.zeros((height, width), np.uint8)
        points = (np.array(self.corners) * (width, height)).round().astype(np.int32)
        cv2.fillPoly(drawn, [points], (1,))
        return drawn

    def holds(self, x: float, y: float) -> bool:
        """Tell whether a point, as shares of width and height, lies inside."""
        inside = False
        for (ax, ay), (bx, by) in zip(
            self.corners, self.corners[1:] + self.corners[:1], strict=True
        ):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                inside = not inside
        return inside

    def covered(self, image: Image) -> Image:
        """Give the picture with everything outside painted grey."""
        mask = self.mask(*image.shape[:2])
        painted = image.copy()
        painted[mask == 0] = 128
        return painted
