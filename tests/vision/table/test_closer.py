"""What lay there before is no throw, and pigs that one look misses are looked for again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoring.throw import Pose, Throw
from vision.capture.frame import Frame
from vision.capture.small import shrink
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)
from vision.table.closer import Closer, closer
from vision.table.live import follow
from vision.table.looks import HARD_TO_SEE
from vision.table.state import StateChanged, TableState, ThrowSeen
from vision.table.trace import StillReader, Trace, record_stills
from vision.table.watch import CAME_LATE, ONE_MISSING, ONE_UNREAD, TableWatch

if TYPE_CHECKING:
    from tests.vision.table.conftest import Pig, Stage, StageReader

COVERED = 114
A_CUP = (500.0, 60.0, 560.0, 110.0)


class Dim:
    """Sees the first `seen` pigs only, until `until_s`, or until it is given a `smooth` picture."""

    def __init__(
        self, eyes: StageReader, seen: int, *, until_s: float = 1e9, smooth: bool = False
    ) -> None:
        self.eyes, self.seen, self.until_s, self.smooth = eyes, seen, until_s, smooth

    def read(self, frames: Sequence[Frame]) -> Reading:
        reading = self.eyes.read(frames)
        frame = frames[-1]
        if frame.time_s >= self.until_s or (self.smooth and _grain(frame.image) < 3.0):
            return reading
        return _only(reading, reading.pigs[: self.seen])


class Mistaken:
    """Takes things on the table for pigs, too, unless they are painted over."""

    def __init__(self, eyes: StageReader, *boxes: tuple[float, float, float, float]) -> None:
        self.eyes, self.boxes = eyes, boxes

    def read(self, frames: Sequence[Frame]) -> Reading:
        reading = self.eyes.read(frames)
        image = frames[-1].image
        false = [b for b in self.boxes if not _painted(image, b)]
        poses = {c: float(c == "razorback") for c in POSE_CLASSES}
        found = (*reading.pigs, *(PigDetection(b, 0.5, poses) for b in false))
        return reading if len(found) == len(reading.pigs) else _only(reading, found)


def _only(reading: Reading, pigs: tuple[PigDetection, ...]) -> Reading:
    if pigs == reading.pigs:
        return reading
    if len(pigs) != 2:
        return replace(reading, pigs=pigs, contact=None, decision=Decision.ASK, reason="not two")
    apart = ContactEvidence({c: float(c == "apart") for c in CONTACT_CLASSES})
    return replace(reading, pigs=pigs, contact=apart, decision=Decision.ACCEPT, reason="sure")


def _grain(image: np.ndarray) -> float:
    return float(np.abs(np.diff(image[..., 0].astype(int), axis=1)).mean())


def _painted(image: np.ndarray, box: tuple[float, float, float, float]) -> bool:
    x0, y0, x1, y1 = map(round, box)
    return bool((image[y0 + 5 : y1 - 5, x0 + 5 : x1 - 5] == COVERED).all())


def told_of(
    stage: Stage, reader: object, *, armed: bool = True
) -> tuple[list[ThrowSeen], TableWatch]:
    watch = TableWatch(armed=armed)
    events = list(follow(stage.frames(), reader, watch))  # type: ignore[arg-type]
    return [e for e in events if isinstance(e, ThrowSeen)], watch


def test_a_late_pig_that_is_overlooked_at_first_is_no_throw(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    """Read as one pig still when both lay there, the pair was told as a throw."""
    first, late = pig(250, 200), pig(430, 240)
    stage.hold(0.8).throw(first).hold(1.0).throw(late)
    stage.looks[-15:] = [replace(k, pigs=(first, *k.pigs)) for k in stage.looks[-15:]]
    stage.now = stage.looks[-1]
    lies_s = len(stage.looks) / stage.fps
    stage.hold(3.0)
    throws, watch = told_of(stage, Dim(stage_reader(stage), 1, until_s=lies_s + 0.8))
    assert not throws
    assert (watch.state, watch.reason) == (TableState.ASKING, CAME_LATE)


def test_a_pair_read_late_is_a_throw(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    stage.hold(0.8).throw(pig(250, 200), pig(430, 240)).hold(3.0)
    throws, _ = told_of(stage, Dim(stage_reader(stage), 0, until_s=2.0))
    assert len(throws) == 1
    assert throws[0].reading.throw is not None


def test_two_thrown_pigs_of_which_one_is_read_are_asked_about_once(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    for i in range(2):
        stage.hold(1.0).throw(pig(200 + 60 * i, 200), pig(430, 120 + 100 * i)).hold(2.0)
        # Neither a shadow nor a hand that passes makes the same pair a new throw.
        stage.change(1.5, lambda k, d: replace(k, shadow=-200 + 900 * d)).hold(1.5, shadow=None)
        stage.reach().hold(0.3).withdraw().hold(1.0).pick_up()
    throws, _ = told_of(stage, Dim(stage_reader(stage), 1))
    assert [t.reading.decision for t in throws] == [Decision.ASK] * 2
    assert {t.reading.reason for t in throws} == {ONE_UNREAD}


def test_one_thrown_pig_is_no_pair(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    stage.hold(1.0).throw(pig(250, 200)).hold(3.0)
    throws, watch = told_of(stage, stage_reader(stage))
    assert not throws
    assert watch.reason == ONE_MISSING


def test_a_pig_lost_in_the_grain_is_found_and_asked_about(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    stage.now = replace(stage.now, noise=8.0)
    stage.hold(1.0).throw(pig(250, 200, Pose.SNOUTER), pig(430, 240)).hold(2.0)
    throws, _ = told_of(stage, Dim(stage_reader(stage), 1, smooth=True))
    assert [t.reading.throw for t in throws] == [Throw((Pose.SNOUTER, Pose.DOT_UP))]
    assert throws[0].reading.reason == HARD_TO_SEE


def test_what_was_there_before_the_pigs_is_none(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    """A cup that is taken for a pig, long before the throw, does not hide it."""
    for i in range(3):
        stage.hold(1.2).throw(pig(200, 150 + 50 * i, Pose.SNOUTER), pig(380, 240))
        stage.hold(1.5).pick_up()
    throws, watch = told_of(stage.hold(1.0), Mistaken(stage_reader(stage), A_CUP))
    assert [t.reading.throw for t in throws] == [Throw((Pose.SNOUTER, Pose.DOT_UP))] * 3
    assert [t.reading.decision for t in throws] == [Decision.ACCEPT] * 3
    assert watch.state is TableState.EMPTY


def test_a_pig_on_a_large_thing_is_a_pig_and_the_thing_none(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    """Marble that is taken for a pig, and pigs lie on it: the throw is told, at least asked."""
    marble = (300.0, 60.0, 460.0, 220.0)
    for i in range(2):
        stage.hold(1.2).reach(x=80, depth=0.4).hold(0.2).withdraw()
        stage.throw(pig(200, 150 + 50 * i), pig(330 + 60 * i, 100 + 60 * i)).hold(1.5).pick_up()
    eyes = Mistaken(stage_reader(stage), marble, A_CUP)
    throws, watch = told_of(stage.hold(1.0), eyes, armed=False)
    assert len(throws) == 2
    assert {len(t.reading.pigs) for t in throws} <= {2, 4}
    assert watch.state in (TableState.EMPTY, TableState.STILL)


def test_a_throw_that_was_never_read_is_no_new_one_when_it_is_taken_away(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    """Unread pigs change the table when they go, too, beside a thing that looks like a pig."""
    marble = (300.0, 60.0, 460.0, 220.0)
    stage.hold(1.2).throw(pig(200, 150), pig(380, 140)).hold(1.5).pick_up().hold(1.5)
    eyes = Mistaken(Dim(stage_reader(stage), 0), marble)  # type: ignore[arg-type]
    throws, _ = told_of(stage, eyes)
    assert not throws


def test_a_thing_beside_the_one_pig_that_is_read_makes_no_sure_throw(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    stage.hold(1.2).throw(pig(200, 150, Pose.SNOUTER), pig(380, 240)).hold(2.0)
    eyes = Mistaken(Dim(stage_reader(stage), 1), A_CUP)  # type: ignore[arg-type]
    throws, _ = told_of(stage, eyes)
    assert [(t.reading.decision, t.reading.reason) for t in throws] == [(Decision.ASK, ONE_UNREAD)]


def test_what_was_there_before_is_no_pig_after_a_bump_either(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    stage.hold(1.2).throw(pig(200, 150), pig(380, 240)).hold(1.5)
    moved = tuple(v + s for v, s in zip(A_CUP, (6.0, -4.0) * 2, strict=True))
    bump_s = len(stage.looks) / stage.fps
    stage.hold(2.0, shift=(6.0, -4.0)).reach().hold(0.4).withdraw().hold(1.0)
    eyes = stage_reader(stage)

    class Both:
        def read(self, frames: Sequence[Frame]) -> Reading:
            box = A_CUP if frames[-1].time_s < bump_s else moved
            return Mistaken(eyes, box).read(frames)  # type: ignore[arg-type]

    throws, watch = told_of(stage, Both())
    assert len(throws) == 1
    assert watch.state is TableState.STILL


def test_a_steady_picture_has_less_grain_and_covers_hide() -> None:
    rng = np.random.default_rng(1)
    images = [rng.normal(120, 12, (90, 160, 3)).clip(0, 255).astype(np.uint8) for _ in range(4)]
    frames = [Frame(image, i, i / 10, "drawn") for i, image in enumerate(images)]
    how = Closer(((10.0, 20.0, 30.0, 40.0),), steady=True)
    (frame,) = how.frames(frames)
    assert frame.index == 3
    assert _painted(frame.image, how.covers[0])
    assert frame.image[50:].std() < 0.5 * images[0].std()
    assert len(replace(how, steady=False).frames(frames)) == 4
    assert (images[3] != COVERED).any(), "the frame itself stays as it was"
    spared = Closer(how.covers, spared=((10.0, 20.0, 20.0, 40.0),)).frames(frames)[-1].image
    assert (spared[20:40, 10:20] == images[3][20:40, 10:20]).all()
    assert (spared[20:40, 20:30] == COVERED).all()


def test_stills_are_looked_at_closer_in_their_own_size(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig], tmp_path: Path
) -> None:
    stage.hold(0.5).throw(pig(250, 200, Pose.SNOUTER), pig(450, 150)).hold(1.2)
    frames = list(stage.frames())
    record_stills(((shrink(f), f.image) for f in frames), tmp_path)
    trace = Trace.load(tmp_path)
    shown: list[np.ndarray] = []

    class Watching(stage_reader):  # type: ignore[misc, valid-type]
        def read(self, frames: Sequence[Frame]) -> Reading:
            shown.append(frames[-1].image)
            reading: Reading = super().read(frames)
            return reading

    small = tuple(v / trace.scale for v in A_CUP)
    eyes = closer(StillReader(trace, Watching(stage)), Closer((small,)))  # type: ignore[arg-type]
    reading = eyes.read([list(trace.frames())[-1]])
    assert shown[-1].shape == frames[-1].image.shape
    assert _painted(shown[-1], A_CUP)
    assert all(p.box[2] < frames[-1].image.shape[1] / trace.scale for p in reading.pigs)


@pytest.mark.parametrize("pause_s", [0.3, 0.8])
def test_pigs_that_pause_before_they_come_to_rest_were_thrown_together(
    pause_s: float, stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    """One of them rocks on after a pause: nothing was judged in it, or it is one throw yet."""
    still = pig(250, 200)

    def rock(look: object, done: float) -> object:
        return replace(look, pigs=(still, pig(430, 240, turn=40 * done)))  # type: ignore[type-var]

    stage.hold(1.0).throw(still, pig(430, 240)).hold(pause_s)
    stage.change(0.5, rock).hold(2.0)  # type: ignore[arg-type]
    throws, watch = told_of(stage, stage_reader(stage))
    assert len(throws) == 1
    assert watch.state is TableState.STILL


def test_states_name_a_pair_that_cannot_be_read(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig]
) -> None:
    stage.hold(1.0).throw(pig(250, 200), pig(430, 240)).hold(2.0)
    watch = TableWatch(armed=True)
    told = list(follow(stage.frames(), Dim(stage_reader(stage), 1), watch))
    last = [e for e in told if isinstance(e, StateChanged)][-1]
    assert (last.state, last.reason) == (TableState.ASKING, ONE_UNREAD)
