"""A closer look at a still table, where one picture does not show the two pigs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

import numpy as np

from vision.capture.frame import Frame, Image
from vision.recognize.reading import Reading
from vision.table.lying import Box, part
from vision.table.reader import Reader

# As the letterbox of the locator is filled.
_GREY = 114
# Grain that is left after averaging hides a pig from the locator; so much blur, in pixels of a
# picture 640 long, leaves the pig.
_BLUR_PX, _LONG = 0.7, 640


@dataclass(frozen=True, slots=True)
class Closer:
    """How to look: with `covers` painted over but for `spared`, or all frames made one `steady`.

    Boxes are in pixels of the frames.
    """

    covers: tuple[Box, ...] = ()
    spared: tuple[Box, ...] = ()
    steady: bool = False

    def scaled(self, factor: float) -> Closer:
        """Give the same for pictures `factor` times as large."""
        covers, spared = (
            tuple((a * factor, b * factor, c * factor, d * factor) for a, b, c, d in boxes)
            for boxes in (self.covers, self.spared)
        )
        return replace(self, covers=covers, spared=spared)

    def frames(self, frames: Sequence[Frame]) -> list[Frame]:
        """Give what is to be read instead of frames of the same still table, the newest last."""
        images = [_steady([f.image for f in frames])] if self.steady else [f.image for f in frames]
        shown = frames[-len(images) :]
        return [replace(f, image=self._cover(i)) for f, i in zip(shown, images, strict=True)]

    def _cover(self, image: Image) -> Image:
        if not self.covers:
            return image
        painted = image.copy()
        for box in self.covers:
            painted[part(box)] = _GREY
        for box in self.spared:
            painted[part(box)] = image[part(box)]
        return painted


@dataclass(frozen=True, slots=True)
class CloserReader:
    """Reads with a closer look."""

    reader: Reader
    how: Closer

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read one or more frames of the same still table, the newest last."""
        return self.reader.read(self.how.frames(frames))


@runtime_checkable
class LooksCloser(Protocol):
    """A reader that looks closer by itself, because it reads other pictures than it is given."""

    def closer(self, how: Closer) -> Reader:
        """Give the reader that looks so."""
        ...


def closer(reader: Reader, how: Closer) -> Reader:
    """Give a reader that looks closer."""
    return reader.closer(how) if isinstance(reader, LooksCloser) else CloserReader(reader, how)


def _steady(images: Sequence[Image]) -> Image:
    """Average pictures of the same still table and smooth what grain is left."""
    import cv2

    mean = np.zeros(images[0].shape, np.float32)
    for image in images:
        cv2.accumulate(image, mean)
    mean /= len(images)
    sigma = _BLUR_PX * max(1.0, max(mean.shape[:2]) / _LONG)
    smooth = cv2.GaussianBlur(mean, (0, 0), sigma)
    return np.asarray(smooth.round(), np.uint8)
