"""A camera of this computer, by its number or its device file."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self

from vision.capture.deadline import within
from vision.capture.frame import Frame
from vision.capture.opencv import open_capture, to_rgb
from vision.errors import CaptureError

if TYPE_CHECKING:
    import cv2

EXAMPLES = ("0", "/dev/video2")

_NUMBER = re.compile(r"^(?:/dev/video)?(\d{1,3})$")
# The first pictures of most cameras are black, green or badly exposed.
_WARM_UP_FRAMES = 5
_OPEN_S = 2.5
_FIRST_READ_S = 2.5
_TOTAL_S = 2.9


def claims(text: str) -> bool:
    """Take a number, and a video device's file."""
    return bool(_NUMBER.match(text))


def make(text: str) -> Webcam:
    """Make the source of a camera's number or device file."""
    found = _NUMBER.match(text)
    if found is None:
        raise CaptureError(f"'{text}' is no camera's number")
    return Webcam(int(found.group(1)))


class Webcam:
    """The frames of a webcam, `time_s` the monotonic time of their arrival.

    `width`, `height` (pixels) and `fps` are asked for; what the driver really gives is what
    the frames are. Raises `CaptureError` within three seconds when there is no such camera,
    when another program holds it or this one may not use it, and when it stops.
    """

    live = True

    def __init__(self, number: int, *, width: int = 1280, height: int = 720, fps: int = 30) -> None:
        self.number = number
        self.name = f"camera {number}"
        self._wish = (width, height, fps)
        self._capture: cv2.VideoCapture | None = None

    def __enter__(self) -> Self:
        started = time.monotonic()
        _look_for_device(self.number, self.name)
        refused = f"{self.name} does not open; {_refusal_advice(self.number)}"
        for backend in _backends():
            capture = open_capture(self.number, backend, within_s=_OPEN_S, late=refused)
            if capture.isOpened():
                break
            capture.release()
        else:
            raise CaptureError(refused)
        _ask_for(capture, *self._wish)
        left_s = max(0.3, _TOTAL_S - (time.monotonic() - started))
        silent = f"{self.name} opens but gives no picture; {_refusal_advice(self.number)}"
        if not within(min(left_s, _FIRST_READ_S), lambda: capture.read()[0], late=silent):
            capture.release()
            raise CaptureError(silent)
        self._capture = capture
        return self

    def __exit__(self, *exc: object) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def __iter__(self) -> Iterator[Frame]:
        capture = self._capture
        if capture is None:
            raise CaptureError(f"{self.name} is not open")
        index = -_WARM_UP_FRAMES
        while True:
            read, bgr = capture.read()
            if not read:
                raise CaptureError(f"{self.name} stopped giving pictures; is its cable in?")
            if index >= 0:
                yield Frame(to_rgb(bgr), index, time.monotonic(), self.name)  # type: ignore[arg-type]
            index += 1


def _backends() -> list[int]:
    """Give the ways to open a camera on this system, the better first."""
    import cv2

    return {
        "linux": [cv2.CAP_V4L2],
        "darwin": [cv2.CAP_AVFOUNDATION],
        "win32": [cv2.CAP_MSMF, cv2.CAP_DSHOW],
    }.get(sys.platform, [cv2.CAP_ANY])


def _ask_for(capture: cv2.VideoCapture, width: int, height: int, fps: int) -> None:
    """Ask for a size and rate: the packing first, since drivers forget it after the size.

    Uncompressed pictures of this size fit through USB 2 only a few times a second.
    """
    import cv2

    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
    capture.set(cv2.CAP_PROP_FPS, fps)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)


def _look_for_device(number: int, name: str) -> None:
    """Say at once what Linux can tell before opening."""
    if sys.platform != "linux":
        return
    device = Path(f"/dev/video{number}")
    if not device.exists():
        others = sorted(p.name.removeprefix("video") for p in Path("/dev").glob("video[0-9]*"))
        there = f"there is {', '.join(others)}" if others else "there is none at all"
        raise CaptureError(f"there is no {name} ({there}); plug it in, or see 'sooee cameras'")
    if not os.access(device, os.R_OK | os.W_OK):
        raise CaptureError(
            f"{name} may not be used by you: join the group that owns {device} "
            "(sudo usermod -aG video $USER) and log in again"
        )


def _refusal_advice(number: int) -> str:
    if sys.platform == "darwin":
        return "allow this terminal the camera in System Settings, Privacy & Security, Camera"
    if sys.platform == "win32":
        return (
            "close other programs that use it, and allow desktop apps the camera in Settings, "
            "Privacy & security, Camera"
        )
    holder = _holder(Path(f"/dev/video{number}"))
    return f"it is in use by {holder}: close that" if holder else "close other programs using it"


def _holder(device: Path) -> str | None:
    """Name the program that holds a device, as far as Linux lets us see."""
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if link.readlink() == device and link.parts[2] != str(os.getpid()):
                return Path(f"/proc/{link.parts[2]}/comm").read_text().strip()
        except OSError:
            continue
    return None
