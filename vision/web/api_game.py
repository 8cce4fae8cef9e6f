"""Everything that is done to the game on the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import APIRouter, Response

from scoring import commands as cm
from scoring.events import Source
from vision.web import wire
from vision.web.audience import table_json
from vision.web.errors import MissingError
from vision.web.parts import REFUSALS, EntryPath, GamePath, Here, MayScore, NumberPath
from vision.web.sights import Picture
from vision.web.table_view import TableView
from vision.web.views import GameView

router = APIRouter(prefix="/api", responses=REFUSALS)
_Act = TypeVar("_Act", bound=Callable[..., Any])
_GAME = "/games/{game}"
_ENTRY = _GAME + "/entries/{entry}"


def _shown(view: TableView) -> Response:
    """Answer with the table as it stands after the act."""
    return Response(table_json(view), media_type="application/json")


def _post(path: str, name: str, does: str) -> Callable[[_Act], _Act]:
    """Declare an act: by POST, by those who may score, answered with the whole table."""
    return router.post(
        path,
        response_model=TableView,
        dependencies=[MayScore],
        operation_id=name,
        summary=does,
        tags=["game"],
    )


@router.get("/table", operation_id="table", summary="The table as it stands", tags=["game"])
def table(place: Here) -> TableView:
    """Return the whole table."""
    return place.room.view


@_post(_GAME + "/throws", "throw", "Count a throw")
def throw(place: Here, game: GamePath, body: wire.MakeThrowBody) -> Response:
    """Count a throw of whoever is up, or the answer to the question that it names."""
    command = cm.MakeThrow(wire.throw_of(body.throw), Source.HAND)
    return _shown(place.room.act(game, command, body.expected_seq, body.question))


@_post(_GAME + "/bank", "bank", "Bank the running turn")
def bank(place: Here, game: GamePath, body: wire.Act) -> Response:
    """Write the turn's points down."""
    return _shown(place.room.act(game, cm.Bank(), body.expected_seq))


@_post(_GAME + "/call", "call", "Call the next throw (Hog Call)")
def call(place: Here, game: GamePath, body: wire.CallBody) -> Response:
    """Shout Sooee."""
    command = cm.CallHog(body.caller, body.call())
    return _shown(place.room.act(game, command, body.expected_seq))


@_post(_GAME + "/stop", "stop", "Call it a day")
def stop(place: Here, game: GamePath, body: wire.Act) -> Response:
    """End the game where it stands."""
    return _shown(place.room.act(game, cm.Stop(), body.expected_seq))


@_post(_GAME + "/undo", "undo", "Take back the newest steps")
def undo(place: Here, game: GamePath, body: wire.StepsBody) -> Response:
    """Undo."""
    return _shown(place.room.act(game, cm.Undo(body.steps), body.expected_seq))


@_post(_GAME + "/redo", "redo", "Let steps taken back stand again")
def redo(place: Here, game: GamePath, body: wire.StepsBody) -> Response:
    """Redo."""
    return _shown(place.room.act(game, cm.Redo(body.steps), body.expected_seq))


@_post(_GAME + "/rename", "rename", "Call a player something else")
def rename(place: Here, game: GamePath, body: wire.RenameBody) -> Response:
    """Rename."""
    return _shown(place.room.act(game, cm.Rename(body.player, body.name), body.expected_seq))


@_post(_ENTRY + "/correct", "correct", "Say what a throw really was")
def correct(place: Here, game: GamePath, entry: EntryPath, body: wire.CorrectBody) -> Response:
    """Correct a throw."""
    command = cm.CorrectThrow(entry, wire.throw_of(body.throw), body.later)
    return _shown(place.room.act(game, command, body.expected_seq))


@_post(_ENTRY + "/remove", "remove", "Say that a throw, bank or call never happened")
def remove(place: Here, game: GamePath, entry: EntryPath, body: wire.RemoveBody) -> Response:
    """Remove an entry."""
    return _shown(place.room.act(game, cm.Remove(entry, body.later), body.expected_seq))


@_post(_ENTRY + "/add-throw", "add_throw", "Add a throw that was missed before an entry")
def add_throw(place: Here, game: GamePath, entry: EntryPath, body: wire.AddThrowBody) -> Response:
    """Add a missed throw."""
    command = cm.AddThrow(entry, wire.throw_of(body.throw), Source.HAND, body.later)
    return _shown(place.room.act(game, command, body.expected_seq))


@_post(_ENTRY + "/add-bank", "add_bank", "Add a bank that was missed before an entry")
def add_bank(place: Here, game: GamePath, entry: EntryPath, body: wire.AddBankBody) -> Response:
    """Add a missed bank."""
    return _shown(place.room.act(game, cm.AddBank(entry, body.later), body.expected_seq))


@router.post(_ENTRY + "/preview", operation_id="preview", tags=["game"], dependencies=[MayScore])
def preview(place: Here, game: GamePath, entry: EntryPath, body: wire.PreviewBody) -> GameView:
    """Return the game as it would be after a correction; nothing is done."""
    return place.room.preview(game, body.command(entry))


@_post("/questions/{question}/answer", "answer", "Say what the throw in question was")
def answer(place: Here, question: NumberPath, body: wire.AnswerBody) -> Response:
    """Answer the open question."""
    given = wire.throw_of(body.throw)
    return _shown(place.room.answer(question, given, body.expected_seq))


@_post("/questions/{question}/dismiss", "dismiss", "Say that it was no throw")
def dismiss(place: Here, question: NumberPath) -> Response:
    """Dismiss the open question."""
    return _shown(place.room.dismiss(question))


@router.get(
    "/sights/{sight}/{picture}.jpg",
    operation_id="sight",
    summary="A picture of a throw",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}, "description": "The picture"}},
    tags=["game"],
)
def picture(place: Here, sight: NumberPath, picture: Picture) -> Response:
    """Return one of the pictures that belong to a throw."""
    found = place.room.sights.get(sight)
    data = None if found is None else found.pictures.get(picture)
    if data is None:
        raise MissingError("there is no such picture (any more)")
    headers = {"Cache-Control": "private, max-age=86400, immutable"}
    return Response(data, media_type="image/jpeg", headers=headers)
