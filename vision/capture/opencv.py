"""OpenCV as a reader of cameras, files and streams: quiet, and never waited on for ever."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from vision.capture.deadline import within

if TYPE_CHECKING:
    import cv2

    from vision.capture.frame import Image

# Read by OpenCV when it opens a capture. Without them its backends write lines of their own
# between ours, Windows' Media Foundation takes minutes to open some cameras, a silent camera
# blocks for ten seconds, and network cameras are read over UDP, where a lost packet is a torn
# picture.
_SETTINGS = {
    "OPENCV_LOG_LEVEL": "SILENT",
    "OPENCV_FFMPEG_LOGLEVEL": "-8",
    "OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS": "0",
    "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT": "2",
    "OPENCV_FFMPEG_CAPTURE_OPTIONS": "rtsp_transport;tcp",
}


def hush() -> None:
    """Set how OpenCV opens cameras and files; what the user has set himself stays."""
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    import cv2

    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


def open_capture(
    target: str | int,
    backend: int,
    parameters: Sequence[int] = (),
    *,
    within_s: float,
    late: str,
) -> cv2.VideoCapture:
    """Open a capture; the caller checks `isOpened()`.

    Raises `CaptureError(late)` when it takes longer than `within_s` seconds; a capture that
    opens after that is released at once.
    """
    hush()
    import cv2

    return within(
        within_s,
        lambda: cv2.VideoCapture(target, backend, list(parameters)),
        late=late,
        too_late=lambda capture: capture.release(),
    )


def to_rgb(bgr: Image) -> Image:
    """Turn OpenCV's blue-green-red picture (or a grey one) into red-green-blue."""
    import cv2

    grey = bgr.ndim == 2 or bgr.shape[2] == 1
    return cv2.cvtColor(bgr, cv2.COLOR_GRAY2RGB if grey else cv2.COLOR_BGR2RGB)  # type: ignore[return-value]


def camera_backends() -> list[int]:
    """Give OpenCV's ways to open a camera on this system, the better first."""
    import cv2

    return {
        "linux": [cv2.CAP_V4L2],
        "darwin": [cv2.CAP_AVFOUNDATION],
        "win32": [cv2.CAP_MSMF, cv2.CAP_DSHOW],
    }.get(sys.platform, [cv2.CAP_ANY])
