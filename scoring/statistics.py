"""What happened in one game or in many, as plain records; drawing is the page's business."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from scoring.effects import Effect, Landing
from scoring.events import Source, ThrowMade
from scoring.game import Step, walk
from scoring.landings import Faces, Landings, faces, landings
from scoring.names import name_key
from scoring.odds import Chances, chances, load_odds
from scoring.state import Entry, GameState
from scoring.story import TurnEnd, TurnRecord, turns
from scoring.throw import AnyThrow

REAL = (Source.CAMERA, Source.HAND)


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player, over all games where somebody of that name played.

    `average_turn` and `best_turn` are points brought to the pad by finished turns, busts as 0.
    `luck` is in points: what throws gave and took, less what they give and take on average.
    `landings` and `faces` hold only real throws, not drawn ones.
    """

    name: str
    games: int
    wins: int
    throws: int
    turns: int
    average_turn: float
    best_turn: int
    pig_outs: int
    oinkers: int
    piggybacks: int
    rethrows: int
    luck: float
    landings: Landings
    faces: Faces


@dataclass(frozen=True, slots=True)
class Statistics:
    """One game or many: throws by outcome, landings of real pigs and dice, and each player.

    `throws` counts throws that were not thrown again, `virtual` those among them that were drawn.
    """

    games: int
    finished: int
    throws: int
    virtual: int
    outcomes: tuple[tuple[Landing, int], ...]
    landings: Landings
    faces: Faces
    players: tuple[PlayerStatistics, ...]


@dataclass(frozen=True, slots=True)
class RacePoint:
    """All scores after one turn, in the order of seats."""

    turn: int
    player: int
    end: TurnEnd
    points: int
    pads: tuple[int, ...]


def statistics(states: Iterable[GameState], odds: str = "kern") -> Statistics:
    """Return what happened in these games; luck is measured against `odds`.

    Players of different games are the same when their names are, letter case aside.
    """
    games = list(states)
    steps = [(state, [s for s in walk(state) if s.entry.throw is not None]) for state in games]
    entries = [s.entry for _, game in steps for s in game if s.entry.counted]
    real = [e for e in entries if _is_real(e)]
    counting = [e for e in entries if not _again(e)]
    outcomes = Counter(e.outcome.landing for e in entries if e.outcome is not None)
    return Statistics(
        games=len(games),
        finished=sum(state.over for state in games),
        throws=len(counting),
        virtual=sum(not _is_real(e) for e in counting),
        outcomes=tuple(sorted(outcomes.items(), key=lambda item: (-item[1], item[0]))),
        landings=landings(_throws(real)),
        faces=faces(_throws(real)),
        players=_players(steps, odds),
    )


def score_race(state: GameState) -> tuple[RacePoint, ...]:
    """Return all scores after each turn."""
    return tuple(RacePoint(t.turn, t.player, t.end, t.points, t.pads) for t in turns(state))


def luck_of(step: Step, known: Chances) -> float:
    """Return what a throw gave or took, less what a throw gives or takes here on average.

    In points: a pig out takes the running turn, an oinker or a piggyback the pad as well.
    """
    outcome = step.entry.outcome
    if outcome is None or outcome.effect is Effect.RETHROW:
        return 0.0
    # The game before may still show the turn that a later throw tells to have moved on.
    begun = (step.before.turn, step.before.up) == (step.entry.turn, step.entry.player)
    turn = step.before.turn_points if begun else 0
    pad = step.before.players[step.entry.player].score
    lost = {Effect.SCORE: 0, Effect.LOSE_TURN: turn}.get(outcome.effect, turn + pad)
    expected = known.mean - known.lose_turn * turn
    expected -= (known.lose_all + known.eliminate) * (turn + pad)
    return outcome.points - lost - expected


@dataclass(slots=True)
class _Tally:
    """What one name has collected so far."""

    name: str
    games: int = 0
    wins: int = 0
    luck: float = 0.0
    entries: list[Entry] | None = None
    records: list[TurnRecord] | None = None

    def add(self, state: GameState, seat: int, steps: Sequence[Step], odds: str) -> None:
        known = chances(load_odds(odds, state.rules), state.rules)
        mine = [s for s in steps if s.entry.counted and s.entry.player == seat]
        self.games += 1
        self.wins += seat in state.winners
        self.luck += fsum(luck_of(step, known) for step in mine)
        self.entries = [*(self.entries or []), *(s.entry for s in mine)]
        closed = (t for t in turns(state) if t.player == seat and t.end is not TurnEnd.OPEN)
        self.records = [*(self.records or []), *(t for t in closed if t.throws)]

    def result(self) -> PlayerStatistics:
        entries, records = self.entries or [], self.records or []
        ends = Counter(t.end for t in records)
        points = [t.points for t in records]
        real = [e for e in entries if _is_real(e)]
        return PlayerStatistics(
            name=self.name,
            games=self.games,
            wins=self.wins,
            throws=sum(not _again(e) for e in entries),
            turns=len(records),
            average_turn=sum(points) / len(points) if points else 0.0,
            best_turn=max(points, default=0),
            pig_outs=ends[TurnEnd.PIG_OUT],
            oinkers=ends[TurnEnd.OINKER],
            piggybacks=ends[TurnEnd.PIGGYBACK],
            rethrows=sum(_again(e) for e in entries),
            luck=self.luck,
            landings=landings(_throws(real)),
            faces=faces(_throws(real)),
        )


def _players(
    games: Iterable[tuple[GameState, Sequence[Step]]], odds: str
) -> tuple[PlayerStatistics, ...]:
    tallies: dict[str, _Tally] = {}
    for state, steps in games:
        for seat, player in enumerate(state.players):
            tally = tallies.setdefault(name_key(player.name), _Tally(player.name))
            tally.add(state, seat, steps, odds)
    return tuple(tally.result() for tally in tallies.values())


def _is_real(entry: Entry) -> bool:
    return isinstance(entry.event, ThrowMade) and entry.event.source in REAL


def _again(entry: Entry) -> bool:
    return entry.outcome is not None and entry.outcome.effect is Effect.RETHROW


def _throws(entries: Iterable[Entry]) -> list[AnyThrow]:
    return [e.throw for e in entries if e.throw is not None]
