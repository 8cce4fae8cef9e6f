"""A photo set, the real server in a process of its own, and a real browser."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2 as httpx
import numpy as np
import pytest
from PIL import Image

from vision.photos import arrivals
from vision.photos.labels import Labels
from vision.photos.photo_set import PhotoSet
from vision.photos.proposal import Proposal
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    PigDetection,
)

if TYPE_CHECKING:
    from tests.conftest import Watchdog


@dataclass
class Server:
    """`sooee annotate` on a folder; may be killed and started again on the same port."""

    folder: Path
    watchdog: Watchdog
    port: int = 0
    extra: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> Server:
        command = [
            sys.executable, "-m", "vision.cli", "annotate", str(self.folder), "--no-browser",
            "--no-model", "--who", "Ada", "--port", str(self.port), *self.extra,
        ]  # fmt: skip
        program = "import sys; from vision.cli import main; main(sys.argv[3:])"
        command[1:3] = ["-c", program]
        command.insert(3, "--")
        command.insert(4, "-")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=os.environ | self.environment
        )
        self.watchdog(self.process)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)/", line)
        assert found, f"the server did not start: {line!r}"
        self.port = int(found[1])
        self.wait()
        return self

    def wait(self) -> None:
        deadline = time.monotonic() + 120
        while True:
            try:
                httpx.get(self.url, timeout=120)
            except httpx.TransportError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
            else:
                return

    def end(self, how: signal.Signals = signal.SIGINT) -> None:
        if self.process is None:
            return
        self.process.send_signal(how)
        self.process.wait(timeout=120)
        if self.process.stdout is not None:
            self.process.stdout.close()
        self.process = None


@pytest.fixture
def serve(watchdog: Watchdog) -> Iterator[Callable[..., Server]]:
    """Start `sooee annotate` on a folder."""
    started: list[Server] = []

    def start(folder: Path, **more: Any) -> Server:
        server = Server(folder, watchdog, **more).start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.end(signal.SIGKILL)


@dataclass
class Desk:
    """One browser with the page open, and hands to work with."""

    page: Any

    @property
    def shown(self) -> int:
        """The photograph in view."""
        return int(self.page.locator(".view").get_attribute("data-photo"))

    @property
    def scale(self) -> float:
        """Screen pixels a picture pixel."""
        return float(self.page.locator(".view").get_attribute("data-scale"))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def at(self, photo_id: int) -> None:
        """Wait until a photograph is in view."""
        self.page.wait_for_selector(f".view[data-photo='{photo_id}']")

    def saved(self) -> None:
        """Wait until everything said is acknowledged."""
        self.page.wait_for_selector(".save[data-state='saved']", state="attached")

    def on_screen(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the picture lies on the screen."""
        view = self.page.locator(".view")
        at = view.bounding_box()
        left, top = (float(view.get_attribute(f"data-{k}")) for k in ("x", "y"))
        return at["x"] + left + x * self.scale, at["y"] + top + y * self.scale

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        mouse = self.page.mouse
        mouse.move(*self.on_screen(*start))
        mouse.down()
        mouse.move(*self.on_screen((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
        mouse.move(*self.on_screen(*end))
        mouse.up()

    def click(self, x: float, y: float) -> None:
        self.page.mouse.click(*self.on_screen(x, y))


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Desk]]:
    """Open the page in a browser of its own; an error on the page fails the test.

    `may_fail`: requests may, as when a server is killed.
    """
    contexts: list[Any] = []
    wrong: list[str] = []

    def open_(url: str, *, may_fail: bool = False, **options: Any) -> Desk:
        settings: dict[str, Any] = {
            "viewport": {"width": 1400, "height": 900},
            "locale": "en-GB",
            "reduced_motion": "reduce",
        }
        context = browser.new_context(**(settings | options))
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(120_000)

        def told(message: Any) -> None:
            harmless = may_fail and message.text.startswith("Failed to load resource")
            if message.type in ("error", "warning") and not harmless:
                wrong.append(message.text)

        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", told)
        page.goto(url)
        page.wait_for_selector(".view[data-photo]:not([data-photo='']), .empty, .code")
        return Desk(page)

    yield open_
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def table_picture() -> Callable[..., bytes]:
    """Give a picture of a table with a blob in each box, quick to make and to draw."""

    def make(
        seed: int, boxes: list[tuple[float, ...]], size: tuple[int, int] = (640, 480)
    ) -> bytes:
        rng = np.random.default_rng(seed)
        image = np.full((size[1], size[0], 3), rng.integers(90, 200, 3), np.uint8)
        image[:: 16 + seed % 7] -= 12
        for box in boxes:
            x0, y0, x1, y1 = (round(v) for v in box)
            image[max(0, y0) : y1, max(0, x0) : x1] = (231, 160, 150)
        image[0, 0] = (seed % 256, seed // 256 % 256, 7)
        out = io.BytesIO()
        Image.fromarray(image).save(out, "PNG")
        return out.getvalue()

    return make


@pytest.fixture(scope="session")
def propose() -> Callable[..., Proposal]:
    """Give a proposal of pigs `(box, pose)` and a contact."""

    def make(
        pigs: list[tuple[tuple[float, float, float, float], str]],
        contact: str | None = None,
        sure: float = 0.9,
    ) -> Proposal:
        def spread(label: str, classes: tuple[str, ...]) -> dict[str, float]:
            rest = (1 - sure) / (len(classes) - 1)
            return {c: sure if c == label else rest for c in classes}

        evidence = None if contact is None else ContactEvidence(spread(contact, CONTACT_CLASSES))
        found = tuple(PigDetection(b, 0.95, spread(p, POSE_CLASSES)) for b, p in pigs)
        return Proposal("test-model", found, evidence)

    return make


@pytest.fixture
def make_set(
    tmp_path: Path, table_picture: Callable[..., bytes]
) -> Callable[..., tuple[Path, list[int]]]:
    """Give a folder with `n` photographs, and their ids."""

    def make(n: int, name: str = "pigs", **more: Any) -> tuple[Path, list[int]]:
        folder = tmp_path / name
        folder.mkdir()
        with PhotoSet.open(folder) as photos:
            ids = [
                arrivals.add(
                    photos, table_picture(i, [(100, 100, 160, 140)], **more), f"p{i:03}.png"
                )[0].id
                for i in range(n)
            ]
        return folder, ids

    return make


@pytest.fixture
def labels_of() -> Callable[[Path, int], Labels]:
    """Read a photograph's labels from the disk."""

    def read(folder: Path, photo_id: int) -> Labels:
        with PhotoSet.open(folder) as photos:
            labels = photos.photo(photo_id).labels
        assert labels is not None
        return labels

    return read
