"""Pigs that a hand pushes or lays down were not thrown: that is no throw, or a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.throw import Contact, Pose
from vision.capture.frame import Frame
from vision.recognize.reading import Decision, Reading
from vision.table.live import follow
from vision.table.state import TableState, ThrowSeen
from vision.table.watch import ONLY_ONE, TableWatch

if TYPE_CHECKING:
    from tests.vision.table.conftest import Pig, Play, Stage, StageReader


def _push(stage: Stage, *to: Pig) -> Stage:
    """Let a finger in from the side that moves the pigs, and out again."""
    start = stage.now.pigs

    def slide(done: float) -> tuple[Pig, ...]:
        pairs = zip(start, to, strict=True)
        return tuple(
            replace(b, x=a.x + (b.x - a.x) * done, y=a.y + (b.y - a.y) * done) for a, b in pairs
        )

    stage.reach(depth=0.4, x=400).change(0.6, lambda k, d: replace(k, pigs=slide(d)))
    return stage.withdraw().hold(2.0)


def test_one_pig_nudged_by_a_hand_needs_no_word(thrown: Stage, play: Play) -> None:
    first, second = thrown.now.pigs
    told = play(_push(thrown, first, replace(second, x=second.x - 32)))
    assert ONLY_ONE not in told.reasons
    assert (len(told.throws), told.watch.state) == (1, TableState.STILL)


def test_one_after_the_other_nudged_needs_no_word(thrown: Stage, play: Play) -> None:
    first, second = thrown.now.pigs
    nudged = replace(second, x=second.x - 40)
    told = play(_push(_push(thrown, first, nudged), replace(first, x=first.x - 40), nudged))
    assert (len(told.throws), told.watch.state) == (1, TableState.STILL)


def test_the_next_throw_counts_after_a_nudge(thrown: Stage, play: Play, pig: type[Pig]) -> None:
    first, second = thrown.now.pigs
    _push(thrown, first, replace(second, x=second.x - 32)).pick_up().hold(0.5)
    assert len(play(thrown.throw(pig(300, 150), pig(450, 220)).hold(1.5)).throws) == 2


def test_one_pig_that_a_hand_turned_over_is_told(thrown: Stage, play: Play) -> None:
    """It may as well have been thrown alone."""
    first, second = thrown.now.pigs
    told = play(_push(thrown, first, replace(second, x=second.x - 32, pose=Pose.RAZORBACK)))
    assert (len(told.throws), told.watch.reason) == (1, ONLY_ONE)


class Parted:
    """Reads, for sure, that the pigs touch while they lie as close as they fell."""

    def __init__(self, apart: StageReader, touching: StageReader) -> None:
        self._apart, self._touching = apart, touching

    def read(self, frames: Sequence[Frame]) -> Reading:
        reading = self._apart.read(frames)
        if len(reading.pigs) != 2:
            return reading
        first, second = (pig.box[0] for pig in reading.pigs)
        if abs(first - second) > CLOSE:
            return reading
        return replace(self._touching.read(frames), decision=Decision.ACCEPT)


CLOSE = 60


def test_pigs_parted_by_a_nudge_were_logged_right(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    """What a hand did to them says nothing about how they fell."""
    fell = pig(350, 200, Pose.SNOUTER), pig(400, 200, Pose.TROTTER)
    stage.hold(0.5).throw(*fell).hold(1.5)
    _push(stage, fell[0], replace(fell[1], x=430)).hold(1.5, shadow=300.0).hold(1.5, shadow=None)
    eyes = Parted(stage_reader(stage), stage_reader(stage, contact=Contact.TOUCHING))
    told = list(follow(stage.frames(), eyes, watch := TableWatch(armed=True)))
    throws = [e.reading.throw for e in told if isinstance(e, ThrowSeen)]
    assert [t.contact for t in throws if t] == [Contact.TOUCHING]
    assert watch.state is TableState.STILL
