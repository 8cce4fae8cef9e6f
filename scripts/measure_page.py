"""Measure the page: first load, event to pixel, and the camera's loop with fifty viewers.

Needs playwright and Chromium. Say with the figures what else the machine was doing:
python scripts/measure_page.py --viewers 50
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from playwright.sync_api import sync_playwright

from scoring.commands import MakeThrow, Undo
from scoring.rulefile import load_rules
from scoring.store import Store
from scoring.throw import Pose, Throw
from vision.capture.frame import Frame
from vision.recognize.reading import Decision, Reading
from vision.web.app import create_app
from vision.web.guard import Limits
from vision.web.place import Place, make_place

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
VIEWER = """
import asyncio, sys
from websockets.asyncio.client import connect

async def look(url, path, answer):
    async with connect(url + path, max_size=None) as socket:
        async for message in socket:
            if answer:
                await socket.send("taken")

async def main(url, count):
    jobs = [look(url, "ws", False) for _ in range(count)]
    jobs += [look(url, "ws/camera", True) for _ in range(count)]
    await asyncio.gather(*jobs)

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


class NoReader:
    """Reads nothing."""

    def read(self, frames: Sequence[Frame]) -> Reading:
        return Reading((), None, Decision.ASK, "nothing", time_s=frames[-1].time_s)


class Thirty:
    """A camera of 30 frames a second, 1280 by 720; notes when each frame was asked for."""

    live = True
    name = "thirty"

    def __init__(self) -> None:
        rng = np.random.default_rng(0)
        self.images = [rng.integers(90, 110, (720, 1280, 3), np.uint8) for _ in range(8)]
        self.busy: list[float] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __iter__(self) -> Iterator[Frame]:
        started, index = time.monotonic(), 0
        while True:
            time.sleep(max(0.0, started + index / 30 - time.monotonic()))
            given = time.monotonic()
            yield Frame(self.images[index % 8].copy(), index, given, self.name)
            self.busy.append(time.monotonic() - given)
            index += 1


class Served:
    """The page on a thread of its own."""

    def __init__(self, folder: Path, feeds: dict[str, Any]) -> None:
        self.store = Store(folder / "games.sqlite3")
        self.place: Place = make_place(
            self.store, folder / "page", NoReader, feeds=feeds, evidence=folder / "evidence"
        )
        self.place.keeper.switch(on=False)
        bound = self.place.doors.listen()
        self.url = self.place.doors.local_url
        ready = threading.Event()

        async def serve() -> None:
            self.loop = asyncio.get_running_loop()
            self.place.audience.bind(self.loop)
            self.loop.call_later(0.1, ready.set)
            freely = Limits(writes=(1e6, 1e6))
            await self.place.doors.serve(create_app(self.place, freely), bound)

        self.thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
        self.thread.start()
        ready.wait()

    def close(self) -> None:
        self.place.cameras.close()
        asyncio.run_coroutine_threadsafe(self.place.doors.close(), self.loop)
        self.thread.join(10)
        self.store.close()


def first_load(browser: Any, url: str) -> None:
    """Bytes over the wire and time until the page answers, with an empty cache."""
    times, sizes = [], []
    for _ in range(5):
        context = browser.new_context()
        page = context.new_page()
        client = context.new_cdp_session(page)
        client.send("Network.enable")
        size = [0]
        client.on("Network.loadingFinished", lambda e, s=size: s.append(e["encodedDataLength"]))
        page.goto(url)
        page.wait_for_selector("html[data-ready]")
        ready = page.evaluate(
            "performance.getEntriesByName('ready')[0]?.startTime ?? performance.now()"
        )
        page.wait_for_timeout(300)
        times.append(ready)
        sizes.append(sum(size))
        context.close()
    print(f"first load: {max(sizes) / 1000:.0f} kB over the wire (target 300)")
    print(f"interactive: median {statistics.median(times):.0f} ms of 5 (target 1000)")


def event_to_pixel(browser: Any, served: Served, rounds: int = 40) -> None:
    """From the commit of an event to the frame in which a second browser shows it."""
    room = served.place.room
    view = room.start(load_rules("classic", target=None), ("Anna", "Bo"), None)
    game = view.game.id
    pages = []
    for _ in range(2):
        page = browser.new_context().new_page()
        page.goto(served.url)
        page.wait_for_selector("[data-turn-points]")
        pages.append(page)
    second = pages[1]
    second.evaluate(
        """() => { window.shown = []; new MutationObserver(() => requestAnimationFrame(() =>
            requestAnimationFrame(() => window.shown.push(Date.now())))).observe(
            document.querySelector('[data-turn-points]'), {characterData: true, subtree: true,
            childList: true}) }"""
    )
    commits: list[float] = []
    room.ledger.subscribe(lambda _: commits.append(1000 * time.time()))
    for number in range(rounds):
        seq = room.view.game.seq
        throw = MakeThrow(Throw((Pose.TROTTER, Pose.SNOUTER)))
        room.act(game, Undo() if number % 10 == 9 else throw, seq)
        second.wait_for_timeout(120)
    second.wait_for_timeout(500)
    shown = second.evaluate("window.shown")
    late = [b - a for a, b in zip(commits, shown, strict=False)]
    print(
        f"event to pixel in a second browser: median {statistics.median(late):.0f} ms, "
        f"95th percentile {sorted(late)[int(0.95 * len(late))]:.0f} ms of {len(late)} (target 100)"
    )
    for page in pages:
        page.context.close()


def loop_with_viewers(served: Served, camera: Thirty, viewers: int, seconds: float) -> None:
    """The camera loop's work a frame, and its rate, alone and with viewers."""
    served.place.cameras.choose("thirty")
    time.sleep(3)
    alone = measure(camera, seconds)
    url = served.url.replace("http", "ws")
    process = subprocess.Popen(  # noqa: S603  # this very Python
        [sys.executable, "-c", VIEWER, url, str(viewers)]
    )
    while served.place.pictures.watchers < viewers:
        time.sleep(0.1)
    time.sleep(2)
    crowded = measure(camera, seconds)
    process.terminate()
    process.wait()
    served.place.cameras.choose("off")
    for name, (rate, work) in (("alone", alone), (f"{viewers} viewers", crowded)):
        print(f"camera loop, {name}: {rate:.1f} frames a second, {1000 * work:.1f} ms a frame")
    print(f"rate with {viewers} viewers: {100 * crowded[0] / alone[0]:.0f} % of alone (target 90)")


def measure(camera: Thirty, seconds: float) -> tuple[float, float]:
    """Frames a second, and the median time that one frame takes."""
    start = len(camera.busy)
    time.sleep(seconds)
    taken = camera.busy[start:]
    return len(taken) / seconds, statistics.median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--viewers", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=15.0)
    wishes = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    camera = Thirty()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        served = Served(Path(folder), {"thirty": lambda: camera})
        chromium = shutil.which("chromium") or "/usr/bin/chromium"
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS, timeout=180_000)
        first_load(browser, served.url)
        event_to_pixel(browser, served)
        browser.close()
        loop_with_viewers(served, camera, wishes.viewers, wishes.seconds)
        served.close()
    print(f"load of the machine after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
