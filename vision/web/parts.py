"""What endpoints ask of a request: the place, and whether the visitor may do this."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path
from starlette.requests import HTTPConnection

from vision.web.errors import NotAllowedError
from vision.web.guard import Visitor
from vision.web.place import Place
from vision.web.settings import Guests
from vision.web.wire import Problem

REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "Not a request of this kind"},
    401: {"model": Problem, "description": "Join first"},
    403: {"model": Problem, "description": "Not allowed, or another site's page"},
    404: {"model": Problem, "description": "There is no such thing"},
    405: {"model": Problem, "description": "Another method"},
    409: {"model": Problem, "description": "The game does not allow it, or has moved on"},
    413: {"model": Problem, "description": "Too large"},
    415: {"model": Problem, "description": "Not JSON"},
    421: {"model": Problem, "description": "Another server's name"},
    422: {"model": Problem, "description": "Not understood"},
    429: {"model": Problem, "description": "Too many"},
    503: {"model": Problem, "description": "The games cannot be read or written now"},
}


def _place(connection: HTTPConnection) -> Place:
    place: Place = connection.app.state.place
    return place


def _visitor(connection: HTTPConnection) -> Visitor:
    visitor: Visitor = connection.scope["visitor"]
    return visitor


Here = Annotated[Place, Depends(_place)]
Who = Annotated[Visitor, Depends(_visitor)]


def _may_score(place: Here, visitor: Who) -> None:
    if not visitor.host and place.settings.now.guests is not Guests.SCORE:
        raise NotAllowedError("only the host computer keeps the score in this game")


def _is_host(visitor: Who) -> None:
    if not visitor.host:
        raise NotAllowedError("that is done at the host computer")


MayScore = Depends(_may_score)
IsHost = Depends(_is_host)
GamePath = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
EntryPath = Annotated[int, Path(ge=1, le=1_000_000_000)]
NumberPath = Annotated[int, Path(ge=1, le=1_000_000_000)]
