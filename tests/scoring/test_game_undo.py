"""Undo and redo, and walking through a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING

import pytest

from scoring import commands as cm
from scoring import edits
from scoring.errors import LogError, UndoError
from scoring.events import Redone, Undone
from scoring.game import MAX_STEPS, apply, apply_all, decide, replay, walk
from scoring.play import replay_entry
from scoring.state import Entry, GameState

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


def corrected_evening(table: Tables, throws: int) -> Table:
    """A game in which every throw was put right."""
    game = table(target=None)
    for number in range(throws):
        game.play(FIVE, f"fix {2 * number + 2} {TEN}")
    return game


def test_many_steps_play_the_game_through_once(
    table: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = 0

    def counted(state: GameState, entry: Entry, *, anew: bool = False) -> GameState:
        nonlocal played
        played += 1
        return replay_entry(state, entry, anew=anew)

    game = corrected_evening(table, 20)
    monkeypatch.setattr(edits, "replay_entry", counted)
    game.play("undo")
    once, played = played, 0
    game.play("redo")
    played = 0
    game.play("undo 39")
    assert played <= once
    assert game.state.turn_points == 5
    played = 0
    replay(game.events[:-1])  # all but the last of the undos
    again = played
    played = 0
    replay(game.events)
    assert played <= again


def test_undos_in_a_row_are_undos_one_after_another(table: Tables) -> None:
    game = corrected_evening(table, 4).play("undo 3", "redo", "undo 2")
    one_by_one = reduce(apply, game.events[1:], apply(None, game.events[0]))
    assert one_by_one == apply_all(None, game.events) == game.state
    assert [type(e).__name__ for e in game.events[-6:]] == ["Undone"] * 3 + ["Redone"] + [
        "Undone"
    ] * 2


def test_a_log_names_the_undo_that_cannot_be(table: Tables) -> None:
    start, *_ = game = table().do(FIVE, TEN).events
    wrong = [*game, Undone(3), Undone(3)]
    with pytest.raises(LogError, match="event 5 of the log cannot follow: the newest event that"):
        replay(wrong)
    with pytest.raises(LogError, match="event 4 of the log cannot follow: there is nothing"):
        replay([start, game[1], Undone(2), Undone(1)])
    with pytest.raises(LogError, match="a log starts with a game started, got Undone"):
        replay([Undone(1)])


def test_so_many_steps_at_once_and_no_more(table: Tables) -> None:
    game = table(target=None)
    for _ in range(MAX_STEPS + 1):
        game.play(FIVE)
    with pytest.raises(UndoError, match=f"1 to {MAX_STEPS} steps can be taken to undo, got"):
        game.play(f"undo {MAX_STEPS + 1}")
    assert game.play(f"undo {MAX_STEPS}").state.turn_points == 5
