"""The real page on a real server, cameras that see what a test says, and a real browser."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from scoring.rulefile import load_rules
from scoring.store import Store
from tests.web.screen import NOTES_STAY, SIZES, Screen
from vision.capture.frame import Frame
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)
from vision.table.reader import Reader
from vision.table.state import ThrowSeen
from vision.web.app import create_app
from vision.web.camera import Feed
from vision.web.guard import Limits
from vision.web.place import Place, keep_fresh, make_place
from vision.web.sights import take_sight

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
]
# A busy machine takes its time; what never comes fails all the same.
PATIENCE_S = 120
# Tests act quicker than people; the guard's own tests set limits of their own.
FREELY = Limits(writes=(10_000, 10_000), guesses=(5, 0.0), all_guesses=(1000, 1000))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, with a camera that shows a test picture; one for all browser tests."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not Path(CHROMIUM).exists():
        pytest.skip("there is no Chromium here (Debian: apt-get install chromium)")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=180_000)
        yield chromium
        chromium.close()


def sure(label: str, classes: Sequence[str], chance: float = 0.98) -> dict[str, float]:
    """Probabilities with one likely class, the rest shared by the others."""
    rest = (1.0 - chance) / (len(classes) - 1)
    return {c: chance if c == label else rest for c in classes}


def make_reading(
    poses: tuple[str, str],
    contact: str = "apart",
    *,
    ask: bool = False,
    second: Mapping[str, float] | None = None,
    touch: Mapping[str, float] | None = None,
    gap_mm: float | None = 4.0,
    reason: str = "as the test says",
) -> Reading:
    """A reading of two pigs; `second` and `touch` replace the sure probabilities."""
    pigs = (
        PigDetection((100, 100, 160, 150), 0.95, sure(poses[0], POSE_CLASSES)),
        PigDetection((200, 120, 260, 175), 0.95, second or sure(poses[1], POSE_CLASSES)),
    )
    evidence = ContactEvidence(touch or sure(contact, CONTACT_CLASSES), gap_mm)
    decision = Decision.ASK if ask else Decision.ACCEPT
    return Reading(pigs, evidence, decision, reason)


def picture(seed: int = 0, width: int = 640, height: int = 360) -> Frame:
    """A frame of nothing in particular."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(60, 200, (height // 20, width // 20, 3), np.uint8)
    return Frame(np.kron(coarse, np.ones((20, 20, 1), np.uint8)), 0, 0.0, "test")


class NoReader:
    """A recognizer for tests without a camera."""

    def read(self, frames: Sequence[Frame]) -> Reading:
        return Reading((), None, Decision.ASK, "nothing", time_s=frames[-1].time_s)


@dataclass
class House:
    """A running page, and hands to play with."""

    place: Place
    url: str
    http: httpx.Client
    seen: int = field(default=0)

    @property
    def game(self) -> dict[str, Any]:
        found: dict[str, Any] = self.http.get("/api/table").json()["game"]
        return found

    def start(self, *players: str, variant: str = "classic", **options: object) -> dict[str, Any]:
        ledger = self.place.room.ledger
        rules = load_rules(variant, **options)
        expected = None if ledger is None else ledger.game_id
        self.place.room.start(rules, players or ("Anna", "Bo"), expected)
        return self.game

    def act(self, path: str, **body: object) -> httpx.Response:
        game = self.game
        path = f"/api/games/{game['id']}/{path}"
        return self.http.post(path, json={"expected_seq": game["seq"], **body})

    def throw(self, first: str, second: str, contact: str = "apart") -> None:
        """Enter a throw by hand, as another program would."""
        throw = {"poses": [first, second], "contact": contact}
        assert self.act("throws", throw=throw).status_code == 200

    def bank(self) -> None:
        assert self.act("bank").status_code == 200

    def see(self, reading: Reading) -> None:
        """Let the camera see a throw."""
        self.seen += 1
        frame = picture(self.seen)
        self.place.keeper.frame(frame)
        sight = take_sight(frame, reading)
        self.place.room.seen(ThrowSeen(self.seen, float(self.seen), reading), sight)

    @property
    def scores(self) -> dict[str, int]:
        return {p["name"]: p["score"] for p in self.game["players"]}


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Callable[..., House]]:
    """Start pages, each with a database and a thread of its own."""
    closing: list[Callable[[], None]] = []

    def open_(
        reader: Reader | None = None,
        *,
        database: Path | None = None,
        host: str = "127.0.0.1",
        limits: Limits = FREELY,
        bank_at: int | None = None,
        language: str | None = None,
        paced: bool = False,
        feeds: Mapping[str, Callable[[], Feed]] | None = None,
    ) -> House:
        number = len(closing)
        store = Store(database or tmp_path / f"games{number}.sqlite3", busy_seconds=0.2)
        place = make_place(
            store,
            tmp_path / f"page{number}",
            lambda: reader or NoReader(),
            host=host,
            bank_at=bank_at,
            language=language,
            paced=paced,
            feeds=feeds,
            calibrations=tmp_path / "calibrations.json",
        )
        bound = place.doors.listen()
        ready, loops = threading.Event(), []

        async def serve() -> None:
            loop = asyncio.get_running_loop()
            loops.append(loop)
            place.audience.bind(loop)
            fresh = asyncio.ensure_future(keep_fresh(place.room))
            loop.call_soon(ready.set)
            await place.doors.serve(create_app(place, limits), bound)
            fresh.cancel()
            place.audience.bind(None)

        thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
        thread.start()
        assert ready.wait(PATIENCE_S)
        http = httpx.Client(base_url=place.doors.local_url, timeout=PATIENCE_S)

        def close() -> None:
            http.close()
            place.cameras.close()
            place.keeper.close()
            asyncio.run_coroutine_threadsafe(place.doors.close(), loops[0])
            thread.join(PATIENCE_S)
            store.close()

        closing.append(close)
        return House(place, place.doors.local_url, http)

    yield open_
    for close in closing:
        close()


@pytest.fixture
def house(open_house: Callable[..., House]) -> House:
    """A page without a camera."""
    return open_house()


@pytest.fixture
def evening(house: House) -> House:
    """A page with a game in full swing: throws of both kinds, a bank, a call to make."""
    house.start("Anna", "Bo", "Carl", hog_call="seed", target=200)
    house.throw("snouter", "snouter")
    house.bank()
    house.see(make_reading(("trotter", "razorback")))
    house.bank()
    house.throw("dot_up", "dot_down")
    house.see(make_reading(("leaning_jowler", "dot_up")))
    return house


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Screen]]:
    """Open the page in a window of its own; an error on it fails the test."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def open_(
        url: str,
        place: str = "",
        *,
        size: str | tuple[int, int] = "laptop",
        locale: str = "en-GB",
        may_fail: bool = False,
        **options: Any,
    ) -> Screen:
        width, height = SIZES[size] if isinstance(size, str) else size
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=locale,
            reduced_motion="reduce",
            ignore_https_errors=True,
            **options,
        )
        contexts.append(context)
        context.add_init_script(NOTES_STAY)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE_S)

        def told(message: Any) -> None:
            harmless = (
                may_fail and "Failed to load" in message.text
            ) or "WebSocket" in message.text
            if message.type in ("error", "warning") and not harmless:
                wrong.append(message.text)

        page.on("console", told)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"{url}#/{place}")
        page.wait_for_selector("html[data-ready]")
        page.wait_for_selector("main")
        return Screen(page)

    yield open_
    for context in contexts:
        context.close()
    assert not wrong, wrong


@pytest.fixture(scope="session")
def axe() -> Callable[[Any], list[str]]:
    """Ask axe what is serious or critical on a page."""
    script = (Path(__file__).parent / "assets" / "axe.min.js").read_text(encoding="utf-8")

    def findings(page: Any) -> list[str]:
        page.evaluate(script)
        found = page.evaluate(
            """async () => { const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa',
                'best-practice'];
            const wishes = {resultTypes: ['violations'], runOnly: {type: 'tag', values: tags}};
            return (await axe.run(document, wishes)).violations
                .filter(v => ['serious', 'critical'].includes(v.impact))
                .map(v => `${v.id}: ${v.help}: ${v.nodes.map(n => n.target).join(' | ')}`) }"""
        )
        return list(found)

    return findings


@pytest.fixture
def reading() -> Callable[..., Reading]:
    """Make a reading of two pigs."""
    return make_reading
