"""A million draws match their odds, and the same seed gives the same game."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import sqrt
from random import Random

import pytest

from scoring.odds import KASTEGRIS_FREQUENCIES, Odds, dice_odds, load_odds, pig_odds
from scoring.rulefile import load_rules
from scoring.throw import Contact, Throw
from scoring.virtual import draw, draws

MILLION = 1_000_000


def matches(odds: Odds, seed: int) -> None:
    """Compare a million draws by chi-square, far out in the tail so that only a fault fails."""
    # Draws are the very objects of the odds: counting by identity saves a million hashes.
    counted = Counter(map(id, islice(draws(odds, Random(seed)), MILLION)))
    pairs = [(counted[id(throw)], chance * MILLION) for throw, chance in odds.throws]
    assert sum(n for n, _ in pairs) == MILLION
    likely = [(n, expected) for n, expected in pairs if expected >= 5]
    chi2 = sum((n - expected) ** 2 / expected for n, expected in likely)
    freedom = len(likely) - 1
    assert chi2 < freedom + 5 * sqrt(2 * freedom) + 10
    rare = [(n, expected) for n, expected in pairs if expected < 5]
    assert sum(n for n, _ in rare) <= sum(expected for _, expected in rare) + 30


@pytest.mark.slow
@pytest.mark.parametrize(
    "odds",
    [
        load_odds("kern", load_rules()),
        pig_odds("touching", KASTEGRIS_FREQUENCIES, touching=0.05, stacked=0.01),
    ],
    ids=lambda o: o.name,
)
def test_virtual_pigs(odds: Odds) -> None:
    matches(odds, seed=7)


def test_virtual_pigs_touch_only_if_the_game_says_so() -> None:
    odds = load_odds("kastegris", load_rules("kastegris"))
    assert all(isinstance(t, Throw) and t.contact is Contact.APART for t, _ in odds.throws)


@pytest.mark.slow
@pytest.mark.parametrize("dice", [1, 2])
def test_virtual_dice_are_fair(dice: int) -> None:
    matches(dice_odds(dice), seed=dice)


def test_a_seed_gives_the_same_throws() -> None:
    odds = load_odds("kern", load_rules())
    first = list(islice(draws(odds, Random(5)), 50))
    assert first == list(islice(draws(odds, Random(5)), 50))
    assert first != list(islice(draws(odds, Random(6)), 50))
    generator = Random(5)
    assert first == [draw(odds, generator) for _ in range(50)]
