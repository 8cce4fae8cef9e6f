"""Statistics as plain records; the page draws them."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

from fastapi import APIRouter

from scoring.effects import Landing
from scoring.landings import Fit, Landings, PoseShare
from scoring.odds import chances, load_odds
from scoring.state import GameState
from scoring.statistics import RacePoint, luck_of, score_race, statistics
from scoring.throw import Pose
from vision.web.api_files import SOLVING
from vision.web.parts import REFUSALS, GamePath, Here

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["statistics"])
_ODDS = "kern"
_MOST_GAMES = 500


@dataclass(frozen=True, slots=True)
class ShareView:
    """How often pigs lay in one pose, with a 95 % interval; published shares by table."""

    pose: Pose
    count: int
    share: float
    low: float
    high: float
    kern: float
    kastegris: float


@dataclass(frozen=True, slots=True)
class FitView:
    """Whether the landings fit a published table; `enough` pigs to tell, or not."""

    reference: str
    p_value: float | None
    enough: bool


@dataclass(frozen=True, slots=True)
class LandingsView:
    """The landings of real pigs; `pigs` is what the shares rest on."""

    pigs: int
    throws: int
    touching: int
    stacked: int
    shares: tuple[ShareView, ...]
    fits: tuple[FitView, ...]


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """One player over the games looked at; `luck` in points against the average."""

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
    luck: float
    landings: LandingsView


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """How often a landing came."""

    landing: Landing
    count: int


@dataclass(frozen=True, slots=True)
class LuckPoint:
    """A player's luck so far, in points, after the game's throw of that number."""

    throw: int
    player: int
    luck: float


@dataclass(frozen=True, slots=True)
class StatisticsView:
    """What happened in one game or in many; `race` and `luck` only for one."""

    games: int
    finished: int
    throws: int
    virtual: int
    outcomes: tuple[OutcomeCount, ...]
    landings: LandingsView
    faces: tuple[int, ...]
    players: tuple[PlayerStats, ...]
    race: tuple[RacePoint, ...] = ()
    luck: tuple[LuckPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionView:
    """A choice between throwing again and banking; `cost` is the win chance it gave away."""

    entry: int
    player: int
    banked: bool
    throw: float
    bank: float
    cost: float


@router.get("/statistics", operation_id="statistics")
def all_games(place: Here) -> StatisticsView:
    """Return the statistics of the newest games of the store, all together."""
    store = place.room.store
    return _view([store.state(info.id) for info in store.games(limit=_MOST_GAMES)])


@router.get("/games/{game}/statistics", operation_id="game_statistics")
def one_game(place: Here, game: GamePath) -> StatisticsView:
    """Return the statistics of one game."""
    return _view([place.room.store.state(game)], single=True)


@router.get("/games/{game}/decisions", operation_id="decisions")
def decisions_of(place: Here, game: GamePath) -> tuple[DecisionView, ...]:
    """Return every decision that can be judged; the first of new rules takes some seconds."""
    from scoring.strategy.decisions import decisions

    state = place.room.store.state(game)
    with SOLVING:
        found = decisions(state, _ODDS)
    return tuple(DecisionView(d.entry, d.player, d.banked, d.throw, d.bank, d.cost) for d in found)


def _view(states: list[GameState], *, single: bool = False) -> StatisticsView:
    found = statistics(states, _ODDS)
    return StatisticsView(
        games=found.games,
        finished=found.finished,
        throws=found.throws,
        virtual=found.virtual,
        outcomes=tuple(OutcomeCount(landing, n) for landing, n in found.outcomes),
        landings=_landings(found.landings),
        faces=found.faces.counts,
        players=tuple(
            PlayerStats(
                name=p.name,
                games=p.games,
                wins=p.wins,
                throws=p.throws,
                turns=p.turns,
                average_turn=p.average_turn,
                best_turn=p.best_turn,
                pig_outs=p.pig_outs,
                oinkers=p.oinkers,
                piggybacks=p.piggybacks,
                luck=p.luck,
                landings=_landings(p.landings),
            )
            for p in found.players
        ),
        race=score_race(states[0]) if single else (),
        luck=_luck(states[0]) if single else (),
    )


def _luck(state: GameState) -> tuple[LuckPoint, ...]:
    from scoring.game import walk

    known = chances(load_odds(_ODDS, state.rules), state.rules)
    sums = [0.0] * len(state.players)
    points: list[LuckPoint] = []
    for step in walk(state):
        if step.entry.throw is not None and step.entry.counted:
            seat = step.entry.player
            sums[seat] = fsum((sums[seat], luck_of(step, known)))
            points.append(LuckPoint(len(points) + 1, seat, sums[seat]))
    return tuple(points)


def _landings(found: Landings) -> LandingsView:
    return LandingsView(
        pigs=found.pigs,
        throws=found.throws,
        touching=found.touching,
        stacked=found.stacked,
        shares=tuple(_share(s) for s in found.shares),
        fits=tuple(_fit(f) for f in found.fits),
    )


def _share(share: PoseShare) -> ShareView:
    published = dict(share.references)
    return ShareView(
        pose=share.pose,
        count=share.count,
        share=share.share,
        low=share.low,
        high=share.high,
        kern=published["kern"],
        kastegris=published["kastegris"],
    )


def _fit(fit: Fit) -> FitView:
    return FitView(fit.reference, fit.p_value, fit.enough)
