"""Undo and redo, and walking through a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from scoring import commands as cm
from scoring.errors import UndoError
from scoring.events import Redone, Undone
from scoring.game import apply, decide, walk

if TYPE_CHECKING:
    from tests.scoring.conftest import Table

    Tables = Callable[..., Table]

OUT = "dot_up dot_down"
FIVE = "trotter dot_up"
TEN = "snouter dot_up"


def test_undo_and_redo(table: Tables) -> None:
    game = table().do(FIVE, TEN, "bank", OUT, "fix 5 dot_up dot_up", "rename Bo Bob")
    states = [game.state]
    states += [game.do("undo").state for _ in range(6)]
    assert not game.state.can_undo
    assert (game.state.players, game.state.turn_points) == (table().state.players, 0)
    with pytest.raises(UndoError, match=r"^there is nothing to undo$"):
        game.do("undo")
    for expected in reversed(states[:-1]):
        redone = game.do("redo").state
        assert redone.players == expected.players
        assert redone.history == expected.history
        assert redone.done == expected.done
        assert redone.turn_points == expected.turn_points
    assert not game.state.can_redo
    with pytest.raises(UndoError, match=r"^there is nothing to redo$"):
        game.do("redo")


def test_undo_many_steps_at_once(table: Tables) -> None:
    game = table().do(FIVE, TEN, "bank", "undo 3")
    assert (game.state.turn_points, game.up, game.state.seq) == (0, "Anna", 7)
    assert game.events[-3:] == [Undone(4), Undone(3), Undone(2)]
    assert game.do("redo 2").state.turn_points == 15
    assert game.events[-2:] == [Redone(2), Redone(3)]
    for steps in (0, 3, -1, True, "1"):
        with pytest.raises(UndoError, match="1 to 2 steps can be taken to undo, got"):
            decide(game.state, cm.Undo(steps))  # type: ignore[arg-type]
    with pytest.raises(UndoError, match="1 to 1 steps can be taken to redo, got 2"):
        game.do("redo 2")


def test_something_new_ends_redo(table: Tables) -> None:
    game = table().do(FIVE, "undo", TEN)
    assert not game.state.can_redo
    with pytest.raises(UndoError, match="nothing to redo"):
        game.do("redo")


def test_undo_of_the_end(table: Tables) -> None:
    game = table(target=5).do(FIVE, "undo")
    assert (game.state.over, game.up) == (False, "Anna")
    assert game.do("redo").winners == ["Anna"]


def test_undo_names_the_event(table: Tables) -> None:
    with pytest.raises(UndoError, match=r"^there is nothing to redo$"):
        apply(table().state, Redone(1))
    game = table().do(FIVE, TEN)
    with pytest.raises(UndoError, match="the newest event that stands is 3, not 2"):
        apply(game.state, Undone(2))
    game.do("undo")
    with pytest.raises(UndoError, match="the event taken back last is 3, not 2"):
        apply(game.state, Redone(2))


def test_undone_events_keep_their_numbers(table: Tables) -> None:
    game = table().do(FIVE, "undo", "redo", TEN)
    assert [e.id for e in game.state.throws] == [2, 5]
    assert [number for number, _ in game.state.done] == [1, 2, 5]
    assert game.state.entry(5) == game.state.last_throw
    assert game.state.entry(3) is None


def test_walking_through_a_game(table: Tables) -> None:
    game = table().do(FIVE, TEN, "bank", OUT)
    steps = list(walk(game.state))
    assert [s.entry.id for s in steps] == [2, 3, 4, 5]
    assert [s.before.turn_points for s in steps] == [0, 5, 15, 0]
    assert steps[-1].after.players == game.state.players
    assert steps[-1].after.history == game.state.history
    assert game.state.last_throw == steps[-1].entry
    assert table().state.last_throw is None
