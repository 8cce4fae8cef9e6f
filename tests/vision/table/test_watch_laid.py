"""Pigs that a hand laid down, pushed or changed about are asked about; thrown ones are not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from scoring.throw import Pose
from vision.recognize.reading import Decision
from vision.table.watch import MOVED

if TYPE_CHECKING:
    from tests.vision.table.conftest import Look, Pig, Play, Stage, Told


@pytest.fixture
def under(pig: type[Pig]) -> tuple[Pig, Pig]:
    """Two pigs that a hand in the middle covers."""
    return pig(300, 225, Pose.DOT_DOWN), pig(345, 190, Pose.TROTTER, 80)


def _asked(told: Told) -> list[bool]:
    return [t.reading.decision is Decision.ASK for t in told.throws]


def test_pigs_laid_before_the_next_player_are_asked_about(
    thrown: Stage, play: Play, pig: type[Pig], under: tuple[Pig, Pig]
) -> None:
    thrown.pick_up().hold(1.0).reach().hold(0.5, pigs=under).withdraw().hold(2.0)
    thrown.pick_up().hold(0.5).throw(pig(200, 150), pig(470, 220)).hold(2.0)
    told = play(thrown)
    assert _asked(told) == [False, True, False]
    assert told.throws[1].reading.reason == MOVED


def _slide(look: Look, done: float) -> Look:
    a, b = look.pigs
    return replace(look, pigs=(replace(a, x=a.x + 40 * done), replace(b, y=b.y - 40 * done)))


def _gather(look: Look, done: float) -> Look:
    a, b = look.pigs
    to = replace(a, x=a.x + 60 * done, y=a.y + 30 * done), replace(b, x=b.x - 60 * done)
    return replace(look, pigs=to)


def _push_both_far(look: Look, done: float) -> Look:
    return replace(look, pigs=tuple(replace(p, y=p.y - 110 * done) for p in look.pigs))


def _change_about(look: Look, done: float) -> Look:
    a, b = look.pigs
    changed = replace(a, x=b.x, y=b.y), replace(b, x=a.x, y=a.y)
    return replace(look, pigs=() if done < 1 else changed)


@pytest.mark.parametrize("move", [_slide, _gather, _push_both_far, _change_about])
def test_pigs_moved_by_a_hand_are_asked_about(move: Any, thrown: Stage, play: Play) -> None:
    told = play(thrown.reach(depth=0.5).change(0.8, move).withdraw().hold(2.0))
    assert _asked(told) == [False, True]
    assert told.throws[1].reading.reason == MOVED


def test_pigs_laid_anew_that_lie_in_other_poses_are_asked_about(
    stage: Stage, play: Play, pig: type[Pig], under: tuple[Pig, Pig]
) -> None:
    """Nothing but the hand over them tells: they were logged elsewhere, and otherwise."""
    stage.hold(0.5).throw(pig(150, 100), pig(500, 280)).hold(1.5)
    stage.reach(x=150).hold(0.2, pigs=()).change(0.6, lambda k, d: replace(k, hand_x=150 + 170 * d))
    told = play(stage.hold(0.4, pigs=under).withdraw().hold(2.0))
    assert _asked(told) == [False, True]


def test_pigs_thrown_where_the_hand_was_count(
    stage: Stage, play: Play, under: tuple[Pig, Pig]
) -> None:
    """The hand shakes them over the table, and is still in sight as they roll out of it."""
    stage.hold(0.5).reach().hold(0.5).change(0.3, lambda k, d: replace(k, hand=0.7 - 0.55 * d))
    told = play(stage.throw(*under).hold(0.3).withdraw().hold(2.0))
    assert _asked(told) == [False]


def test_pigs_that_a_hand_covered_after_their_fall_count(
    stage: Stage, play: Play, under: tuple[Pig, Pig]
) -> None:
    """They were seen to lie there before it came."""
    stage.hold(0.5).reach(x=560, depth=0.4).throw(*under)
    stage.change(0.3, lambda k, d: replace(k, hand_x=560 - 240 * d, hand=0.4 + 0.3 * d))
    assert _asked(play(stage.hold(0.3).withdraw().hold(2.0))) == [False]


def test_a_throw_of_which_one_pig_stays_under_the_hand_counts(
    stage: Stage, play: Play, pig: type[Pig], under: tuple[Pig, Pig]
) -> None:
    stage.hold(0.5).reach().hold(0.2)
    stage.throw(under[0], pig(500, 240, Pose.RAZORBACK)).hold(0.2).withdraw().hold(2.0)
    assert _asked(play(stage)) == [False]
