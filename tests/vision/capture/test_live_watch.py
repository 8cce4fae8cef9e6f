"""`sooee watch` over a network camera that goes away in the middle of a game and comes back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from scoring.store import Store
from vision.capture.frame import Image

if TYPE_CHECKING:
    from tests.conftest import Watchdog
    from tests.vision.capture.conftest import MjpegServer

PROGRAM = Path(__file__).parent.parent / "table" / "blobs.py"
RED, GREEN = (255, 42, 0), (0, 255, 93)


def table(*pigs: tuple[int, int, tuple[int, int, int]]) -> Image:
    rng = np.random.default_rng(2)
    grain = rng.integers(90, 130, (45, 80), dtype=np.uint8)
    grey = cv2.resize(grain, (640, 360), interpolation=cv2.INTER_CUBIC)
    image = np.repeat(np.asarray(grey, np.uint8)[..., None], 3, axis=2)
    for x, y, colour in pigs:
        cv2.ellipse(image, ((x, y), (50, 32), 30), [float(c) for c in colour], -1)
    return image


def noisy(image: Image) -> list[bytes]:
    """Give a few pictures of one view, as JPEGs: no camera gives the same picture twice."""
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 1.5, (8, 360, 640, 1)).round().astype(np.int16)
    pictures = [(image + grain).clip(0, 255).astype(np.uint8) for grain in noise]
    return [cv2.imencode(".jpg", p[..., ::-1])[1].tobytes() for p in pictures]


class Table:
    """What the camera sees; it changes when it is told to, never by the clock."""

    def __init__(self, camera: MjpegServer) -> None:
        self._camera = camera
        self.clear()

    def clear(self) -> None:
        """Take whatever lies there away."""
        self._camera.film = noisy(table())

    def throw(self, x: int, y: int, apart: int) -> None:
        """Let two pigs fly in; they stay. No two throws lie alike: those would be asked about."""
        lies = x + apart
        flights = [((x + 40 * i, y, RED), (lies + 40 * i, y + 40, GREEN)) for i in (6, 4, 2, 1)]
        self._camera.coming.extend(noisy(table(*pigs))[0] for pigs in flights)
        self._camera.film = noisy(table((x, y, RED), (lies, y + 40, GREEN)))


@pytest.mark.parametrize("fps", [5, 15])
def test_a_camera_gone_and_back_loses_and_doubles_nothing(
    fps: int, mjpeg: MjpegServer, tmp_path: Path, watchdog: Watchdog
) -> None:
    seen = Table(mjpeg)
    mjpeg.fps = fps
    mjpeg.start()
    command = [sys.executable, str(PROGRAM), "watch", mjpeg.address, "--json"]
    places = {"SOOEE_DATABASE": tmp_path / "games.db", "SOOEE_EVIDENCE": tmp_path / "evidence"}
    environment = os.environ | {k: str(v) for k, v in places.items()}
    told: list[dict[str, Any]] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        # What is waited for, and what happens then.
        course: deque[tuple[str, Callable[[], object]]] = deque(
            [
                ("empty", lambda: seen.throw(150, 120, 160)),
                ("throw", mjpeg.stop),
                ("no_camera", mjpeg.start),
                ("still", seen.clear),  # the pigs of the first throw lay there all the time
                ("empty", lambda: seen.throw(250, 220, 110)),
                ("throw", lambda: process.send_signal(signal.SIGINT)),
            ]
        )
        watchdog(process)
        assert process.stdout is not None
        for line in process.stdout:
            told.append(json.loads(line))
            if course and course[0][0] in (told[-1]["event"], told[-1].get("state")):
                course.popleft()[1]()
    assert (process.returncode, list(course)) == (0, []), "\n".join(map(str, told))
    assert told[-1]["event"] == "scores"
    assert len([t for t in told if t["event"] == "throw"]) == 2
    assert [t["reason"] for t in told if t.get("state") == "no_camera"]
    with Store(tmp_path / "games.db") as store:
        assert len(store.state(store.find("latest")).throws) == 2
    assert len(list((tmp_path / "evidence").glob("*/*/still.jpg"))) == 2
