"""A pig that changes its pose without a hand is told, for the log may be wrong now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from scoring.throw import Pose
from vision.table.live import follow
from vision.table.state import TableState, ThrowSeen
from vision.table.watch import CHANGED, TableWatch

if TYPE_CHECKING:
    from tests.vision.table.conftest import Pig, Play, Stage, StageReader


def _cut(stage: Stage, *pigs: Pig) -> Stage:
    return stage.hold(2.0, pigs=pigs)


def _in_the_dark(stage: Stage, *pigs: Pig) -> Stage:
    return stage.hold(2.5, gain=0.0, pigs=pigs).hold(2.0, gain=1.0)


def _knock(stage: Stage, *pigs: Pig) -> Stage:
    return stage.throw(*(replace(p, x=p.x + 12) for p in pigs), seconds=0.1).hold(2.0)


@pytest.mark.parametrize("change", [_cut, _in_the_dark, _knock])
def test_a_pig_that_changes_its_pose_without_a_hand_is_told(
    change: Any, thrown: Stage, play: Play, pig: type[Pig]
) -> None:
    """The log cannot be right twice: a person must look, once, and no throw is logged."""
    first, second = thrown.now.pigs
    tipped = replace(first, pose=Pose.DOT_UP, turn=first.turn + 60)
    told = play(change(thrown, tipped, second).hold(1.0, shadow=300.0).hold(1.0, shadow=None))
    assert len(told.throws) == 1
    assert (told.watch.state, told.watch.reason) == (TableState.ASKING, CHANGED)
    assert told.reasons.count(CHANGED) <= 2, "told again only after the shadow"


def test_a_pig_that_tips_back_is_told_no_longer(thrown: Stage, play: Play, pig: type[Pig]) -> None:
    first, second = thrown.now.pigs
    told = play(
        _cut(_cut(thrown, replace(first, pose=Pose.DOT_UP, turn=200), second), first, second)
    )
    assert CHANGED in told.reasons
    assert (told.watch.state, len(told.throws)) == (TableState.STILL, 1)


def test_the_next_throw_counts_after_a_pig_changed_its_pose(
    thrown: Stage, play: Play, pig: type[Pig]
) -> None:
    first, second = thrown.now.pigs
    _cut(thrown, replace(first, pose=Pose.DOT_UP, turn=200), second).pick_up().hold(0.5)
    told = play(thrown.throw(pig(300, 150), pig(450, 220)).hold(1.5))
    assert len(told.throws) == 2
    assert told.watch.state is TableState.STILL


@pytest.mark.parametrize("ask", [None, "which one?"])
def test_what_a_person_said_is_not_doubted(
    ask: str | None, thrown: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    """A question that was answered, or a throw that was corrected, is told by a person."""
    watch = TableWatch(armed=True)
    list(follow(thrown.frames(), stage_reader(thrown, ask=ask), watch))
    watch.request_answered()
    seen = len(thrown.looks)
    first, second = thrown.now.pigs
    frames = list(_cut(thrown, replace(first, pose=Pose.DOT_UP, turn=200), second).frames())[seen:]
    told = list(follow(frames, stage_reader(thrown), watch))
    assert watch.state is TableState.STILL
    assert not [e for e in told if isinstance(e, ThrowSeen)]
