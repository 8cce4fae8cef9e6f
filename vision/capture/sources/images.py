"""One picture, or a folder of them in the order of their names, each held still for a while."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Self

from vision.capture.frame import Frame
from vision.errors import CaptureError
from vision.recognize.picture import open_picture

EXAMPLES = ("throw.jpg", "./pictures/0001.png")

_SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})
# Each picture is shown as a camera would show a table that lies still: long enough to be read.
_HELD_S = 2.0
_FPS = 10


def claims(text: str) -> bool:
    """Take every folder, and every word that ends as a picture does."""
    return "://" not in text and (
        Path(text).suffix.lower() in _SUFFIXES or (Path(text).is_dir() and bool(text))
    )


def make(text: str) -> Images:
    """Make the source of a picture's or folder's path."""
    return Images(Path(text))


class Images:
    """The pictures of a folder, or one, each given as two seconds of frames.

    Raises `CaptureError` when the folder has no pictures, `PictureError` when one cannot be read.
    """

    live = False

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name
        self._pictures: list[Path] = []

    def __enter__(self) -> Self:
        if self.path.is_dir():
            self._pictures = sorted(
                p for p in self.path.iterdir() if p.suffix.lower() in _SUFFIXES and p.is_file()
            )
            if not self._pictures:
                raise CaptureError(
                    f"the folder '{self.path}' has no pictures ({' '.join(sorted(_SUFFIXES))})"
                )
        elif self.path.is_file():
            self._pictures = [self.path]
        else:
            raise CaptureError(f"there is no picture '{self.path}'; check its name and folder")
        return self

    def __exit__(self, *exc: object) -> None:
        self._pictures = []

    def __iter__(self) -> Iterator[Frame]:
        held = int(_HELD_S * _FPS)
        for number, path in enumerate(self._pictures):
            image = open_picture(path)
            for repeat in range(held):
                index = number * held + repeat
                yield Frame(image, index, index / _FPS, path.name)
