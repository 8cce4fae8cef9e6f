"""Take pictures of every screen of the page, in both languages and themes, into docs/screenshots.

Needs playwright, Chromium, the shipped models, the demo clip and the `render` extra (for two pigs
that lie close): python scripts/page_screenshots.py [NAME ...]
"""

from __future__ import annotations

import asyncio
import io
import json
import random
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np
from page_scene import close_frame  # beside this file
from PIL import Image
from playwright.sync_api import sync_playwright

from scoring.commands import Bank, MakeThrow
from scoring.rulefile import load_rules
from scoring.store import Store
from scoring.throw import Pose, Throw
from vision.artefacts import artefact_dir
from vision.capture.frame import Frame
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)
from vision.recognize.recognizer import Recognizer
from vision.table.state import ThrowSeen
from vision.web.app import create_app
from vision.web.guard import Limits
from vision.web.place import Place, make_place
from vision.web.sights import take_sight

OUT = Path(__file__).resolve().parent.parent / "docs" / "screenshots"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
]
SIZES = {"laptop": (1280, 800), "phone": (390, 844), "television": (1920, 1080)}
ODDS = {"dot_up": 30, "dot_down": 35, "razorback": 22, "trotter": 9, "snouter": 4}
HELD_THROW = 6  # of the demo clip: it lies there while pictures are taken


class HeldClip:
    """The demo clip as a live camera that stops at one throw and keeps showing it."""

    live = True
    name = "camera 0"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __iter__(self) -> Iterator[Frame]:
        folder = artefact_dir("datasets") / "demo"
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        last = truth["throws"][HELD_THROW - 1]["last_still_frame"] - 3
        first = truth["throws"][HELD_THROW - 2]["last_still_frame"] + 20
        clip = cv2.VideoCapture(str(folder / "demo.mp4"))
        frames = []
        for index in range(last + 1):
            _, bgr = clip.read()
            if index >= first:
                frames.append(np.ascontiguousarray(bgr[..., ::-1]))
        noise = np.random.default_rng(0)
        index = 0
        while True:
            time.sleep(1 / 15)
            image = frames[min(index, len(frames) - 1)]
            grain = noise.normal(0, 1.0, (*image.shape[:2], 1)).round().astype(np.int16)
            shown = np.clip(image + grain, 0, 255).astype(np.uint8)
            yield Frame(shown, index, time.monotonic(), self.name)
            index += 1


def close_pigs() -> tuple[Frame, Reading]:
    """Two pigs so close that somebody must look."""
    image, boxes = close_frame()
    pigs = tuple(
        PigDetection(box, 0.95, {c: 0.94 if c == pose else 0.01 for c in POSE_CLASSES})
        for box, pose in zip(boxes, ("trotter", "razorback"), strict=True)
    )
    touch = dict(zip(CONTACT_CLASSES, (0.57, 0.41, 0.02), strict=True))
    reading = Reading(pigs, ContactEvidence(touch, 0.4), Decision.ASK, "close")
    return Frame(image, 0, 0.0, "render"), reading


class Served:
    """The page on a thread of its own."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder / "games.sqlite3")
        recognizer = Recognizer.load()
        self.place: Place = make_place(
            self.store,
            folder / "page",
            lambda: recognizer,
            feeds={"camera": HeldClip},
            evidence=folder / "evidence",
            calibrations=folder / "calibrations.json",
        )
        bound = self.place.doors.listen()
        self.url = self.place.doors.local_url
        ready = threading.Event()

        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            self.place.audience.bind(self.loop)
            self.loop.call_later(0.1, ready.set)
            await self.place.doors.serve(create_app(self.place, Limits(writes=(1e6, 1e6))), bound)

        threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
        ready.wait()

    def start(self, *players: str, **options: Any) -> None:
        room = self.place.room
        known = None if room.ledger is None else room.ledger.game_id
        room.start(load_rules("classic", **options), players, known)

    def play(self, throws: int, seed: int) -> None:
        """Play on by hand, as people would."""
        generator = random.Random(seed)  # noqa: S311
        ledger = self.place.room.ledger
        if ledger is None:
            return
        for _ in range(throws):
            if ledger.state.over:
                break
            poses = generator.choices([Pose(p) for p in ODDS], list(ODDS.values()), k=2)
            ledger.act(MakeThrow(Throw((poses[0], poses[1]))))
            if ledger.state.can_bank and ledger.state.turn_points >= 18:
                ledger.act(Bank())
        self.place.room.refresh()
        self.place.room._publish()  # noqa: SLF001


class Album:
    """Takes a picture in both languages and themes."""

    def __init__(self, browser: Any, served: Served, wanted: list[str]) -> None:
        self.browser, self.served, self.wanted = browser, served, wanted

    def take(
        self,
        name: str,
        place: str = "",
        *,
        size: str = "laptop",
        then: Callable[[Any], object] | None = None,
        whole: bool = False,
        prefs: dict[str, Any] | None = None,
        door: str = "",
    ) -> None:
        if self.wanted and name not in self.wanted:
            return
        width, height = SIZES[size]
        for language, locale in (("en", "en-GB"), ("da", "da-DK")):
            for theme in ("light", "dark"):
                context = self.browser.new_context(
                    viewport={"width": width, "height": height},
                    locale=locale,
                    color_scheme=theme,
                    reduced_motion="reduce",
                    device_scale_factor=1.5 if size == "phone" else 1,
                    is_mobile=size == "phone",
                    has_touch=size == "phone",
                    ignore_https_errors=True,
                )
                page = context.new_page()
                if prefs is not None:
                    text = json.dumps(json.dumps(prefs))
                    context.add_init_script(f"localStorage.setItem('sooee.prefs', {text})")
                page.goto(f"{door or self.served.url}#/{place}")
                page.wait_for_selector("html[data-ready]")
                page.wait_for_selector(".loading", state="detached")
                page.wait_for_timeout(900)
                if then is not None:
                    then(page)
                page.wait_for_timeout(700)
                if whole:  # as a window of that height: what sticks to its foot stays there
                    height_of_all = page.evaluate("document.documentElement.scrollHeight")
                    page.set_viewport_size({"width": width, "height": height_of_all})
                    page.wait_for_timeout(400)
                picture = page.screenshot()
                context.close()
                path = OUT / f"{name}-{language}-{theme}.webp"
                Image.open(io.BytesIO(picture)).save(path, quality=60, method=6)
                print(path.name, path.stat().st_size // 1000, "kB", flush=True)


def pad(page: Any, *poses: str, name: str = "table") -> None:
    for row, pose in enumerate(poses):
        page.click(f"[data-pad='{name}'] .pad-row:nth-child({row + 1}) [data-pose={pose}]")


def without_camera(album: Album, served: Served) -> None:
    album.take("welcome")
    album.take("new-game", "new", whole=True, then=lambda p: p.click("details summary"))
    served.start("Anna", "Bo", hog_call="seed")
    served.play(17, 5)
    album.take("by-hand", then=lambda p: pad(p, "snouter"))
    album.take("by-hand-phone", size="phone", then=lambda p: pad(p, "snouter"), whole=True)
    album.take("advice", prefs={"advice": True}, then=lambda p: p.wait_for_timeout(9000))
    for seed in range(100):
        if any(p.may_call for p in served.place.room.view.game.players):  # type: ignore[union-attr]
            break
        served.play(1, seed)
    album.take("sooee", then=lambda p: p.click("[data-do=call]"))
    album.take("correct", then=lambda p: p.click("[data-do=correct]"))
    album.take("history", "history")
    album.take("history-phone", "history", size="phone")

    def entry(page: Any) -> None:
        page.click("[data-entry]:has(.throw-picture) >> nth=2")
        page.click("[data-way=correct]")
        pad(page, "snouter", "trotter", name="entry")
        page.wait_for_selector(".preview")

    album.take("correction-tried-out", "history", then=entry)

    def plots(page: Any) -> None:
        page.wait_for_selector(".figure svg >> nth=2")
        page.wait_for_timeout(3000)

    album.take("statistics", "stats", whole=True, then=plots)
    album.take("statistics-phone", "stats", size="phone", whole=True, then=plots)
    album.take("games", "games")
    album.take("join", "join", then=open_door)
    album.take("television", "big", size="television")
    lan = served.place.doors.lan_urls[0]
    album.take("door", size="phone", door=lan, then=lambda p: p.wait_for_selector(".code-input"))
    names = ("Anna", "Bo", "Carl", "Dora", "Erik", "Freja", "Gorm", "Hanne")
    served.start(*names)
    served.play(40, 9)
    album.take("eight-players")
    album.take("television-eight", "big", size="television")
    served.start("Anna", "Bo", target=50)
    served.play(200, 3)
    album.take("ending")
    album.take("ending-phone", size="phone")


def open_door(page: Any) -> None:
    if page.locator("[data-do=open-door]").count():
        page.click("[data-do=open-door]")
    page.wait_for_selector(".ticket")


def with_camera(album: Album, served: Served) -> None:
    room = served.place.room
    served.start("Anna", "Bo")
    served.play(9, 12)
    served.place.cameras.choose("camera")
    count = room.view.game.count if room.view.game else 0
    while not (room.view.game and room.view.game.count > count):
        time.sleep(0.2)
    time.sleep(2)
    album.take("table", then=lambda p: p.wait_for_selector(".box-label"))
    album.take("table-phone", size="phone", whole=True, then=lambda p: p.wait_for_selector(".box"))
    album.take("table-television", size="television", then=lambda p: p.wait_for_selector(".box"))
    album.take("settings", "settings", whole=True, then=lambda p: p.wait_for_selector(".box"))

    def area(page: Any) -> None:
        page.click("[data-do=area]")
        page.wait_for_selector(".area canvas[data-frames]")

    album.take("throwing-area", "settings", then=area)
    album.take("replay", "history", then=lambda p: p.click("[data-entry]:has(.crops) >> nth=0"))
    frame, reading = close_pigs()
    room.keeper.frame(frame)  # type: ignore[union-attr]
    room.seen(ThrowSeen(1, 1.0, reading), take_sight(frame, reading))
    album.take("question")
    album.take("question-phone", size="phone")
    album.take("television-question", "big", size="television")
    served.start("Anna", "Bo")

    def phone(page: Any) -> None:
        page.click("[data-camera=phone]")
        page.wait_for_selector(".phone-help .qr")

    album.take("phone-as-camera", "settings", then=phone, whole=True)
    secure, code = served.place.doors.secure_urls[0], served.place.membership.code

    def send(page: Any) -> None:
        page.click("[data-do=send]")
        page.wait_for_selector("[data-phone=sending]")

    album.take("phone-camera", f"phone/{code}", size="phone", door=secure, then=send)
    served.place.cameras.choose("off")


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        served = Served(Path(folder))
        chromium = shutil.which("chromium") or "/usr/bin/chromium"
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=180_000)
        album = Album(browser, served, sys.argv[1:])
        asyncio.run_coroutine_threadsafe(served.place.doors.open_lan(), served.loop).result()
        asyncio.run_coroutine_threadsafe(served.place.doors.open_secure(), served.loop).result()
        without_camera(album, served)
        with_camera(album, served)
        browser.close()


if __name__ == "__main__":
    main()
