"""After a restart the table is as it was: the same game, the same questions."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring import store as store_module
from scoring.commands import MakeThrow, Stop, Undo
from scoring.errors import StoreError
from scoring.ledger import Ledger
from scoring.rulefile import load_rules
from scoring.store import Store
from scoring.throw import Pose, Throw
from vision.table.state import ThrowSeen
from vision.web.memory import Memory
from vision.web.room import Room
from vision.web.sights import Picture, Sight, SightPig

TEN = Throw((Pose.TROTTER, Pose.RAZORBACK))
FORTY = Throw((Pose.SNOUTER, Pose.SNOUTER))
PIG_OUT = Throw((Pose.DOT_UP, Pose.DOT_DOWN))


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
        return str(self.game.id)

    def see(self, *poses: str, **more: Any) -> None:
        sight = Sight({Picture.PAIR: b"jpeg"}, (SightPig((0, 0, 0.5, 0.5), poses[0], 0.9),))
        self.room.seen(ThrowSeen(1, 1.0, self.reading(poses, **more)), sight)

    def act(self, command: Any) -> None:
        self.room.act(self.game.id, command, self.game.seq)

    @property
    def view(self) -> Any:
        """What the page shows now; a fresh look each time."""
        return self.room.view

    @property
    def game(self) -> Any:
        return self.view.game


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
    assert evening.view.game is None


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
    assert evening.view.trouble is not None
    assert "cannot write" in evening.view.trouble
    evening.act(MakeThrow(TEN))
    assert evening.game.turn_points == 10
    (evening.folder / "table").unlink()
    evening.room.refresh()
    assert evening.view.trouble is None
    assert (evening.folder / "table" / "game").read_text() == evening.game.id


def test_a_question_and_what_waits_behind_it_outlive_the_program(evening: Evening) -> None:
    evening.start("Anna", "Bo")
    evening.see("dot_up", "dot_down", ask=True)
    evening.see("trotter", "razorback")
    before = evening.view.question
    again = evening.again()
    asked = again.view.question
    assert asked is not None
    assert before is not None
    assert (asked.id, asked.kind, asked.options) == (before.id, before.kind, before.options)
    assert asked.pigs == before.pigs
    sight = again.sights.get(asked.sight)
    assert sight is not None
    assert sight.pictures == {Picture.PAIR: b"jpeg"}
    assert again.view.waiting == 1
    again.answer(asked.id, PIG_OUT, evening.game.seq)
    assert (evening.game.up, evening.game.turn_points) == (1, 10)
    evening.again()
    assert (evening.view.question, evening.view.waiting) == (None, 0)
    assert (evening.game.up, evening.game.turn_points) == (1, 10)


def test_a_dismissed_question_does_not_come_back(evening: Evening) -> None:
    evening.start("Anna", "Bo")
    evening.see("dot_up", "dot_down", ask=True)
    assert evening.view.question is not None
    evening.room.dismiss(evening.view.question.id)
    assert evening.again().view.question is None


def test_a_new_throw_after_the_restart_waits_behind_the_old_ones(evening: Evening) -> None:
    evening.start("Anna", "Bo")
    evening.see("dot_up", "dot_down", ask=True)
    evening.again()
    evening.see("snouter", "snouter", ask=True)
    first = evening.view.question
    assert first is not None
    evening.room.dismiss(first.id)
    assert evening.view.question is not None
    assert evening.view.question.id > first.id
    assert evening.again().view.question is not None


def test_a_sure_throw_that_could_not_be_written_is_written_at_the_next_start(
    evening: Evening, held: Any
) -> None:
    evening.start("Anna", "Bo")
    with held():
        evening.see("trotter", "razorback")
        assert evening.view.trouble is not None
    for _ in range(2):
        evening.again()
        assert evening.game.turn_points == 10


def test_where_the_game_went_on_without_it_a_sure_throw_is_asked_about(
    evening: Evening, held: Any
) -> None:
    evening.start("Anna", "Bo")
    with held():
        evening.see("trotter", "razorback")
    Ledger(evening.store, evening.game.id).act(MakeThrow(PIG_OUT))
    evening.again()
    assert evening.view.question is not None
    assert (evening.game.up, evening.game.turn_points) == (1, 0)


def test_killed_between_the_log_and_forgetting_no_throw_counts_twice(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.start("Anna", "Bo")
    evening.see("trotter", "razorback", ask=True)
    evening.see("trotter", "razorback")
    folder = evening.folder / "table" / evening.game.id
    kept = evening.folder / "kept"

    def killed(view: Any) -> None:
        """The files as they lie when the log is written and nothing else yet."""
        shutil.copytree(folder, kept, dirs_exist_ok=True)

    ledger = evening.room.ledger
    assert ledger is not None
    ledger.subscribe(killed)
    assert evening.view.question is not None
    evening.room.answer(evening.view.question.id, TEN, evening.game.seq)
    assert evening.game.turn_points == 20
    shutil.copytree(kept, folder, dirs_exist_ok=True)
    evening.again()
    assert (evening.view.question, evening.game.turn_points) == (None, 20)


def test_questions_stay_with_their_game(evening: Evening) -> None:
    first = evening.start("Anna", "Bo")
    evening.see("trotter", "razorback", ask=True)
    second = evening.start("Carl", "Dora")
    assert (evening.view.question, evening.view.waiting) == (None, 0)
    evening.room.open(first, second)
    assert evening.view.question is not None
    evening.room.answer(evening.view.question.id, TEN, evening.game.seq)
    assert evening.game.turn_points == 10


def test_another_game_takes_no_place_while_a_throw_is_nowhere_but_in_memory(
    evening: Evening, held: Any
) -> None:
    first = evening.start("Anna", "Bo")
    second = evening.start("Carl", "Dora")
    shutil.rmtree(evening.folder / "table")
    (evening.folder / "table").write_text("no folder")
    with held():
        evening.see("trotter", "razorback")
        with pytest.raises(StoreError):
            evening.room.open(first, second)
    evening.room.open(first, second)
    assert evening.store.state(second).turn_points == 10


def test_a_file_that_cannot_be_read_counts_as_none(evening: Evening) -> None:
    evening.start("Anna", "Bo")
    evening.see("trotter", "razorback", ask=True)
    [path] = (evening.folder / "table" / evening.game.id).glob("*.json")
    path.write_text('{"version": 1}')
    assert evening.again().view.question is None


def test_a_folder_that_takes_nothing_does_not_keep_the_end_from_being_undone(
    evening: Evening,
) -> None:
    evening.start("Anna", "Bo")
    evening.act(MakeThrow(Throw((Pose.LEANING_JOWLER, Pose.LEANING_JOWLER))))
    shutil.rmtree(evening.folder / "table")
    (evening.folder / "table").write_text("no folder")
    evening.see("trotter", "razorback", ask=True)
    evening.see("trotter", "razorback")
    assert "cannot write" in evening.view.trouble
    evening.room.answer(evening.view.question.id, FORTY, evening.game.seq)
    assert evening.game.over
    evening.act(Undo())
    assert (evening.view.waiting, evening.game.turn_points) == (1, 60)
