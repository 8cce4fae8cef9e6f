"""What the table needs of a recognizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from vision.capture.area import Area
from vision.capture.frame import Frame
from vision.recognize.reading import Reading


class Reader(Protocol):
    """Reads still frames; `vision.recognize.recognizer.Recognizer` does."""

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read one or more frames of the same still table, the newest last."""
        ...


@runtime_checkable
class RemembersCamera(Protocol):
    """A reader that learns how its camera looks at the table."""

    def moved(self) -> None:
        """Forget it: the camera or the table was moved."""
        ...


def of_camera(reader: Reader) -> Reader:
    """Give a reader for one camera that stays where it is: a recognizer learns how it looks."""
    from vision.recognize.fixed_camera import FixedCamera
    from vision.recognize.recognizer import Recognizer

    return FixedCamera(reader) if isinstance(reader, Recognizer) else reader


def tell_moved(reader: Reader) -> None:
    """Tell a reader that the camera or the table was moved, if that matters to it."""
    if isinstance(reader, RemembersCamera):
        reader.moved()


@dataclass(frozen=True, slots=True)
class AreaReader:
    """Reads only the throwing area when there are more pigs than two in the picture.

    With two or fewer the whole picture is read, so that a pig off the table is seen as one.
    """

    reader: Reader
    area: Area

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read one or more frames of the same still table, the newest last."""
        reading = self.reader.read(frames)
        if len(reading.pigs) <= 2:
            return reading
        covered = [replace(frame, image=self.area.covered(frame.image)) for frame in frames]
        return self.reader.read(covered)
