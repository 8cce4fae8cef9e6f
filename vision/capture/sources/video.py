"""A video file, read at its own clock: every frame, as quickly as the reader takes them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self

from vision.capture.frame import Frame
from vision.capture.opencv import open_capture, to_rgb
from vision.errors import CaptureError

if TYPE_CHECKING:
    import cv2

EXAMPLES = ("throws.mp4", "./evening.mkv")

_SUFFIXES = frozenset(
    {".3gp", ".avi", ".flv", ".m2ts", ".m4v", ".mjpeg", ".mjpg", ".mkv", ".mov", ".mp4"}
    | {".mpeg", ".mpg", ".mts", ".ogv", ".ts", ".webm", ".wmv"}
)
# A file cut off in the middle ends early by more than this; containers without a count of
# their frames are only estimated, and are off by a few.
_LEAST_SHARE = 0.95
_FEW_FRAMES = 5
_OPEN_S = 3.0
_DEFAULT_FPS = 30.0


def claims(text: str) -> bool:
    """Take every word that ends as a video file does."""
    return "://" not in text and Path(text).suffix.lower() in _SUFFIXES and not Path(text).is_dir()


def make(text: str) -> VideoFile:
    """Make the source of a file's path."""
    return VideoFile(Path(text))


class VideoFile:
    """The frames of a video file, `time_s` by the file's own clock.

    Raises `CaptureError` when there is no such file, when it is no video, and, after the last
    readable frame, when it is cut short.
    """

    live = False

    def __init__(self, path: Path, name: str | None = None) -> None:
        self.path = path
        self.name = name or path.name
        self._capture: cv2.VideoCapture | None = None

    def __enter__(self) -> Self:
        import cv2

        if not self.path.is_file():
            raise CaptureError(f"there is no video file '{self.path}'; check its name and folder")
        capture = open_capture(
            str(self.path),
            cv2.CAP_FFMPEG,
            within_s=_OPEN_S,
            late=f"'{self.path}' does not open; is its drive still connected?",
        )
        if not capture.isOpened():
            raise CaptureError(
                f"'{self.path}' cannot be read as a video; it is broken, cut short or of another "
                "kind: try to play it, or copy it again"
            )
        self._capture = capture
        return self

    def __exit__(self, *exc: object) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def __iter__(self) -> Iterator[Frame]:
        import cv2

        capture = self._capture
        if capture is None:
            raise CaptureError(f"'{self.path}' is not open")
        expected = capture.get(cv2.CAP_PROP_FRAME_COUNT)
        frame_s = 1 / (capture.get(cv2.CAP_PROP_FPS) or _DEFAULT_FPS)
        index, time_s = 0, -frame_s
        while True:
            read, bgr = capture.read()
            if not read:
                break
            # Some files repeat a time or leave it out; time must go on for the table.
            told_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            time_s = told_s if told_s > time_s else time_s + frame_s
            yield Frame(to_rgb(bgr), index, time_s, self.name)  # type: ignore[arg-type]
            index += 1
        if index == 0 or (index < expected * _LEAST_SHARE and expected - index > _FEW_FRAMES):
            raise CaptureError(
                f"'{self.path}' ends at frame {index} of {expected:.0f}: it is broken or cut "
                "short; copy it again. What was logged until there is kept"
            )
