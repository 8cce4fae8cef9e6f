"""The store loses nothing, doubles nothing, and says in one line what is wrong.

PostgreSQL joins in where SOOEE_TEST_POSTGRES_URL names a database that may be written to.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from scoring import store as store_module
from scoring.commands import MakeThrow, StartGame
from scoring.errors import ConflictError, LogError, UnknownGameError
from scoring.events import Banked, Event, PlayerRenamed, ThrowMade
from scoring.game import apply, decide, replay
from scoring.ledger import Ledger, News
from scoring.notation import parse_throw
from scoring.rulefile import load_rules
from scoring.store import Store

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


def test_a_clock_that_was_set_back_makes_no_game_older(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(place) as store:
        store.create(START, "alpha")
        monkeypatch.setattr(store_module, "_now", lambda: "2020-01-01T00:00:00.000+00:00")
        store.create(START, "beta")
        assert [g.id for g in store.games()] == ["beta", "alpha"]
        assert store.find("latest") == "beta"


def test_games_from_before_they_were_numbered_come_after_the_others(place: str) -> None:
    with Store(place) as store:
        for name in ("alpha", "beta"):
            store.create(START, name)
            time.sleep(0.01)
    engine = sa.create_engine(store.url)
    with engine.begin() as connection:
        connection.execute(sa.text("DROP TABLE sooee_order"))
    engine.dispose()
    with Store(place) as store:
        assert [g.id for g in store.games()] == ["beta", "alpha"]
        store.create(START, "gamma")
        assert [g.id for g in store.games()] == ["gamma", "beta", "alpha"]


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
