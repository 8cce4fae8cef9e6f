"""A camera of this computer: by its number, its device file, or its identity."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self

from vision.capture.cameras import find_camera, list_cameras, remembered
from vision.capture.deadline import within
from vision.capture.driver import Steady, ask_for
from vision.capture.frame import Frame
from vision.capture.opencv import camera_backends, open_capture, to_rgb
from vision.errors import CaptureError

if TYPE_CHECKING:
    import cv2

EXAMPLES = ("0", "/dev/video2", "camera:046d:0825", "camera")

_NUMBER = re.compile(r"^(?:/dev/video)?(\d{1,3})$")
_NAMED = "camera"
_OPEN_S = 2.5
_TOTAL_S = 2.9


def claims(text: str) -> bool:
    """Take a number, a video device's file, `camera:IDENTITY`, and `camera` (the one used last)."""
    return bool(_NUMBER.match(text)) or text == _NAMED or text.startswith(f"{_NAMED}:")


def make(text: str) -> Webcam:
    """Make the source of a camera's number, device file or identity."""
    found = _NUMBER.match(text)
    return Webcam(int(found.group(1)) if found else text.partition(":")[2])


class Webcam:
    """The frames of a webcam, `time_s` the monotonic time of their arrival.

    `which` is its number today or its identity (empty: the camera used last, or the only one).
    `width`, `height` (pixels) and `fps` are asked for; what the driver really gives is what the
    frames are. Raises `CaptureError` within three seconds when there is no such camera, when
    another program holds it or this one may not use it, and when it stops.
    """

    live = True

    def __init__(
        self, which: int | str, *, width: int = 1280, height: int = 720, fps: int = 30
    ) -> None:
        self._which = which
        self.name = f"camera {which}".strip()
        self._wish = (width, height, fps)
        self._capture: cv2.VideoCapture | None = None

    def __enter__(self) -> Self:
        started = time.monotonic()
        number = self.number()
        _look_for_device(number, self.name)
        refused = f"{self.name} does not open; {_refusal_advice(number)}"
        for backend in camera_backends():
            capture = open_capture(number, backend, within_s=_OPEN_S, late=refused)
            if capture.isOpened():
                break
            capture.release()
        else:
            raise CaptureError(refused)
        left_s = max(0.3, _TOTAL_S - (time.monotonic() - started))
        silent = f"{self.name} opens but gives no picture; {_refusal_advice(number)}"
        if 0 in within(left_s, lambda: ask_for(capture, *self._wish), late=silent):
            capture.release()
            raise CaptureError(silent)
        self._capture = capture
        return self

    def number(self) -> int:
        """Give the camera's number today; `CaptureError` when it is not there."""
        return self._which if isinstance(self._which, int) else _number_of(self._which)

    def __exit__(self, *exc: object) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def __iter__(self) -> Iterator[Frame]:
        capture = self._capture
        if capture is None:
            raise CaptureError(f"{self.name} is not open")
        # Also throws away the first pictures, which most cameras give black, green or too dark.
        steady = Steady(capture)
        index = 0
        while True:
            read, bgr = capture.read()
            if not read:
                raise CaptureError(f"{self.name} stopped giving pictures; is its cable in?")
            steady.frame(bgr)
            yield Frame(to_rgb(bgr), index, time.monotonic(), self.name)  # type: ignore[arg-type]
            index += 1


def _number_of(identity: str) -> int:
    cameras = list_cameras()
    if not identity:
        last = remembered()
        if last is None and len(cameras) == 1:
            return cameras[0].number
        if last is None:
            raise CaptureError(
                f"which of {len(cameras)} cameras is not said; see 'sooee cameras'"
                if cameras
                else "there is no camera; plug one in, or see 'sooee cameras'"
            )
        identity = last.key
    return find_camera(identity, cameras).number


def _look_for_device(number: int, name: str) -> None:
    """Say at once what Linux can tell before opening."""
    if sys.platform != "linux":
        return
    device = _device(number)
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
    holder = _holder(_device(number))
    return f"it is in use by {holder}: close that" if holder else "close other programs using it"


def _device(number: int) -> Path:
    return Path(f"/dev/video{number}")


def _holder(device: Path) -> str | None:
    """Name the program that holds a device, as far as Linux lets us see."""
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if link.readlink() == device and link.parts[2] != str(os.getpid()):
                return Path(f"/proc/{link.parts[2]}/comm").read_text(encoding="utf-8").strip()
        except OSError:
            continue
    return None
