"""The server of the lesson's page: one camera, one lesson."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Any, Literal

from fastapi import FastAPI, Response
from pydantic import BaseModel, ConfigDict

from vision.capture.frame import Frame
from vision.errors import VisionError
from vision.learn.lesson import LessonRoom
from vision.learn.teach import Lesson
from vision.photos.photo_set import PhotoSet
from vision.web.annotate_guard import Door, Guard
from vision.web.annotate_models import PhotoId
from vision.web.annotate_thumbs import Thumbs
from vision.web.camera_view import discreet
from vision.web.page_routes import add_page
from vision.web.reasons import reason_of

_SHOWN_PX = 960


class Press(BaseModel):
    """A button of the page."""

    model_config = ConfigDict(extra="forbid")

    button: Literal["take", "skip", "back", "pause", "resume", "fit", "use", "discard"]


@dataclass(frozen=True, slots=True)
class Desk:
    """What the page's buttons do beyond the room: fit what was shown, take it into use."""

    fit: Callable[[], Lesson]
    use: Callable[[Lesson], None]


class LessonState:
    """How the fitting stands; the page asks for it."""

    def __init__(self) -> None:
        self.lesson: Lesson | None = None
        self.fitting = False
        self.used = False
        self.error = ""

    def as_data(self) -> dict[str, Any]:
        """Give it as the page takes it."""
        lesson = self.lesson
        return {
            "fitting": self.fitting,
            "used": self.used,
            "error": self.error,
            "lesson": lesson
            and {
                "helps": lesson.profile is not None,
                "shots": lesson.shots,
                "before": lesson.before,
                "after": lesson.after,
                "mended": lesson.mended,
                "broken": lesson.broken,
                "seconds": round(lesson.seconds, 1),
                "poses": [
                    {"pose": c.pose, "shots": c.shots, "before": c.before, "after": c.after}
                    for c in lesson.poses
                ],
            },
        }


def create_app(
    room: LessonRoom, photos: PhotoSet, desk: Desk, watch: Callable[[], None]
) -> FastAPI:
    """Make the application; `watch` follows the camera until the room is closed."""
    state = LessonState()

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        thread = threading.Thread(target=watch, name="lesson", daemon=True)
        thread.start()
        yield
        room.close()
        await asyncio.to_thread(thread.join, 10)

    app = FastAPI(title="sooee teach", version="1", lifespan=running, docs_url=None, redoc_url=None)
    app.add_middleware(Guard, door=Door())
    add_page(app, "teach/teach.html")
    _add_pictures(app, room, photos)

    @app.get("/api/lesson")
    def lesson() -> dict[str, Any]:
        """Say what to lay, what is seen, and what came of it."""
        return room_answer(room) | state.as_data()

    @app.post("/api/press")
    def press(what: Press) -> dict[str, Any]:
        """Press a button; gives what `/api/lesson` gives."""
        _press(what.button, room, state, desk)
        return room_answer(room) | state.as_data()

    return app


def _add_pictures(app: FastAPI, room: LessonRoom, photos: PhotoSet) -> None:
    thumbs = Thumbs(photos)

    @app.get("/api/frame", response_class=Response)
    def frame() -> Response:
        """Give the newest picture of the camera, 204 where there is none."""
        newest = room.frame
        if newest is None:
            return Response(status_code=204)
        return Response(
            _jpeg(newest), media_type="image/jpeg", headers={"Cache-Control": "no-store"}
        )

    @app.get("/api/shots/{photo_id}", response_class=Response)
    def shot(photo_id: PhotoId) -> Response:
        """Give a shot made small."""
        try:
            return Response(thumbs.of(photos.photo(photo_id)), media_type="image/jpeg")
        except VisionError:
            return Response(status_code=404)


def _press(button: str, room: LessonRoom, state: LessonState, desk: Desk) -> None:
    actions: dict[str, Callable[[], object]] = {
        "take": room.take_now,
        "skip": room.skip,
        "back": room.back,
        "pause": lambda: room.pause(paused=True),
        "resume": lambda: room.pause(paused=False),
        "fit": lambda: _begin_fit(room, state, desk),
        "use": lambda: _use(state, desk),
        "discard": lambda: setattr(state, "lesson", None),
    }
    actions[button]()


def _begin_fit(room: LessonRoom, state: LessonState, desk: Desk) -> None:
    if state.fitting:
        return
    room.pause(paused=True)
    state.fitting, state.error, state.lesson, state.used = True, "", None, False

    def fit() -> None:
        try:
            state.lesson = desk.fit()
        except VisionError as error:
            state.error = str(error)
        finally:
            state.fitting = False

    threading.Thread(target=fit, name="fit", daemon=True).start()


def _use(state: LessonState, desk: Desk) -> None:
    if state.lesson is not None and state.lesson.profile is not None:
        desk.use(state.lesson)
        state.used = True


def room_answer(room: LessonRoom) -> dict[str, Any]:
    """Give a room's progress as the page takes it."""
    now = room.progress
    step = room.steps[now.step] if now.step < len(room.steps) else None
    reason = reason_of(discreet(now.trouble))
    return {
        "stage": now.stage.value,
        "step": now.step,
        "steps": len(room.steps),
        "pose": step and step.pose and step.pose.value,
        "contact": step and step.contact.value,
        "turn": 0 if step is None else step.turn_deg,
        "round": 0 if step is None else step.round + 1,
        "shots": [{"photo": s.photo, "step": s.step} for s in now.shots[-12:]],
        "taken": len(now.shots),
        "boxes": [list(b) for b in now.boxes],
        "size": list(now.size),
        "missed": now.missed,
        "trouble": now.trouble,
        "reason": reason and asdict(reason),
    }


def _jpeg(frame: Frame) -> bytes:
    from PIL import Image

    image = Image.fromarray(frame.image)
    image.thumbnail((_SHOWN_PX, _SHOWN_PX), Image.Resampling.BILINEAR)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=75)
    return out.getvalue()
