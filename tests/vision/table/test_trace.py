"""A recorded table gives the same throws again, without a model and without its frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from scoring.throw import Pose
from vision.capture.frame import Frame
from vision.capture.small import shrink
from vision.errors import CaptureError
from vision.recognize.picture import open_picture as load_still
from vision.recognize.reading import Reading
from vision.table.live import follow
from vision.table.state import StateChanged, ThrowSeen
from vision.table.trace import FACTS, STILLS, StillReader, Trace, record, record_stills
from vision.table.watch import TableWatch

if TYPE_CHECKING:
    from tests.vision.table.conftest import Pig, Stage, StageReader


def test_a_recorded_table_plays_again(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig], tmp_path: Path
) -> None:
    for i in range(2):
        stage.hold(0.5).throw(pig(250 + 60 * i, 200, Pose.SNOUTER), pig(450, 150 + 60 * i))
        stage.hold(1.2).pick_up()
    reader = stage_reader(stage)
    live = list(follow(stage.frames(), reader, TableWatch(armed=True)))
    assert record(stage.frames(), reader, tmp_path) == len(stage.looks)

    trace = Trace.load(tmp_path)
    again = list(follow(trace.frames(), trace, TableWatch(armed=True)))
    throws = [[e for e in events if isinstance(e, ThrowSeen)] for events in (live, again)]
    assert [t.reading.throw for t in throws[0]] == [t.reading.throw for t in throws[1]]
    assert len(throws[1]) == 2
    for a, b in zip(*throws, strict=True):
        assert b.time_s == pytest.approx(a.time_s, abs=0.15)
    states = [[e.state for e in events if isinstance(e, StateChanged)] for events in (live, again)]
    assert states[0] == states[1]


def test_stills_are_read_again_by_any_reader(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig], tmp_path: Path
) -> None:
    stage.hold(0.5).throw(pig(250, 200, Pose.SNOUTER), pig(450, 150)).hold(1.2).pick_up()
    frames = list(stage.frames())
    reader = stage_reader(stage)
    live = list(follow(frames, reader, TableWatch(armed=True)))
    assert record_stills(((shrink(f), f.image) for f in frames), tmp_path) == len(frames)

    trace = Trace.load(tmp_path)
    assert trace.readings == ()
    eyes = StillReader(trace, reader)
    again = list(follow(trace.frames(), eyes, TableWatch(armed=True)))
    throws = [[e for e in events if isinstance(e, ThrowSeen)] for events in (live, again)]
    assert [t.reading.throw for t in throws[0]] == [t.reading.throw for t in throws[1]]
    assert len(throws[1]) == 1
    box, full = (t[0].reading.pigs[0].box for t in reversed(throws))
    assert box == pytest.approx([v / trace.scale for v in full])
    kept = load_still(next((tmp_path / STILLS).iterdir()))
    assert kept.shape == frames[0].image.shape


def test_a_moving_table_counts_as_it_last_lay_never_as_it_will(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig], tmp_path: Path
) -> None:
    stage.hold(0.5).throw(pig(250, 200), pig(450, 150)).hold(1.2)
    frames = list(stage.frames())
    last = frames[-1].time_s
    ends = ((shrink(f), f.image if f.time_s < 0.4 or f.time_s == last else None) for f in frames)
    record_stills(ends, tmp_path)
    seen: list[np.ndarray] = []

    class Watching(stage_reader):  # type: ignore[misc, valid-type]
        def read(self, frames: Sequence[Frame]) -> Reading:
            seen.append(frames[-1].image)
            reading: Reading = super().read(frames)
            return reading

    eyes = StillReader(Trace.load(tmp_path), Watching(stage))
    before = next(f for f in frames if last - 0.6 < f.time_s < last - 0.3)
    for frame, shown in ((before, frames[0]), (frames[-1], frames[-1])):
        eyes.read([frame])
        assert np.abs(seen[-1].astype(int) - shown.image).mean() < 3
    assert np.abs(seen[0].astype(int) - seen[1]).max() > 40


def test_a_frame_of_which_no_still_was_kept_is_not_read(
    stage: Stage, stage_reader: type[StageReader], pig: type[Pig], tmp_path: Path
) -> None:
    stage.hold(0.5).throw(pig(250, 200), pig(450, 150)).hold(1.2)
    frames = list(stage.frames())
    record_stills(((shrink(f), None if f.time_s < 1 else f.image) for f in frames), tmp_path)
    eyes = StillReader(Trace.load(tmp_path), stage_reader(stage))
    with pytest.raises(CaptureError, match="no full picture was kept"):
        eyes.read([frames[0]])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda f: f.unlink(),
        lambda f: f.write_text(""),
        lambda f: f.write_text("{}"),
        lambda f: f.write_text('{"scale": 2}\n{"time_s": 0, "reading": {}}'),
    ],
)
def test_what_is_no_trace_is_told(spoil: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / FACTS).write_text("x")
    spoil(tmp_path / FACTS)
    with pytest.raises(CaptureError, match="is no recorded table"):
        Trace.load(tmp_path)
