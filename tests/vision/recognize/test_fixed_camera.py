"""A camera that stays: every lay is heard once, and never for its own pigs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import pytest

from vision.capture.frame import Frame
from vision.recognize.crop import Box
from vision.recognize.fixed_camera import FixedCamera
from vision.recognize.reading import (
    CONTACT_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)
from vision.recognize.recognizer import Recognizer
from vision.recognize.slant import DIRECTIONS, Floats, Slant

HERE: tuple[Box, ...] = ((100.0, 100.0, 160.0, 160.0), (300.0, 100.0, 360.0, 160.0))
THERE: tuple[Box, ...] = ((100.0, 300.0, 160.0, 360.0), (300.0, 300.0, 360.0, 360.0))
POSE = {"dot_up": 1.0} | dict.fromkeys(
    ("dot_down", "razorback", "trotter", "snouter", "leaning_jowler", "other"), 0.0
)


class Table:
    """Stands for a recognizer: pigs lie where they are laid, and say that up is `up`."""

    def __init__(self) -> None:
        self.boxes: Sequence[Box] = HERE
        self.up = 5
        self.told: list[Slant] = []
        self.slant = Slant.unknown()

    def read_at(
        self, _frames: Sequence[Frame], believed: Callable[[Sequence[Box]], Slant]
    ) -> tuple[Reading, Floats]:
        self.told.append(believed(self.boxes))
        words = np.full((len(self.boxes), DIRECTIONS), -3.0)
        words[:, self.up] = 0.0
        contact = ContactEvidence(dict(zip(CONTACT_CLASSES, (1.0, 0.0, 0.0), strict=True)))
        pigs = tuple(PigDetection(b, 0.9, order(POSE)) for b in self.boxes)
        return Reading(pigs, contact if len(pigs) == 2 else None, Decision.ASK, "", 1, 0.0), words


def order(shares: dict[str, float]) -> dict[str, float]:
    names = ("dot_up", "dot_down", "razorback", "trotter", "snouter", "leaning_jowler", "other")
    return {name: shares[name] for name in names}


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def camera(table: Table) -> FixedCamera:
    return FixedCamera(cast("Recognizer", table))


def look(camera: FixedCamera, size: tuple[int, int] = (720, 1280)) -> None:
    camera.read([Frame(np.zeros((*size, 3), np.uint8), 0, 0.0, "test")])


def knows(slant: Slant, table: Table) -> float:
    """How much likelier than before anything was heard up is where the pigs say, in nats."""
    return float(slant.logs[table.up] - Slant.unknown().logs[table.up])


def test_a_lay_counts_once_however_often_it_is_looked_at(camera: FixedCamera, table: Table) -> None:
    look(camera)
    once = knows(camera.slant, table)
    assert once > 1
    for _ in range(5):
        look(camera)
    assert knows(camera.slant, table) == pytest.approx(once)
    assert all(knows(told, table) == 0 for told in table.told)  # never for its own pigs


def test_the_next_lay_is_read_by_what_the_last_one_said(camera: FixedCamera, table: Table) -> None:
    look(camera)
    table.boxes = THERE
    look(camera)
    assert knows(table.told[-1], table) > 1
    assert knows(camera.slant, table) > knows(table.told[-1], table)


def test_a_moved_camera_is_learnt_anew(camera: FixedCamera, table: Table) -> None:
    look(camera)
    camera.moved()
    table.boxes = THERE
    look(camera)
    assert knows(table.told[-1], table) == 0


def test_another_size_of_picture_is_another_camera(camera: FixedCamera, table: Table) -> None:
    look(camera)
    table.boxes = THERE
    look(camera, (480, 640))
    assert knows(table.told[-1], table) == 0


def test_one_pig_or_three_say_nothing(camera: FixedCamera, table: Table) -> None:
    table.boxes = HERE[:1]
    look(camera)
    table.boxes = (*HERE, THERE[0])
    look(camera)
    assert knows(camera.slant, table) == 0
