"""A log that a newer program has written to: said on the page, and tried again."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from scoring.store import Store
from vision.web import place
from vision.web.place import keep_fresh
from vision.web.room import Room

NEWER = '{"v":99,"type":"pig_flew"}'


def shown(room: Room) -> Any:
    """What the page shows now; a fresh look each time."""
    return room.view


def change(store: Store, sql: str, *values: object) -> None:
    path = store.url.database
    assert path is not None
    with sqlite3.connect(path) as connection:
        connection.execute(sql, values)
    connection.close()


@pytest.fixture
def newer(room: Room, store: Store) -> str:
    """An event of a newer program stands in the log; the game's name."""
    assert shown(room).game is not None
    game = str(shown(room).game.id)
    change(store, "INSERT INTO sooee_events VALUES (?, 2, '2026', ?)", game, NEWER)
    return game


def test_it_is_said_and_what_is_seen_is_kept(
    room: Room, store: Store, see: Any, newer: str
) -> None:
    see("trotter", "snouter")
    assert shown(room).trouble is not None
    assert "please update it" in shown(room).trouble
    room.bank_by_hand()
    room.refresh()
    assert shown(room).trouble is not None
    change(store, "DELETE FROM sooee_events WHERE game_id = ? AND seq = 2", newer)
    room.refresh()
    assert shown(room).trouble is None
    assert shown(room).game is not None
    assert shown(room).game.turn_points == 15


def test_the_page_goes_on_trying(room: Room, newer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "_REFRESH_S", 0.01)
    tried = 0

    async def try_on() -> bool:
        nonlocal tried
        refresh = room.refresh

        def counted() -> None:
            nonlocal tried
            tried += 1
            refresh()

        monkeypatch.setattr(room, "refresh", counted)
        fresh = asyncio.ensure_future(keep_fresh(room))
        while tried < 3 and not fresh.done():
            await asyncio.sleep(0.01)
        ended = fresh.done()
        fresh.cancel()
        await asyncio.gather(fresh, return_exceptions=True)
        return ended

    # A browser of other tests has a loop running in this thread.
    with ThreadPoolExecutor(1) as pool:
        assert not pool.submit(lambda: asyncio.run(try_on())).result()
    assert shown(room).trouble is not None
