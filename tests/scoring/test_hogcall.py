"""Hog Call in both forms, every corner of it by the name it has in docs/rules.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from scoring import commands as cm
from scoring.errors import CallError, GameOverError, UnknownPlayerError
from scoring.game import decide
from scoring.hogcall import Call, callable_points, check_call
from scoring.notation import parse_call, parse_throw
from scoring.rulefile import load_rules
from scoring.rules import RulesError
from scoring.throw import DiceThrow, Mishap, MishapKind, Pose

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


def both_at(table: Tables, form: str, *pads: str, **options: Any) -> Table:
    """Give a table where each player has banked one throw and the first is up again."""
    moves = [move for pad in pads for move in (pad, "bank")]
    names = " ".join(("Anna", "Bo", "Carl")[: len(pads)])
    return table(names, hog_call=form, **options).do(*moves)


def refuse(game: Table, move: str, message: str) -> None:
    before = game.state
    with pytest.raises(CallError, match=message):
        game.do(move)
    assert game.state == before


def test_hog_call_off(table: Tables) -> None:
    refuse(
        both_at(table, "off", FORTY, FORTY),
        "call Bo 5 points",
        r"^this game is played without Hog Call$",
    )


def test_hog_call_seed(table: Tables) -> None:
    right = both_at(table, "seed", FORTY, TEN).do("call Bo trotter dot_up", FIVE)
    assert right.pad == {"Anna": 30, "Bo": 20}
    assert (right.up, right.state.turn_points, right.state.call) == ("Anna", 5, None)
    wrong = both_at(table, "seed", FORTY, TEN).do("call Bo trotter dot_up", TEN)
    assert wrong.pad == {"Anna": 40, "Bo": 10}
    assert wrong.state.call is None


def test_hog_call_official(table: Tables) -> None:
    right = both_at(table, "official", TEN, FORTY).do("call Bo 5 points", FIVE)
    assert right.pad == {"Anna": 0, "Bo": 50}
    wrong = both_at(table, "official", TEN, FORTY).do("call Bo 5 points", TEN)
    assert wrong.pad == {"Anna": 30, "Bo": 20}
    assert wrong.state.turn_points == 10


def test_twenty_on_the_pad(table: Tables) -> None:
    game = both_at(table, "seed", TEN, FORTY).do(TEN)
    refuse(game, "call Bo 5 points", "^Anna needs 20 points on the pad for a Hog Call, and has 10$")
    assert both_at(table, "seed", TWENTY, TEN).do("call Bo 5 points").state.call is not None
    game = both_at(table, "official", FORTY, TEN)
    refuse(game, "call Bo 5 points", "^Bo needs 20 points on the pad for a Hog Call, and has 10$")
    assert both_at(table, "official", TEN, TWENTY).do("call Bo 5 points").state.call is not None


def test_the_first_call_counts(table: Tables) -> None:
    game = both_at(table, "seed", FORTY, TEN, TEN).do("call Carl 5 points")
    refuse(game, "call Bo 10 points", "^Carl called first, and only the first call counts$")
    refuse(game, "call Carl 10 points", "^Carl called first")
    assert game.do(FIVE).pad == {"Anna": 30, "Bo": 10, "Carl": 20}
    assert game.do("call Bo 10 points", TEN).pad == {"Anna": 10, "Bo": 30, "Carl": 20}


def test_the_thrower_may_not_call(table: Tables) -> None:
    game = both_at(table, "seed", FORTY, FORTY, FORTY)
    refuse(game, "call Anna 5 points", "^Anna is throwing, and the thrower may not call$")
    game.do(PIGGY)
    refuse(game, "call Anna 5 points", "^Anna is out of the game and may not call$")
    with pytest.raises(UnknownPlayerError, match="got 7"):
        decide(game.state, cm.CallHog(7, Call(points=5)))


def test_no_call_after_the_end(table: Tables) -> None:
    game = both_at(table, "seed", FORTY, FORTY, target=45).do(FIVE)
    with pytest.raises(GameOverError):
        game.do("call Bo 5 points")


@pytest.mark.parametrize(
    ("call", "throw", "right"),
    [
        ("trotter snouter", "snouter trotter", True),
        ("trotter snouter", "razorback snouter", False),
        ("15 points", "razorback snouter", True),
        ("15 points", "leaning_jowler dot_down", True),
        ("15 points", "snouter dot_up", False),
        ("dot_up trotter", "dot_down trotter", True),
        ("dot_down trotter", "dot_up trotter", True),
        ("dot_up dot_up", "dot_down dot_down", True),
        ("dot_down dot_down", "dot_down dot_down", True),
        ("dot_up dot_up", "dot_up dot_down", False),
        ("1 points", "dot_down dot_down", True),
        ("1 points", "dot_up dot_down", False),
        ("dot_up trotter", "trotter trotter", False),
        ("trotter trotter", "trotter trotter", True),
        ("60 points", "leaning_jowler leaning_jowler", True),
    ],
)
def test_what_is_called(call: str, throw: str, *, right: bool) -> None:
    assert parse_call(call).is_right(parse_throw(throw), load_rules()) is right


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "either two poses or a number of points"),
        ({"poses": (Pose.TROTTER, Pose.TROTTER), "points": 20}, "either two poses or a number"),
        ({"points": 0}, "at least 1 point, got 0"),
        ({"points": True}, "at least 1 point, got True"),
        ({"points": 5.0}, "at least 1 point, got 5.0"),
        (
            {"poses": (Pose.DOT_UP, Pose.DOT_DOWN)},
            "Pig Out, Oinker and Piggyback may not be called",
        ),
        ({"poses": (Pose.DOT_DOWN, Pose.DOT_UP)}, "may not be called"),
    ],
)
def test_calls_that_may_not_be_made(arguments: Any, message: str) -> None:
    with pytest.raises(CallError, match=message):
        Call(**arguments)


def test_only_points_that_a_throw_gives(table: Tables) -> None:
    assert callable_points(load_rules()) == (1, 5, 10, 15, 20, 25, 40, 60)
    with pytest.raises(CallError, match="no throw gives 7 points; it can be 1, 5, 10, 15, 20, 25"):
        check_call(Call(points=7), load_rules())
    check_call(Call(poses=(Pose.TROTTER, Pose.TROTTER)), load_rules())
    refuse(both_at(table, "seed", FORTY, TEN), "call Bo 30 points", "no throw gives 30 points")


@pytest.mark.parametrize("contact", ["touching", "stacked"])
def test_only_a_throw_that_scores_is_right(table: Tables, contact: str) -> None:
    assert not parse_call("trotter dot_up").is_right(
        parse_throw(f"trotter dot_up {contact}"), load_rules()
    )
    game = both_at(table, "seed", FORTY, TEN, TEN).do("call Bo trotter dot_up")
    game.do(f"trotter dot_up {contact}")
    assert game.pad["Bo"] == 10
    assert game.state.call is None


def test_mishaps_and_dice_are_never_right() -> None:
    call = Call(points=5)
    assert not call.is_right(Mishap(MishapKind.LATE), load_rules())
    assert not call.is_right(DiceThrow((5,)), load_rules("pig"))


@pytest.mark.parametrize("form", ["seed", "official"])
@pytest.mark.parametrize(("throw", "anna"), [(OUT, 40), (OINK, 0)])
def test_a_bust_moves_nothing(table: Tables, form: str, throw: str, anna: int) -> None:
    game = both_at(table, form, FORTY, TWENTY).do("call Bo 5 points", throw)
    assert game.pad == {"Anna": anna, "Bo": 20}
    assert (game.up, game.state.call) == ("Bo", None)


SETTLED = [
    ("seed", "trotter dot_up", FIVE, (True, 10, 10)),
    ("seed", "trotter dot_up", TEN, (False, 0, 0)),
    ("official", "trotter dot_up", FORTY, (False, 80, 40)),
    ("official", "trotter dot_up", OUT, (False, 0, 0)),
]


@pytest.mark.parametrize(("form", "call", "throw", "expected"), SETTLED)
def test_the_throw_tells_what_came_of_the_call(
    table: Tables, form: str, call: str, throw: str, expected: tuple[bool, int, int]
) -> None:
    game = both_at(table, form, FORTY, FORTY, target=200).do(f"call Bo {call}")
    assert game.do("late").state.history[-1].settled is None
    settled = game.do(throw).state.history[-1].settled
    assert settled is not None
    assert settled.caller == 1
    assert (settled.right, settled.gained, settled.lost) == expected
    assert game.do(FIVE).state.history[-1].settled is None, "the call is settled once"


def test_nobody_below_zero(table: Tables) -> None:
    thrower = both_at(table, "seed", TWENTY, TEN).do("call Bo 20 points", TWENTY)
    assert thrower.pad == {"Anna": 0, "Bo": 50}
    caller = both_at(table, "official", TEN, TWENTY).do("call Bo 5 points", TWENTY)
    assert caller.pad == {"Anna": 50, "Bo": 0}


def test_the_thrower_keeps_the_throw(table: Tables) -> None:
    game = both_at(table, "seed", FORTY, TEN).do(TEN, "call Bo 5 points", FIVE)
    assert (game.pad["Anna"], game.state.turn_points) == (30, 15)
    assert game.do("bank").pad == {"Anna": 45, "Bo": 20}


def test_a_call_can_win(table: Tables) -> None:
    for end in ("on_reach", "on_bank"):
        game = both_at(table, "seed", TWENTY, FORTY, target=50, game_end=end)
        game.do("call Bo 5 points", FIVE)
        assert game.winners == ["Bo"]
    waiting = both_at(table, "seed", TWENTY, FORTY, target=50, game_end="finish_round")
    waiting.do("call Bo 5 points", FIVE)
    assert not waiting.state.over
    assert waiting.do("bank", FIVE, "bank").winners == ["Bo"]


def test_a_wrong_official_call_can_let_the_thrower_win(table: Tables) -> None:
    for end in ("on_reach", "on_bank"):
        game = both_at(table, "official", FORTY, TWENTY, target=60, game_end=end)
        assert game.do("call Bo 5 points", TEN).winners == ["Anna"]
        assert game.pad == {"Anna": 70 if end == "on_reach" else 60, "Bo": 0}


@pytest.mark.parametrize(
    ("bo_banked", "pad", "winners"),
    [
        (TWENTY, {"Anna": 105, "Bo": 100}, ["Anna"]),
        ("snouter leaning_jowler", {"Anna": 105, "Bo": 105}, ["Anna", "Bo"]),
        (FORTY, {"Anna": 105, "Bo": 120}, ["Bo"]),
    ],
)
def test_both_at_the_target_the_higher_total_wins(
    table: Tables, bo_banked: str, pad: dict[str, int], winners: list[str]
) -> None:
    # Anna's 20 on the pad cannot pay 80; her running turn of 65 and this 40 stay hers.
    game = both_at(table, "seed", TWENTY, bo_banked).do(TWENTY, TWENTY, TWENTY, FIVE)
    assert not game.state.over
    game.do("call Bo snouter snouter", FORTY)
    assert (game.pad, game.winners) == (pad, winners)


def test_banking_drops_the_call(table: Tables) -> None:
    game = both_at(table, "seed", FORTY, TEN).do(FIVE, "call Bo 5 points", "bank")
    assert game.state.call is None
    assert game.do(FIVE).pad == {"Anna": 45, "Bo": 10}


def test_no_hog_call_with_dice() -> None:
    for variant in ("pig", "two-dice"):
        for form in ("seed", "official"):
            with pytest.raises(
                RulesError, match=f"^hog_call is off in a game of dice, got {form}$"
            ):
                load_rules(variant, hog_call=form)


def test_a_waiting_call_can_be_removed(table: Tables) -> None:
    game = both_at(table, "seed", FORTY, TEN).do("call Bo 5 points")
    assert game.do(f"remove {game.state.seq}").state.call is None
    assert game.do("undo").state.call is not None
    assert game.do("undo").state.call is None
