"""One file a kind of camera.

A module here gives `EXAMPLES` (words a user may type for it), `claims(text)` (whether a word
is one of its own) and `make(text)` (the `FrameSource`, not yet opened). No word is claimed by
two modules.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Protocol

from vision.errors import CaptureError

if TYPE_CHECKING:
    from vision.capture.frame import FrameSource


class SourceKind(Protocol):
    """What every module of this folder gives."""

    EXAMPLES: tuple[str, ...]

    def claims(self, text: str) -> bool:
        """Tell whether the word names a source of this kind."""

    def make(self, text: str) -> FrameSource:
        """Make the source; nothing is opened yet."""


def kinds() -> list[SourceKind]:
    """Give every kind of source, by the name of its file."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return [importlib.import_module(f"{__name__}.{name}") for name in names]


def open_source(text: str) -> FrameSource:
    """Give the source that a word names, not yet opened.

    Raises `CaptureError` when it is neither a camera, a file, a folder nor an address.
    """
    for kind in kinds():
        if kind.claims(text):
            return kind.make(text)
    raise CaptureError(
        f"there is no '{text}': give a video file, a picture or a folder of them, a camera's "
        "number such as 0, an address such as rtsp://camera/stream, or demo"
    )
