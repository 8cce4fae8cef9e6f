"""The games to choose from, those of the past, and starting a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Response

from scoring.rulefile import variant_names
from scoring.store import GameInfo, Store
from vision.web import wire
from vision.web.audience import table_json
from vision.web.parts import REFUSALS, GamePath, Here, MayScore
from vision.web.table_view import TableView
from vision.web.views import (
    EntryView,
    GameView,
    VariantView,
    game_view,
    history_view,
    rules_view,
    variants_view,
)

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["games"])


@dataclass(frozen=True, slots=True)
class PastPlayer:
    """A player of a past game."""

    name: str
    score: int
    winner: bool


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game of the store in one line; `started` UTC, ISO 8601."""

    id: str
    started: str
    title: Mapping[str, str]
    target: int | None
    players: tuple[PastPlayer, ...]
    over: bool
    throws: int


@router.get("/variants", operation_id="variants")
def variants() -> tuple[VariantView, ...]:
    """Return the games to choose from, with every option's own value."""
    return variants_view()


@router.get("/games", operation_id="games")
def games(
    place: Here,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
) -> tuple[PastGame, ...]:
    """Return the games of the store, the newest first."""
    store = place.room.store
    return tuple(_past(store, info) for info in store.games(limit, offset))


@router.post("/games", operation_id="start", response_model=TableView, dependencies=[MayScore])
def start(place: Here, body: wire.NewGameBody) -> Response:
    """Start a game and put it on the table."""
    view = place.room.start(body.rules(variant_names()), body.players, body.expected_game)
    return Response(table_json(view), media_type="application/json")


@router.post(
    "/games/{game}/open",
    operation_id="open",
    response_model=TableView,
    dependencies=[MayScore],
)
def open_game(place: Here, game: GamePath, body: wire.OpenBody) -> Response:
    """Take a past game back to the table."""
    view = place.room.open(game, body.expected_game)
    return Response(table_json(view), media_type="application/json")


@router.get("/games/{game}", operation_id="game")
def game(place: Here, game: GamePath) -> GameView:
    """Return a game as it stands."""
    return game_view(game, place.room.store.state(game), place.room.sights_of(game))


@router.get("/games/{game}/history", operation_id="history")
def history(place: Here, game: GamePath) -> tuple[EntryView, ...]:
    """Return every throw, bank and call of a game as it counts today, oldest first."""
    store = place.room.store
    records = store.records(game)
    kept = place.keeper.entries(game)
    return history_view(store.state(game), records, place.room.sights_of(game), kept)


def _past(store: Store, info: GameInfo) -> PastGame:
    state = store.state(info.id)
    return PastGame(
        id=info.id,
        started=info.created_at,
        title=rules_view(state.rules).title,
        target=state.rules.target,
        players=tuple(
            PastPlayer(p.name, p.score, seat in state.winners)
            for seat, p in enumerate(state.players)
        ),
        over=state.over,
        throws=len(state.throws),
    )
