"""Faults beside the camera while a game is watched: nothing is lost or doubled."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scoring import store as store_module
from scoring.ledger import Ledger
from scoring.rulefile import load_rules
from scoring.store import Store
from scoring.throw import Pose
from vision.table.evidence import Evidence
from vision.table.live import follow
from vision.table.referee import Referee
from vision.table.session import play_through
from vision.table.telling import JsonTeller
from vision.table.watch import TableWatch

if TYPE_CHECKING:
    from tests.vision.table.conftest import Pig, Stage, StageReader

THROWS = [(Pose.TROTTER, Pose.SNOUTER), (Pose.RAZORBACK, Pose.TROTTER), (Pose.DOT_UP, Pose.DOT_UP)]


@pytest.fixture
def game(stage: Stage, pig: type[Pig]) -> Stage:
    for i, (first, second) in enumerate(THROWS):
        stage.hold(0.5).throw(pig(200 + 40 * i, 200, first), pig(450, 150 + 60 * i, second))
        stage.hold(2.0).pick_up()
    return stage


def played(
    game: Stage, reader: StageReader, folder: Path, evidence: Evidence | None = None
) -> tuple[list[str], list[tuple[Pose, Pose]]]:
    """Play the film through; gives the lines told, and the poses in the log read afterwards."""
    lines: list[str] = []
    with Store(folder / "games.db") as store:
        ledger = Ledger.start(store, load_rules(target=None), ("Anna", "Bo"))
        events = follow(game.frames(), reader, TableWatch(armed=True), evidence)
        play_through(events, Referee(ledger), JsonTeller(lines.append), evidence)
    if evidence is not None:
        evidence.close()
    with Store(folder / "games.db") as store:
        state = store.state(store.find("latest"))
    return lines, [t.throw.poses for t in state.throws if t.throw is not None]  # type: ignore[union-attr]


def in_order(throws: list[tuple[Pose, Pose]]) -> list[tuple[Pose, ...]]:
    return [tuple(sorted(t)) for t in throws]


def test_a_clock_that_is_set_loses_nothing(
    game: Stage, stage_reader: type[StageReader], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Set back an hour, forward a day, back a year: the log is ordered by its numbers."""
    hours = iter([0, -1, 23, -8760])
    times: list[str] = []

    def now() -> str:
        hour = next(hours, 0)
        times.append(f"{2026 - (hour < -24)}-05-{10 + (hour > 20)}T{12 + hour % 12:02}:00:00.000")
        return times[-1]

    monkeypatch.setattr(store_module, "_now", now)
    _, logged = played(game, stage_reader(game), tmp_path)
    assert in_order(logged) == in_order(THROWS)
    assert times != sorted(times), "the clock really went back"


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes, as a full disk would."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_too_full_for_evidence_has_room_for_every_throw(
    game: Stage, stage_reader: type[StageReader], tmp_path: Path
) -> None:
    """Pictures need more than the log: they do not fit, and the game goes on."""
    with files_up_to(85_000):
        evidence = Evidence(tmp_path / "evidence")
        lines, logged = played(game, stage_reader(game), tmp_path, evidence)
    assert in_order(logged) == in_order(THROWS)
    assert sum('"event": "throw"' in line for line in lines) == len(THROWS)
    assert "evidence is not kept" in evidence.trouble
    assert not [f for f in (tmp_path / "evidence").rglob("*") if f.is_file()]
