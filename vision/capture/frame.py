"""One picture from a camera, and the protocol of everything that gives such pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vision.errors import CaptureError

if TYPE_CHECKING:
    from collections.abc import Iterator

Image = NDArray[np.uint8]
"""uint8[H, W, 3], RGB."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table.

    `image` is uint8[H, W, 3] RGB, made read-only; `index` counts the source's frames from 0;
    `time_s` is monotonic (a file's own clock, a camera's arrival); `source` names the source.
    """

    image: Image
    index: int
    time_s: float
    source: str

    def __post_init__(self) -> None:
        if self.image.dtype != np.uint8 or self.image.ndim != 3 or self.image.shape[2] != 3:
            got = f"{self.image.dtype}{list(self.image.shape)}"
            raise CaptureError(f"a frame's image is uint8[H, W, 3], got {got}")
        if self.index < 0:
            raise CaptureError(f"a frame's index counts from 0, got {self.index}")
        self.image.flags.writeable = False


@runtime_checkable
class FrameSource(Protocol):
    """Anything that gives frames: a context manager and an iterator.

    `live` says whether frames come in their own time (a camera) or wait to be asked for
    (a file). Opening and reading raise `CaptureError`, its message saying what to do.
    """

    name: str
    live: bool

    def __enter__(self) -> Self: ...
    def __exit__(self, *exc: object) -> None: ...
    def __iter__(self) -> Iterator[Frame]: ...
