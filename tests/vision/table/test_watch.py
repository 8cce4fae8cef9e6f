"""The watch logs each throw once, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from scoring.throw import Contact, Pose, Throw
from vision.capture.area import Area
from vision.capture.frame import Frame
from vision.recognize.reading import POSE_CLASSES, Reading
from vision.table.live import follow
from vision.table.looks import UNSURE
from vision.table.state import HandHeld, TableState, ThrowSeen
from vision.table.watch import HAND_STAYS, LAY_HERE, OFF_TABLE, TableWatch

if TYPE_CHECKING:
    from tests.vision.table.conftest import Look, Pig, Play, Stage, StageReader


def test_a_throw_is_logged_once(stage: Stage, play: Play, pig: type[Pig]) -> None:
    stage.hold(1.0).throw(pig(250, 200, Pose.SNOUTER), pig(400, 250, Pose.TROTTER)).hold(4.0)
    told = play(stage)
    assert [t.reading.throw for t in told.throws] == [Throw((Pose.TROTTER, Pose.SNOUTER))]
    rest_s = 1.5
    assert told.throws[0].time_s - rest_s < 0.6
    assert told.states == ["settling", "empty", "moving", "settling", "still"]


def test_pigs_that_lie_there_are_read_no_further(stage: Stage, play: Play, pig: type[Pig]) -> None:
    stage.hold(0.5).throw(pig(250, 200), pig(400, 250)).hold(10.0)
    assert play(stage).readings <= 4


def test_ten_throws_in_a_row(stage: Stage, play: Play, pig: type[Pig]) -> None:
    poses = list(Pose)
    for i in range(10):
        stage.throw(
            pig(150 + 30 * i, 120 + 10 * i, poses[i % 6], 36.0 * i),
            pig(500 - 30 * i, 280 - 12 * i, poses[(i + 2) % 6], 20.0 * i),
        )
        stage.hold(1.5).pick_up().hold(0.6)
    told = play(stage)
    expected = [Throw((poses[i % 6], poses[(i + 2) % 6])) for i in range(10)]
    assert [t.reading.throw for t in told.throws] == expected


def _shadow(look: Look, done: float) -> Look:
    return replace(look, shadow=-200 + 900 * done)


@pytest.mark.parametrize(
    "disturb",
    [
        pytest.param(lambda s: s.change(3.0, _shadow).hold(1.5, shadow=None), id="shadow passes"),
        pytest.param(lambda s: s.hold(3.0, shadow=300.0), id="shadow stays over one pig"),
        pytest.param(lambda s: s.hold(2.0, gain=1.5).hold(2.0, gain=1.0), id="lamp on and off"),
        pytest.param(lambda s: s.hold(2.0, gain=0.4), id="lamp off"),
        pytest.param(
            lambda s: s.change(4.0, lambda k, d: replace(k, gain=1 - 0.4 * d)).hold(1), id="dusk"
        ),
        pytest.param(lambda s: s.hold(2.0, shift=(4.0, 3.0)), id="camera nudged"),
        pytest.param(lambda s: s.hold(2.0, shift=(40.0, -22.0)), id="camera bumped"),
        pytest.param(
            lambda s: s.hold(0.1, shift=(3, 2)).hold(0.1, shift=(-2, 1)).hold(2, shift=(0, 0)),
            id="table knocked",
        ),
        pytest.param(lambda s: s.hold(0.5, blur=4.0).hold(2.0, blur=0.0), id="focus hunts"),
        pytest.param(lambda s: s.reach().hold(0.5).withdraw().hold(2.0), id="hand passes over"),
        pytest.param(lambda s: s.reach(x=560).hold(4.0).withdraw().hold(2.0), id="hand rests"),
        pytest.param(lambda s: s.hold(3.0, thing=(0, 100, 120, 90)), id="phone put down"),
        pytest.param(lambda s: s.hold(3.0, noise=9.0).hold(2.0), id="noise at night"),
        pytest.param(lambda s: s.hold(0.5, pigs=()).hold(2.0, pigs=s.looks[0].pigs), id="flicker"),
        pytest.param(lambda s: s.hold(1.0, gain=0.0).hold(2.0, gain=1.0), id="black pictures"),
        pytest.param(lambda s: s.hold(1.0, gain=9.0).hold(2.0, gain=1.0), id="blown-out pictures"),
    ],
)
def test_nothing_is_logged_for(disturb: Any, thrown: Stage, play: Play) -> None:
    assert len(play(disturb(thrown)).throws) == 1


@pytest.mark.parametrize(
    "disturb",
    [
        pytest.param(lambda s: s.hold(2.0, gain=0.5), id="lamp off"),
        pytest.param(lambda s: s.hold(2.0, shift=(9.0, 5.0)), id="camera bumped"),
        pytest.param(lambda s: s.reach().hold(0.5).withdraw().hold(1.0), id="hand passes over"),
        pytest.param(lambda s: s.hold(4.0, thing=(0, 100, 120, 90)), id="phone put down"),
    ],
)
def test_the_next_throw_is_logged_after(
    disturb: Any, thrown: Stage, play: Play, pig: type[Pig]
) -> None:
    disturb(thrown).pick_up().hold(0.5).throw(pig(300, 150), pig(450, 220)).hold(1.5)
    assert len(play(thrown).throws) == 2


def test_pigs_knocked_a_little_are_no_throw(thrown: Stage, play: Play, pig: type[Pig]) -> None:
    knocked = (pig(262, 205, Pose.SNOUTER), pig(410, 245, Pose.TROTTER, 140))
    told = play(thrown.throw(*knocked, seconds=0.1).hold(2))
    assert len(told.throws) == 1
    assert told.states[-1] is TableState.STILL


def test_one_pig_thrown_alone_is_no_throw(thrown: Stage, play: Play, pig: type[Pig]) -> None:
    kept = thrown.now.pigs[0]
    thrown.reach(x=400).hold(0.2).hold(0.2, pigs=(kept,)).withdraw().hold(0.5)
    thrown.throw(kept, pig(480, 120)).hold(2.0)
    told = play(thrown)
    assert len(told.throws) == 1
    assert "only one of the two pigs" in told.watch.reason


def test_a_pig_that_comes_late_is_no_throw(stage: Stage, play: Play, pig: type[Pig]) -> None:
    first = pig(250, 200)
    stage.hold(0.5).throw(first).hold(1.0)
    stage.throw(pig(430, 240)).hold(0.0)
    stage.looks[-15:] = [replace(k, pigs=(first, *k.pigs)) for k in stage.looks[-15:]]
    stage.now = stage.looks[-1]
    told = play(stage.hold(2.0))
    assert not told.throws
    assert "later than the other" in told.watch.reason


@pytest.mark.parametrize(
    ("pigs", "reason"),
    [(1, "one pig is missing"), (3, "3 pigs are seen")],
)
def test_not_two_pigs_are_asked_about(
    pigs: int, reason: str, stage: Stage, play: Play, pig: type[Pig]
) -> None:
    stage.hold(0.5).throw(*(pig(150 + 150 * i, 200) for i in range(pigs))).hold(2.0)
    told = play(stage)
    assert not told.throws
    assert told.watch.state is TableState.ASKING
    assert reason in told.watch.reason


@pytest.mark.parametrize("contact", [Contact.TOUCHING, Contact.STACKED])
def test_a_doubtful_contact_is_asked_about_once(
    contact: Contact, stage: Stage, play: Play, pig: type[Pig]
) -> None:
    stage.hold(0.5).throw(pig(250, 200), pig(300, 200)).hold(4.0)
    told = play(stage, contact=contact)
    assert [t.reading.decision for t in told.throws] == ["ask"]
    assert told.watch.state is TableState.ASKING


def test_a_pig_that_rolls_slowly_is_waited_for(stage: Stage, play: Play, pig: type[Pig]) -> None:
    still = pig(250, 200, Pose.TROTTER)

    def roll(look: Look, done: float) -> Look:
        return replace(look, pigs=(still, pig(400 + 25 * done, 250, turn=90 * done)))

    stage.hold(0.5).throw(still, pig(400, 250)).change(2.5, roll).hold(1.5)
    told = play(stage)
    assert len(told.throws) == 1
    assert told.throws[0].time_s >= 3.5


def test_pigs_under_a_hand_are_not_read(stage: Stage, play: Play, pig: type[Pig]) -> None:
    stage.hold(0.5).reach(x=560).hold(0.2)
    stage.throw(pig(250, 200), pig(350, 250)).hold(1.5).withdraw().hold(1.0)
    told = play(stage)
    assert len(told.throws) == 1
    assert told.throws[0].time_s > 3.0


@pytest.mark.parametrize("armed", [True, False])
def test_pigs_that_lay_there_from_the_beginning(
    armed: bool, stage: Stage, play: Play, pig: type[Pig]
) -> None:
    stage.hold(2.0, pigs=(pig(250, 200), pig(400, 250)))
    assert len(play(stage, armed=armed).throws) == armed
    stage.pick_up().hold(0.5).throw(pig(300, 150), pig(450, 220)).hold(1.5)
    assert len(play(stage, armed=armed).throws) == armed + 1


@pytest.mark.parametrize("fps", [5, 10, 15, 30, 60])
def test_any_rate_of_frames(fps: int, stage: Stage, play: Play, pig: type[Pig]) -> None:
    stage.fps = fps
    for i in range(3):
        stage.hold(0.6).throw(pig(250 + 40 * i, 200), pig(400, 180 + 40 * i, Pose.TROTTER)).hold(2)
        stage.pick_up()
    assert len(play(stage).throws) == 3


AREA = Area(((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)))


def test_people_beside_the_table_do_not_matter(stage: Stage, play: Play, pig: type[Pig]) -> None:
    narrow = Area(((0.2, 0.0), (0.75, 0.0), (0.75, 1.0), (0.2, 1.0)))

    def walk(look: Look, done: float) -> Look:
        return replace(look, thing=(520, round(300 * done), 100, 60))

    stage.hold(0.5).throw(pig(250, 200), pig(400, 150)).change(3.0, walk)
    assert not play(stage).throws
    assert len(play(stage, area=narrow).throws) == 1


def test_a_pig_outside_the_area_is_off_the_table(stage: Stage, play: Play, pig: type[Pig]) -> None:
    stage.hold(0.5).throw(pig(250, 200), pig(610, 200)).hold(2.0)
    told = play(stage, area=AREA)
    assert not told.throws
    assert (told.watch.state, told.watch.reason) == (TableState.ASKING, OFF_TABLE)


def test_a_pig_that_lies_by_outside_is_no_third_one(
    stage: Stage, play: Play, pig: type[Pig]
) -> None:
    spare = pig(610, 330)
    stage.hold(0.5, pigs=(spare,)).throw(pig(250, 200), pig(400, 200), spare).hold(2.0)
    assert len(play(stage, area=AREA).throws) == 1


def test_a_hand_over_the_area_s_edge_is_a_hand(stage: Stage, play: Play, pig: type[Pig]) -> None:
    stage.hold(0.5).throw(pig(250, 200), pig(400, 200)).hold(1.5)
    stage.reach().hold(0.5).withdraw().hold(1.0)
    told = play(stage, area=AREA)
    assert TableState.HAND in told.states
    assert len(told.throws) == 1


def _tremble(look: Look, done: float) -> Look:
    return replace(look, hand=0.35 + 0.004 * np.sin(40 * done), hand_x=150 + 2 * np.sin(31 * done))


@pytest.fixture
def beside(stage: Stage, pig: type[Pig]) -> Stage:
    """A counted throw on the right, room for a hand on the left."""
    return stage.hold(0.5).throw(pig(450, 150), pig(560, 250)).hold(1.5)


def test_an_open_hand_held_still_banks_once(beside: Stage, play: Play) -> None:
    beside.now = replace(beside.now, fingers=5)
    beside.reach(x=150, depth=0.35).change(4.0, _tremble).withdraw().hold(1.0)
    told = play(beside, bank_by_hand=True)
    assert told.banks == 1
    left = [e.left_s for e in told.events if isinstance(e, HandHeld)]
    assert left == sorted(left, key=lambda s: -1 if s is None else -s) == [2.0, 1.5, 1.0, 0.5, 0.0]
    assert len(told.throws) == 1


def test_without_the_option_a_hand_banks_nothing(beside: Stage, play: Play) -> None:
    beside.now = replace(beside.now, fingers=5)
    beside.reach(x=150, depth=0.35).change(4.0, _tremble).withdraw()
    assert play(beside).banks == 0


@pytest.mark.parametrize("fingers", [0, 1, 2])
def test_a_fist_or_a_pointing_finger_banks_nothing(fingers: int, beside: Stage, play: Play) -> None:
    beside.now = replace(beside.now, fingers=fingers)
    beside.reach(x=150, depth=0.35).change(4.0, _tremble).withdraw()
    assert play(beside, bank_by_hand=True).banks == 0


def test_an_open_hand_that_goes_on_moving_banks_nothing(beside: Stage, play: Play) -> None:
    beside.now = replace(beside.now, fingers=5)
    beside.reach(x=120, depth=0.35)
    beside.change(4.0, lambda k, d: replace(k, hand_x=120 + 100 * d * np.sin(9 * d))).withdraw()
    assert play(beside, bank_by_hand=True).banks == 0


def test_a_hand_that_leaves_early_breaks_the_count_down_off(beside: Stage, play: Play) -> None:
    beside.now = replace(beside.now, fingers=5)
    beside.reach(x=150, depth=0.35).change(1.2, _tremble).withdraw().hold(1.0)
    told = play(beside, bank_by_hand=True)
    assert told.banks == 0
    assert [e.left_s for e in told.events if isinstance(e, HandHeld)][-1] is None


def test_a_hand_over_the_pigs_banks_nothing(thrown: Stage, play: Play) -> None:
    thrown.now = replace(thrown.now, fingers=5)
    thrown.reach(x=250, depth=0.4)
    thrown.change(4.0, lambda k, d: replace(k, hand=0.4 + 0.004 * np.sin(40 * d))).withdraw()
    assert play(thrown, bank_by_hand=True).banks == 0


def test_black_pictures_are_told_as_no_camera(thrown: Stage, play: Play) -> None:
    told = play(thrown.hold(1.0, gain=0.0).hold(1.0, gain=1.0))
    assert told.states[-2:] == ["no_camera", "still"]
    assert "is the light on" in told.reasons[-2]


@pytest.mark.parametrize("armed", [True, False])
def test_pictures_of_another_size_begin_anew(
    armed: bool, stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    """A live camera that comes back with another size logs nothing; another picture does."""
    frames = list(stage.hold(0.8).throw(pig(250, 200), pig(400, 250)).hold(1.5).frames())
    smaller = [replace(f, image=np.ascontiguousarray(f.image[:300])) for f in frames[-45:]]
    later = [replace(f, time_s=f.time_s + 10) for f in smaller]
    watch = TableWatch(armed=armed)
    told = list(follow([*frames, *later], stage_reader(stage), watch))
    assert len([e for e in told if isinstance(e, ThrowSeen)]) == (2 if armed else 1)
    assert watch.state is TableState.STILL


def test_a_computer_that_slept_goes_on(thrown: Stage, stage_reader: type[StageReader]) -> None:
    frames = list(thrown.frames())
    later = [replace(f, time_s=f.time_s + 3600) for f in frames[-30:]]
    told = list(follow([*frames, *later], stage_reader(thrown), TableWatch(armed=True)))
    assert len([e for e in told if isinstance(e, ThrowSeen)]) == 1


class Fickle:
    """Reads another pose of the same pigs every time."""

    def __init__(self, eyes: StageReader) -> None:
        self.eyes = eyes

    def read(self, frames: Sequence[Frame]) -> Reading:
        reading = self.eyes.read(frames)
        if not reading.pigs:
            return reading
        first, *rest = reading.pigs
        pose = POSE_CLASSES[self.eyes.calls % 6]
        odd = replace(first, probabilities={c: float(c == pose) for c in POSE_CLASSES})
        return replace(reading, pigs=(odd, *rest))


def test_looks_that_never_agree_are_asked_about_once(
    thrown: Stage, stage_reader: type[StageReader]
) -> None:
    frames = thrown.hold(3.0).frames()
    told = list(follow(frames, Fickle(stage_reader(thrown)), TableWatch(armed=True)))
    throws = [e for e in told if isinstance(e, ThrowSeen)]
    assert [t.reading.decision for t in throws] == ["ask"]
    assert throws[0].reading.reason == UNSURE


def test_a_hand_that_never_leaves_is_told_what_helps(stage: Stage, play: Play) -> None:
    stage.hold(0.5).reach(depth=0.4)
    stage.change(10.0, lambda k, d: replace(k, hand=0.4 + 0.05 * np.sin(60 * d)))
    told = play(stage)
    assert told.states.count(TableState.HAND) == 2
    assert told.watch.reason == HAND_STAYS


def test_reset_and_answer_may_be_asked_from_anywhere(
    thrown: Stage, stage_reader: type[StageReader]
) -> None:
    watch = TableWatch(armed=True)
    asks = stage_reader(thrown, ask="which one?")
    list(follow(thrown.frames(), asks, watch))
    assert watch.reason == "which one?"
    frames = list(thrown.frames())[-30:]
    watch.request_answered()
    told = list(follow([replace(f, time_s=f.time_s + 9) for f in frames], asks, watch))
    assert watch.reason == ""
    watch.request_reset()
    told += list(follow([replace(f, time_s=f.time_s + 19) for f in frames], asks, watch))
    assert (watch.state, watch.reason) == (TableState.STILL, LAY_HERE)
    assert not [e for e in told if isinstance(e, ThrowSeen)]
