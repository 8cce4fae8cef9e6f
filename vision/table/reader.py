"""What the table needs of a recognizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from vision.capture.frame import Frame
from vision.recognize.reading import Reading


class Reader(Protocol):
    """Reads still frames; `vision.recognize.recognizer.Recognizer` does."""

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read one or more frames of the same still table, the newest last."""
        ...
