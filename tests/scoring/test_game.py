"""Turns, options and endings: a test for each rule of docs/rules.md, by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from scoring import commands as cm
from scoring.effects import Effect
from scoring.errors import (
    GameError,
    GameOverError,
    LogError,
    PlayersError,
    TurnError,
    UndoError,
    UnknownPlayerError,
)
from scoring.events import (
    BankAdded,
    Banked,
    GameStarted,
    Later,
    Redone,
    Removed,
    Source,
    ThrowAdded,
    ThrowCorrected,
    ThrowMade,
    Undone,
)
from scoring.game import apply, decide, replay, walk
from scoring.notation import parse_throw
from scoring.rulefile import load_rules
from scoring.state import Ending

if TYPE_CHECKING:
    from tests.scoring.conftest import Table

    Tables = Callable[..., Table]

OUT = "dot_up dot_down"
OINK = "trotter dot_up touching"
PIGGY = "trotter dot_up stacked"
FIVE = "trotter dot_up"
TEN = "snouter dot_up"
TWENTY = "trotter trotter"
FORTY = "snouter snouter"
SIXTY = "leaning_jowler leaning_jowler"


# A turn


def test_throw_again_or_bank(table: Tables) -> None:
    game = table().do(FIVE, TEN)
    assert (game.state.turn_points, game.state.turn_throws, game.up) == (15, 2, "Anna")
    assert game.pad == {"Anna": 0, "Bo": 0}
    game.do("bank")
    assert game.pad == {"Anna": 15, "Bo": 0}
    assert (game.state.turn_points, game.state.turn_throws, game.up) == (0, 0, "Bo")
    assert game.state.turn == 1
    game.do(TEN, "bank", FIVE, "bank")
    assert game.pad == {"Anna": 20, "Bo": 10}


def test_a_turn_starts_with_a_throw(table: Tables) -> None:
    game = table()
    assert not game.state.can_bank
    with pytest.raises(TurnError, match=r"^Anna has not thrown yet; a turn starts with a throw$"):
        game.do("bank")
    game.do("off_table")
    with pytest.raises(TurnError, match="Anna has not thrown yet"):
        game.do("bank")
    assert game.do(FIVE).state.can_bank
    game.do("bank")
    with pytest.raises(TurnError, match="Bo has not thrown yet"):
        game.do("bank")


def test_pig_out(table: Tables) -> None:
    game = table().do(TEN, "bank", FIVE, "bank", TWENTY, OUT)
    assert game.pad == {"Anna": 10, "Bo": 5}
    assert (game.up, game.state.turn_points, game.state.turn_throws) == ("Bo", 0, 0)


def test_oinker(table: Tables) -> None:
    game = table().do(FORTY, TWENTY, TWENTY, FIVE, "bank", FIVE, "bank", TEN, OINK)
    assert game.pad == {"Anna": 0, "Bo": 5}
    assert (game.up, game.state.turn_points) == ("Bo", 0)
    assert game.state.standing == (0, 1)


def test_piggyback(table: Tables) -> None:
    game = table("Anna Bo Carl").do(FIVE, "bank", TEN, PIGGY)
    assert [p.eliminated for p in game.state.players] == [False, True, False]
    assert (game.up, game.state.over, game.state.turn_points) == ("Carl", False, 0)
    game.do(FIVE, "bank", FIVE, "bank")
    assert game.up == "Carl"
    assert game.state.standing == (0, 2)


def test_players_throw_in_order(table: Tables) -> None:
    names = [f"P{i}" for i in range(1, 13)]
    game = table(" ".join(names))
    for name in names:
        assert game.up == name
        game.do(FIVE, "bank")
    assert game.up == "P1"
    game.do(PIGGY).do(*[OUT] * 11)
    assert game.up == "P2"


@pytest.mark.parametrize("mishap", ["off_table", "leaning", "late"])
def test_a_rethrow_changes_nothing(table: Tables, mishap: str) -> None:
    game = table(hog_call="seed").do(TWENTY, "bank", FIVE, "bank", FIVE, "call Bo 5 points")
    before = game.state
    after = game.do(mishap).state
    for name in ("players", "up", "turn", "turn_points", "turn_throws", "call", "ending"):
        assert getattr(after, name) == getattr(before, name), name
    assert after.last_throw is not None
    assert after.last_throw.outcome is not None
    assert after.last_throw.outcome.effect is Effect.RETHROW
    assert game.do(FIVE).pad == {"Anna": 10, "Bo": 15}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("rethrow", ({"Anna": 10, "Bo": 5}, "Anna", 5)),
        ("pig_out", ({"Anna": 10, "Bo": 5}, "Bo", 0)),
        ("oinker", ({"Anna": 0, "Bo": 5}, "Bo", 0)),
    ],
)
@pytest.mark.parametrize("mishap", ["off_table", "leaning"])
def test_mishaps_cost_what_was_agreed(
    table: Tables, mishap: str, policy: str, expected: tuple[dict[str, int], str, int]
) -> None:
    game = table(**{mishap: policy}).do(TEN, "bank", FIVE, "bank", FIVE, mishap)
    assert (game.pad, game.up, game.state.turn_points) == expected


@pytest.mark.parametrize(
    ("policy", "pad", "up", "turn_points"),
    [
        ("oinker", {"Anna": 0, "Bo": 5}, "Bo", 0),
        ("rethrow", {"Anna": 10, "Bo": 5}, "Anna", 5),
    ],
)
def test_piggyback_can_be_milder(
    table: Tables, policy: str, pad: dict[str, int], up: str, turn_points: int
) -> None:
    game = table(piggyback=policy).do(TEN, "bank", FIVE, "bank", FIVE, PIGGY)
    assert (game.pad, game.up, game.state.turn_points) == (pad, up, turn_points)
    assert game.state.standing == (0, 1)


# The end


def test_target(table: Tables) -> None:
    assert not table(target=21).do(TWENTY).state.over
    assert table(target=20).do(TWENTY).state.over
    assert table(target=1).do("dot_up dot_up").winners == ["Anna"]


def test_on_reach(table: Tables) -> None:
    game = table(target=50, game_end="on_reach").do(FORTY, "bank", FIVE, "bank", FIVE, FIVE)
    assert (game.state.over, game.state.ending, game.winners) == (True, Ending.TARGET, ["Anna"])
    assert game.pad == {"Anna": 50, "Bo": 5}
    assert (game.up, game.state.active, game.state.turn_points) == (None, None, 0)
    assert game.state.total(0) == 50


def test_on_reach_one_point_short_goes_on(table: Tables) -> None:
    game = table(target=46).do(FORTY, FIVE)
    assert not game.state.over
    assert game.state.total(0) == 45
    assert game.do("dot_up dot_up").pad == {"Anna": 46, "Bo": 0}


def test_on_bank(table: Tables) -> None:
    game = table(target=50, game_end="on_bank").do(FORTY, TWENTY)
    assert (game.state.over, game.state.turn_points) == (False, 60)
    game.do("bank")
    assert (game.winners, game.pad, game.state.ending) == (
        ["Anna"],
        {"Anna": 60, "Bo": 0},
        Ending.TARGET,
    )
    lost = table(target=50, game_end="on_bank").do(FORTY, TWENTY, OUT)
    assert (lost.up, lost.pad) == ("Bo", {"Anna": 0, "Bo": 0})


def test_finish_round(table: Tables) -> None:
    game = table("Anna Bo Carl", target=50, game_end="finish_round")
    game.do(FIVE, "bank", FORTY, TEN, "bank")
    assert (game.state.over, game.up) == (False, "Carl")
    game.do(SIXTY, "bank")
    assert (game.winners, game.state.ending) == (["Carl"], Ending.TARGET)
    assert game.pad == {"Anna": 5, "Bo": 50, "Carl": 60}


def test_finish_round_shares_a_tie(table: Tables) -> None:
    game = table("Anna Bo Carl", target=50, game_end="finish_round")
    game.do(SIXTY, "bank", SIXTY, "bank", FIVE)
    assert not game.state.over
    assert game.do("bank").winners == ["Anna", "Bo"]


def test_finish_round_ends_at_once_after_the_last_player(table: Tables) -> None:
    game = table(target=50, game_end="finish_round").do(FIVE, "bank", SIXTY)
    assert not game.state.over
    assert game.do("bank").winners == ["Bo"]


def test_finish_round_a_bust_is_a_last_turn_too(table: Tables) -> None:
    game = table(target=50, game_end="finish_round").do(SIXTY, "bank", FORTY, OUT)
    assert game.winners == ["Anna"]


def test_finish_round_goes_on_when_nobody_has_the_target_any_more(table: Tables) -> None:
    options = {"target": 50, "game_end": "finish_round", "hog_call": "official"}
    game = table("Anna Bo", **options).do(SIXTY, "bank", "call Anna 60 points", TWENTY, "bank")
    # Wrong: Anna loses 40, Bo gets 40 and his own 20, and has the target himself.
    assert (game.pad, game.winners) == ({"Anna": 20, "Bo": 60}, ["Bo"])
    game = table("Anna Bo", **options).do(SIXTY, "bank", "call Anna 60 points", TEN, OUT)
    assert (game.pad, game.state.over, game.up) == ({"Anna": 40, "Bo": 20}, False, "Anna")


def test_endless_ends_when_stopped(table: Tables) -> None:
    game = table("Anna Bo Carl", target=None).do(*[SIXTY] * 10, "bank", TEN, "bank", FIVE)
    assert not game.state.over
    game.do("stop")
    assert (game.state.ending, game.winners) == (Ending.STOPPED, ["Anna"])
    assert game.pad == {"Anna": 600, "Bo": 10, "Carl": 0}
    assert game.state.turn_points == 0


def test_stopping_shares_a_tie_and_counts_no_running_turn(table: Tables) -> None:
    assert table().do(TEN, "bank", TEN, "bank", FORTY, "stop").winners == ["Anna", "Bo"]
    nobody = table().do(FORTY, "stop")
    assert (nobody.winners, nobody.state.over) == ([], True)


def test_stopping_leaves_out_those_who_are_out(table: Tables) -> None:
    game = table("Anna Bo Carl").do(FORTY, "bank", TEN, "bank", FIVE, "bank", PIGGY, "stop")
    assert game.winners == ["Bo"]


# Out of the game


def test_last_one_standing_wins(table: Tables) -> None:
    game = table().do(SIXTY, "bank", FIVE, "bank", PIGGY)
    assert (game.state.ending, game.winners) == (Ending.LAST_STANDING, ["Bo"])
    game = table("Anna Bo Carl").do(PIGGY, PIGGY)
    assert (game.winners, game.pad["Carl"]) == (["Carl"], 0)


def test_alone_and_out_nobody_wins(table: Tables) -> None:
    game = table("Anna").do(TEN, "bank", PIGGY)
    assert (game.state.ending, game.winners, game.state.active) == (Ending.ALL_OUT, [], None)


def test_out_keeps_the_pad_and_cannot_win(table: Tables) -> None:
    game = table("Anna Bo Carl", target=50, game_end="finish_round")
    game.do(FORTY, "bank", FIVE, "bank", FIVE, "bank", TEN, PIGGY, TWENTY, "bank", FORTY, "bank")
    assert game.pad == {"Anna": 40, "Bo": 25, "Carl": 45}
    assert not game.state.over
    game.do(TWENTY, "bank")
    assert not game.state.over
    game.do(FIVE, "bank")
    assert (game.winners, game.pad["Carl"]) == (["Carl"], 50)


def test_a_game_for_one(table: Tables) -> None:
    game = table("Anna", target=50).do(FORTY, "bank", TWENTY)
    assert (game.winners, game.pad) == (["Anna"], {"Anna": 60})
    game = table("Anna", target=50, game_end="finish_round").do(SIXTY, "bank")
    assert game.winners == ["Anna"]


# Dice


def test_sherri_of_the_dice_rules(table: Tables) -> None:
    # She throws a 3 and seven more times: 6, 6, 6, 4, 5, 6 and then 1.
    game = table("Sherri Craig", variant="pig").do("3", "6", "6", "6", "4", "5", "6", "1")
    assert (game.pad["Sherri"], game.up) == (0, "Craig")


def test_craig_of_the_dice_rules(table: Tables) -> None:
    # He throws a 6, then 3, 4, 2 and 6, and holds: 21 points.
    game = table("Craig Sherri", variant="pig").do("6", "3", "4", "2", "6", "bank")
    assert game.pad["Craig"] == 21


def test_a_one_keeps_the_pad(table: Tables) -> None:
    game = table(variant="pig").do("6", "bank", "5", "bank", "4", "1")
    assert game.pad == {"Anna": 6, "Bo": 5}


def test_dice_end_on_bank(table: Tables) -> None:
    for variant, face in (("pig", "6"), ("two-dice", "6 6")):
        game = table(variant=variant, target=6).do(face)
        assert not game.state.over
        assert game.do("bank").winners == ["Anna"]


def test_snake_eyes_of_the_dice_rules(table: Tables) -> None:
    assert table(variant="two-dice").do("1 1").state.turn_points == 25
    assert table(variant="two-dice").do("6 6", "1 2").up == "Bo"


# Players


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


# Undo and redo


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
