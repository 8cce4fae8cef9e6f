"""Turns, options and endings: a test for each rule of docs/rules.md, by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from scoring.effects import Effect
from scoring.errors import TurnError
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
