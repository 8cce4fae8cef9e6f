"""The clip that comes with the program: ten throws."""

from __future__ import annotations

from vision.artefacts import artefact_dir
from vision.capture.sources.video import VideoFile

EXAMPLES = ("demo",)


def claims(text: str) -> bool:
    """Take the one word."""
    return text == "demo"


def make(text: str) -> VideoFile:
    """Make the source of the bundled clip."""
    return VideoFile(artefact_dir("datasets") / "demo" / "demo.mp4", name=text)
