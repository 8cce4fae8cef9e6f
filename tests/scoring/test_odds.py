"""Odds are the published ones, and mean under the rules what was published too."""

from __future__ import annotations

from math import fsum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.odds import (
    KASTEGRIS_FREQUENCIES,
    KERN_COUNTS,
    Odds,
    OddsError,
    chances,
    dice_odds,
    joint_pig_odds,
    load_odds,
    pig_odds,
)
from scoring.rulefile import load_rules
from scoring.throw import Contact, DiceThrow, Pose, Throw

CLASSIC = load_rules("classic")


def test_the_throws_of_the_app() -> None:
    got = chances(load_odds("kastegris", CLASSIC), CLASSIC)
    published = {
        1: 0.213005, 5: 0.406224, 10: 0.078484, 15: 0.027834,
        20: 0.062288, 25: 0.000420, 40: 0.000900, 60: 0.000049,
    }  # fmt: skip
    assert {n: round(p, 6) for n, p in got.points} == published
    assert round(got.lose_turn, 6) == 0.210796
    assert (got.lose_all, got.eliminate) == (0.0, 0.0)
    # The app's own words: 21.1 %, 4.7 points, 3.7 good throws, 60 points once in 20,000.
    assert round(got.lose_turn, 3) == 0.211
    assert round(got.mean, 1) == 4.7
    assert round(got.score / got.bust, 1) == 3.7
    assert round(1 / dict(got.points)[60], -3) == 20_000


def test_the_throws_that_kern_counted() -> None:
    assert fsum(map(fsum, KERN_COUNTS)) == 5977
    got = chances(load_odds("kern", CLASSIC), CLASSIC)
    assert round(got.lose_turn, 6) == 0.213167
    assert round(got.lose_all, 6) == 0.003833
    assert round(got.mean, 4) == 4.7140
    counted = {1: 1304, 5: 2337, 10: 508, 15: 171, 20: 373, 25: 2, 40: 2, 60: 1}
    assert {n: round(p * 6000) for n, p in got.points} == counted


def test_fair_dice() -> None:
    assert dict(dice_odds(1).throws)[DiceThrow((3,))] == pytest.approx(1 / 6)
    two = dict(dice_odds(2).throws)
    assert two[DiceThrow((2, 5))] == pytest.approx(2 / 36)
    assert two[DiceThrow((4, 4))] == pytest.approx(1 / 36)
    pig = chances(load_odds("kern", load_rules("pig")), load_rules("pig"))
    assert (round(pig.mean, 7), round(pig.bust, 7)) == (3.3333333, 0.1666667)
    rules = load_rules("two-dice")
    two_dice = chances(load_odds("whatever", rules), rules)
    assert (round(two_dice.mean, 7), round(two_dice.bust, 7)) == (7.3611111, 0.2777778)


def test_rules_decide_what_a_throw_does() -> None:
    odds = pig_odds("pigs", KASTEGRIS_FREQUENCIES, touching=0.1, stacked=0.2)
    classic = chances(odds, CLASSIC)
    assert (round(classic.lose_all, 9), round(classic.eliminate, 9)) == (0.1, 0.2)
    again = chances(odds, load_rules("kastegris"))
    assert (round(again.lose_all, 9), again.eliminate) == (0.125, 0.0)
    assert again.score + again.bust == pytest.approx(1.0)
    with pytest.raises(OddsError, match="every throw would be thrown again"):
        chances(pig_odds("pigs", KASTEGRIS_FREQUENCIES, stacked=1.0), load_rules("kastegris"))


def test_touching_is_an_option_of_the_game() -> None:
    rules = load_rules("classic", touching_chance=0.25)
    assert chances(load_odds("kastegris", rules), rules).lose_all == pytest.approx(0.25)
    assert chances(load_odds("kastegris", CLASSIC), CLASSIC).lose_all == 0.0


@given(st.lists(st.floats(0, 1e6), min_size=6, max_size=6), st.floats(0, 0.5), st.floats(0, 0.5))
def test_any_table_of_frequencies(values: list[float], touching: float, stacked: float) -> None:
    frequencies = dict(zip(Pose, values, strict=True))
    if fsum(values) <= 0:
        with pytest.raises(OddsError, match="at least one pose has a frequency above 0"):
            pig_odds("pigs", frequencies)
        return
    odds = pig_odds("pigs", frequencies, touching=touching, stacked=stacked)
    assert fsum(p for _, p in odds.throws) == pytest.approx(1.0)
    apart = fsum(p for t, p in odds.throws if isinstance(t, Throw) and t.contact is Contact.APART)
    assert apart == pytest.approx(1 - touching - stacked)


def test_frequencies_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("dot_up = 3\ntrotter = 1\ntouching = 0.5\n", encoding="utf-8")
    odds = dict(load_odds(str(path), CLASSIC).throws)
    assert odds[Throw((Pose.DOT_UP, Pose.TROTTER))] == pytest.approx(0.5 * 2 * 0.75 * 0.25)
    assert odds[Throw((Pose.DOT_UP, Pose.DOT_UP), Contact.TOUCHING)] == pytest.approx(0.28125)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cow = 1\n", "unknown key cow; expected dot_up, dot_down"),
        ("dot_up = -1\n", "a frequency is a number from 0 up, got -1"),
        ("dot_up = true\n", "a frequency is a number from 0 up, got True"),
        ("dot_up = nan\n", "a frequency is a number from 0 up, got nan"),
        ("dot_up = 1\ntouching = 1.5\n", "got touching 1.5 and stacked 0.0"),
        ("dot_up = \n", "cannot read the odds"),
        ("", "at least one pose has a frequency above 0"),
    ],
)
def test_files_that_hold_no_frequencies(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(OddsError, match=message):
        load_odds(str(path), CLASSIC)


def test_odds_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(OddsError, match="no odds 'guess'; there are kern, kastegris, or a path"):
        load_odds("guess", CLASSIC)
    with pytest.raises(OddsError, match="cannot read the odds"):
        load_odds(str(tmp_path / "none.toml"), CLASSIC)


@pytest.mark.parametrize(
    ("throws", "message"),
    [
        ((), "chances are 0 or more, got"),
        (((DiceThrow((1,)), 0.5),), "chances sum to 1, got 0.5"),
        (((DiceThrow((1,)), 2.0), (DiceThrow((2,)), -1.0)), "chances are 0 or more"),
        (((DiceThrow((1,)), float("nan")),), "chances are 0 or more"),
    ],
)
def test_odds_are_checked(throws: Any, message: str) -> None:
    with pytest.raises(OddsError, match=message):
        Odds("mine", throws)


def test_a_joint_table_forgets_the_order_of_pigs() -> None:
    counts = [[0.0] * 6 for _ in range(6)]
    counts[0][3], counts[3][0], counts[2][2] = 1.0, 2.0, 1.0
    odds = dict(joint_pig_odds("mine", counts).throws)
    assert odds == {
        Throw((Pose.DOT_UP, Pose.TROTTER)): 0.75,
        Throw((Pose.RAZORBACK, Pose.RAZORBACK)): 0.25,
    }
