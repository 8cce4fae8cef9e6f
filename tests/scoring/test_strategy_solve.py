"""The exact solution against published and independently computed values, to the printed digits."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from scoring.effects import Effect
from scoring.odds import KASTEGRIS_FREQUENCIES, Chances, chances, dice_odds, load_odds, pig_odds
from scoring.rulefile import load_rules
from scoring.rules import DicePoints, Rules
from scoring.strategy.solution import Solution, solution_of
from scoring.strategy.solve import (
    MAX_TARGET,
    Bools,
    Ints,
    Policy,
    Problem,
    StrategyError,
    Values,
    solve,
)
from scoring.strategy.three import solve_three

CLASSIC = load_rules("classic")
GAMES: dict[str, Chances] = {
    "pig": chances(dice_odds(1), load_rules("pig")),
    "snake eyes lose all": chances(
        dice_odds(2), Rules(points=DicePoints(dice=2, double_losing=Effect.LOSE_ALL))
    ),
    "any one loses the turn": chances(
        dice_odds(2), Rules(points=DicePoints(dice=2, double_losing=Effect.LOSE_TURN))
    ),
    "two-dice": chances(dice_odds(2), load_rules("two-dice")),
    "kastegris": chances(load_odds("kastegris", CLASSIC), CLASSIC),
    "kastegris touching": chances(
        pig_odds("touching", KASTEGRIS_FREQUENCIES, touching=0.004), CLASSIC
    ),
    "kern": chances(load_odds("kern", CLASSIC), CLASSIC),
}


@cache
def solved(game: str, target: int = 100) -> Solution:
    return solution_of(Problem(GAMES[game], target))


# name, mean points a throw, chance of losing the turn, of losing all
THROWS = [
    ("pig", "3.3333333", "0.1666667", "0.0000000"),
    ("snake eyes lose all", "5.5555556", "0.2777778", "0.0277778"),
    ("two-dice", "7.3611111", "0.2777778", "0.0000000"),
    ("kastegris", "4.741675", "0.210796", "0.000"),
    ("kastegris touching", "4.722708", "0.209953", "0.004"),
    ("kern", "4.7140", "0.213167", "0.003833"),
]


def printed(value: float, like: str) -> str:
    return f"{value:.{len(like) - 2}f}"


@pytest.mark.parametrize(("game", "mean", "bust", "reset"), THROWS)
def test_throws(game: str, mean: str, bust: str, reset: str) -> None:
    known = GAMES[game]
    assert printed(known.mean, mean) == mean
    assert printed(known.lose_turn, bust) == bust
    assert printed(known.lose_all, reset) == reset


COMPUTED = [
    ("pig", {(0, 0): "0.5305927253", (99, 99): "0.85714286", (99, 0): "0.99796475",
             (0, 99): "0.01221148", (50, 50): "0.54615084"}),
    ("snake eyes lose all", {(0, 0): "0.5195588939", (99, 99): "0.76138030"}),
    ("any one loses the turn", {(0, 0): "0.5298945790", (99, 99): "0.76595745"}),
    ("two-dice", {(0, 0): "0.5359630705", (99, 99): "0.78260870"}),
    ("kastegris", {(0, 0): "0.5328202905", (99, 99): "0.82590296", (99, 0): "0.99396959",
                   (0, 99): "0.02860781", (50, 50): "0.54450954"}),
    ("kastegris touching", {(0, 0): "0.5303315550", (99, 99): "0.82320014",
                            (50, 50): "0.54109653"}),
    ("kern", {(0, 0): "0.5301951592", (99, 99): "0.82115475", (99, 0): "0.99193923",
              (0, 99): "0.02828001", (50, 50): "0.54148261", (90, 0): "0.979702",
              (90, 50): "0.908441", (90, 90): "0.705339", (75, 75): "0.599418",
              (60, 60): "0.550296", (40, 70): "0.273575", (20, 80): "0.108958"}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("game", "expected"), COMPUTED, ids=[g for g, _ in COMPUTED])
def test_values_to_the_printed_digits(game: str, expected: dict[tuple[int, int], str]) -> None:
    solution = solved(game)
    for (own, other), value in expected.items():
        assert printed(solution.win(own, other), value) == value, (own, other)
    assert solution.residual < 1e-12


@pytest.mark.slow
def test_published_first_player_of_pig() -> None:
    assert round(solved("pig").win(0, 0), 4) == 0.5306


@pytest.mark.slow
def test_other_targets() -> None:
    assert f"{solved('kastegris', 50).win(0, 0):.10f}" == "0.5445095394"
    # What counts is the points to go: a pad of 50 in a game to 100 is a game to 50.
    assert solved("kastegris", 50).win(0, 0) == pytest.approx(solved("kastegris").win(50, 50))


@pytest.mark.slow
def test_target_200() -> None:
    assert f"{solved('kastegris', 200).win(0, 0):.10f}" == "0.5231352302"


@pytest.mark.parametrize("game", ["pig", "two-dice", "kastegris", "any one loses the turn"])
def test_the_closed_form_at_one_point_to_go(game: str) -> None:
    # Both need one scoring throw: V = p + (1 - p)(1 - V).
    solution = solution_of(Problem(GAMES[game], 1))
    assert solution.win(0, 0) == pytest.approx(1 / (2 - GAMES[game].score))


@pytest.mark.slow
def test_pig_at_41_to_49() -> None:
    banks = {turn for turn in range(1, 59) if solved("pig").choice(41, 49, turn).banks}
    assert banks >= set(range(22, 27)) | {28, 29}
    assert not banks & (set(range(1, 22)) | {27})


@pytest.mark.slow
def test_where_to_stop_with_real_pigs() -> None:
    kern = solved("kern")
    first = {(0, 0): 23, (0, 50): 30, (50, 0): 19, (50, 50): 20, (41, 49): 22}
    assert {pads: kern.first_hold(*pads) for pads in first} == first
    for other, lowest in ((0, 75), (25, 70), (50, 60), (75, 28)):
        assert kern.first_hold(lowest - 1, other) is not None
        for own in range(lowest, 100):
            assert kern.first_hold(own, other) is None, (own, other)
    for other in range(90, 100):
        assert all(kern.first_hold(own, other) is None for own in range(0, 100, 9))


def hold_at(points: int) -> Policy:
    def policy(own: Ints, _other: Ints, total: int) -> Bools:
        held: Bools = total - own >= points
        return held

    return policy


def to_win_if_either_has(pad: int, otherwise: int) -> Policy:
    def policy(own: Ints, other: Ints, total: int) -> Bools:
        held: Bools = (np.maximum(own, other) < pad) & (total - own >= otherwise)
        return held

    return policy


FIXED = [
    ("hold at 20", hold_at(20), "0.548294"),
    ("hold at 22", hold_at(22), "0.532268"),
    ("hold at 23", hold_at(23), "0.529004"),
    ("hold at 25", hold_at(25), "0.528952"),
    ("to win if either has 66, else hold at 22", to_win_if_either_has(66, 22), "0.509727"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "policy", "expected"), FIXED, ids=[n for n, _, _ in FIXED])
def test_best_play_against_simple_rules(name: str, policy: Policy, expected: str) -> None:
    kern = solved("kern")
    values = solve(kern.problem, (kern_policy(), policy), tolerance=1e-8)
    # One sweep gives both: the value of starting, for the best player and for the other one.
    average = (values.of(0)[0, 0] + 1.0 - values.of(1)[0, 0]) / 2
    assert f"{average:.6f}" == expected


@cache
def kern_policy() -> Policy:
    return solved("kern").policy()


@pytest.mark.slow
def test_three_players_to_50() -> None:
    win = solve_three(GAMES["kastegris"], 50)
    assert [f"{w:.8f}" for w in win[0, 0, 0]] == ["0.38429128", "0.33085669", "0.28485203"]
    assert np.abs(win.sum(axis=-1) - 1.0).max() < 1e-12


def test_three_players_have_limits() -> None:
    with pytest.raises(StrategyError, match="three players are solved for targets to 60, got 61"):
        solve_three(GAMES["kastegris"], 61)
    with pytest.raises(StrategyError, match="only where pigs neither touch nor stack"):
        solve_three(GAMES["kern"], 50)
    assert solve_three(GAMES["pig"], 1)[0, 0, 0, 0] == pytest.approx((5 / 6) / (1 - 1 / 6**3))


# An independent solution: plain value iteration, state by state, for small games.


def plain(known: Chances, target: int, *, finish_round: bool) -> dict[tuple[int, int, int], float]:
    """Iterate seat, own, other -> win chance until nothing moves; slow and simple."""
    win = dict.fromkeys(product(range(2), range(target), range(target)), 0.5)
    highest = target + 30
    for _ in range(400):
        change = 0.0
        for seat, own, other in win:
            value = plain_turn(win, known, (seat, own, other), target, highest, finish_round)
            change = max(change, abs(value - win[seat, own, other]))
            win[seat, own, other] = value
        if change < 1e-13:
            break
    return win


@cache
def plain_last(known: Chances, ahead: int, *, first: bool) -> float:
    """Win chance of the last turn when `ahead` of the leader's banked points."""
    if not first and ahead > 0:
        return 1.0
    thrown = sum(p * plain_last(known, ahead + n, first=False) for n, p in known.points)
    return thrown if first or ahead < 0 else max(0.5, thrown)


def plain_turn(
    win: dict[tuple[int, int, int], float],
    known: Chances,
    state: tuple[int, int, int],
    target: int,
    highest: int,
    finish_round: bool,
) -> float:
    seat, own, other = state

    def bank(total: int) -> float:
        if total < target:
            return 1.0 - win[1 - seat, other, total]
        if finish_round and seat == 0:
            return 1.0 - plain_last(known, other - total, first=True)
        return 1.0

    best: dict[int, float] = {}
    thrown = 0.0
    for total in range(highest, own - 1, -1):
        thrown = (
            sum(p * best.get(total + n, bank(highest)) for n, p in known.points)
            + known.lose_turn * (1.0 - win[1 - seat, other, own])
            + known.lose_all * (1.0 - win[1 - seat, other, 0])
        )
        best[total] = max(thrown, bank(total))
    return thrown


SMALL = Chances(points=((1, 0.4), (2, 0.2), (4, 0.1)), lose_turn=0.15, lose_all=0.1, eliminate=0.05)


@pytest.mark.parametrize("finish_round", [False, True])
@pytest.mark.parametrize("target", [1, 2, 7])
def test_small_games_against_plain_iteration(target: int, *, finish_round: bool) -> None:
    solution = solution_of(Problem(SMALL, target, finish_round=finish_round))
    expected = plain(SMALL, target, finish_round=finish_round)
    for (seat, own, other), value in expected.items():
        assert solution.win(own, other, seat) == pytest.approx(value, abs=1e-9)
    assert solution.residual < 1e-12
    assert solution.values.change < 1e-12


def test_the_residual_sees_a_wrong_value() -> None:
    from scoring.strategy.solution import residual_of

    problem = Problem(SMALL, 7)
    values = solve(problem)
    wrong = values.of(0).copy()
    wrong[3, 3] += 0.01
    assert residual_of(problem, Values((wrong,), 1, 0.0)) > 0.009


def test_choices() -> None:
    solution = solution_of(Problem(SMALL, 7))
    before = solution.choice(0, 0, 0, started=False)
    assert before.bank is None
    assert not before.banks
    assert before.best == before.throw == pytest.approx(solution.win(0, 0))
    over = solution.choice(3, 0, 4)
    assert (over.bank, over.banks, over.best) == (1.0, True, 1.0)
    choice = solution.choice(0, 6, 1)
    assert choice.bank == pytest.approx(1 - solution.win(6, 1))
    assert choice.best == max(choice.throw, choice.bank or 0.0)


@pytest.mark.parametrize(("own", "other"), [(7, 0), (0, 7), (-1, 0), (0, -1)])
def test_pads_outside_the_game(own: int, other: int) -> None:
    solution = solution_of(Problem(SMALL, 7))
    for ask in (solution.win, solution.first_hold, lambda a, b: solution.choice(a, b, 1)):
        with pytest.raises(StrategyError, match="between pads from 0 to 6, got"):
            ask(own, other)


def test_problems_without_an_answer() -> None:
    for target in (0, MAX_TARGET + 1):
        with pytest.raises(StrategyError, match=f"targets from 1 to {MAX_TARGET}, got {target}"):
            Problem(SMALL, target)
    with pytest.raises(StrategyError, match="nobody can ever score"):
        Problem(Chances(points=(), lose_turn=1.0), 100)
