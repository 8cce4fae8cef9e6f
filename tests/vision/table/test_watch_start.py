"""At a live table, and after a reset, what lies there was not thrown, and what is thrown counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scoring.throw import Pose
from vision.capture.frame import Frame
from vision.recognize.reading import Decision, Reading
from vision.table.live import follow
from vision.table.state import StateChanged, TableState, ThrowSeen
from vision.table.watch import LAY_HERE, MAY_LAY_HERE, TableWatch

if TYPE_CHECKING:
    from tests.vision.table.conftest import Pig, Play, Stage, StageReader


@pytest.fixture
def landed(pig: type[Pig]) -> tuple[Pig, Pig]:
    """Where pigs land that are thrown."""
    return pig(200, 150, Pose.TROTTER), pig(450, 220)


def test_two_thrown_after_one_lay_there_count(
    stage: Stage, play: Play, pig: type[Pig], landed: tuple[Pig, Pig]
) -> None:
    """So fast that the table is never judged empty."""
    stage.hold(2.0, pigs=(pig(250, 200),)).reach(0.3).hold(0.2).hold(0.1, pigs=()).withdraw(0.3)
    told = play(stage.throw(*landed, seconds=0.4).hold(2.0), armed=False)
    assert [t.reading.decision for t in told.throws] == [Decision.ACCEPT]


def test_pigs_in_a_hand_as_the_camera_begins_are_asked_about(
    stage: Stage, play: Play, pig: type[Pig], landed: tuple[Pig, Pig]
) -> None:
    stage.hold(0.1, hand=0.7).withdraw(0.3).throw(*landed).hold(5.0)
    told = play(stage, armed=False)
    assert [t.reading.decision for t in told.throws] == [Decision.ASK]
    assert told.watch.reason == MAY_LAY_HERE


def test_pigs_taken_up_as_the_camera_begins_are_asked_about(
    stage: Stage, play: Play, pig: type[Pig], landed: tuple[Pig, Pig]
) -> None:
    stage.hold(0.1, pigs=(pig(250, 200), pig(400, 250))).pick_up().throw(*landed).hold(2.0)
    assert [t.reading.decision for t in play(stage, armed=False).throws] == [Decision.ASK]


def test_pigs_that_lie_beside_a_hand_as_the_camera_begins_were_not_thrown(
    stage: Stage, play: Play, landed: tuple[Pig, Pig]
) -> None:
    stage.hold(0.1, pigs=landed).reach(x=560).withdraw().hold(2.0)
    told = play(stage, armed=False)
    assert not told.throws
    assert (told.watch.state, told.watch.reason) == (TableState.STILL, LAY_HERE)


def _reset_at(stage: Stage, frame: int, eyes: StageReader) -> tuple[TableWatch, list[ThrowSeen]]:
    watch = TableWatch(armed=True)

    def frames() -> Iterator[Frame]:
        for shown in stage.frames():
            if shown.index == frame:
                watch.request_reset()
            yield shown

    told = list(follow(frames(), eyes, watch))
    return watch, [e for e in told if isinstance(e, ThrowSeen)]


def test_pigs_in_a_hand_at_a_reset_are_asked_about(
    thrown: Stage, stage_reader: type[StageReader], landed: tuple[Pig, Pig]
) -> None:
    thrown.reach().hold(0.2, pigs=())
    reset = len(thrown.looks)
    thrown.withdraw().throw(*landed).hold(5.0)
    _, throws = _reset_at(thrown, reset, stage_reader(thrown))
    assert [t.reading.decision for t in throws] == [Decision.ACCEPT, Decision.ASK]


def test_pigs_that_lie_there_at_a_reset_were_not_thrown(
    thrown: Stage, stage_reader: type[StageReader]
) -> None:
    reset = len(thrown.looks)
    thrown.reach(x=560).hold(0.2).withdraw().hold(2.0)
    watch, throws = _reset_at(thrown, reset, stage_reader(thrown))
    assert (len(throws), watch.reason) == (1, LAY_HERE)


class Overlooks:
    """Finds only one of two pigs for the first frames."""

    def __init__(self, eyes: StageReader, until: int) -> None:
        self._eyes, self._until = eyes, until

    def read(self, frames: Sequence[Frame]) -> Reading:
        reading = self._eyes.read(frames)
        if frames[-1].index >= self._until:
            return reading
        return replace(reading, pigs=reading.pigs[:1], contact=None, decision=Decision.ASK)


def test_a_pig_overlooked_at_first_makes_no_throw(
    stage: Stage, stage_reader: type[StageReader], landed: tuple[Pig, Pig]
) -> None:
    """Nothing changed on the table since one pig was read: both lay there."""
    stage.hold(2.0, pigs=landed).hold(1.0, shadow=300.0).hold(3.0, shadow=None)
    watch = TableWatch(armed=False)
    told = list(follow(stage.frames(), Overlooks(stage_reader(stage), 45), watch))
    assert not [e for e in told if isinstance(e, ThrowSeen)]
    assert LAY_HERE in [e.reason for e in told if isinstance(e, StateChanged)]
