"""Films of drawn pigs, each pose a colour, and a recognizer that reads the colours."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Self

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.throw import Pose
from vision.capture.frame import Frame
from vision.errors import CaptureError
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)

FPS, WIDTH, HEIGHT = 20, 640, 360
# Hues of OpenCV, 0 to 179, far enough apart to survive video compression.
HUES = {pose: 5 + 28 * i for i, pose in enumerate(Pose)}
Picture = NDArray[np.uint8]


def table() -> Picture:
    """An empty table with some grain."""
    rng = np.random.default_rng(7)
    coarse = rng.normal(0, 12, (HEIGHT // 8, WIDTH // 8, 1)).astype(np.float32)
    grain = np.asarray(cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC))
    flat = np.full((HEIGHT, WIDTH, 3), (120, 105, 90), np.float32)
    return np.asarray(np.clip(flat + grain[..., None], 0, 255), np.uint8)


def lay(picture: Picture, poses: tuple[str, str], away: float = 0.0) -> Picture:
    """Draw two pigs, `away` of the way to the right of where they come to rest."""
    drawn = picture.copy()
    for number, pose in enumerate(poses):
        hsv = np.array([[[HUES[Pose(pose)], 255, 255]]], np.uint8)
        colour = [float(c) for c in cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0]]
        x, y = 240 + 150 * number + round(420 * away), 190 + 30 * number
        cv2.ellipse(drawn, ((x, y), (52, 32), 30 + 90 * number + 500 * away), colour, -1)
    return drawn


def reach(picture: Picture, depth: float) -> Picture:
    """Draw a hand that reaches in from above."""
    drawn, tip = picture.copy(), round(depth * HEIGHT)
    cv2.rectangle(drawn, (260, 0), (380, tip), (200.0, 160.0, 140.0), -1)
    cv2.circle(drawn, (320, tip), 65, (205.0, 165.0, 145.0), -1)
    return drawn


def throws_film(throws: Sequence[tuple[str, str]]) -> list[Picture]:
    """Every picture of a film of throws, each picked up before the next."""
    empty = table()
    film = [empty] * FPS
    for poses in throws:
        film += [lay(empty, poses, (1 - i / 8) ** 2) for i in range(9)]
        film += [lay(empty, poses)] * round(1.2 * FPS)
        film += [reach(lay(empty, poses), d) for d in np.linspace(0, 0.75, 8)]
        film += [reach(empty, d) for d in np.linspace(0.75, 0, 8)]
        film += [empty] * round(0.6 * FPS)
    return film


@pytest.fixture
def film(tmp_path: Path) -> Callable[..., Path]:
    """Write a film of throws as a video file."""

    def write(*throws: tuple[str, str]) -> Path:
        path = tmp_path / "film.avi"
        packing = cv2.VideoWriter.fourcc(*"MJPG")
        writer = cv2.VideoWriter(str(path), packing, FPS, (WIDTH, HEIGHT))
        noise = np.random.default_rng(1)
        for frame in throws_film(throws):
            grain = noise.normal(0, 1.5, frame.shape).round()
            noisy = np.clip(frame + grain, 0, 255).astype(np.uint8)
            writer.write(noisy[..., ::-1])
        writer.release()
        return path

    return write


class LiveTable:
    """A live camera over a table on which a test throws and picks up."""

    live = True
    name = "live table"

    def __init__(self) -> None:
        self._now = table()
        self._coming: deque[Picture] = deque()
        self.frames = 0
        self.fails = False

    def __enter__(self) -> Self:
        if self.fails:
            raise CaptureError("live table is gone")
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __iter__(self) -> Iterator[Frame]:
        noise = np.random.default_rng(1)
        while True:
            time.sleep(1 / FPS)
            if self.fails:
                raise CaptureError("live table is gone")
            if self._coming:
                self._now = self._coming.popleft()
            grain = noise.normal(0, 1.5, self._now.shape).round()
            image = np.clip(self._now + grain, 0, 255).astype(np.uint8)
            self.frames += 1
            yield Frame(image, self.frames, time.monotonic(), self.name)

    def throw(self, first: str, second: str) -> None:
        """Throw two pigs; they stay."""
        poses, empty = (first, second), table()
        self._coming += [lay(empty, poses, (1 - i / 8) ** 2) for i in range(9)]

    def hand_in(self) -> None:
        """Reach over what lies there, and stay."""
        here = self._coming[-1] if self._coming else self._now
        self._coming += [reach(here, depth) for depth in np.linspace(0, 0.75, 8)]

    def hand_out(self) -> None:
        """Leave with the pigs."""
        self._coming += [reach(table(), depth) for depth in np.linspace(0.75, 0, 8)]
        self._coming.append(table())


@pytest.fixture
def live_table() -> LiveTable:
    """A live camera that a test controls."""
    return LiveTable()


class ColourReader:
    """Reads every strongly coloured blob as a pig."""

    def read(self, frames: Sequence[Frame]) -> Reading:
        hsv = cv2.cvtColor(frames[-1].image, cv2.COLOR_RGB2HSV)
        mask = cv2.inRange(hsv, np.array([0, 190, 150]), np.array([179, 255, 255]))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
        pigs = []
        for label in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[label])
            if 300 <= area <= 4000:
                hue = float(np.median(hsv[..., 0][labels == label]))
                pose = min(HUES, key=lambda p: abs(HUES[p] - hue))
                chances = {c: 0.94 if c == pose else 0.01 for c in POSE_CLASSES}
                pigs.append(PigDetection((x, y, x + w, y + h), 0.9, chances))
        two = len(pigs) == 2
        apart = ContactEvidence({c: float(c == "apart") for c in CONTACT_CLASSES}, 12.0)
        decision = Decision.ACCEPT if two else Decision.ASK
        time_s = frames[-1].time_s
        return Reading(tuple(pigs), apart if two else None, decision, "drawn", 1, time_s)


@pytest.fixture
def colours() -> ColourReader:
    """The recognizer of drawn pigs."""
    return ColourReader()
