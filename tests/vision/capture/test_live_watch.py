"""`sooee watch` over a network camera that goes away in the middle of a game and comes back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from scoring.store import Store
from vision.capture.frame import Image

if TYPE_CHECKING:
    from tests.vision.capture.conftest import MjpegServer

PROGRAM = Path(__file__).parent.parent / "table" / "blobs.py"
RED, GREEN = (255, 42, 0), (0, 255, 93)
FPS = 15


def table(*pigs: tuple[int, int, tuple[int, int, int]]) -> Image:
    rng = np.random.default_rng(2)
    grain = rng.integers(90, 130, (45, 80), dtype=np.uint8)
    grey = cv2.resize(grain, (640, 360), interpolation=cv2.INTER_CUBIC)
    image = np.repeat(np.asarray(grey, np.uint8)[..., None], 3, axis=2)
    for x, y, colour in pigs:
        cv2.ellipse(image, ((x, y), (50, 32), 30), [float(c) for c in colour], -1)
    return image


def throw(x: int, y: int) -> list[Image]:
    """Film an empty table, pigs that fly in, and pigs that lie there."""
    flying = [table((x + 40 * i, y, RED), (x + 160 + 40 * i, y + 40, GREEN)) for i in (6, 4, 2, 1)]
    lying = table((x, y, RED), (x + 160, y + 40, GREEN))
    return [table()] * FPS + flying + [lying] * (2 * FPS)


def jpegs(images: list[Image]) -> list[bytes]:
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 1.5, (8, 360, 640, 1)).round().astype(np.int16)
    noisy = ((i + noise[n % 8]).clip(0, 255).astype(np.uint8) for n, i in enumerate(images))
    return [cv2.imencode(".jpg", i[..., ::-1])[1].tobytes() for i in noisy]


@pytest.mark.alone
def test_a_camera_gone_and_back_loses_and_doubles_nothing(
    mjpeg: MjpegServer, tmp_path: Path
) -> None:
    first, second = jpegs(throw(150, 120)), jpegs(throw(250, 220))
    mjpeg.fps = FPS
    # The pigs of the first throw lie there when the camera comes back.
    mjpeg.film = first + first[-1:] * 1000
    mjpeg.start()
    command = [sys.executable, str(PROGRAM), "watch", mjpeg.address, "--json"]
    places = {"SOOEE_DATABASE": tmp_path / "games.db", "SOOEE_EVIDENCE": tmp_path / "evidence"}
    environment = os.environ | {k: str(v) for k, v in places.items()}
    told: list[dict[str, Any]] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        assert process.stdout is not None
        deadline = time.monotonic() + 60
        for line in process.stdout:
            told.append(json.loads(line))
            states = [t["state"] for t in told if t["event"] == "state"]
            throws = [t for t in told if t["event"] == "throw"]
            if len(throws) == 1 and "no_camera" not in states:
                mjpeg.stop()
            elif states[-1:] == ["no_camera"]:
                mjpeg.start()
            elif states[-1:] == ["still"] and len(throws) == 1:
                mjpeg.sent, mjpeg.film = 0, second + second[-1:] * 1000
            if (told[-1]["event"] == "throw" and len(throws) == 2) or time.monotonic() > deadline:
                process.send_signal(signal.SIGINT)
    assert process.returncode == 0
    assert told[-1]["event"] == "scores"
    assert len([t for t in told if t["event"] == "throw"]) == 2
    assert [t["reason"] for t in told if t.get("state") == "no_camera"]
    with Store(tmp_path / "games.db") as store:
        assert len(store.state(store.find("latest")).throws) == 2
    assert len(list((tmp_path / "evidence").glob("*/*/still.jpg"))) == 2
