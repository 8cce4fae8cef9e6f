"""What watching a table costs while nothing happens on it: most of an evening."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from vision.capture.frame import Frame, Image
from vision.recognize.recognizer import Recognizer
from vision.table.live import follow
from vision.table.watch import TableWatch

RATE = 30.0
"""Pictures a second."""

_PICTURES = 8
_NOISE = 2.0
_SETTLED = 150
"""So many pictures first: by then what lies there has been read, and asked about."""


def idle_shares(recognizer: Recognizer, image: Image, pictures: int = 150) -> dict[str, float]:
    """Give the shares of one core, 1 being all of it, that a still table takes at `RATE`.

    `watching` is all that the program does with `pictures` pictures like `image`, uint8[H, W, 3]
    RGB, each with a camera's noise; `unpacking` what a camera's JPEG pictures of this size cost
    before that. Processor time of all threads is counted, so that other programs do not count.
    """
    import cv2

    rng = np.random.default_rng(0)
    noisy = [
        np.clip(image + rng.normal(0, _NOISE, image.shape), 0, 255).astype(np.uint8)
        for _ in range(_PICTURES)
    ]
    began: list[float] = []

    def frames() -> Iterator[Frame]:
        for index in range(_SETTLED + pictures):
            if index == _SETTLED:
                began.append(time.process_time())
            yield Frame(noisy[index % _PICTURES], index, index / RATE, "bench")

    for _ in follow(frames(), recognizer, TableWatch(armed=True)):
        pass
    watching = time.process_time() - began[0]
    packed = [cv2.imencode(".jpg", picture[..., ::-1])[1] for picture in noisy]
    start = time.process_time()
    for index in range(pictures):
        cv2.imdecode(packed[index % _PICTURES], cv2.IMREAD_COLOR)
    unpacking = time.process_time() - start
    return {"watching": watching * RATE / pictures, "unpacking": unpacking * RATE / pictures}
