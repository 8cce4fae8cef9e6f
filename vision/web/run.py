"""Run the page until somebody ends it."""

from __future__ import annotations

import asyncio
import signal
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scoring.rulefile import load_rules
from scoring.store import Store
from vision.table.evidence import default_folder
from vision.table.reader import Reader
from vision.web.app import create_app
from vision.web.cameras import DEMO, OFF, found_cameras
from vision.web.errors import PageError
from vision.web.place import Place, keep_fresh, make_place
from vision.web.settings import Settings

_DEMO_PLAYERS = ("Anna", "Bo")


@dataclass(frozen=True, slots=True)
class Wishes:
    """What `sooee play` was asked for."""

    camera: str | None = None
    host: str = "127.0.0.1"
    port: int = 0
    lan: bool = False
    public_url: str | None = None
    database: str | None = None
    data: Path | None = None
    language: str | None = None
    models: Path | None = None
    profile: str = "active"
    bank_at: int | None = None
    fresh: bool = False
    browser: bool | None = None


def run(wishes: Wishes, say: Callable[[str], None]) -> None:
    """Serve the page until Ctrl+C; errors before that are `VisionError` or `ScoringError`."""
    with Store(wishes.database) as store:
        place = make_place(
            store,
            wishes.data or _data_folder(),
            lambda: _reader(place, wishes.models, wishes.profile),
            evidence=default_folder(),
            host=wishes.host,
            port=wishes.port,
            bank_at=wishes.bank_at,
            language=wishes.language,
            public_url=wishes.public_url,
        )
        if wishes.language and wishes.language not in place.assets.languages:
            known = ", ".join(place.assets.languages)
            raise PageError(f"there is no language {wishes.language!r}; there are {known}")
        source = _camera(wishes, place)
        if source == DEMO:
            place.room.start(load_rules("classic"), _DEMO_PLAYERS, None)
        elif not wishes.fresh:
            place.room.resume()
        asyncio.run(_serve(place, source, wishes, say))


async def _serve(place: Place, source: str, wishes: Wishes, say: Callable[[str], None]) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows: KeyboardInterrupt ends the loop instead
            loop.add_signal_handler(number, ended.set)
    bound = place.doors.listen()
    place.audience.bind(loop)
    serving = asyncio.ensure_future(place.doors.serve(create_app(place), bound))
    jobs = [serving, asyncio.ensure_future(keep_fresh(place.room))]
    try:
        await asyncio.to_thread(place.cameras.choose, source)
        if wishes.lan:
            await place.doors.open_lan()
        say(f"The page is at {place.doors.local_url}  (Ctrl+C ends it)")
        for url in place.doors.lan_urls:
            say(f"Phones join at {url} with the code {place.membership.code}")
        if wishes.browser or (wishes.browser is None and sys.stdout.isatty()):
            await asyncio.to_thread(webbrowser.open, place.doors.local_url)
        waiting = asyncio.ensure_future(ended.wait())
        await asyncio.wait([waiting, serving], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
    finally:
        await asyncio.to_thread(place.cameras.close)
        await asyncio.to_thread(place.keeper.close)
        await place.doors.close()
        place.audience.bind(None)
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)


def _camera(wishes: Wishes, place: Place) -> str:
    """Return the camera wished for, the one chosen last, the first there is, or none."""
    chosen = wishes.camera or place.settings.now.camera
    if chosen is not None:
        return chosen
    there = found_cameras()
    return there[0].source if there else OFF


def _reader(place: Place, models: Path | None, profile: str) -> Reader:
    from vision.recognize.decide import Policy
    from vision.recognize.manifest import load_manifest
    from vision.recognize.profile import load_taught

    def policy(settings: Settings) -> Policy:
        return Policy(contact_automatic=settings.contact_automatic)

    recognizer, _ = load_taught(models, policy(place.settings.now), profile)
    place.keeper.models({str(m.role): m.sha256 for m in load_manifest(models).models})

    def changed(settings: Settings) -> None:
        recognizer.policy = policy(settings)

    place.settings.subscribe(changed)
    return recognizer


def _data_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("sooee", appauthor=False)) / "page"
