"""Everything one running page consists of, put together in one place."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scoring.store import Store
from vision.table.reader import Reader
from vision.web.assets import Assets
from vision.web.audience import Audience
from vision.web.camera import Feed
from vision.web.cameras import Cameras
from vision.web.doors import Doors
from vision.web.keeper import Keeper
from vision.web.membership import Membership
from vision.web.memory import Memory
from vision.web.pictures import Pictures
from vision.web.room import Room
from vision.web.settings import SettingsFile

_REFRESH_S = 1.0


@dataclass(frozen=True, slots=True)
class Place:
    """The parts of a running page; `language` is the page's unless a viewer chose another."""

    room: Room
    keeper: Keeper
    pictures: Pictures
    settings: SettingsFile
    membership: Membership
    audience: Audience
    cameras: Cameras
    doors: Doors
    assets: Assets
    language: str | None = None


def make_place(
    store: Store,
    folder: Path,
    open_reader: Callable[[], Reader],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    evidence: Path | None = None,
    bank_at: int | None = None,
    language: str | None = None,
    public_url: str | None = None,
    paced: bool = True,
    feeds: Mapping[str, Callable[[], Feed]] | None = None,
    calibrations: Path | None = None,
) -> Place:
    """Put a page together.

    `folder` keeps its settings, secret, certificate and table; `evidence` the pictures of throws.
    """
    settings = SettingsFile(folder / "settings.json")
    keeper = Keeper(evidence or folder / "evidence", on=settings.now.keep_pictures)
    settings.subscribe(lambda now: keeper.switch(on=now.keep_pictures))
    room = Room(store, bank_at=bank_at, keeper=keeper, memory=Memory(folder / "table"))
    pictures = Pictures()
    audience = Audience(room, pictures, settings)
    return Place(
        room=room,
        keeper=keeper,
        pictures=pictures,
        settings=settings,
        membership=Membership(folder / "secret.json"),
        audience=audience,
        cameras=Cameras(
            room,
            pictures,
            settings,
            open_reader,
            has_viewers=lambda: audience.count > 0,
            paced=paced,
            feeds=feeds,
            calibrations=calibrations,
        ),
        doors=Doors(host, port, folder, public_url),
        assets=Assets(),
        language=language,
    )


async def keep_fresh(room: Room) -> None:
    """Take in what other programs do to the game, until cancelled."""
    while True:
        await asyncio.sleep(_REFRESH_S)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.to_thread(room.refresh)
