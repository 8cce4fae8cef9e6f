"""Throw or bank: the better choice, the win chance of each, and why in one sentence.

With two players standing and a target, the answer is exact. With more, it is a rule of thumb:
the strongest other player stands for all of them. Alone, or without a target, it looks only at
the points of the turn. Each `Advice` says which of the three it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from scoring.errors import GameOverError
from scoring.odds import Chances, Odds, chances, load_odds
from scoring.rules import GameEnd, HogCallForm, Rules
from scoring.state import GameState
from scoring.strategy.cache import solution_for
from scoring.strategy.sentence import Facts, sentence
from scoring.strategy.solution import Choice
from scoring.strategy.solve import MAX_TARGET, Problem, last_turn
from scoring.strategy.thumb import Thumb, thumbs
from scoring.strategy.turn import hold_threshold, reach_chance

EXACT_WITHIN = 1e-9  # a solution with a larger residual is not called exact


class Basis(StrEnum):
    """What an advice rests on.

    `exact`: best play of two players. `duel`: the same, with the strongest other player standing
    for several; a rule of thumb. `turn`: points of this turn only; a rule of thumb.
    """

    EXACT = "exact"
    DUEL = "duel"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do now: `banks` or throw again, and the win chance of each where it is known.

    `throw` and `bank` are chances from 0 to 1; None where the basis gives none or the choice is
    not there. In a `duel` they are those against the strongest other player alone.
    `calls_ignored` says that the game is played with Hog Call, which no basis takes in.
    `residual` is the largest error of the solved equations, None where none were solved.
    """

    banks: bool
    throw: float | None
    bank: float | None
    basis: Basis
    calls_ignored: bool
    residual: float | None
    thumbs: tuple[Thumb, ...]
    facts: Facts

    def sentence(self, language: str = "en") -> str:
        """Say it in one sentence, with the reason; in English or Danish (`en`, `da`)."""
        return sentence(self.facts, language)


def known_chances(odds: Odds | str, rules: Rules) -> Chances:
    """Return what a throw does under the rules, with odds of that name or the odds given."""
    if isinstance(odds, str):
        return _chances_by_name(odds, rules)
    return chances(odds, rules)


@lru_cache(maxsize=32)
def _chances_by_name(name: str, rules: Rules) -> Chances:
    return chances(load_odds(name, rules), rules)


def advise(state: GameState, odds: Odds | str = "kern", cache_folder: Path | None = None) -> Advice:
    """Advise the player whose turn it is; `GameOverError` when the game is over.

    The first question about new rules or odds solves the game, which takes seconds; from then on
    an answer takes milliseconds.
    """
    if state.over:
        raise GameOverError("the game is over; there is nothing to advise")
    known = known_chances(odds, state.rules)
    basis, choice, residual = _choice(state, known, cache_folder)
    banks = _turn_says_bank(state, known) if choice is None else choice.banks
    rival = _rival(state)
    facts = Facts(
        banks=banks,
        throw=None if choice is None else choice.throw,
        bank=None if choice is None else choice.bank,
        exact=basis is Basis.EXACT,
        started=state.turn_throws > 0,
        turn_points=state.turn_points,
        wins_now=_bank_wins(state),
        score_chance=known.score,
        mean_points=known.mean,
        worth_it=hold_threshold(known),
        rival=None if rival is None else state.players[rival].name,
        rival_reaches=_rival_reaches(state, known, rival),
    )
    return Advice(
        banks=banks,
        throw=facts.throw,
        bank=facts.bank,
        basis=basis,
        calls_ignored=state.rules.hog_call is not HogCallForm.OFF,
        residual=residual,
        thumbs=thumbs(state),
        facts=facts,
    )


def choice_of(state: GameState, known: Chances, cache_folder: Path | None = None) -> Choice | None:
    """Return the exact win chances of throwing and banking; None where they are not known."""
    basis, choice, _ = _choice(state, known, cache_folder)
    return choice if basis is Basis.EXACT else None


def _choice(
    state: GameState, known: Chances, cache_folder: Path | None
) -> tuple[Basis, Choice | None, float | None]:
    """Return what the answer rests on, the win chances, and the error of the solution."""
    target, rival = state.rules.target, _rival(state)
    if target is None or rival is None or target > MAX_TARGET or known.score <= 0.0:
        return Basis.TURN, None, None
    own, other = state.players[state.up].score, state.players[rival].score
    alone = len(state.standing) == 2
    finish = alone and state.rules.game_end is GameEnd.FINISH_ROUND
    problem = Problem(known, target, finish_round=finish)
    seat = int(state.up > rival)
    started = state.turn_throws > 0
    basis = Basis.EXACT if alone else Basis.DUEL
    if finish and seat == 1 and own < target <= other:
        ahead = own + state.turn_points - other
        return basis, _last_turn(problem, ahead, known, started=started), 0.0
    if max(own, other) >= target:
        return Basis.TURN, None, None
    solution = solution_for(problem, cache_folder)
    if solution.residual > EXACT_WITHIN:
        basis = Basis.DUEL
    choice = solution.choice(own, other, state.turn_points, seat=seat, started=started)
    return basis, choice, solution.residual


def _last_turn(problem: Problem, ahead: int, known: Chances, *, started: bool) -> Choice:
    """Return the choice of the second player in the round's last turn, `ahead` of a tie."""
    bank = 1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0
    throw = float(last_turn(problem)[-ahead]) if ahead <= 0 else known.score
    return Choice(throw=throw, bank=bank if started else None)


def _rival(state: GameState) -> int | None:
    """Return the strongest other player: the most points, then the sooner turn."""
    seats = len(state.players)
    others = [i for i in state.standing if i != state.up]
    return max(
        others,
        key=lambda i: (state.players[i].score, -((i - state.up) % seats)),
        default=None,
    )


def _turn_says_bank(state: GameState, known: Chances) -> bool:
    if not state.can_bank:
        return False
    return _bank_wins(state) or state.turn_points >= hold_threshold(known)


def _bank_wins(state: GameState) -> bool:
    target = state.rules.target
    if target is None or not state.can_bank:
        return False
    total = state.total(state.up)
    if state.rules.game_end is not GameEnd.FINISH_ROUND:
        return total >= target
    others = [i for i in state.standing if i != state.up]
    best = max((state.players[i].score for i in others), default=0)
    return state.up > max(others, default=-1) and total >= target and total > best


def _rival_reaches(state: GameState, known: Chances, rival: int | None) -> float:
    """Return the chance that the strongest other player wins with the next turn."""
    target = state.rules.target
    if target is None or rival is None:
        return 0.0
    return reach_chance(known, target - state.players[rival].score)
