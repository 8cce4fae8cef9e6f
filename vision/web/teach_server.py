"""Runs the lesson's page until it is ended."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from vision.capture.frame import Frame, Image
from vision.capture.supervise import watched
from vision.learn.lesson import LessonRoom
from vision.learn.lesson_plan import plan
from vision.learn.shots import gather
from vision.learn.teach import Lesson, teach
from vision.photos.photo_set import PhotoSet
from vision.recognize.embedding import Embedder
from vision.recognize.profile import ProfileFolder, check_name
from vision.recognize.recognizer import Recognizer
from vision.web.annotate_server import listen
from vision.web.teach_app import Desk, create_app


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a lesson is asked to be."""

    camera: str
    name: str
    rounds: int
    port: int
    browser: bool
    models: Path | None


def serve(wishes: Wishes, tell: Callable[[str], None]) -> None:
    """Teach until interrupted; `tell` prints the address."""
    import uvicorn

    check_name(wishes.name)
    recognizer = Recognizer.load(wishes.models)
    embedder = Embedder.load(wishes.models)
    shelf = ProfileFolder()
    folder = shelf.folder / "lessons" / wishes.name
    folder.mkdir(parents=True, exist_ok=True)

    def locate(image: Image) -> list[tuple[float, float, float, float]]:
        return [p.box for p in recognizer.look(Frame(image, 0, 0.0, "lesson"))]

    listening = listen("127.0.0.1", wishes.port)
    with PhotoSet.open(folder) as photos, watched(wishes.camera) as frames:
        sitting = f"{datetime.now():%Y-%m-%d %H.%M}"
        room = LessonRoom(photos, plan(wishes.rounds), locate, sitting=sitting)

        def fit() -> Lesson:
            return teach(gather(photos, embedder.size), embedder, wishes.name)

        def use(lesson: Lesson) -> None:
            if lesson.profile is not None:
                shelf.put(lesson.profile)
                shelf.use(wishes.name)

        app = create_app(room, photos, Desk(fit, use), lambda: room.watch(frames))
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        tell(f"teaching {wishes.name!r}: {address}  (Ctrl+C ends; every shot is kept)")
        if wishes.browser:
            threading.Timer(0.7, webbrowser.open, [address]).start()
        config = uvicorn.Config(
            app, log_level="warning", timeout_graceful_shutdown=3, access_log=False, ws="none"
        )
        with suppress(KeyboardInterrupt):  # how a person ends it
            uvicorn.Server(config).run(sockets=[listening])
