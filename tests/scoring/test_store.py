"""The store loses nothing, doubles nothing, and says in one line what is wrong.

PostgreSQL joins in where SOOEE_TEST_POSTGRES_URL names a database that may be written to.
"""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from scoring import store as store_module
from scoring.commands import MakeThrow, StartGame
from scoring.errors import ConflictError, LogError, StoreError, UnknownGameError
from scoring.events import Banked, Event, PlayerRenamed, ThrowMade
from scoring.game import apply, decide, replay
from scoring.ledger import Ledger, News
from scoring.notation import parse_throw
from scoring.rulefile import load_rules
from scoring.store import ENVIRONMENT, Store, default_database

POSTGRES = os.environ.get("SOOEE_TEST_POSTGRES_URL", "")
FIVE = parse_throw("trotter dot_up")
START = decide(None, StartGame(load_rules(target=None), ("Anna", "Bo")))
TURN: tuple[Event, ...] = (ThrowMade(0, FIVE), Banked(0))


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "games.sqlite3")
        return
    if not POSTGRES:
        pytest.skip("SOOEE_TEST_POSTGRES_URL is not set; `make test-postgres` sets it")
    # A schema of its own, so that nobody's games are in the way or in danger.
    schema = f"sooee_test_{uuid.uuid4().hex}"
    url = sa.make_url(POSTGRES).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE SCHEMA {schema}"))
        own = url.update_query_dict({"options": f"-csearch_path={schema}"})
        yield own.render_as_string(hide_password=False)
        connection.execute(sa.text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


def test_what_is_appended_is_there(place: str) -> None:
    with Store(place) as store:
        game = store.create(START)
        assert store.append(game, 1, TURN) == 3
        assert store.append(game, 3, [ThrowMade(1, FIVE)]) == 4
        assert store.append(game, 4, []) == 4
    with Store(place) as store:
        assert store.events(game) == (*START, *TURN, ThrowMade(1, FIVE))
        assert store.events(game, after=3) == (ThrowMade(1, FIVE),)
        assert store.events(game, after=4) == ()
        assert [r.seq for r in store.records(game)] == [1, 2, 3, 4]
        assert all(re.fullmatch(r"\d{4}-.*\+00:00", r.at) for r in store.records(game))
        assert store.state(game) == replay(store.events(game))


def test_who_comes_second_gets_a_conflict(place: str) -> None:
    with Store(place) as store, Store(place) as other:
        game = store.create(START)
        other.append(game, 1, TURN)
        for expected in (0, 1, 2, 4):
            with pytest.raises(ConflictError) as caught:
                store.append(game, expected, TURN)
            assert (caught.value.expected, caught.value.actual) == (expected, 3)
            assert caught.value.game_id == game
        assert "expected event 4 to be the last, but it is 3" in str(caught.value)
        assert store.events(game) == (*START, *TURN)


def test_games_are_listed_the_newest_first(place: str) -> None:
    with Store(place) as store:
        assert store.games() == ()
        first = store.create(START, "alpha")
        time.sleep(0.01)
        second = store.create([*START, *TURN], "beta")
        assert [(g.id, g.seq) for g in store.games()] == [(second, 3), (first, 1)]
        assert [g.id for g in store.games(limit=1)] == [second]
        assert [g.id for g in store.games(limit=1, offset=1)] == [first]
        assert store.games()[0].created_at > store.games()[1].created_at


def test_games_are_found_by_the_start_of_their_name(place: str) -> None:
    with Store(place) as store:
        with pytest.raises(UnknownGameError, match="there is no game in the store yet"):
            store.find("latest")
        store.create(START, "abc1")
        time.sleep(0.01)
        store.create(START, "abd2")
        assert store.find("abc") == "abc1"
        assert store.find("abd2") == "abd2"
        assert store.find("latest") == "abd2"
        with pytest.raises(UnknownGameError, match="more than one game begins with 'ab'"):
            store.find("ab")
        with pytest.raises(UnknownGameError, match="there is no game '%' in the store"):
            store.find("%")
        with pytest.raises(UnknownGameError, match="more than one game begins with ''"):
            store.find("")


def test_games_that_are_not_there(place: str) -> None:
    with Store(place) as store:
        with pytest.raises(UnknownGameError, match="no game 'x' in the store; `sooee games` lists"):
            store.append("x", 0, TURN)
        with pytest.raises(UnknownGameError, match="no game 'x'"):
            store.state("x")
        with pytest.raises(LogError, match="a game is stored with its first event, got none"):
            store.create([])
        name = store.create(START)
        with pytest.raises(ConflictError, match="expected event 0 to be the last, but it is 1"):
            store.create(START, name)


APPENDER = """
import sys
from scoring.errors import ConflictError
from scoring.events import PlayerRenamed
from scoring.store import Store
place, game, who, events, batch = sys.argv[1:4] + [int(n) for n in sys.argv[4:6]]
with Store(place, busy_seconds=120) as store:
    print("ready", flush=True)
    sys.stdin.readline()
    seq = store.records(game)[-1].seq
    done = 0
    while done < events:
        mine = [PlayerRenamed(0, f"{who} {n}") for n in range(done, done + batch)]
        try:
            seq = store.append(game, seq, mine)
            done += batch
        except ConflictError as conflict:
            seq = conflict.actual
"""


@pytest.mark.slow
def test_two_processes_lose_and_double_nothing(place: str) -> None:
    with Store(place) as store:
        game = store.create(START)
        programs = [
            subprocess.Popen(
                [sys.executable, "-c", APPENDER, place, game, who, "1000", "10"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for who in ("x", "y")
        ]
        for program in programs:
            assert program.stdout is not None
            assert program.stdout.readline() == "ready\n"
        for program in programs:
            assert program.stdin is not None
            program.stdin.write("go\n")
            program.stdin.flush()
        for program in programs:
            program.communicate()
            assert program.returncode == 0
        names = [e.name for e in store.events(game) if isinstance(e, PlayerRenamed)]
        for who in ("x", "y"):
            mine = [n for n in names if n.startswith(who)]
            assert mine == [f"{who} {n}" for n in range(1000)]
        assert len(names) == 2000
        assert replay(store.events(game)).seq == 2001


PLAYER = """
import sys
from scoring.commands import Bank, MakeThrow
from scoring.ledger import Ledger
from scoring.notation import parse_throw
from scoring.rulefile import load_rules
from scoring.store import Store
store = Store(sys.argv[1])
game = Ledger.start(store, load_rules(target=None), ["Anna", "Bo"])
print(game.game_id, flush=True)
def announce(news):
    after = news.after
    print(after.seq, [p.score for p in after.players], after.turn_points, flush=True)
game.subscribe(announce)
while True:
    game.act(MakeThrow(parse_throw("trotter dot_up")))
    game.act(MakeThrow(parse_throw("snouter dot_up")))
    game.act(Bank())
"""


@pytest.mark.slow
@pytest.mark.parametrize("announced", [1, 7, 40])
def test_kill_9_loses_nothing_that_was_announced(place: str, announced: int) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PLAYER, place], stdout=subprocess.PIPE, text=True
    )
    with program:
        assert program.stdout is not None
        game = program.stdout.readline().strip()
        heard = [program.stdout.readline() for _ in range(announced)]
        program.kill()
        heard += program.stdout.read().splitlines(keepends=True)
    complete = [line for line in heard if line.endswith("\n")]
    assert len(complete) >= announced
    with Store(place) as store:
        events = store.events(game)
        state = None
        stories = []
        for event in events:
            state = apply(state, event)
            pads = [p.score for p in state.players]
            stories.append(f"{state.seq} {pads} {state.turn_points}\n")
        assert stories[1 : len(complete) + 1] == complete
        assert len(stories) - 1 - len(complete) <= 1  # one may be committed and not yet said
        Ledger(store, game).act(MakeThrow(FIVE))  # and the game goes on


# SQLite's own troubles


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


# A ledger


def test_two_ledgers_keep_one_game(place: str) -> None:
    with Store(place) as store:
        camera = Ledger.start(store, load_rules(), ["Anna", "Bo"])
        phone = Ledger(store, camera.game_id)
        heard: list[News] = []
        stop = phone.subscribe(heard.append)
        camera.act(MakeThrow(FIVE))
        with pytest.raises(ConflictError):
            phone.act(MakeThrow(FIVE))
        assert phone.state == camera.state  # the conflict brought the game up to date
        assert [n.events for n in heard] == [(ThrowMade(0, FIVE),)]
        assert (heard[0].before.seq, heard[0].after.seq, heard[0].game_id) == (1, 2, camera.game_id)
        phone.act(MakeThrow(FIVE))
        assert camera.refresh().turn_points == 10
        assert camera.refresh() is camera.state
        with pytest.raises(ConflictError, match="expected event 2 to be the last, but it is 3"):
            camera.act(MakeThrow(FIVE), expected_seq=2)
        stop()
        stop()
        phone.act(MakeThrow(FIVE), expected_seq=3)
        assert len(heard) == 2
        assert camera.act(MakeThrow(FIVE), expected_seq=4).turn_points == 20
        assert store.state(camera.game_id) == camera.state


def test_a_refusal_stores_nothing(place: str) -> None:
    with Store(place) as store:
        game = Ledger.start(store, load_rules(), ["Anna", "Bo"])
        heard: list[News] = []
        game.subscribe(heard.append)
        before = game.state
        with pytest.raises(Exception, match="not Bo's"):
            game.act(MakeThrow(FIVE, player=1))
        assert game.state is before
        assert heard == []
        assert store.games()[0].seq == 1
