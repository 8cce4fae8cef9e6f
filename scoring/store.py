"""Where games are kept: an event log in SQLite, or in PostgreSQL by URL.

Rows are only ever added. An append says which event it believes to be the last one; it is
committed to the disk before it returns, or it changed nothing.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from scoring.codec import decode, encode
from scoring.errors import ConflictError, LogError, StoreError, UnknownGameError
from scoring.events import Event
from scoring.game import replay
from scoring.record import Record
from scoring.state import GameState

ENVIRONMENT = "SOOEE_DATABASE"
BUSY_SECONDS = 15.0
_SCHEMA = 1

_metadata = sa.MetaData()
_games = sa.Table(
    "sooee_games",
    _metadata,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("created_at", sa.String(40), nullable=False, index=True),
    sa.Column("schema", sa.Integer, nullable=False),
)
_events = sa.Table(
    "sooee_events",
    _metadata,
    sa.Column("game_id", sa.String(64), sa.ForeignKey("sooee_games.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.String(40), nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sqlite_with_rowid=False,  # one tree instead of two: half as many pages to sync a commit
)
# Which game was begun after which: clocks are set back, numbers only grow. A table of its own,
# because tables are made where they are missing and never changed; a game without a number was
# begun before there were any.
_order = sa.Table(
    "sooee_order",
    _metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("game_id", sa.String(64), sa.ForeignKey("sooee_games.id"), unique=True),
)
# Built once: SQLAlchemy then finds their text in its cache without walking through them.
_LAST = sa.select(sa.func.max(_events.c.seq)).where(_events.c.game_id == sa.bindparam("game"))
_LOCK = sa.select(_games.c.id).where(_games.c.id == sa.bindparam("game")).with_for_update()
_APPEND = sa.insert(_events)


@dataclass(frozen=True, slots=True)
class GameInfo:
    """One game of a store: its name there, when it began (UTC, ISO 8601), its last event."""

    id: str
    created_at: str
    seq: int


def default_database() -> str:
    """Return where games are kept unless told otherwise: `SOOEE_DATABASE`, or the user's data."""
    chosen = os.environ.get(ENVIRONMENT, "").strip()
    if chosen:
        return chosen
    import platformdirs  # noqa: PLC0415  # only where no place was named

    return str(Path(platformdirs.user_data_dir("sooee", appauthor=False)) / "games.sqlite3")


class Store:
    """A collection of game logs; safe to use from several threads and processes at once.

    `place` is the path of an SQLite file, made when missing, or a database URL
    (`postgresql://user@host/name`, `sqlite:///path`); None is `default_database()`.
    `busy_seconds` is how long a writer waits for another one before it gives up.
    """

    def __init__(
        self, place: str | Path | None = None, *, busy_seconds: float = BUSY_SECONDS
    ) -> None:
        self.url = _url(default_database() if place is None else place)
        self._engine = _engine(self.url, busy_seconds)
        try:
            with self._told("open"):
                self._create_tables()
        except StoreError:
            self.close()
            raise

    def create(self, events: Sequence[Event], game_id: str | None = None) -> str:
        """Add a new game with its first events; returns its name, made up unless given."""
        name = game_id or uuid.uuid4().hex
        if not events:
            raise LogError("a game is stored with its first event, got none")
        row = {"id": name, "created_at": _now(), "schema": _SCHEMA}
        with self._told("write"), self._writing() as connection:
            try:
                connection.execute(sa.insert(_games).values(row))
            except IntegrityError as error:
                connection.rollback()
                raise ConflictError(name, 0, self._last(connection, name)) from error
            connection.execute(sa.insert(_order).values(game_id=name))
            _insert(connection, name, 0, events)
            connection.commit()
        return name

    def append(self, game_id: str, expected_seq: int, events: Sequence[Event]) -> int:
        """Add events after event `expected_seq`, all or none; returns the new last number.

        They are on the disk when this returns. `ConflictError` when the log has moved on.
        """
        with self._told("write"), self._writing() as connection:
            self._lock(connection, game_id)
            actual = self._last(connection, game_id)
            if not actual:
                raise _unknown(game_id)
            if actual != expected_seq:
                raise ConflictError(game_id, expected_seq, actual)
            _insert(connection, game_id, expected_seq, events)
            connection.commit()
        return expected_seq + len(events)

    def records(self, game_id: str, after: int = 0) -> tuple[Record, ...]:
        """Return the log of a game after event `after`, checked for gaps and duplicates."""
        query = (
            sa.select(_events.c.seq, _events.c.at, _events.c.body)
            .where(_events.c.game_id == game_id, _events.c.seq > after)
            .order_by(_events.c.seq)
        )
        with self._told("read"), self._engine.connect() as connection:
            rows = connection.execute(query).all()
            if not rows and not self._last(connection, game_id):
                raise _unknown(game_id)
        return _checked(game_id, rows, after)

    def events(self, game_id: str, after: int = 0) -> tuple[Event, ...]:
        """Return the events of a game after event `after`."""
        return tuple(record.event for record in self.records(game_id, after))

    def state(self, game_id: str) -> GameState:
        """Return the game as it stands."""
        return replay(self.events(game_id))

    def games(self, limit: int | None = None, offset: int = 0) -> tuple[GameInfo, ...]:
        """List games, the one begun last first."""
        last = sa.func.max(_events.c.seq)
        query = (
            sa.select(_games.c.id, _games.c.created_at, last)
            .join(_events, _events.c.game_id == _games.c.id)
            .outerjoin(_order, _order.c.game_id == _games.c.id)
            .group_by(_games.c.id, _games.c.created_at, _order.c.number)
            .order_by(_order.c.number.desc().nulls_last(), _games.c.created_at.desc(), _games.c.id)
            .limit(limit)
            .offset(offset)
        )
        with self._told("read"), self._engine.connect() as connection:
            return tuple(GameInfo(*row) for row in connection.execute(query))

    def find(self, prefix: str) -> str:
        """Return the full name of the one game that begins so; `latest` is that begun last."""
        if prefix == "latest":
            newest = self.games(limit=1)
            if not newest:
                raise UnknownGameError("there is no game in the store yet")
            return newest[0].id
        query = sa.select(_games.c.id).where(_games.c.id.startswith(prefix, autoescape=True))
        with self._told("read"), self._engine.connect() as connection:
            names = list(connection.execute(query.limit(2)).scalars())
        if len(names) != 1 or not prefix:
            if not names:
                raise _unknown(prefix)
            raise UnknownGameError(f"more than one game begins with {prefix!r}; give more of it")
        return str(names[0])

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _last(self, connection: sa.Connection, game_id: str) -> int:
        return connection.execute(_LAST, {"game": game_id}).scalar() or 0

    def _lock(self, connection: sa.Connection, game_id: str) -> None:
        """Let no other writer of this game in between; SQLite's transaction does so already."""
        if self._engine.dialect.name != "sqlite":
            connection.execute(_LOCK, {"game": game_id})

    def _create_tables(self) -> None:
        try:
            _metadata.create_all(self._engine)
        except DBAPIError:
            # Two programs opened a new database at once; the other one has made the tables.
            _metadata.create_all(self._engine)

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """Give a connection in a write transaction; leaving without commit changes nothing."""
        with self._engine.connect() as connection:
            if self._engine.dialect.name == "sqlite":
                # Take the write lock first: upgrading a read later could fail half way.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def _told(self, verb: str) -> Iterator[None]:
        """Turn the database's own errors into one line that says what to do."""
        try:
            yield
        except DBAPIError as error:
            raise StoreError(_line(verb, self.url, str(error.orig))) from error
        except SQLAlchemyError as error:
            raise StoreError(_line(verb, self.url, str(error))) from error


def _insert(connection: sa.Connection, game_id: str, after: int, events: Sequence[Event]) -> None:
    at = _now()
    rows = [
        {"game_id": game_id, "seq": seq, "at": at, "body": encode(event)}
        for seq, event in enumerate(events, start=after + 1)
    ]
    if rows:
        connection.execute(_APPEND, rows)


def _checked(game_id: str, rows: Sequence[Any], after: int) -> tuple[Record, ...]:
    records = []
    for expected, (seq, at, body) in enumerate(rows, start=after + 1):
        if seq != expected:
            raise LogError(f"the log of game {game_id} has a gap: expected {expected}, got {seq}")
        try:
            records.append(Record(seq, at, decode(body)))
        except LogError as error:
            raise LogError(f"game {game_id}, event {seq}: {error}") from error
    return tuple(records)


def _unknown(game_id: str) -> UnknownGameError:
    return UnknownGameError(f"there is no game {game_id!r} in the store; `sooee games` lists them")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _url(place: str | Path) -> sa.URL:
    text = str(place)
    if "://" not in text:
        return sa.URL.create("sqlite", database=str(Path(text).expanduser()))
    try:
        url = sa.make_url(text)
    except SQLAlchemyError as error:
        raise StoreError(f"not a database URL: {error}") from error
    if url.drivername in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(f"games are kept in SQLite or PostgreSQL, got {url.drivername}")
    return url


def _engine(url: sa.URL, busy_seconds: float) -> sa.Engine:
    if url.get_backend_name() != "sqlite":
        try:
            return sa.create_engine(url, pool_pre_ping=True)
        except (ModuleNotFoundError, SQLAlchemyError) as error:
            raise StoreError(
                f"PostgreSQL needs one more package: pip install 'sooee[postgres]' ({error})"
            ) from error
    if url.database and not url.database.startswith("file:"):
        try:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot make the folder for {url.database}: {error}") from error
    engine = sa.create_engine(url, connect_args={"timeout": busy_seconds})
    sa.event.listen(engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    """Full durability: a commit returns when the log of changes is on the disk."""
    connection.isolation_level = None  # transactions begin where this module begins them
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _line(verb: str, url: sa.URL, cause: str) -> str:
    place = url.database if url.get_backend_name() == "sqlite" else url.render_as_string()
    reason = cause.strip().splitlines()[0] if cause.strip() else "no reason given"
    advice = {
        "locked": "another program holds it; close that one or try again",
        "readonly": "it may not be written to; check its permissions or choose another place",
        "unable to open": "check that the folder exists and may be written to",
        "not a database": "it is not a game database; move it away or choose another place",
        "malformed": "it is damaged; move it away, or restore a copy",
        "disk is full": "make room on the disk",
    }
    hints = (hint for word, hint in advice.items() if word in reason)
    hint = next(hints, "check the place given by --database or SOOEE_DATABASE")
    return f"cannot {verb} the game database {place}: {reason}; {hint}"


__all__ = ["BUSY_SECONDS", "ENVIRONMENT", "GameInfo", "Record", "Store", "default_database"]
