"""A room of a real store, a camera that sees what a test says, a program that holds the disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from scoring.rulefile import load_rules
from scoring.store import Store
from vision.table.state import ThrowSeen
from vision.web.room import Room
from vision.web.sights import Sight

NOTHING = Sight({}, ())


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.sqlite3", busy_seconds=0.05) as opened:
        yield opened


@pytest.fixture
def room(store: Store) -> Room:
    """A room with a game of two."""
    made = Room(store)
    made.start(load_rules("classic"), ("Anna", "Bo"), None)
    return made


@pytest.fixture
def see(room: Room, reading: Callable[..., Any]) -> Callable[..., None]:
    """Let the camera see a throw."""

    def look(*poses: str, **more: Any) -> None:
        room.seen(ThrowSeen(1, 1.0, reading(poses, **more)), NOTHING)

    return look


@pytest.fixture
def held(store: Store) -> Callable[[], AbstractContextManager[None]]:
    """Hold the database as another program does that writes for long."""

    @contextmanager
    def hold() -> Iterator[None]:
        path = store.url.database
        assert path is not None
        locking = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        locking.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            locking.execute("ROLLBACK")
            locking.close()

    return hold
