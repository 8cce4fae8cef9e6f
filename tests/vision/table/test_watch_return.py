"""Pigs that were out of sight and come back are the throw that was logged; others are new."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from scoring.throw import Pose
from vision.recognize.reading import Decision
from vision.table.state import TableState
from vision.table.watch import MOVED

if TYPE_CHECKING:
    from tests.vision.table.conftest import Pig, Play, Stage


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
