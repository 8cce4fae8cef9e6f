"""Pigs that were out of sight and come back are the throw that was logged; others are new."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from scoring.throw import Pose
from vision.capture.supervise import Trouble
from vision.recognize.reading import Decision
from vision.table.live import follow
from vision.table.state import TableState, ThrowSeen
from vision.table.watch import MOVED, TableWatch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.vision.table.conftest import Pig, Play, Stage, StageReader
    from vision.capture.frame import Frame


def _under_a_sheet(stage: Stage) -> Stage:
    stage.reach().hold(0.3, thing=(180, 120, 300, 200), pigs=()).withdraw().hold(5.0)
    return stage.reach().hold(0.3, thing=None)


def _vanished(stage: Stage) -> Stage:
    return stage.hold(5.0, gain=0.25, pigs=()).hold(0.0, gain=1.0)


def _lifted(stage: Stage) -> Stage:
    """Lift the camera, as a phone is lifted from its stand, and put it back."""
    pigs = stage.now.pigs
    stage.change(
        0.5, lambda k, d: replace(k, shift=(-60 * d, 80 * d), pigs=pigs if d < 0.5 else ())
    )
    stage.hold(5.0, shift=(90.0, 95.0), pigs=(), gain=0.8)
    return stage.change(0.5, lambda k, d: replace(k, shift=(90 - 88 * d, 95 - 93 * d), gain=1.0))


AWAY = [
    pytest.param(_under_a_sheet, id="under a sheet"),
    pytest.param(_vanished, id="not seen"),
    pytest.param(_lifted, id="camera lifted"),
]


@pytest.mark.parametrize("away", AWAY)
def test_pigs_that_come_back_are_no_throw(away: Any, thrown: Stage, play: Play) -> None:
    pigs = thrown.now.pigs
    told = play(away(thrown).hold(0.2, pigs=pigs).withdraw().hold(5.0))
    assert TableState.EMPTY in told.states[5:]
    assert len(told.throws) == 1
    assert told.watch.state is TableState.STILL


@pytest.mark.parametrize("away", AWAY)
def test_pigs_thrown_after_the_others_went_are_logged(
    away: Any, thrown: Stage, play: Play, pig: type[Pig]
) -> None:
    """One of them lands where one lay, in the same pose: that is chance."""
    first = thrown.now.pigs[0]
    away(thrown).withdraw().hold(4.0).throw(first, pig(470, 120, Pose.RAZORBACK)).hold(2.0)
    told = play(thrown)
    assert [t.reading.decision for t in told.throws] == [Decision.ACCEPT] * 2


def test_the_next_throw_counts_after_pigs_came_back(
    thrown: Stage, play: Play, pig: type[Pig]
) -> None:
    pigs = thrown.now.pigs
    _vanished(thrown).hold(2.0, pigs=pigs).pick_up().hold(0.5)
    assert len(play(thrown.throw(pig(300, 150), pig(450, 220)).hold(1.5)).throws) == 2


def test_a_camera_put_back_a_little_aside_is_asked_about(thrown: Stage, play: Play) -> None:
    """The pigs lie to each other as they did: it is the table that lies elsewhere."""
    pigs = thrown.now.pigs
    told = play(_lifted(thrown).hold(3.0, shift=(45.0, 30.0), pigs=pigs))
    assert [t.reading.decision for t in told.throws] == [Decision.ACCEPT, Decision.ASK]
    assert told.throws[1].reading.reason == MOVED


def _unplugged(stage: Stage, before: int) -> Iterator[Frame | Trouble]:
    """Lose the camera for half a minute after the first frames of a film."""
    for i, frame in enumerate(stage.frames()):
        if i == before:
            yield Trouble("unplugged", frame.time_s)
        yield replace(frame, time_s=frame.time_s + 30 * (i >= before))


def _decisions(stage: Stage, eyes: StageReader, before: int) -> list[Decision]:
    told = follow(_unplugged(stage, before), eyes, TableWatch(armed=True))
    return [e.reading.decision for e in told if isinstance(e, ThrowSeen)]


@pytest.mark.parametrize("second", [(360, 220), (500, 100)])
def test_a_throw_near_the_last_one_counts_after_a_lost_camera(
    second: tuple[int, int], thrown: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    """Nobody saw the hand that had them; without it they would pass for knocked aside."""
    before = len(thrown.looks)
    thrown.hold(2.0, pigs=(pig(280, 230, Pose.TROTTER), pig(*second, Pose.RAZORBACK)))
    assert _decisions(thrown, stage_reader(thrown), before) == [Decision.ACCEPT] * 2


def test_pigs_that_lie_on_after_a_lost_camera_are_no_throw(
    thrown: Stage, stage_reader: type[StageReader]
) -> None:
    before = len(thrown.looks)
    assert len(_decisions(thrown.hold(2.0), stage_reader(thrown), before)) == 1


def test_a_throw_near_the_last_one_without_a_hand_seen_is_asked_about(
    thrown: Stage, play: Play, pig: type[Pig]
) -> None:
    """A quick hand may pass unseen; a knock moves pigs less, or both one way."""
    to = (pig(270, 222, Pose.SNOUTER), pig(380, 228, Pose.TROTTER))
    told = play(thrown.hold(0.1, pigs=()).throw(*to, seconds=0.3).hold(2.0))
    assert [t.reading.decision for t in told.throws] == [Decision.ACCEPT, Decision.ASK]
    assert told.throws[1].reading.reason == MOVED


def test_pigs_that_a_knock_moved_one_way_are_no_throw(thrown: Stage, play: Play) -> None:
    first, second = thrown.now.pigs
    to = (replace(first, x=first.x + 30), replace(second, x=second.x + 38, y=second.y + 5))
    told = play(thrown.throw(*to, seconds=0.1).hold(2.0))
    assert (len(told.throws), told.watch.state) == (1, TableState.STILL)
