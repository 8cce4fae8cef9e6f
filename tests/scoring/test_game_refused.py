"""Who may sit at a table, what is refused there, and which logs cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from scoring import commands as cm
from scoring.errors import (
    GameError,
    GameOverError,
    LogError,
    PlayersError,
    TurnError,
    UnknownPlayerError,
)
from scoring.events import (
    BankAdded,
    Banked,
    GameStarted,
    Later,
    Removed,
    Source,
    ThrowAdded,
    ThrowCorrected,
    ThrowMade,
    Undone,
)
from scoring.game import apply, decide, replay
from scoring.notation import parse_throw
from scoring.rulefile import load_rules

if TYPE_CHECKING:
    from tests.scoring.conftest import Table

    Tables = Callable[..., Table]

PIGGY = "trotter dot_up stacked"
FIVE = "trotter dot_up"
TEN = "snouter dot_up"
TWENTY = "trotter trotter"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ((), "1 to 12 players, got 0"),
        (tuple(f"P{i}" for i in range(13)), "1 to 12 players, got 13"),
        (("Anna", "anna"), "names of their own, got Anna, anna"),
        (("Anna", " Anna "), "names of their own"),
        (("Anna", ""), "a name has 1 to 40 printable characters, got ''"),
        (("Anna", "  "), "a name has 1 to 40"),
        (("x" * 41,), "a name has 1 to 40"),
        (("a\x00b",), "a name has 1 to 40"),
        ((7,), "a name has 1 to 40 printable characters, got 7"),
    ],
)
def test_players_who_cannot_sit_at_one_table(names: Any, message: str) -> None:
    with pytest.raises(PlayersError, match=message):
        decide(None, cm.StartGame(load_rules(), names))


def test_names_are_trimmed() -> None:
    (event,) = decide(None, cm.StartGame(load_rules(), ("  Anna   Lise ", "x" * 40)))
    assert event == GameStarted(load_rules(), ("Anna Lise", "x" * 40))


def test_renaming(table: Tables) -> None:
    game = table().do(TEN, "bank", "rename Anna Anne")
    assert game.pad == {"Anne": 10, "Bo": 0}
    with pytest.raises(PlayersError, match="names of their own"):
        game.do("rename Bo ANNE")
    with pytest.raises(UnknownPlayerError, match="seats of this game are 0 to 1, got 2"):
        decide(game.state, cm.Rename(2, "Carl"))
    game.do("fix 2 trotter dot_up")
    assert game.pad == {"Anne": 5, "Bo": 0}
    assert game.do("undo 2").pad == {"Anna": 10, "Bo": 0}


def test_seats_are_found_by_name(table: Tables) -> None:
    state = table("Anna Bo").state
    assert (state.seat("anna"), state.seat(" BO ")) == (0, 1)
    with pytest.raises(
        UnknownPlayerError, match="nobody here is called 'Carl'; players are Anna, Bo"
    ):
        state.seat("Carl")
    for seat in (-1, 2, True, "0"):
        with pytest.raises(UnknownPlayerError, match="seats of this game are 0 to 1"):
            state.total(seat)  # type: ignore[arg-type]
    assert state.total(0) == 0


# Refusals


def refused(game: Table, command: cm.Command, error: type[GameError], message: str) -> None:
    before, log = game.state, list(game.events)
    with pytest.raises(error, match=message):
        decide(game.state, command)
    assert game.state == before
    assert game.events == log


THROW = parse_throw(FIVE)


def test_out_of_turn(table: Tables) -> None:
    game = table("Anna Bo Carl").do(FIVE)
    refused(game, cm.MakeThrow(THROW, player=1), TurnError, "^it is Anna's turn, not Bo's$")
    refused(game, cm.Bank(player=2), TurnError, "^it is Anna's turn, not Carl's$")
    refused(game, cm.Bank(player=3), UnknownPlayerError, "seats of this game are 0 to 2, got 3")
    refused(game, cm.MakeThrow(THROW, player=-1), UnknownPlayerError, "got -1")
    assert decide(game.state, cm.Bank(player=0)) == (Banked(0),)
    assert decide(game.state, cm.MakeThrow(THROW, player=0)) == (ThrowMade(0, THROW),)


def test_acting_when_out(table: Tables) -> None:
    game = table("Anna Bo Carl").do(PIGGY)
    message = "^Anna is out of the game; it is Bo's turn$"
    refused(game, cm.MakeThrow(THROW, player=0), TurnError, message)
    refused(game, cm.Bank(player=0), TurnError, message)


def test_acting_after_the_end(table: Tables) -> None:
    game = table(target=5, hog_call="official").do(FIVE)
    message = "^the game is over; correct or undo something, or start a new game$"
    for move in (cm.MakeThrow(THROW), cm.MakeThrow(THROW, player=1), cm.Bank(), cm.Stop()):
        refused(game, move, GameOverError, message)
    assert game.do("fix 2 dot_up dot_up").up == "Anna"


def test_a_game_starts_once_and_first(table: Tables) -> None:
    game = table()
    refused(game, cm.StartGame(load_rules(), ("A",)), GameError, r"^this game has started already$")
    with pytest.raises(GameError, match=r"^there is no game yet; start one first$"):
        decide(None, cm.Bank())
    with pytest.raises(GameError, match="no such command: 'bank'"):
        decide(game.state, "bank")  # type: ignore[arg-type]


def test_what_was_asked_is_what_is_logged(table: Tables) -> None:
    game = table().do(FIVE)
    for source in Source:
        made = decide(game.state, cm.MakeThrow(THROW, source))
        assert made == (ThrowMade(0, THROW, source),)
        for later in Later:
            added = decide(game.state, cm.AddThrow(2, THROW, source, later))
            assert added == (ThrowAdded(2, THROW, source, later),)
            fixed = decide(game.state, cm.CorrectThrow(2, parse_throw(TEN), later))
            assert fixed == (ThrowCorrected(2, parse_throw(TEN), later),)
    for later in Later:
        assert decide(game.state, cm.Remove(2, later)) == (Removed(2, later),)
        two = table().do(FIVE, TEN).state
        assert decide(two, cm.AddBank(3, later)) == (BankAdded(3, later),)


def test_at_the_end_nothing_is_running(table: Tables) -> None:
    won = table(target=5).do(FIVE).state
    assert (won.turn_points, won.turn_throws, won.call) == (0, 0, None)
    game = table(hog_call="seed").do(TWENTY, "bank", FIVE, "bank", FIVE, "call Bo 5 points")
    assert game.state.call is not None
    stopped = game.do("stop").state
    assert (stopped.turn_points, stopped.turn_throws, stopped.call) == (0, 0, None)
    assert (stopped.turn, stopped.up) == (2, 0)


def test_banking_one_point_short_of_the_target(table: Tables) -> None:
    for end in ("on_reach", "on_bank", "finish_round"):
        game = table("Anna", target=16, game_end=end).do(TEN, FIVE, "bank")
        assert (game.state.over, game.up, game.pad) == (False, "Anna", {"Anna": 15})


# Logs


def test_logs_that_cannot_be(table: Tables) -> None:
    start = table().events[0]
    with pytest.raises(LogError, match=r"^the log is empty; a game starts with its first event$"):
        replay([])
    with pytest.raises(LogError, match="a log starts with a game started, got Banked"):
        replay([Banked(0)])
    with pytest.raises(LogError, match=r"^a game starts only once$"):
        replay([start, start])
    with pytest.raises(LogError, match="event 3 of the log cannot follow: it is Anna's turn"):
        replay([start, ThrowMade(0, THROW), ThrowMade(1, THROW)])
    with pytest.raises(
        LogError, match="event 2 of the log cannot follow: there is nothing to undo"
    ):
        replay([start, Undone(1)])
    with pytest.raises(LogError, match="is no event of play"):
        apply(table().state, ThrowMade)  # type: ignore[arg-type]
