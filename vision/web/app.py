"""The application: every door of the server leads here."""

from __future__ import annotations

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from scoring import errors as se
from scoring.rules import RulesError
from scoring.throw import ThrowError
from vision.errors import VisionError
from vision.web import api_files, api_game, api_games, api_place, api_statistics
from vision.web.errors import PageError
from vision.web.guard import Guard, Limits
from vision.web.place import Place

_STATUS: tuple[tuple[type[Exception], int, str], ...] = (
    (se.ConflictError, 409, "conflict"),
    (se.GameOverError, 409, "over"),
    (se.PlayersError, 422, "players"),
    (se.UnknownPlayerError, 422, "player"),
    (se.TurnError, 409, "turn"),
    (se.CallError, 409, "call"),
    (se.CorrectionError, 409, "correction"),
    (se.UndoError, 409, "undo"),
    (RulesError, 422, "rules"),
    (ThrowError, 422, "throw"),
    (se.GameError, 409, "game"),
    (se.UnknownGameError, 404, "missing"),
    (se.StoreError, 503, "store"),
    (se.LogError, 409, "log"),
    (se.ScoringError, 409, "game"),
)


def create_app(place: Place, limits: Limits | None = None) -> FastAPI:
    """Make the application of a place; it is bound to its event loop by who serves it."""
    app = FastAPI(
        title="sooee",
        description="The table of a game of thrown pigs: every action of the page, for programs.",
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,  # they would fetch scripts from the internet
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.place = place
    for part in (api_game, api_games, api_statistics, api_files, api_place):
        # As they are: `include_router` makes each anew, and the first request waits for it.
        app.router.routes.extend(part.router.routes)
    _add_sockets(app, place)
    _add_files(app, place)
    app.add_exception_handler(se.ScoringError, _scoring_error)
    app.add_exception_handler(VisionError, _vision_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_middleware(
        Guard, membership=place.membership, names=lambda: place.doors.names, limits=limits
    )
    return app


def _add_sockets(app: FastAPI, place: Place) -> None:
    @app.websocket("/ws")
    async def table(socket: WebSocket) -> None:
        await place.audience.serve(socket, socket.scope["visitor"])

    @app.websocket("/ws/camera")
    async def camera(socket: WebSocket) -> None:
        await place.audience.serve_pictures(socket)

    @app.websocket("/ws/phone")
    async def phone(socket: WebSocket) -> None:
        await socket.accept()
        box = place.cameras.phone
        owner = box.begin()
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            data = message.get("bytes")
            if data is None or not box.put(owner, data):
                await socket.close(1008)
                return
            await socket.send_text("taken")


def _add_files(app: FastAPI, place: Place) -> None:
    @app.get("/", include_in_schema=False)
    async def page(request: Request) -> Response:
        return place.assets.page(request)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon(request: Request) -> Response:
        return _file(place, request, "/static/img/icon.svg")

    @app.get("/{kind}/{path:path}", include_in_schema=False)
    async def file(request: Request, kind: str, path: str) -> Response:
        return _file(place, request, f"/{kind}/{path}")


def _file(place: Place, request: Request, path: str) -> Response:
    asset = place.assets.find(path)
    if asset is None:
        return _problem(404, "missing", "there is nothing of that name")
    return asset.answer(request)


async def _scoring_error(_: Request, error: Exception) -> Response:
    for kind, status, code in _STATUS:
        if isinstance(error, kind):
            return _problem(status, code, str(error))
    raise error


async def _vision_error(_: Request, error: Exception) -> Response:
    if isinstance(error, PageError):
        return _problem(error.status, error.code, str(error))
    return _problem(409, "camera", str(error))


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101  # by registration
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return _problem(422, "invalid", f"{where}: {first['msg']}")


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # by registration
    code = "missing" if error.status_code == 404 else "refused"
    headers = dict(error.headers or {})
    return JSONResponse(
        {"error": code, "message": str(error.detail)}, error.status_code, headers=headers
    )


def _problem(status: int, code: str, message: str) -> JSONResponse:
    return JSONResponse({"error": code, "message": message}, status)
