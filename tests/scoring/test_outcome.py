"""Every pair of poses, every contact and every policy has its expected value."""

from __future__ import annotations

from itertools import product

import pytest

from scoring.dice import judge_dice
from scoring.effects import Effect, Landing, Outcome
from scoring.errors import ScoringError
from scoring.notation import parse_throw
from scoring.outcome import judge, pose_points
from scoring.rulefile import load_rules
from scoring.rules import DicePoints, PigPoints, Rules
from scoring.throw import Contact, DiceThrow, Mishap, MishapKind, Pose, Throw, ThrowError

CLASSIC = load_rules("classic")

# Rows and columns in this order; the sheet's table written out, so that no formula checks itself.
ORDER = ("dot_up", "dot_down", "razorback", "trotter", "snouter", "leaning_jowler")
POINTS = (
    (1, 0, 5, 5, 10, 15),
    (0, 1, 5, 5, 10, 15),
    (5, 5, 20, 10, 15, 20),
    (5, 5, 10, 20, 15, 20),
    (10, 10, 15, 15, 40, 25),
    (15, 15, 20, 20, 25, 60),
)
LANDINGS = (
    ("sider", "pig_out", "razorback", "trotter", "snouter", "leaning_jowler"),
    ("pig_out", "sider", "razorback", "trotter", "snouter", "leaning_jowler"),
    ("razorback", "razorback", "double_razorback", "mixed_combo", "mixed_combo", "mixed_combo"),
    ("trotter", "trotter", "mixed_combo", "double_trotter", "mixed_combo", "mixed_combo"),
    ("snouter", "snouter", "mixed_combo", "mixed_combo", "double_snouter", "mixed_combo"),
    ("leaning_jowler", "leaning_jowler", *["mixed_combo"] * 3, "double_leaning_jowler"),
)
PAIRS = [(ORDER[i], ORDER[j], i, j) for i, j in product(range(6), range(6))]


@pytest.mark.parametrize(("first", "second", "i", "j"), PAIRS)
def test_pair_apart(first: str, second: str, i: int, j: int) -> None:
    points = POINTS[i][j]
    effect = Effect.SCORE if points else Effect.LOSE_TURN
    expected = Outcome(Landing(LANDINGS[i][j]), effect, points)
    assert judge(Throw((Pose(first), Pose(second))), CLASSIC) == expected
    assert judge(Throw((Pose(first), Pose(second))), load_rules("kastegris")) == expected


@pytest.mark.parametrize(("first", "second", "i", "j"), PAIRS)
def test_contact_goes_before_pose(first: str, second: str, i: int, j: int) -> None:
    poses = (Pose(first), Pose(second))
    touching = judge(Throw(poses, Contact.TOUCHING), CLASSIC)
    assert touching == Outcome(Landing.OINKER, Effect.LOSE_ALL)
    stacked = judge(Throw(poses, Contact.STACKED), CLASSIC)
    assert stacked == Outcome(Landing.PIGGYBACK, Effect.ELIMINATE)


@pytest.mark.parametrize(("first", "second", "i", "j"), PAIRS)
def test_pigs_are_unordered(first: str, second: str, i: int, j: int) -> None:
    one, other = Throw((Pose(first), Pose(second))), Throw((Pose(second), Pose(first)))
    assert one == other
    assert judge(one, CLASSIC) == judge(other, CLASSIC)


@pytest.mark.parametrize(
    ("pose", "points"),
    [("razorback", 5), ("trotter", 5), ("snouter", 10), ("leaning_jowler", 15)],
)
@pytest.mark.parametrize("side", ["dot_up", "dot_down"])
def test_single_values(side: str, pose: str, points: int) -> None:
    expected = Outcome(Landing(pose), Effect.SCORE, points)
    assert judge(parse_throw(f"{side} {pose}"), CLASSIC) == expected


@pytest.mark.parametrize("side", [Pose.DOT_UP, Pose.DOT_DOWN])
def test_side_alone_is_nothing(side: Pose) -> None:
    assert pose_points(side, PigPoints()) == 0
    assert judge(Throw((side, Pose.SNOUTER)), CLASSIC).points == 10


@pytest.mark.parametrize("side", [Pose.DOT_UP, Pose.DOT_DOWN])
def test_sider_is_one(side: Pose) -> None:
    assert judge(Throw((side, side)), CLASSIC) == Outcome(Landing.SIDER, Effect.SCORE, 1)


@pytest.mark.parametrize(
    ("pose", "points"),
    [("razorback", 20), ("trotter", 20), ("snouter", 40), ("leaning_jowler", 60)],
)
def test_double_is_four_times(pose: str, points: int) -> None:
    expected = Outcome(Landing(f"double_{pose}"), Effect.SCORE, points)
    assert judge(parse_throw(f"{pose} {pose}"), CLASSIC) == expected


@pytest.mark.parametrize(
    ("throw", "points"),
    [("trotter snouter", 15), ("razorback snouter", 15), ("snouter leaning_jowler", 25)],
)
def test_mixed_combo_is_the_sum(throw: str, points: int) -> None:
    assert judge(parse_throw(throw), CLASSIC) == Outcome(Landing.MIXED_COMBO, Effect.SCORE, points)


def test_leaning_on_the_other_pig_is_touching() -> None:
    # A pig with a snout still on the table is given as touching, and costs the score, not the game.
    leaning = Throw((Pose.SNOUTER, Pose.DOT_UP), Contact.TOUCHING)
    assert judge(leaning, CLASSIC).effect is Effect.LOSE_ALL


@pytest.mark.parametrize(
    ("policy", "effect"),
    [
        ("eliminate", Effect.ELIMINATE),
        ("oinker", Effect.LOSE_ALL),
        ("rethrow", Effect.RETHROW),
    ],
)
def test_piggyback_policy(policy: str, effect: Effect) -> None:
    rules = load_rules("classic", piggyback=policy)
    assert judge(parse_throw("dot_up trotter stacked"), rules) == Outcome(Landing.PIGGYBACK, effect)


POLICIES = [
    ("rethrow", Effect.RETHROW),
    ("pig_out", Effect.LOSE_TURN),
    ("oinker", Effect.LOSE_ALL),
]


@pytest.mark.parametrize(("policy", "effect"), POLICIES)
def test_off_table_policy(policy: str, effect: Effect) -> None:
    rules = load_rules("classic", off_table=policy)
    assert judge(Mishap(MishapKind.OFF_TABLE), rules) == Outcome(Landing.OFF_TABLE, effect)
    assert judge(Mishap(MishapKind.LEANING), rules).effect is Effect.RETHROW


@pytest.mark.parametrize(("policy", "effect"), POLICIES)
def test_leaning_policy(policy: str, effect: Effect) -> None:
    rules = load_rules("classic", leaning=policy)
    assert judge(Mishap(MishapKind.LEANING), rules) == Outcome(Landing.LEANING, effect)
    assert judge(Mishap(MishapKind.OFF_TABLE), rules).effect is Effect.RETHROW


@pytest.mark.parametrize("policy", ["rethrow", "pig_out", "oinker"])
def test_one_pig_late_is_thrown_again(policy: str) -> None:
    rules = load_rules("classic", off_table=policy, leaning=policy)
    assert judge(Mishap(MishapKind.LATE), rules) == Outcome(Landing.LATE, Effect.RETHROW)


def test_mishaps_happen_to_dice_too() -> None:
    assert judge(Mishap(MishapKind.OFF_TABLE), load_rules("pig")).effect is Effect.RETHROW


@pytest.mark.parametrize(("face", "points"), [(2, 2), (3, 3), (4, 4), (5, 5), (6, 6)])
def test_one_die(face: int, points: int) -> None:
    rules = load_rules("pig")
    assert judge(DiceThrow((face,)), rules) == Outcome(Landing.DICE, Effect.SCORE, points)
    assert judge(DiceThrow((1,)), rules) == Outcome(Landing.LOSING_FACE, Effect.LOSE_TURN)


DOUBLES = {1: 25, 2: 8, 3: 12, 4: 16, 5: 20, 6: 24}


@pytest.mark.parametrize(("one", "other"), list(product(range(1, 7), repeat=2)))
def test_two_dice(one: int, other: int) -> None:
    outcome = judge(DiceThrow((one, other)), load_rules("two-dice"))
    if one == other:
        landing = Landing.SNAKE_EYES if one == 1 else Landing.DOUBLES
        assert outcome == Outcome(landing, Effect.SCORE, DOUBLES[one])
    elif 1 in (one, other):
        assert outcome == Outcome(Landing.LOSING_FACE, Effect.LOSE_TURN)
    else:
        assert outcome == Outcome(Landing.DICE, Effect.SCORE, one + other)


@pytest.mark.parametrize("effect", [Effect.LOSE_TURN, Effect.LOSE_ALL])
def test_snake_eyes_can_lose(effect: Effect) -> None:
    points = DicePoints(dice=2, double_losing=effect)
    assert judge_dice(DiceThrow((1, 1)), points) == Outcome(Landing.SNAKE_EYES, effect)
    assert judge_dice(DiceThrow((3, 3)), points) == Outcome(Landing.DOUBLES, Effect.SCORE, 6)


def test_another_losing_face() -> None:
    points = DicePoints(dice=2, losing_face=6, double_losing=30)
    assert judge_dice(DiceThrow((6, 6)), points).points == 30
    assert judge_dice(DiceThrow((2, 6)), points).effect is Effect.LOSE_TURN
    assert judge_dice(DiceThrow((1, 1)), points) == Outcome(Landing.DOUBLES, Effect.SCORE, 2)


@pytest.mark.parametrize(
    ("variant", "throw", "message"),
    [
        ("classic", "3 4", "classic is thrown with two pigs, got dice"),
        ("pig", "trotter snouter", "pig is thrown with dice, got pigs"),
        ("pig", "3 4", "pig is thrown with 1 dice, got 2"),
        ("two-dice", "3", "two-dice is thrown with 2 dice, got 1"),
    ],
)
def test_a_throw_of_another_game_is_refused(variant: str, throw: str, message: str) -> None:
    with pytest.raises(ThrowError, match=f"^{message}$"):
        judge(parse_throw(throw), load_rules(variant))


def test_other_points_need_only_numbers() -> None:
    points = PigPoints(sider=2, razorback=3, trotter=4, snouter=6, leaning_jowler=9, double=3)
    rules = Rules(points=points)
    assert judge(parse_throw("dot_up dot_up"), rules).points == 2
    assert judge(parse_throw("razorback dot_up"), rules).points == 3
    assert judge(parse_throw("trotter trotter"), rules).points == 12
    assert judge(parse_throw("snouter leaning_jowler"), rules).points == 15


@pytest.mark.parametrize(
    ("effect", "points"), [(Effect.SCORE, 0), (Effect.LOSE_TURN, 5), (Effect.SCORE, -1)]
)
def test_points_go_with_a_throw_that_scores(effect: Effect, points: int) -> None:
    with pytest.raises(ScoringError, match="points go with a throw that scores"):
        Outcome(Landing.SIDER, effect, points)
