"""Statistics of games against counting by hand, and against scipy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.effects import Landing
from scoring.events import Source, ThrowMade
from scoring.game import apply, walk
from scoring.landings import ENOUGH_PIGS, REFERENCES, faces, landings
from scoring.notation import parse_throw
from scoring.odds import chances, load_odds
from scoring.rulefile import load_rules
from scoring.special import beta_below, beta_quantile, chi2_above
from scoring.statistics import luck_of, score_race, statistics
from scoring.throw import DiceThrow, Pose
from scoring.virtual import draws

if TYPE_CHECKING:
    from tests.scoring.conftest import Table

    Tables = Callable[..., Table]

OUT = "dot_up dot_down"
OINK = "trotter dot_up touching"
PIGGY = "trotter dot_up stacked"
FIVE = "trotter dot_up"
TEN = "snouter dot_up"
TWENTY = "trotter trotter"
CLASSIC = load_rules("classic")


@given(st.floats(0.01, 0.99), st.floats(0.05, 3000), st.floats(0.05, 3000))
def test_beta_against_scipy(x: float, a: float, b: float) -> None:
    from scipy.special import betainc

    assert beta_below(x, a, b) == pytest.approx(betainc(a, b, x), abs=1e-9)


@given(st.floats(0.001, 0.999), st.floats(0.05, 3000), st.floats(0.5, 3000))
def test_beta_quantiles_are_inverse(p: float, a: float, b: float) -> None:
    x = beta_quantile(p, a, b)
    assert 0.0 <= x <= 1.0
    if 1e-6 < x < 1 - 1e-6:
        assert beta_below(x, a, b) == pytest.approx(p, abs=1e-5)


@given(st.floats(0.001, 500), st.integers(1, 200))
def test_chi2_against_scipy(x: float, freedom: int) -> None:
    from scipy.special import gammaincc

    assert chi2_above(x, freedom) == pytest.approx(gammaincc(freedom / 2, x / 2), abs=1e-10)


def test_special_functions_at_their_ends() -> None:
    assert (beta_below(0.0, 2, 3), beta_below(1.0, 2, 3)) == (0.0, 1.0)
    assert chi2_above(0.0, 3) == 1.0
    assert chi2_above(3.841458820694124, 1) == pytest.approx(0.05)
    assert beta_below(0.5, 1, 1) == pytest.approx(0.5)


def test_kerns_table_for_one_pig() -> None:
    published = {
        "dot_up": 0.30174, "dot_down": 0.34967, "trotter": 0.08842, "razorback": 0.22369,
        "snouter": 0.03037, "leaning_jowler": 0.00611,
    }  # fmt: skip
    assert {str(p): round(f, 5) for p, f in REFERENCES["kern"].items()} == published
    assert sum(REFERENCES["kastegris"].values()) == pytest.approx(1.0)


def test_landings_are_counted_a_pig() -> None:
    throws = [parse_throw(t) for t in (FIVE, TEN, TWENTY, OINK, PIGGY, "late", OUT)]
    got = landings(throws)
    assert (got.throws, got.touching, got.stacked, got.pigs) == (6, 1, 1, 8)
    counts = {str(s.pose): s.count for s in got.shares}
    assert counts == {
        "dot_up": 3, "dot_down": 1, "razorback": 0, "trotter": 3, "snouter": 1, "leaning_jowler": 0,
    }  # fmt: skip
    assert sum(s.share for s in got.shares) == pytest.approx(1.0)
    for share in got.shares:
        assert 0.0 <= share.low < share.share < share.high <= 1.0
        assert dict(share.references)["kern"] == REFERENCES["kern"][share.pose]
    trotter = got.shares[3]
    assert trotter.share == pytest.approx((3 + 6 * REFERENCES["kern"][Pose.TROTTER]) / 14)


def test_without_throws_the_posterior_is_the_prior() -> None:
    none = landings([])
    assert (none.throws, none.pigs) == (0, 0)
    for share in none.shares:
        assert share.share == pytest.approx(REFERENCES["kern"][share.pose])
    assert [f.p_value for f in none.fits] == [None, None]
    assert not none.fits[0].enough
    assert faces([]).dice == 0
    assert faces([]).fit.p_value is None


def test_the_interval_narrows_and_holds_the_truth() -> None:
    odds = load_odds("kern", CLASSIC)
    few = landings(islice(draws(odds, Random(1)), 50)).shares[0]
    many = landings(islice(draws(odds, Random(1)), 5000)).shares
    assert many[0].high - many[0].low < (few.high - few.low) / 5
    truth = REFERENCES["kern"]
    assert sum(s.low <= truth[s.pose] <= s.high for s in many) >= 5


def test_the_test_of_fit() -> None:
    odds = load_odds("kastegris", CLASSIC)
    fits = {f.reference: f for f in landings(islice(draws(odds, Random(4)), 3000)).fits}
    assert fits["kastegris"].pigs == 6000
    assert fits["kastegris"].freedom == 5
    assert fits["kastegris"].enough
    assert (fits["kastegris"].p_value or 0) > 0.001
    # Pigs that always lie on a side are no real pigs, and 300 of them show it.
    sides = {f.reference: f for f in landings([parse_throw("dot_up dot_up")] * 150).fits}
    assert (sides["kern"].p_value or 1) < 1e-6
    few = landings([parse_throw(OUT)] * 10).fits[0]
    assert (few.pigs, few.enough) == (20, False)
    assert few.pigs < ENOUGH_PIGS


def test_the_test_of_fit_against_scipy() -> None:
    from scipy.stats import chisquare

    dice = [DiceThrow((f,)) for f in (1, 2, 2, 3, 3, 3, 4, 5, 6, 6) * 6]
    got = faces(dice)
    expected = chisquare([6, 12, 18, 6, 6, 12])
    assert got.counts == (6, 12, 18, 6, 6, 12)
    assert got.fit.statistic == pytest.approx(expected.statistic)
    assert got.fit.p_value == pytest.approx(expected.pvalue)
    assert (got.fit.freedom, got.dice) == (5, 60)


def test_a_game_is_counted(table: Tables) -> None:
    game = table(target=30, hog_call="seed").do(
        FIVE, TEN, "bank", FIVE, OUT, "late", TEN, OINK, TEN, "bank", FIVE, "bank", TWENTY
    )
    got = statistics([game.state])
    assert (got.games, got.finished, got.throws, got.virtual) == (1, 1, 9, 0)
    assert dict(got.outcomes) == {
        Landing.TROTTER: 3, Landing.SNOUTER: 3, Landing.PIG_OUT: 1, Landing.OINKER: 1,
        Landing.LATE: 1, Landing.DOUBLE_TROTTER: 1,
    }  # fmt: skip
    assert got.outcomes[0][1] >= got.outcomes[-1][1]
    anna, bo = got.players
    assert (anna.name, anna.games, anna.wins, anna.throws, anna.turns) == ("Anna", 1, 0, 5, 3)
    assert anna.average_turn == pytest.approx(20 / 3)
    assert anna.best_turn == 15
    assert (anna.pig_outs, anna.oinkers, anna.piggybacks, anna.rethrows) == (0, 1, 0, 1)
    assert (bo.wins, bo.throws, bo.turns, bo.best_turn, bo.pig_outs) == (1, 4, 3, 20, 1)
    assert anna.landings.throws + bo.landings.throws == got.landings.throws == 9
    assert got.landings.touching == 1


def test_games_add_up_by_name(table: Tables) -> None:
    first = table("Anna Bo", target=10).do(TEN)
    second = table("bo Carl").do(FIVE, "bank", PIGGY)
    got = statistics([first.state, second.state])
    names = {p.name: p for p in got.players}
    assert set(names) == {"Anna", "Bo", "Carl"}
    assert (names["Bo"].games, names["Bo"].wins, names["Bo"].turns) == (2, 1, 1)
    assert (names["Carl"].piggybacks, names["Anna"].wins) == (1, 1)
    assert statistics([]).players == ()


def test_drawn_throws_say_nothing_about_pigs(table: Tables) -> None:
    game = table()
    event = ThrowMade(0, parse_throw(FIVE), Source.VIRTUAL)
    state = apply(apply(game.state, event), ThrowMade(0, parse_throw(TEN), Source.CAMERA))
    got = statistics([state])
    assert (got.throws, got.virtual, got.landings.throws) == (2, 1, 1)
    assert got.players[0].throws == 2
    assert got.players[0].landings.throws == 1


def test_dice_are_counted_too(table: Tables) -> None:
    got = statistics([table(variant="two-dice").do("6 6", "1 2", "3 4").state])
    assert got.faces.counts == (1, 1, 1, 1, 0, 2)
    assert got.landings.throws == 0


def test_luck(table: Tables) -> None:
    known = chances(load_odds("kern", CLASSIC), CLASSIC)
    game = table().do(TWENTY, "bank", TEN, "bank", FIVE, OUT, FIVE, OINK, "late")
    luck = [luck_of(s, known) for s in walk(game.state)]
    oink = known.lose_all
    assert luck[0] == pytest.approx(20 - known.mean)
    assert luck[1] == 0.0
    assert luck[4] == pytest.approx(5 - known.mean + oink * 20)
    assert luck[5] == pytest.approx(-5 - known.mean + known.lose_turn * 5 + oink * 25)
    assert luck[7] == pytest.approx(-15 - known.mean + known.lose_turn * 5 + oink * 15)
    assert luck[8] == 0.0
    anna = statistics([game.state]).players[0]
    assert anna.luck == pytest.approx(luck[0] + luck[4] + luck[5])


def test_luck_of_a_turn_that_moved_on(table: Tables) -> None:
    known = chances(load_odds("kern", CLASSIC), CLASSIC)
    game = table().do(TEN, OUT, OUT, f"fix 3 {FIVE}")
    last = list(walk(game.state))[-1]
    assert luck_of(last, known) == pytest.approx(-known.mean)


def test_luck_is_fair() -> None:
    rules = load_rules("classic", target=None)
    odds = load_odds("kern", rules)
    from tests.scoring.conftest import Table

    game = Table("Anna", target=None)
    state = game.state
    for throw in islice(draws(odds, Random(11)), 4000):
        state = apply(state, ThrowMade(0, throw))
    luck = statistics([state]).players[0].luck
    assert abs(luck) / 4000 < 1.0  # a throw's luck scatters by about 7 points


def test_the_score_race(table: Tables) -> None:
    game = table().do(TEN, "bank", OUT, FIVE)
    race = score_race(game.state)
    assert [(p.player, p.pads) for p in race] == [(0, (10, 0)), (1, (10, 0)), (0, (10, 0))]
    assert [p.end.value for p in race] == ["banked", "pig_out", "open"]
    assert [p.points for p in race] == [10, 0, 5]
