"""Exact two-player values by value iteration over (own pad, other's pad, running turn).

A state is solved once all states with more points on the two pads together are known: banking
leads there, and a bust only swaps the two players. So the states of one sum form pairs of two
unknowns, all pairs of a sum are solved at once, and a policy step (Newton's method on the best
decisions) settles them in a few rounds. An oinker leads back to a pad of 0 and breaks that
order; the values of those states are guessed, everything is solved for the guess, and the guess
is mended by Anderson's acceleration until it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from scoring.errors import ScoringError
from scoring.odds import Chances

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
Policy = Callable[[Ints, Ints, int], Bools]
"""(own pads, other pads, own total with the turn) -> where to bank."""

MAX_TARGET = 500  # about a minute and a half; beyond it, exactness costs more than it tells
BEYOND = 100  # how far past the target a leader's turn is followed in the last round
TOLERANCE = 1e-13
_MAX_ROUNDS = 200
_MEMORY = 6


class StrategyError(ScoringError):
    """A game whose best decisions cannot be computed."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A two-player game: what a throw does, the target, and how it ends.

    With `finish_round`, the second player answers the first one's banked target, and a tie counts
    half; otherwise who has the target first wins.
    """

    chances: Chances
    target: int
    finish_round: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.target <= MAX_TARGET:
            raise StrategyError(
                f"best decisions are computed for targets from 1 to {MAX_TARGET}, got {self.target}"
            )
        if self.chances.score <= 0.0:
            raise StrategyError("nobody can ever score with these odds")

    @property
    def highest(self) -> int:
        """The first total at which a turn is not followed any further."""
        return self.target + (BEYOND if self.finish_round else 0)


@dataclass(frozen=True, slots=True)
class Values:
    """Win chances of the player about to start a turn: `win[seat][own, other]`, seat 0 is first.

    Both seats share one table unless the round is finished. `rounds` counts sweeps over all
    states, `change` is the last change of a guessed value.
    """

    win: tuple[Floats, ...]
    rounds: int
    change: float

    def of(self, seat: int) -> Floats:
        """Return the table of a seat."""
        return self.win[seat % len(self.win)]


def solve(
    problem: Problem,
    policies: tuple[Policy | None, Policy | None] | None = None,
    tolerance: float = TOLERANCE,
) -> Values:
    """Return the values of the game, best play on both sides unless a seat's policy is given."""
    return Sweeper(problem, policies).solve(tolerance)


def dense(chances: Chances) -> Floats:
    """Return the chance of each number of points, from 1 up."""
    highest = max(points for points, _ in chances.points)
    dense = np.zeros(highest)
    for points, chance in chances.points:
        dense[points - 1] = chance
    return dense


@lru_cache(maxsize=8)
def last_turn(problem: Problem) -> Floats:
    """Win chance of the second player's last turn, by the points missing to a tie, from 0."""
    points = dense(problem.chances)
    reach = len(points) + problem.target + BEYOND
    value = np.ones(reach + 1 + len(points))  # index: points ahead of a tie, plus `reach`
    thrown = np.zeros(reach + 1)
    for behind in range(reach + 1):
        at = reach - behind
        thrown[behind] = points @ value[at + 1 : at + 1 + len(points)]
        value[at] = thrown[behind] if behind else max(0.5, thrown[behind])
    return thrown


class Sweeper:
    """The tables being filled, and one sweep over them."""

    def __init__(
        self, problem: Problem, policies: tuple[Policy | None, Policy | None] | None
    ) -> None:
        self.problem = problem
        self.points = dense(problem.chances)
        seats = 2 if problem.finish_round or policies is not None else 1
        self.policies = policies or (None, None)
        self.win = np.full((seats, problem.target, problem.target), 0.5)
        self.last_turn = last_turn(problem) if problem.finish_round else np.zeros(0)

    def solve(self, tolerance: float = TOLERANCE) -> Values:
        """Fill the tables."""
        after_reset = self.win[:, :, 0].copy()
        mixer = _Anderson()
        rounds, change = 0, np.inf
        while change > tolerance and rounds < _MAX_ROUNDS:
            self._sweep(after_reset)
            rounds += 1
            found = self.win[:, :, 0]
            change = float(np.abs(found - after_reset).max())
            if self.problem.chances.lose_all == 0.0:
                change = 0.0
            else:
                after_reset = mixer.next(after_reset, found)
        return Values(tuple(self.win), rounds, change)

    def _sweep(self, after_reset: Floats) -> None:
        target = self.problem.target
        for total in range(2 * target - 2, -1, -1):
            own = np.arange(max(0, total - target + 1), min(total, target - 1) + 1)
            self._solve_total(own, total - own, after_reset)

    def _solve_total(self, own: Ints, other: Ints, after_reset: Floats) -> None:
        """Solve all states whose pads sum to one number; rows are the thrower's pad, rising."""
        seats = len(self.win)
        turns = [
            Turn(self, seat, own, other, 1.0 - after_reset[(seat + 1) % seats][other])
            for seat in range(seats)
        ]
        win = [self.win[seat][own, other] for seat in range(seats)]
        for _ in range(_MAX_ROUNDS):
            # A bust hands the turn to the opponent: the same pads swapped, the rows reversed.
            busts = [1.0 - win[(seat + 1) % seats][::-1] for seat in range(seats)]
            lines = [turn.line(bust) for turn, bust in zip(turns, busts, strict=True)]
            found = [_meet(lines[s], lines[(s + 1) % seats]) for s in range(seats)]
            change = max(float(np.abs(f - w).max()) for f, w in zip(found, win, strict=True))
            win = found
            if change <= TOLERANCE:
                break
        for seat in range(seats):
            self.win[seat][own, other] = win[seat]


def _meet(line: tuple[Floats, Floats], others: tuple[Floats, Floats]) -> Floats:
    """Solve w = at + slope (1 - w') and w' = at' + slope' (1 - w) for w."""
    at, slope = line
    their_at, their_slope = others[0][::-1], others[1][::-1]
    solved: Floats = (at + slope * (1.0 - their_at - their_slope)) / (1.0 - slope * their_slope)
    return solved


class Turn:
    """A turn of one seat, for all rows at once."""

    def __init__(self, sweeper: Sweeper, seat: int, own: Ints, other: Ints, reset: Floats) -> None:
        problem = sweeper.problem
        self.problem = problem
        self.points = sweeper.points
        self.policy = sweeper.policies[seat]
        self.own = own
        self.other = other
        self.lost = problem.chances.lose_all * reset
        target, size = problem.target, len(self.points)
        answers = sweeper.win[(seat + 1) % len(sweeper.win)]
        # hold[u]: the win chance of banking at a total of u.
        self.hold = np.ones((problem.highest + size, len(own)))
        self.hold[:target] = 1.0 - answers[other].T
        if problem.finish_round and seat == 0:
            for total in range(target, problem.highest + size):
                self.hold[total] = 1.0 - sweeper.last_turn[total - other]

    def line(self, bust: Floats) -> tuple[Floats, Floats]:
        """Return the value of throwing first, as a line in the value of a bust: (at 0, slope)."""
        size, start, count = len(self.points), int(self.own[0]), len(self.own)
        lose_turn = self.problem.chances.lose_turn
        # Both parts of the line side by side: [value or slope, total, row].
        line = np.zeros((2, *self.hold.shape))
        line[0] = self.hold
        first = np.zeros((2, count))
        lost = np.stack([lose_turn * bust + self.lost, np.full(count, lose_turn)])
        for total in range(self.problem.highest - 1, start - 1, -1):
            rows = min(total - start + 1, count)
            thrown = self.points @ line[:, total + 1 : total + 1 + size, :rows]
            thrown += lost[:, :rows]
            if total - start < count:
                first[:, rows - 1] = thrown[:, -1]
            here = line[:, total, :rows]
            if self.policy is None:
                again = thrown[0] > here[0]
            else:
                again = ~self.policy(self.own[:rows], self.other[:rows], total)
            np.copyto(here, thrown, where=again)
        return first[0] - first[1] * bust, first[1]


class _Anderson:
    """Anderson's acceleration of a fixed-point iteration, with a short memory."""

    def __init__(self) -> None:
        self.guesses: list[Floats] = []
        self.residuals: list[Floats] = []

    def next(self, guess: Floats, found: Floats) -> Floats:
        """Return the next guess, having found `found` where `guess` was put in."""
        self.guesses = [*self.guesses[-_MEMORY:], guess.ravel()]
        self.residuals = [*self.residuals[-_MEMORY:], (found - guess).ravel()]
        if len(self.guesses) == 1:
            return found.copy()
        moves = np.diff(np.array(self.guesses), axis=0).T
        changes = np.diff(np.array(self.residuals), axis=0).T
        weights = np.linalg.lstsq(changes, self.residuals[-1], rcond=None)[0]
        mixed: Floats = self.guesses[-1] + self.residuals[-1] - (moves + changes) @ weights
        return mixed.reshape(guess.shape)
