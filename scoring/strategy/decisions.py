"""Decisions of a game against the best ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum
from pathlib import Path

from scoring.events import Banked
from scoring.game import Step, walk
from scoring.odds import Odds
from scoring.state import GameState
from scoring.strategy.advice import choice_of, known_chances

SAME = 1e-9  # win chances closer than this are the same


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision between throwing again and banking; `cost` is the win chance it gave away."""

    entry: int
    player: int
    banked: bool
    throw: float
    bank: float

    @property
    def cost(self) -> float:
        """How much better the other choice was; 0 for the best one."""
        taken = self.bank if self.banked else self.throw
        return max(self.throw, self.bank) - taken

    @property
    def is_best(self) -> bool:
        """Whether no other choice was better."""
        return self.cost < SAME


@dataclass(frozen=True, slots=True)
class DecisionTally:
    """A player's decisions: how many, how many of them best, and what the others gave away.

    `cost` is the sum of win chances given away, `worst` the dearest decision, None without any.
    """

    decisions: int
    best: int
    cost: float
    worst: Decision | None


def decisions(
    state: GameState, odds: Odds | str = "kern", cache_folder: Path | None = None
) -> tuple[Decision, ...]:
    """Return every decision that can be judged: with two players standing, and a target.

    Hog Calls are not taken in. Others, and games without a target, have no exact best decision.
    """
    known = known_chances(odds, state.rules)
    found = []
    for step in walk(state):
        if not _is_decision(step):
            continue
        choice = choice_of(step.before, known, cache_folder)
        if choice is not None and choice.bank is not None:
            banked = isinstance(step.entry.event, Banked)
            found.append(
                Decision(step.entry.id, step.entry.player, banked, choice.throw, choice.bank)
            )
    return tuple(found)


def tally(made: Iterable[Decision]) -> DecisionTally:
    """Sum decisions up."""
    known = list(made)
    return DecisionTally(
        decisions=len(known),
        best=sum(d.is_best for d in known),
        cost=fsum(d.cost for d in known),
        worst=max(known, key=lambda d: d.cost, default=None),
    )


def _is_decision(step: Step) -> bool:
    """Whether the player could have done the other thing, and did this in the same turn."""
    entry, before = step.entry, step.before
    chose = entry.throw is not None or isinstance(entry.event, Banked)
    same_turn = (before.turn, before.up) == (entry.turn, entry.player)
    return entry.counted and chose and same_turn and before.can_bank
