"""The last seconds before now, small and compressed, for a replay of each throw."""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import dataclass
from io import BytesIO

from vision.capture.frame import Frame

SECONDS = 3.0
_FPS = 15.0
_WIDTH = 640
_JPEG_QUALITY = 80
_WEBP_QUALITY = 60


@dataclass(frozen=True, slots=True)
class Shot:
    """One small picture of a replay: when, and its JPEG file."""

    time_s: float
    jpeg: bytes


class Ring:
    """Keeps the last `SECONDS` of frames, 15 a second, about 40 kB each."""

    def __init__(self) -> None:
        self._shots: deque[Shot] = deque()

    def add(self, frame: Frame) -> None:
        """Take the next frame; most of a fast camera's are left out."""
        shots = self._shots
        if shots and frame.time_s < shots[-1].time_s:  # another source, another clock
            shots.clear()
        # A little less than the interval, or a clock's jitter would leave out every other one.
        if shots and frame.time_s - shots[-1].time_s < 0.9 / _FPS:
            return
        shots.append(Shot(frame.time_s, _small_jpeg(frame)))
        while frame.time_s - shots[0].time_s > SECONDS:
            shots.popleft()

    def since(self, time_s: float) -> tuple[Shot, ...]:
        """Give what was kept from a time on."""
        return tuple(s for s in self._shots if s.time_s >= time_s)


def animate(shots: tuple[Shot, ...]) -> bytes:
    """Make a moving WebP picture of the shots, at their own pace; every browser shows it."""
    from PIL import Image as Pillow

    pictures = [Pillow.open(BytesIO(s.jpeg)) for s in shots]
    gaps = [b.time_s - a.time_s for a, b in itertools.pairwise(shots)]
    durations = [max(1, round(1000 * gap)) for gap in gaps] + [1000]
    file = BytesIO()
    pictures[0].save(
        file,
        "WEBP",
        save_all=True,
        append_images=pictures[1:],
        duration=durations,
        loop=0,
        quality=_WEBP_QUALITY,
        method=0,
    )
    return file.getvalue()


def _small_jpeg(frame: Frame) -> bytes:
    import cv2

    image = frame.image
    if image.shape[1] > _WIDTH:
        height = max(1, round(image.shape[0] * _WIDTH / image.shape[1]))
        image = cv2.resize(image, (_WIDTH, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    bgr = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
    return bytes(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1])
