"""What players say of a throw stands beside its pictures, for as long as they say it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.commands import (
    Bank,
    Command,
    CorrectThrow,
    Redo,
    Remove,
    Rename,
    Undo,
)
from scoring.ledger import Ledger
from scoring.store import Store
from tests.vision.table.kept import FIVE, FORTY, TEN, Kept, seen
from vision.table.shelf import FACTS


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    with Store(tmp_path / "games.sqlite3") as store:
        yield Kept(tmp_path / "evidence", store)


def test_corrections_are_noted_beside_what_was_predicted(kept: Kept) -> None:
    number = kept.throw()
    kept.film(40)
    kept.ledger.act(CorrectThrow(number, TEN))
    assert kept.said() == {number: ["dot_up", "snouter"]}
    (facts,) = kept.folder.glob(f"*/*/{FACTS}")
    assert json.loads(facts.read_text())["reading"]["pigs"][0]["pose"] == "trotter"


@pytest.mark.parametrize("frames", [0, 5, 40])
def test_a_correction_is_noted_however_soon_it_comes(kept: Kept, frames: int) -> None:
    number = kept.throw()
    kept.film(frames)
    kept.ledger.act(CorrectThrow(number, TEN))
    kept.ledger.act(CorrectThrow(number, FORTY))
    kept.film(40)
    assert kept.said() == {number: ["snouter", "snouter"]}


@pytest.mark.parametrize("frames", [0, 40])
def test_an_answer_can_be_corrected_at_once(kept: Kept, frames: int) -> None:
    number = kept.answer(kept.ask(), TEN)
    kept.film(frames)
    kept.ledger.act(CorrectThrow(number, FORTY))
    assert kept.said() == {number: ["snouter", "snouter"]}


LABEL = {"ten": ["dot_up", "snouter"], "forty": ["snouter", "snouter"]}


def act(kept: Kept, *commands: Command) -> None:
    for command in commands:
        kept.film(15)  # some are heard before the throw is written, some after
        kept.ledger.act(command)


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        ([CorrectThrow(2, TEN), Undo()], None),
        ([CorrectThrow(2, TEN), Undo(), Redo()], "ten"),
        ([CorrectThrow(2, TEN), CorrectThrow(2, FORTY), Undo()], "ten"),
        ([CorrectThrow(2, TEN), CorrectThrow(2, FORTY), Undo(2)], None),
        ([CorrectThrow(2, TEN), Undo(2)], None),
        ([CorrectThrow(2, TEN), Undo(2), Redo()], None),
        ([CorrectThrow(2, TEN), Undo(2), Redo(2)], "ten"),
        ([CorrectThrow(2, TEN), Remove(2)], None),
        ([CorrectThrow(2, TEN), Remove(2), Undo()], "ten"),
        ([CorrectThrow(2, TEN), Rename(0, "Ann"), Undo()], "ten"),
        # Somebody corrects, and corrects back: that was said too.
        ([CorrectThrow(2, TEN), CorrectThrow(2, FIVE)], "five"),
    ],
)
def test_what_is_taken_back_is_no_longer_said(
    kept: Kept, commands: list[Command], said: str | None
) -> None:
    assert kept.throw() == 2
    act(kept, *commands)
    assert kept.said() == {2: {**LABEL, "five": ["dot_up", "trotter"]}.get(said or "")}


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        ([Undo()], None),
        ([Undo(), Redo()], "ten"),
        ([CorrectThrow(2, FORTY), Undo()], "ten"),
        ([CorrectThrow(2, FORTY), Undo(2)], None),
        ([Remove(2)], None),
        ([Remove(2), Undo()], "ten"),
    ],
)
def test_an_answer_that_is_taken_back_is_no_longer_said(
    kept: Kept, commands: list[Command], said: str | None
) -> None:
    assert kept.answer(kept.ask(), TEN) == 2
    act(kept, *commands)
    assert kept.said() == {2: LABEL.get(said or "")}


def test_a_throw_that_waited_behind_a_question_is_said_by_nobody(kept: Kept) -> None:
    """It has a question's key, but was read for sure and counted without a word."""
    kept.film(1)
    key = kept.evidence.keep(kept.ledger.game_id, None, seen(0))
    number = kept.answer(key, FIVE)
    assert kept.said() == {number: None}


def test_what_another_program_did_is_heard_too(kept: Kept) -> None:
    number = kept.throw()
    other = Ledger(kept.ledger.store, kept.ledger.game_id)
    other.act(CorrectThrow(number, TEN))
    kept.ledger.refresh()
    kept.film(40)
    other.act(Undo())
    other.act(Bank())
    other.act(Undo())
    other.act(Redo())
    kept.ledger.refresh()
    assert kept.said() == {number: None}
