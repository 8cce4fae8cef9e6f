"""The lesson's page: a lesson given through it, in a real browser, from a film of a table."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.capture.frame import Frame, Image
from vision.learn.lesson import LessonRoom
from vision.learn.lesson_plan import plan
from vision.learn.shots import gather
from vision.learn.teach import Lesson, teach
from vision.photos.photo_set import PhotoSet
from vision.web.teach_app import Desk, create_app

Box = tuple[float, float, float, float]


class Eye:
    """A network that knows nothing, whose vectors show how bright a crop is."""

    size, sha256 = 24, "f" * 64
    stances = ()

    def see(self, crops: Any) -> tuple[Any, Any, None]:
        bright = np.array([np.asarray(c, float)[8:16, 8:16].mean(axis=(0, 1)) for c in crops])
        return bright / 20, np.full((len(crops), 7), -np.log(7.0)), None


class Camera:
    """Shows pigs of another colour for each step of the plan, as fast as it is looked at.

    Nothing new is laid after step `last`, and nothing at all while it is `bare`.
    """

    def __init__(self) -> None:
        self.step = 0
        self.last = 1000
        self.bare = False
        self.ended = threading.Event()

    def frames(self) -> Iterator[Frame]:
        rng = np.random.default_rng(0)
        index, shown, since = 0, -1, 0
        while not self.ended.is_set():
            if self.step != shown:
                shown, since = self.step, index
            shake = max(0, 8 - (index - since)) * 6
            colour = np.array([240, 60 + 25 * (shown % 6), 50 + 10 * (shown // 6)])
            image = np.full((240, 320, 3), 100, np.uint8)
            places = ((30 + 3 * shown, 40), (180, 120 + 2 * shown))
            for x, y in () if self.bare else places:
                image[y : y + 40, x + shake : x + shake + 50] = colour
            image = image + rng.integers(0, 3, image.shape, dtype=np.uint8)
            yield Frame(np.asarray(image, np.uint8), index, index / 30, "camera 0")
            index += 1
            time.sleep(0.005)


def find(image: Image) -> list[Box]:
    import cv2

    mask = (image[..., 0] > 200).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    return [
        (float(x), float(y), float(x + w), float(y + h))
        for x, y, w, h, a in stats[1:count]
        if a > 300
    ]


@pytest.fixture
def lesson(tmp_path: Path) -> Iterator[tuple[str, Camera, list[Lesson], PhotoSet]]:
    import uvicorn

    used: list[Lesson] = []
    eye: Any = Eye()
    camera = Camera()
    with PhotoSet.open(tmp_path) as photos:
        room = LessonRoom(photos, plan(3), find, sitting="monday")
        desk = Desk(lambda: teach(gather(photos, eye.size), eye, "mine"), used.append)

        def follow() -> None:
            room.watch(step_along(room, camera))

        app = create_app(room, photos, desk, follow)
        listening = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/", camera, used, photos
        camera.ended.set()
        server.should_exit = True
        thread.join(timeout=120)


def step_along(room: LessonRoom, camera: Camera) -> Iterator[Frame]:
    """Lay the next thing whenever a shot was taken."""
    for frame in camera.frames():
        camera.step = min(room.progress.step, camera.last)
        yield frame


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Any]]:
    contexts: list[Any] = []
    wrong: list[str] = []

    def open_(url: str, locale: str = "en-GB", **options: Any) -> Any:
        context = browser.new_context(locale=locale, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
        page.goto(url)
        page.wait_for_selector(".task h1")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.mark.slow
def test_a_lesson_from_the_first_shot_to_a_profile_in_use(
    lesson: tuple[str, Camera, list[Lesson], PhotoSet], visit: Callable[..., Any]
) -> None:
    url, _, used, photos = lesson
    page = visit(url)
    page.wait_for_selector(".stage.complete")
    assert len(photos.photos()) == 19
    assert page.locator(".shots img").count() == 12
    page.get_by_role("button", name="See what it learnt").click()
    page.wait_for_selector(".result")
    assert "It reads your pigs better now" in page.locator(".result").inner_text()
    page.get_by_role("button", name="Use it from now on").click()
    page.wait_for_selector(".result .note.good")
    assert len(used) == 1
    assert used[0].profile is not None
    assert used[0].after > used[0].before


def test_the_page_speaks_danish_and_its_buttons_work(
    lesson: tuple[str, Camera, list[Lesson], PhotoSet], visit: Callable[..., Any]
) -> None:
    url, camera, *_ = lesson
    camera.last = 2  # the lesson waits, however long the browser takes
    page = visit(url, locale="da-DK", viewport={"width": 380, "height": 800})
    page.get_by_role("button", name="Pause").click()
    page.wait_for_selector(".stage.paused:has-text('Pause')")
    before = page.locator("#task").inner_text()
    assert before.startswith("Læg ")
    page.get_by_role("button", name="Spring over").click()
    page.wait_for_selector(f"#task:not(:text-is({before!r}))")
    assert "teach." not in page.evaluate("document.body.innerText")
    wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(wide)


@pytest.mark.parametrize(
    ("locale", "pause", "take", "said"),
    [
        ("en-GB", "Pause", "Take it now", "Paused: 0 pigs are seen; two are needed"),
        ("da-DK", "Pause", "Tag det nu", "Pause: 0 grise ses; der skal være to"),
    ],
)
def test_a_shot_asked_for_where_no_pigs_lie_says_so(
    lesson: tuple[str, Camera, list[Lesson], PhotoSet],
    visit: Callable[..., Any],
    locale: str,
    pause: str,
    take: str,
    said: str,
) -> None:
    url, camera, _, photos = lesson
    camera.bare = True
    page = visit(url, locale=locale)
    page.get_by_role("button", name=pause).click()
    page.wait_for_selector(".stage.paused")
    page.get_by_role("button", name=take).click()
    page.wait_for_selector(f".stage.paused:text-is('{said}')")
    assert photos.photos() == []
