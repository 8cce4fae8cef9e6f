"""A phone's browser as a camera: its pictures arrive by a socket and become frames."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Self

import numpy as np

from vision.capture.frame import Frame, Image
from vision.errors import CaptureError

MOST_PICTURE = 3 * 1024 * 1024
MOST_SIDE = 4096
SILENT_S = 4.0
WAITING = "no phone is sending pictures yet"


class PhoneBox:
    """Where the newest picture of the phone lies; safe from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._data: bytes | None = None
        self._owner = 0

    def begin(self) -> int:
        """Let another phone take over; returns the number it sends under."""
        with self._changed:
            self._owner += 1
            return self._owner

    def put(self, owner: int, data: bytes) -> bool:
        """Lay a JPEG down; False when another phone has taken over."""
        with self._changed:
            if owner != self._owner:
                return False
            self._data = data
            self._changed.notify_all()
            return True

    def take(self, wait_s: float) -> bytes | None:
        """Take the newest picture, once; None when none came in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._data is not None, wait_s)
            data, self._data = self._data, None
            return data


class PhoneSource:
    """The frames of the phone, `time_s` the monotonic time of their arrival."""

    live = True
    name = "phone"

    def __init__(self, box: PhoneBox) -> None:
        self._box = box

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __iter__(self) -> Iterator[Frame]:
        index = 0
        while True:
            data = self._box.take(SILENT_S)
            if data is None:
                raise CaptureError(WAITING)
            image = decode(data)
            if image is not None:
                yield Frame(image, index, time.monotonic(), self.name)
                index += 1


def decode(data: bytes) -> Image | None:
    """Return a JPEG as uint8[H, W, 3] RGB; None when it is none, or larger than any phone's."""
    import cv2

    if not data.startswith(b"\xff\xd8") or len(data) > MOST_PICTURE:
        return None
    if not _small_enough(data):
        return None
    bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if bgr is None:
        return None
    return np.ascontiguousarray(bgr[..., ::-1], dtype=np.uint8)


def _small_enough(data: bytes) -> bool:
    """Tell by its header that a picture will not fill the memory when unpacked."""
    import io

    from PIL import Image as Pillow
    from PIL import UnidentifiedImageError

    try:
        with Pillow.open(io.BytesIO(data), formats=("JPEG",)) as picture:
            return max(picture.size) <= MOST_SIDE
    except (UnidentifiedImageError, OSError, ValueError, Pillow.DecompressionBombError):
        return False
