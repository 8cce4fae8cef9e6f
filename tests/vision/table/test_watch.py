"""The watch logs each throw once, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.throw import Pose, Throw

if TYPE_CHECKING:
    from tests.vision.table.conftest import Pig, Play, Stage


def test_a_throw_is_logged_once(stage: Stage, play: Play, pig: type[Pig]) -> None:
    stage.hold(1.0).throw(pig(250, 200, Pose.SNOUTER), pig(400, 250, Pose.TROTTER)).hold(4.0)
    told = play(stage)
    assert [t.reading.throw for t in told.throws] == [Throw((Pose.TROTTER, Pose.SNOUTER))]
    rest_s = 1.5
    assert told.throws[0].time_s - rest_s < 0.6
    assert told.states == ["moving", "settling", "empty", "moving", "settling", "still"]


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
