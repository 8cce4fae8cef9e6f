"""Three players who each play for their own win: values for games without oinkers.

With an oinker, plain iteration did not settle for three players and a target of 100, and nothing
says that there is only one way to play best; so this refuses such games, and advice for three
and more players stays a rule of thumb. It serves to measure that rule.
"""

from __future__ import annotations

import numpy as np

from scoring.odds import Chances
from scoring.strategy.solve import TOLERANCE, Floats, Ints, StrategyError, dense

MAX_TARGET = 60  # the table has target cubed times three numbers


def solve_three(chances: Chances, target: int) -> Floats:
    """Return win chances `[own, next, last, who]`, who = 0 for the player about to throw.

    Over the first to reach the target; all three play best against the other two.
    """
    if not 1 <= target <= MAX_TARGET:
        raise StrategyError(f"three players are solved for targets to {MAX_TARGET}, got {target}")
    if chances.lose_all or chances.eliminate:
        raise StrategyError("three players are solved only where pigs neither touch nor stack")
    win = np.full((target, target, target, 3), 1 / 3)
    for total in range(3 * target - 3, -1, -1):
        pads = _pads(target, total)
        _solve_total(win, chances, pads)
    return win


def _pads(target: int, total: int) -> Ints:
    """Return all states of one sum, rows by the thrower's pad: [state, (own, next, last)]."""
    own, following = np.meshgrid(np.arange(target), np.arange(target), indexing="ij")
    last = total - own - following
    inside = (last >= 0) & (last < target)
    return np.stack([own[inside], following[inside], last[inside]], axis=1)


def _solve_total(win: Floats, chances: Chances, pads: Ints) -> None:
    target = len(win)
    number = np.full((target, target, target), -1)
    number[tuple(pads.T)] = np.arange(len(pads))
    passed = number[tuple(pads[:, [1, 2, 0]].T)]  # where a bust leads: the next player throws
    held = np.ones((3, target + len(dense(chances)), len(pads)))
    held[1:, target:] = 0.0
    after = win[pads[:, 1], pads[:, 2]]  # [state, the total banked, who]
    for who, theirs in enumerate((2, 0, 1)):
        held[who, :target] = after[:, :, theirs].T
    found = win[tuple(pads.T)].T.copy()
    for _ in range(100):
        bust = found[[2, 0, 1]][:, passed]
        at, slope = _turn(held, chances, pads[:, 0], bust)
        second, third = at[[2, 0, 1]][:, passed], at[[1, 2, 0]][:, passed[passed]]
        slopes = slope, slope[passed], slope[passed[passed]]
        solved = (at + slopes[0] * (second + slopes[1] * third)) / (1 - np.prod(slopes, axis=0))
        change = float(np.abs(solved - found).max())
        found = solved
        if change <= TOLERANCE:
            break
    win[tuple(pads.T)] = found.T


def _turn(held: Floats, chances: Chances, own: Ints, bust: Floats) -> tuple[Floats, Floats]:
    """Return the value of throwing first, a line in the value of a bust: [who, state], [state]."""
    points, target = dense(chances), held.shape[1] - len(dense(chances))
    value = held.copy()
    slope = np.zeros(held.shape[1:])
    first, first_slope = np.zeros_like(bust), np.zeros(len(own))
    for total in range(target - 1, -1, -1):
        rows = int(np.searchsorted(own, total, side="right"))
        if not rows:
            break
        window = slice(total + 1, total + 1 + len(points))
        thrown = points @ value[:, window, :rows] + chances.lose_turn * bust[:, :rows]
        thrown_slope = points @ slope[window, :rows] + chances.lose_turn
        starts = own[:rows] == total
        first[:, :rows][:, starts] = thrown[:, starts]
        first_slope[:rows][starts] = thrown_slope[starts]
        again = thrown[0] > value[0, total, :rows]
        value[:, total, :rows] = np.where(again, thrown, value[:, total, :rows])
        slope[total, :rows] = np.where(again, thrown_slope, 0.0)
    return first - first_slope * bust, first_slope
