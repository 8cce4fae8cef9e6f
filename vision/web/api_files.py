"""What is taken home from a game, and what is told about it: files, pictures, advice."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Response

from scoring.store import Store
from vision.web.errors import MissingError
from vision.web.keeper import Kept
from vision.web.parts import REFUSALS, EntryPath, GamePath, Here

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["files"])
Language = Annotated[str, Query(pattern=r"^[a-z]{2}$")]
# Solving new rules takes seconds and all of numpy's threads: one at a time.
SOLVING = threading.Lock()


@dataclass(frozen=True, slots=True)
class ThumbView:
    """A rule of thumb: what it says, and whether that is to bank."""

    banks: bool
    text: str


@dataclass(frozen=True, slots=True)
class AdviceView:
    """Throw again or bank; `throw` and `bank` are chances to win, None where not known.

    `basis` is `exact` for two players, `duel` or `turn` for a rule of thumb; `sentence` says why.
    """

    seq: int
    banks: bool
    throw: float | None
    bank: float | None
    basis: str
    calls_ignored: bool
    sentence: str
    thumbs: tuple[ThumbView, ...]


@router.get("/games/{game}/advice", operation_id="advice")
def advice(place: Here, game: GamePath, language: Language = "en") -> AdviceView:
    """Advise whose turn it is; the first question about new rules takes some seconds."""
    from scoring.strategy.advice import advise

    state = place.room.store.state(game)
    with SOLVING:
        found = advise(state)
    return AdviceView(
        seq=state.seq,
        banks=found.banks,
        throw=found.throw,
        bank=found.bank,
        basis=str(found.basis),
        calls_ignored=found.calls_ignored,
        sentence=found.sentence(language),
        thumbs=tuple(ThumbView(t.banks, t.in_language(language)) for t in found.thumbs),
    )


@router.get("/games/{game}/export.json", operation_id="export_json", response_class=Response)
def export_json(place: Here, game: GamePath) -> Response:
    """Return the whole game as JSON, to be read back by `sooee games`."""
    from scoring.exchange import to_json

    text = to_json(game, place.room.store.records(game))
    return _file(text, "application/json", f"sooee-{game[:8]}.json")


@router.get("/games/{game}/export.csv", operation_id="export_csv", response_class=Response)
def export_csv(place: Here, game: GamePath) -> Response:
    """Return the whole game as a table for a spreadsheet."""
    from scoring.exchange import to_csv

    text = to_csv(place.room.store.records(game))
    # A spreadsheet takes a file for UTF-8 only with this mark.
    return _file("\ufeff" + text, "text/csv; charset=utf-8", f"sooee-{game[:8]}.csv")


@router.get("/games/{game}/sheet", operation_id="sheet", response_class=Response)
def sheet(place: Here, game: GamePath, language: Language = "en") -> Response:
    """Return the score sheet, as people write it."""
    from scoring.scoresheet import score_sheet

    records = place.room.store.records(game)
    text = score_sheet(place.room.store.state(game), language, records[0].at[:10])
    return Response(text, media_type="text/plain; charset=utf-8")


@router.get(
    "/games/{game}/entries/{entry}/{picture}.jpg",
    operation_id="kept_picture",
    summary="A kept picture of a throw",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}, "image/webp": {}}, "description": "It"}},
)
def kept_picture(place: Here, game: GamePath, entry: EntryPath, picture: Kept) -> Response:
    """Return a picture that was kept of a throw; `replay` moves."""
    data = place.keeper.read(_known(place.room.store, game), entry, picture)
    if data is None:
        raise MissingError("there is no such picture (any more)")
    kind = "image/webp" if picture is Kept.REPLAY else "image/jpeg"
    headers = {"Cache-Control": "private, max-age=3600"}
    return Response(data, media_type=kind, headers=headers)


def _known(store: Store, game: str) -> str:
    """Return the game's name as the store has it: what a visitor typed never becomes a path."""
    found = store.find(game)
    if found != game:
        raise MissingError("there is no such game")
    return found


def _file(text: str, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode(), media_type=kind, headers=headers)
