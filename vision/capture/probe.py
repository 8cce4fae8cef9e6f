"""What a camera really delivers: sizes, frames a second, and a first picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vision.capture.cameras import Camera
from vision.capture.frame import Frame
from vision.capture.sources.webcam import Webcam
from vision.errors import CaptureError

SIZES = ((1920, 1080), (1280, 720), (640, 480))
"""The sizes that are asked for, in pixels."""

_MEASURE_S = 1.5
_THUMBNAIL_PX = 480


@dataclass(frozen=True, slots=True)
class Mode:
    """What came when a size was asked for: `width` and `height` in pixels, measured `fps`."""

    asked: tuple[int, int]
    width: int
    height: int
    fps: float


def probe(camera: Camera, thumbnail: Path | None = None) -> list[Mode]:
    """Measure a camera for a few seconds; the last picture is saved as a small JPEG.

    Raises `CaptureError` when it does not open or stops.
    """
    modes = []
    last: Frame | None = None
    for width, height in SIZES:
        with Webcam(camera.number, width=width, height=height) as source:
            last, fps = _measure(source)
        got_height, got_width = last.image.shape[:2]
        modes.append(Mode((width, height), got_width, got_height, fps))
    if thumbnail is not None and last is not None:
        save_thumbnail(last, thumbnail)
    return modes


def _measure(source: Webcam) -> tuple[Frame, float]:
    """Watch for a while: gives the last frame and the frames a second."""
    frames = iter(source)
    first = last = next(frames)
    while last.time_s - first.time_s < _MEASURE_S:
        last = next(frames)
    return last, (last.index - first.index) / (last.time_s - first.time_s)


def save_thumbnail(frame: Frame, path: Path) -> None:
    """Save a frame as a JPEG of at most 480 pixels; `CaptureError` when it cannot be written."""
    from PIL import Image as Pillow

    picture = Pillow.fromarray(frame.image)
    picture.thumbnail((_THUMBNAIL_PX, _THUMBNAIL_PX))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        picture.save(path, "JPEG", quality=85)
    except OSError as error:
        raise CaptureError(f"the picture {path} cannot be written: {error}") from error
