"""A recorded table gives the same throws again, without a model and without its frames."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scoring.throw import Pose
from vision.errors import CaptureError
from vision.table.live import follow
from vision.table.state import StateChanged, ThrowSeen
from vision.table.trace import FACTS, Trace, record
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
