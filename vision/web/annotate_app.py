"""The server of the annotation page: one photo set, any number of browsers."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Query, Request, Response
from fastapi.responses import JSONResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from vision.errors import PictureError, VisionError
from vision.photos import arrivals
from vision.photos.history import StaleError
from vision.photos.intake import MAX_BYTES
from vision.photos.labels import LabelError
from vision.photos.photo_set import PhotoSet, UnknownPhotoError
from vision.photos.proposer import Proposer
from vision.photos.store import StoreError, StoreFullError
from vision.web.annotate_guard import COOKIE, Door, Guard
from vision.web.annotate_models import (
    VOCABULARY,
    ClientModel,
    OriginModel,
    PhotoId,
    SaveModel,
    entry_answer,
    photo_answer,
    status_answer,
)
from vision.web.annotate_thumbs import Thumbs
from vision.web.annotate_troubles import key_of
from vision.web.annotate_videos import MAX_VIDEO_BYTES, VideoJobs
from vision.web.page_routes import add_page

OPEN_PATHS = ("/", "/static/", "/locales/", "/favicon.ico", "/api/join")

_STATUS: tuple[tuple[type[VisionError], int], ...] = (
    (UnknownPhotoError, 404),
    (LabelError, 422),
    (PictureError, 415),
    (StoreFullError, 507),
    (StoreError, 503),
    (VisionError, 400),
)


def create_app(
    photos: PhotoSet, proposer: Proposer | None = None, *, code: str = "", who: str = ""
) -> FastAPI:
    """Make the application for one open photo set.

    `proposer` looks at the photographs while the page is open; `code` is asked of browsers on
    other machines; `who` is what the reviewer is called until they say otherwise.
    """
    videos = VideoJobs(photos)

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        if proposer is not None:
            proposer.start()
        yield
        await asyncio.to_thread(videos.stop)
        if proposer is not None:
            await asyncio.to_thread(proposer.stop)

    app = FastAPI(
        title="sooee photos", version="1", lifespan=running, docs_url=None, redoc_url=None
    )
    app.add_middleware(Squeeze)
    door = Door(
        code=code,
        open_paths=OPEN_PATHS,
        max_body={"/api/photos": MAX_BYTES, "/api/videos": MAX_VIDEO_BYTES},
    )
    app.add_middleware(Guard, door=door)
    add_page(app, "annotate/annotate.html")
    _add_reading(app, photos, proposer, videos, who)
    _add_writing(app, photos)
    _add_arrivals(app, photos, videos)
    app.add_exception_handler(VisionError, _refusal)
    return app


class Squeeze:
    """Compress lists and the page's own files, not pictures, which are compressed already."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._squeezed = GZipMiddleware(app, minimum_size=2000, compresslevel=3)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        picture = scope.get("path", "").endswith(("/picture", "/thumb"))
        await (self._plain if picture else self._squeezed)(scope, receive, send)


def _refusal(_: Request, error: Exception) -> Response:
    status = next(code for kind, code in _STATUS if isinstance(error, kind))
    return JSONResponse({"detail": str(error), "code": key_of(error)}, status_code=status)


def _add_reading(
    app: FastAPI, photos: PhotoSet, proposer: Proposer | None, videos: VideoJobs, who: str
) -> None:
    thumbs = Thumbs(photos)

    @app.get("/api/photos")
    def listing(since: Annotated[int, Query(ge=-1, le=2**53)] = -1) -> dict[str, Any]:
        """List the photographs that changed after stamp `since`, and how far the helpers are."""
        entries = photos.index(since)
        return {
            "set": photos.folder.name,
            "who": who,
            **VOCABULARY,
            "stamp": max((e.stamp for e in entries), default=since),
            "photos": [entry_answer(e) for e in entries],
            "model": None if proposer is None else status_answer(proposer.status),
            "videos": videos.progress(),
        }

    @app.get("/api/photos/{photo_id}", responses={404: {}})
    def photo(photo_id: PhotoId) -> dict[str, Any]:
        """Give one photograph with its labels and the model's proposal."""
        found = photos.photo(photo_id)
        if proposer is not None and found.proposal is None:
            proposer.want(photo_id)
        return photo_answer(found)

    @app.get("/api/photos/{photo_id}/picture", responses={404: {}}, response_class=Response)
    def picture(photo_id: PhotoId) -> Response:
        """Give the picture itself; `?v=` keeps browsers from mixing up two of one number."""
        found = photos.photo(photo_id)
        try:
            data = photos.path(found).read_bytes()
        except FileNotFoundError as error:
            raise UnknownPhotoError(f"{found.name}: the file is gone") from error
        kind = mimetypes.guess_type(found.name)[0]
        return Response(
            data,
            media_type=kind,
            headers={"Cache-Control": "private, max-age=31536000, immutable"},
        )

    @app.get("/api/photos/{photo_id}/thumb", responses={404: {}, 415: {}}, response_class=Response)
    def thumb(photo_id: PhotoId) -> Response:
        """Give the picture made small."""
        data = thumbs.of(photos.photo(photo_id))
        return Response(
            data,
            media_type="image/jpeg",
            headers={"Cache-Control": "private, max-age=31536000, immutable"},
        )


def _add_writing(app: FastAPI, photos: PhotoSet) -> None:
    conflict: dict[int | str, dict[str, Any]] = {404: {}, 409: {}, 422: {}, 503: {}, 507: {}}

    @app.put("/api/photos/{photo_id}/labels", responses=conflict)
    def save(photo_id: PhotoId, said: SaveModel) -> Response:
        """Keep new labels: they are on the disk when the answer comes. 409: changed meanwhile."""
        try:
            kept = photos.save(
                photo_id,
                said.labels.labels(),
                revision=said.revision,
                client=said.client,
                who=said.who,
            )
        except StaleError as error:
            return _conflict(photos, error)
        return JSONResponse(photo_answer(kept))

    @app.post("/api/undo", responses=conflict)
    def undo(by: ClientModel) -> Response:
        """Take back this browser's last change; null when there is none."""
        try:
            back = photos.undo(by.client)
        except StaleError as error:
            return _conflict(photos, error)
        return JSONResponse(None if back is None else photo_answer(back))

    @app.post("/api/redo", responses=conflict)
    def redo(by: ClientModel) -> Response:
        """Do again what this browser took back last; null when there is nothing."""
        try:
            forth = photos.redo(by.client)
        except StaleError as error:
            return _conflict(photos, error)
        return JSONResponse(None if forth is None else photo_answer(forth))

    @app.post("/api/origin", responses={503: {}, 507: {}})
    def origin(said: OriginModel) -> dict[str, Any]:
        """Say when and with what photographs were taken."""
        photos.set_origin(said.photos, session=said.session, camera=said.camera)
        return {"changed": len(said.photos)}


def _conflict(photos: PhotoSet, error: StaleError) -> Response:
    now = photo_answer(photos.photo(error.photo_id))
    return JSONResponse({"detail": str(error), "photo": now}, status_code=409)


def _add_arrivals(app: FastAPI, photos: PhotoSet, videos: VideoJobs) -> None:
    busy = asyncio.Semaphore(2)  # pictures are unpacked whole; many at once fill the memory

    @app.post("/api/photos", responses={415: {}, 507: {}})
    async def arrive(request: Request, to: Annotated[Arrival, Depends()]) -> dict[str, Any]:
        """Take in one picture: the request's body is the file."""
        async with busy:
            data = await request.body()
            photo, new = await asyncio.to_thread(
                arrivals.add,
                photos,
                data,
                to.name,
                session=to.session,
                camera=to.camera,
                origin=f"dropped {to.name}",
            )
        return {"new": new, "photo": photo_answer(photo)}

    @app.post("/api/videos", responses={415: {}, 507: {}}, status_code=202)
    async def film(request: Request, to: Annotated[Arrival, Depends()]) -> dict[str, Any]:
        """Take in one video: still frames are picked from it while the page goes on."""
        job = await videos.receive(request.stream(), to.name, session=to.session, camera=to.camera)
        return {"job": job}

    @app.post("/api/join", include_in_schema=False)
    async def join(request: Request) -> Response:
        code = (await request.body())[:64].decode("utf-8", "replace")
        answer = Response(status_code=204)
        answer.set_cookie(COOKIE, code, httponly=True, samesite="strict", max_age=30 * 86400)
        return answer


class Arrival:
    """What comes with a dropped file."""

    def __init__(
        self,
        name: Annotated[str, Query(min_length=1, max_length=255)],
        session: Annotated[str, Query(max_length=80)] = "",
        camera: Annotated[str, Query(max_length=80)] = "",
    ) -> None:
        self.name = name
        self.session = session
        self.camera = camera
