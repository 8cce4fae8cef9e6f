"""A game that ended by a wrong answer: what was thrown after it is kept, and counts when undone."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.commands import CorrectThrow, MakeThrow, Redo, Remove, Undo
from scoring.ledger import Ledger
from scoring.throw import Pose, Throw
from vision.web.room import Room

SIXTY = MakeThrow(Throw((Pose.LEANING_JOWLER, Pose.LEANING_JOWLER)))
FORTY = Throw((Pose.SNOUTER, Pose.SNOUTER))
PIG_OUT = Throw((Pose.DOT_UP, Pose.DOT_DOWN))


def game_of(room: Room) -> Any:
    assert room.view.game is not None
    return room.view.game


def act(room: Room, command: Any) -> None:
    room.act(game_of(room).id, command, game_of(room).seq)


def answer(room: Room, throw: Throw) -> None:
    assert room.view.question is not None
    room.answer(room.view.question.id, throw, game_of(room).seq)


def throws(room: Room) -> list[tuple[int, str]]:
    state = room.store.state(game_of(room).id)
    return [(e.player, str(e.outcome.landing)) for e in state.throws if e.outcome is not None]


@pytest.fixture
def ended(room: Room, see: Any) -> Room:
    """A wrong answer has ended the game; another throw waits behind it."""
    act(room, SIXTY)
    see("dot_up", "dot_down", ask=True)
    see("trotter", "snouter")
    answer(room, FORTY)
    assert game_of(room).over
    assert (room.view.waiting, room.view.idle) == (1, "over")
    return room


def test_a_correction_lets_the_next_throw_count(ended: Room) -> None:
    act(ended, CorrectThrow(game_of(ended).last.id, PIG_OUT))
    assert throws(ended)[1:] == [(0, "pig_out"), (1, "mixed_combo")]
    assert (ended.view.waiting, ended.view.idle) == (0, None)


def test_removed_it_lets_the_next_throw_count(ended: Room) -> None:
    act(ended, Remove(game_of(ended).last.id))
    assert throws(ended)[1:] == [(0, "mixed_combo")]


def test_undone_it_is_asked_again_before_the_next_throw_counts(ended: Room) -> None:
    act(ended, Undo())
    assert (len(throws(ended)), ended.view.waiting) == (1, 1)
    answer(ended, PIG_OUT)
    assert throws(ended)[1:] == [(0, "pig_out"), (1, "mixed_combo")]
    assert (ended.view.waiting, ended.view.question) == (0, None)


def test_undone_and_redone_it_is_as_it_was(ended: Room) -> None:
    act(ended, Undo())
    act(ended, Redo())
    assert game_of(ended).over
    assert (ended.view.question, ended.view.waiting) == (None, 1)
    act(ended, Undo())
    answer(ended, PIG_OUT)
    assert throws(ended)[1:] == [(0, "pig_out"), (1, "mixed_combo")]


def test_also_when_another_program_takes_it_back(ended: Room) -> None:
    Ledger(ended.store, game_of(ended).id).act(Undo())
    ended.refresh()
    assert ended.view.question is not None
    answer(ended, PIG_OUT)
    assert throws(ended)[1:] == [(0, "pig_out"), (1, "mixed_combo")]


def test_a_sure_throw_that_ended_it_is_asked_about_too(room: Room, see: Any) -> None:
    """It was read for sure, and a person says it was wrong: so it is theirs to name."""
    act(room, SIXTY)
    see("dot_up", "dot_up", ask=True)
    see("snouter", "snouter")
    see("trotter", "snouter")
    answer(room, Throw((Pose.DOT_UP, Pose.DOT_UP)))
    assert game_of(room).over
    act(room, Undo())
    assert len(throws(room)) == 2
    answer(room, PIG_OUT)
    assert throws(room)[2:] == [(0, "pig_out"), (1, "mixed_combo")]
