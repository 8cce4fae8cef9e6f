"""A camera on the network: RTSP, or the MJPEG of an HTTP camera or phone app."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Self
from urllib.parse import SplitResult, urlsplit

from vision.capture.deadline import within
from vision.capture.frame import Frame
from vision.capture.opencv import open_capture, to_rgb
from vision.errors import CaptureError

if TYPE_CHECKING:
    import cv2

EXAMPLES = ("rtsp://192.168.1.20/stream1", "http://192.168.1.30:8080/video")

_PORTS = {"rtsp": 554, "rtsps": 322, "http": 80, "https": 443}
_REACH_S = 1.2
_OPEN_S = 2.9
_READ_MS = 3000


def claims(text: str) -> bool:
    """Take every address of a kind that can be read."""
    return text.lower().startswith(tuple(f"{scheme}://" for scheme in _PORTS))


def make(text: str) -> Stream:
    """Make the source of an address."""
    return Stream(text)


class Stream:
    """The frames of a network camera, `time_s` the monotonic time of their arrival.

    Raises `CaptureError` within three seconds when nobody answers, and when the stream ends
    or gives nothing for three seconds.
    """

    live = True

    def __init__(self, address: str) -> None:
        self._address = address
        try:
            self._parts = urlsplit(address)
        except ValueError as error:
            raise CaptureError(f"{address} is no address: {error}") from error
        # The name is shown and logged; a password in the address is not.
        self.name = _without_password(self._parts)
        self._capture: cv2.VideoCapture | None = None

    def __enter__(self) -> Self:
        import cv2

        started = time.monotonic()
        self._reach()
        capture = open_capture(
            self._address,
            cv2.CAP_FFMPEG,
            [
                *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(_OPEN_S * 1000)),
                *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_MS),
            ],
            within_s=max(0.5, _OPEN_S - (time.monotonic() - started)),
            late=f"{self.name} answers, but sends no pictures; check the address's path",
        )
        if not capture.isOpened():
            raise CaptureError(
                f"{self.name} answers, but gives no video; check the address's path and password"
            )
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
        index = 0
        while True:
            read, bgr = capture.read()
            if not read:
                raise CaptureError(f"{self.name} stopped sending; is it on, and on this network?")
            yield Frame(to_rgb(bgr), index, time.monotonic(), self.name)  # type: ignore[arg-type]
            index += 1

    def _reach(self) -> None:
        """Find out at once whether anybody is there: FFmpeg takes much longer to say so."""
        try:
            host, port = self._parts.hostname, self._parts.port
        except ValueError as error:
            raise CaptureError(f"{self.name} is no address: {error}") from error
        if not host:
            raise CaptureError(f"{self.name} names no host; an address is like {EXAMPLES[0]}")
        where = (host, port or _PORTS[self._parts.scheme.lower()])
        late = f"{self.name} does not answer; is it on, and on this network?"
        try:
            within(
                _REACH_S,
                lambda: socket.create_connection(where, timeout=_REACH_S),
                late=late,
                too_late=lambda connection: connection.close(),
            ).close()
        except OSError as error:
            raise CaptureError(f"{late} ({error.strerror or error})") from error


def _without_password(parts: SplitResult) -> str:
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"
