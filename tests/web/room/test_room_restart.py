"""After a restart the table is as it was: the same game, the same questions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring import store as store_module
from scoring.commands import MakeThrow, Stop
from scoring.rulefile import load_rules
from scoring.store import Store
from scoring.throw import Pose, Throw
from vision.table.state import ThrowSeen
from vision.web.memory import Memory
from vision.web.room import Room
from vision.web.sights import Picture, Sight, SightPig

TEN = Throw((Pose.TROTTER, Pose.RAZORBACK))


class Evening:
    """A room that can be left and entered again."""

    def __init__(self, folder: Path, reading: Any) -> None:
        self.folder, self.reading = folder, reading
        self.room = self.enter()

    def enter(self) -> Room:
        self.store = Store(self.folder / "games.sqlite3", busy_seconds=0.05)
        return Room(self.store, memory=Memory(self.folder / "table"))

    def again(self) -> Room:
        """End the program, and start it again."""
        self.store.close()
        self.room = self.enter()
        self.room.resume()
        return self.room

    def start(self, *players: str) -> str:
        ledger = self.room.ledger
        expected = None if ledger is None else ledger.game_id
        self.room.start(load_rules("classic"), players, expected)
        return self.game.id

    def see(self, *poses: str, **more: Any) -> None:
        sight = Sight({Picture.PAIR: b"jpeg"}, (SightPig((0, 0, 0.5, 0.5), poses[0], 0.9),))
        self.room.seen(ThrowSeen(1, 1.0, self.reading(poses, **more)), sight)

    def act(self, command: Any) -> None:
        self.room.act(self.game.id, command, self.game.seq)

    @property
    def game(self) -> Any:
        assert self.room.view.game is not None
        return self.room.view.game


@pytest.fixture
def evening(tmp_path: Path, reading: Any) -> Iterator[Evening]:
    opened = Evening(tmp_path, reading)
    yield opened
    opened.store.close()


def test_the_game_on_the_table_is_gone_on_with_not_a_newer_one(evening: Evening) -> None:
    older = evening.start("Anna", "Bo")
    newer = evening.start("Carl", "Dora")
    evening.room.open(older, newer)
    evening.again()
    assert evening.game.id == older


def test_a_clock_that_was_set_back_brings_no_earlier_game(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.start("Anna", "Bo")
    monkeypatch.setattr(store_module, "_now", lambda: "2020-01-01T00:00:00.000+00:00")
    newer = evening.start("Carl", "Dora")
    (evening.folder / "table" / "game").unlink()  # as on a first evening with this program
    evening.again()
    assert evening.game.id == newer


def test_after_a_game_that_is_over_the_table_is_empty(evening: Evening) -> None:
    evening.start("Anna", "Bo")
    evening.act(Stop())
    evening.again()
    assert evening.room.view.game is None


def test_a_game_begun_elsewhere_after_the_last_was_over_is_gone_on_with(evening: Evening) -> None:
    evening.start("Anna", "Bo")
    evening.act(Stop())
    with Store(evening.folder / "games.sqlite3") as other:
        elsewhere = Room(other)
        elsewhere.start(load_rules("classic"), ("Carl",), None)
        assert elsewhere.view.game is not None
        newer = elsewhere.view.game.id
    evening.again()
    assert evening.game.id == newer


def test_the_game_of_another_database_is_none(evening: Evening) -> None:
    evening.start("Anna", "Bo")
    (evening.folder / "table" / "game").write_text("elsewhere")
    again = evening.again()
    assert again.view.game is not None


def test_a_folder_that_takes_nothing_is_said_and_costs_no_throw(evening: Evening) -> None:
    (evening.folder / "table").write_text("no folder")
    evening.start("Anna", "Bo")
    assert evening.room.view.trouble is not None
    assert "cannot write" in evening.room.view.trouble
    evening.act(MakeThrow(TEN))
    assert evening.game.turn_points == 10
    (evening.folder / "table").unlink()
    evening.room.refresh()
    assert evening.room.view.trouble is None
    assert (evening.folder / "table" / "game").read_text() == evening.game.id
