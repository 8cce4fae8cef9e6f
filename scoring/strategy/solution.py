"""A solved two-player game: the win chance of throwing and of banking anywhere in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.strategy.solve import (
    Bools,
    Floats,
    Ints,
    Policy,
    Problem,
    StrategyError,
    Sweeper,
    Turn,
    Values,
    dense,
    last_turn,
    solve,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """Win chances of the two things a player can do; `bank` is None before the first throw."""

    throw: float
    bank: float | None

    @property
    def best(self) -> float:
        """The win chance of the better one."""
        return self.throw if self.bank is None else max(self.throw, self.bank)

    @property
    def banks(self) -> bool:
        """Whether banking is at least as good as throwing."""
        return self.bank is not None and self.bank >= self.throw


@dataclass(frozen=True, slots=True)
class Solution:
    """The values of a problem, and the largest error with which they satisfy its equations."""

    problem: Problem
    values: Values
    residual: float

    def win(self, own: int, other: int, seat: int = 0) -> float:
        """Return the win chance of a player about to start a turn."""
        self._check(own, other)
        return float(self.values.of(seat)[own, other])

    def choice(
        self, own: int, other: int, turn: int, *, seat: int = 0, started: bool = True
    ) -> Choice:
        """Return the win chances with `turn` points in the running turn.

        `own` and `other` are pads below the target, `seat` is 0 for the player who throws first
        in a round. Before the first throw of a turn (`started` False) nobody can bank.
        """
        self._check(own, other)
        total = own + turn
        if total >= self.problem.highest:
            return Choice(throw=0.0, bank=1.0)
        thrown, held = self._turn_values(own, other, seat, total)
        return Choice(throw=thrown, bank=held if started else None)

    def first_hold(self, own: int, other: int, seat: int = 0) -> int | None:
        """Return the fewest turn points at which banking is best; None: never before the end."""
        self._check(own, other)
        thrown, held = self._arrays(own, other, seat, own)
        inside = slice(own + 1, self.problem.target)
        banks = np.flatnonzero(held[inside] >= thrown[inside])
        return int(banks[0]) + 1 if len(banks) else None

    def policy(self, seat: int = 0) -> Policy:
        """Return the best decisions of a seat as a policy to solve against."""
        target = self.problem.target
        banks = np.zeros((target, target, target), dtype=np.bool_)
        for own in range(target):
            for other in range(target):
                thrown, held = self._arrays(own, other, seat, own)
                banks[own, other, own:] = held[own:target] >= thrown[own:target]

        def decide(own: Ints, other: Ints, total: int) -> Bools:
            found: Bools = banks[own, other, total]
            return found

        return decide

    def _check(self, own: int, other: int) -> None:
        target = self.problem.target
        if not (0 <= own < target and 0 <= other < target):
            raise StrategyError(
                f"the solved game is between pads from 0 to {target - 1}, got {own} and {other}"
            )

    def _turn_values(self, own: int, other: int, seat: int, total: int) -> tuple[float, float]:
        thrown, held = self._arrays(own, other, seat, total)
        return float(thrown[total]), float(held[total])

    def _arrays(self, own: int, other: int, seat: int, lowest: int) -> tuple[Floats, Floats]:
        """Return the win chances of throwing and of banking, by total with the turn."""
        problem, chances = self.problem, self.problem.chances
        points = dense(chances)
        answers = self.values.of(seat + 1)
        held = np.ones(problem.highest + len(points))
        held[: problem.target] = 1.0 - answers[other]
        if problem.finish_round and seat == 0:
            missing = np.arange(problem.target, len(held)) - other
            held[problem.target :] = 1.0 - last_turn(problem)[missing]
        fixed = chances.lose_turn * (1.0 - answers[other, own])
        fixed += chances.lose_all * (1.0 - answers[other, 0])
        best, thrown = held.copy(), np.zeros_like(held)
        for total in range(problem.highest - 1, lowest - 1, -1):
            thrown[total] = points @ best[total + 1 : total + 1 + len(points)] + fixed
            best[total] = max(best[total], thrown[total])
        return thrown, held


def solution_of(problem: Problem) -> Solution:
    """Solve a game for best play on both sides."""
    values = solve(problem)
    return Solution(problem, values, residual_of(problem, values))


def residual_of(problem: Problem, values: Values) -> float:
    """Return the largest difference between a value and what its equation makes of the others."""
    sweeper = Sweeper(problem, None)
    sweeper.win[:] = values.win
    own = np.arange(problem.target)
    worst = 0.0
    for seat in range(len(values.win)):
        answers = values.of(seat + 1)
        for pad in range(problem.target):
            other = np.full(problem.target, pad)
            bust = 1.0 - answers[pad, own]
            turn = Turn(sweeper, seat, own, other, 1.0 - answers[other, 0])
            at, slope = turn.line(bust)
            found = at + slope * bust
            worst = max(worst, float(np.abs(found - values.of(seat)[own, pad]).max()))
    return worst
