"""One turn by itself, against the published figures."""

from __future__ import annotations

from math import inf

import pytest

from scoring.effects import Effect
from scoring.odds import Chances, chances, dice_odds, load_odds
from scoring.rulefile import load_rules
from scoring.rules import DicePoints, Rules
from scoring.strategy.turn import best_holds, hold_threshold, reach_chance, turn_table

CLASSIC = load_rules("classic")
KERN = chances(load_odds("kern", CLASSIC), CLASSIC)
KASTEGRIS = chances(load_odds("kastegris", CLASSIC), CLASSIC)
PIG = chances(dice_odds(1), load_rules("pig"))
TWO_DICE = chances(dice_odds(2), load_rules("two-dice"))
SNAKE_EYES_LOSE_ALL = chances(
    dice_odds(2), Rules(points=DicePoints(dice=2, double_losing=Effect.LOSE_ALL))
)


def test_pig_held_at_20() -> None:
    published = {
        0: 0.624541, 20: 0.099713, 21: 0.094991, 22: 0.074189, 23: 0.054196, 24: 0.035198,
        25: 0.017173,
    }  # fmt: skip
    assert {n: round(p, 6) for n, p in turn_table(PIG, 20).ends} == published


@pytest.mark.parametrize(
    ("known", "holds", "mean"),
    [
        (PIG, (20, 21), 8.141795),
        (SNAKE_EYES_LOSE_ALL, (19,), 8.096993),
        (TWO_DICE, (27,), 11.870161),
        (KASTEGRIS, (23,), 10.057450),
        (KERN, (22,), 9.763302),
    ],
)
def test_best_holds(known: Chances, holds: tuple[int, ...], mean: float) -> None:
    assert best_holds(known) == holds
    assert round(turn_table(known, holds[0]).mean, 6) == mean


def test_the_apps_rule_of_23() -> None:
    assert round(hold_threshold(KASTEGRIS), 4) == 22.4941


def test_a_hundred_in_one_turn_with_two_dice() -> None:
    published = {
        99: 69.4, 95: 68.6, 94: 66.9, 93: 64.4, 92: 61.0, 91: 56.7, 90: 53.2, 89: 50.4,
        88: 48.2, 76: 28.9, 0: 0.9,
    }  # fmt: skip
    got = {own: round(100 * reach_chance(SNAKE_EYES_LOSE_ALL, 100 - own), 1) for own in published}
    assert got == published


def test_at_the_edges() -> None:
    assert reach_chance(PIG, 0) == 1.0
    assert reach_chance(PIG, -5) == 1.0
    assert reach_chance(PIG, 1) == pytest.approx(5 / 6)
    assert turn_table(PIG, 20, start=19).mean == pytest.approx((19 * 5 + 20) / 6)
    assert turn_table(PIG, 20, start=25).bust == pytest.approx(1 / 6)
    assert sum(p for _, p in turn_table(KERN, 23).ends) == pytest.approx(1.0)
    assert turn_table(KERN, 23).hold == 23


def test_without_a_bust_nobody_stops() -> None:
    safe = Chances(points=((5, 1.0),))
    assert hold_threshold(safe) == inf
    assert best_holds(safe) == ()
    assert turn_table(safe, 12).ends == ((15, 1.0),)
    assert turn_table(safe, 12).bust == 0.0
