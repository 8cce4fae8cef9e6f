"""A game told turn by turn."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

import pytest

from scoring.story import TurnEnd, turns

if TYPE_CHECKING:
    from tests.scoring.conftest import Table

    Tables = Callable[..., Table]

OUT = "dot_up dot_down"
OINK = "trotter dot_up touching"
PIGGY = "trotter dot_up stacked"
FIVE = "trotter dot_up"
TEN = "snouter dot_up"
TWENTY = "trotter trotter"


def told(game: Table) -> list[tuple[int, str, int, tuple[int, ...]]]:
    return [(t.player, t.end.value, t.points, t.pads) for t in turns(game.state)]


def test_every_end_of_a_turn(table: Tables) -> None:
    game = table("Anna Bo Carl", target=40).do(
        FIVE, TEN, "bank", FIVE, OUT, TEN, OINK, FIVE, "bank", "late", PIGGY, "leaning", TWENTY
    )
    assert told(game) == [
        (0, "banked", 15, (15, 0, 0)),
        (1, "pig_out", 0, (15, 0, 0)),
        (2, "oinker", 0, (15, 0, 0)),
        (0, "banked", 5, (20, 0, 0)),
        (1, "piggyback", 0, (20, 0, 0)),
        (2, "open", 20, (20, 0, 0)),
    ]
    game.do(TWENTY)
    assert told(game)[-1] == (2, "won", 40, (20, 0, 40))
    assert [len(t.throws) for t in turns(game.state)] == [2, 2, 2, 1, 2, 3]
    assert [len(t.entries) for t in turns(game.state)] == [3, 2, 2, 2, 2, 3]


def test_a_game_that_was_stopped(table: Tables) -> None:
    assert told(table().do(TEN, "bank", FIVE, "stop"))[-1] == (1, "stopped", 0, (10, 0))
    assert told(table().do(TEN, "bank", "stop"))[-1] == (1, "stopped", 0, (10, 0))


def test_a_turn_that_moved_on(table: Tables) -> None:
    game = table().do(TEN, OUT, TWENTY, "bank", f"fix 3 {FIVE}")
    assert told(game) == [(0, "moved_on", 15, (15, 0)), (1, "banked", 20, (15, 20))]
    over = table(target=15, game_end="on_bank").do(TEN, OUT, FIVE, f"fix 3 {FIVE}")
    assert told(over) == [(0, "moved_on", 15, (15, 0))]
    assert over.winners == ["Anna"]


def test_what_does_not_count_is_not_told(table: Tables) -> None:
    game = table().do(TEN, FIVE, "bank", FIVE, f"fix 2 {OUT}")
    assert told(game) == [(0, "pig_out", 0, (0, 0)), (1, "open", 5, (0, 0))]


def test_a_call_that_wins_writes_no_running_turn_down(table: Tables) -> None:
    game = table(hog_call="seed", target=40, game_end="on_bank")
    game.do(TWENTY, "bank", TWENTY, TEN, "bank", "call Bo 5 points", FIVE)
    assert told(game)[-1] == (0, "won", 0, (10, 40))


@pytest.mark.parametrize("seed", range(20))
def test_points_told_are_the_points_on_the_pad(table: Tables, seed: int) -> None:
    rng = Random(seed)
    game = table("Anna Bo Carl", target=300, game_end=rng.choice(["on_reach", "on_bank"]))
    moves = [FIVE, TEN, TWENTY, OUT, "late", "bank"]
    while not game.state.over and len(game.events) < 80:
        move = rng.choice(moves)
        if move != "bank" or game.state.can_bank:
            game.do(move)
    told_turns = turns(game.state)
    for seat, player in enumerate(game.state.players):
        closed = [t for t in told_turns if t.player == seat and t.end is not TurnEnd.OPEN]
        assert sum(t.points for t in closed) == player.score
    assert told_turns[-1].pads == tuple(p.score for p in game.state.players)
    assert [t.turn for t in told_turns] == list(range(len(told_turns)))
