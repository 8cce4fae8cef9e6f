"""SQLite's own troubles, and servers that are not there: one clear line, nothing lost."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from scoring import store as store_module
from scoring.commands import StartGame
from scoring.errors import LogError, StoreError
from scoring.events import Banked, Event, ThrowMade
from scoring.game import decide
from scoring.notation import parse_throw
from scoring.rulefile import load_rules
from scoring.store import ENVIRONMENT, Store, default_database

FIVE = parse_throw("trotter dot_up")
START = decide(None, StartGame(load_rules(target=None), ("Anna", "Bo")))
TURN: tuple[Event, ...] = (ThrowMade(0, FIVE), Banked(0))


def test_the_default_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    assert Path(default_database()).name == "games.sqlite3"
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "new" / "mine.db"))
    with Store() as store:
        store.create(START)
    assert (tmp_path / "new" / "mine.db").is_file()
    monkeypatch.setenv(ENVIRONMENT, f"sqlite:///{tmp_path / 'url.db'}")
    Store().close()
    assert (tmp_path / "url.db").is_file()


def one_line(error: StoreError) -> str:
    text = str(error)
    assert "\n" not in text
    assert "Traceback" not in text
    return text


def test_a_locked_database(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Store(path, busy_seconds=0.05) as store:
        game = store.create(START)
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError) as caught:
            store.append(game, 1, TURN)
        assert "database is locked; another program holds it; close that one or try" in one_line(
            caught.value
        )
        assert store.events(game) == START  # reading goes on
        blocker.execute("ROLLBACK")
        blocker.close()
        assert store.append(game, 1, TURN) == 3


def test_a_database_that_may_not_be_written(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        game = store.create(START)
    with Store(f"sqlite:///file:{path}?mode=ro&uri=true") as store:
        assert store.events(game) == START
        with pytest.raises(StoreError) as caught:
            store.append(game, 1, TURN)
        assert "readonly database; it may not be written to; check its perm" in one_line(
            caught.value
        )


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare = store_module._prepare_sqlite

    def small(connection: Any, record: object) -> None:
        prepare(connection, record)
        connection.execute("PRAGMA max_page_count=10")

    monkeypatch.setattr(store_module, "_prepare_sqlite", small)
    with Store(tmp_path / "games.sqlite3") as store:
        game = store.create(START)
        with pytest.raises(StoreError) as caught:
            store.append(game, 1, TURN * 2000)
        assert "database or disk is full; make room on the disk" in one_line(caught.value)
        assert store.events(game) == START
        assert store.append(game, 1, TURN) == 3


def test_a_place_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot make the folder for"):
        Store(tmp_path / "file" / "games.sqlite3")
    with pytest.raises(StoreError, match="unable to open database file; check that the folder"):
        Store(tmp_path)


@pytest.mark.parametrize("size", [100, 5000])
def test_a_file_that_is_no_database(tmp_path: Path, size: int) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_bytes(b"oink" * size)
    with pytest.raises(StoreError) as caught:
        Store(path)
    assert "file is not a database; it is not a game database; move it away" in one_line(
        caught.value
    )
    assert path.read_bytes() == b"oink" * size


def test_a_damaged_database(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        game = store.create([*START, *TURN * 200])
    data = bytearray(path.read_bytes())
    assert len(data) > 20_000
    data[8192:] = b"\xff" * (len(data) - 8192)
    path.write_bytes(data)
    with pytest.raises(StoreError) as caught, Store(path) as store:
        store.events(game)
    assert "it is damaged; move it away, or restore a copy" in one_line(caught.value)


def test_two_programs_make_a_new_database_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    create = store_module._metadata.create_all

    def beaten(engine: sa.Engine) -> None:
        create(engine)  # the other program, between this one's look and its making
        monkeypatch.setattr(store_module._metadata, "create_all", create)
        with engine.connect() as connection:
            connection.execute(sa.text("CREATE TABLE sooee_games (id TEXT)"))

    monkeypatch.setattr(store_module._metadata, "create_all", beaten)
    with Store(path) as store:
        assert store.games() == ()


def test_a_database_in_memory() -> None:
    with Store("sqlite://") as store:
        assert store.events(store.create(START)) == START


def test_a_column_that_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE sooee_games (id TEXT)")
    connection.close()
    with pytest.raises(StoreError, match="check the place given by --database or SOOEE_DATABASE"):
        Store(path).games()


def test_a_server_without_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"one more package: pip install 'sooee\[postgres\]'"):
        Store("postgresql://localhost/games")


def test_urls_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="games are kept in SQLite or PostgreSQL, got mysql"):
        Store("mysql://here/games")
    with pytest.raises(StoreError, match="not a database URL"):
        Store("://")


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(StoreError) as caught:
        Store("postgresql://somebody:secret@127.0.0.1:9/games?connect_timeout=2")
    text = one_line(caught.value)
    assert text.startswith("cannot open the game database postgresql+psycopg://somebody:***@")
    assert "secret" not in text


def test_a_log_with_a_gap_or_a_broken_line(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        game = store.create([*START, *TURN])
        connection = sqlite3.connect(path)
        connection.execute("UPDATE sooee_events SET body = '{}' WHERE seq = 3")
        connection.commit()
        with pytest.raises(LogError, match=f"game {game}, event 3: an event has a version v"):
            store.events(game)
        connection.execute("DELETE FROM sooee_events WHERE seq = 2")
        connection.commit()
        connection.close()
        with pytest.raises(LogError, match="has a gap: expected 2, got 3"):
            store.events(game)


def test_an_event_cannot_be_stored_twice(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        game = store.create([*START, *TURN])
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(
            "INSERT INTO sooee_events VALUES (?, 2, '', '')",
            (game,),
        )
    connection.close()
