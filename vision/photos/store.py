"""The one file beside the pictures in which everything said about them is kept.

It is an SQLite database: a change is on the disk, whole, before it is acknowledged, and a power
cut, a killed program or a full disk leave the last acknowledged state. On a disk of this machine
it has a write-ahead log, which waits for the disk once a save; on a network drive the classic
journal, which waits six times. `docs/decisions/0050-photo-store.md` has the comparison.
"""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vision.errors import VisionError
from vision.photos.drives import is_local

STORE_NAME = "sooee-photos.db"
APPLICATION_ID = 0x50494753  # "PIGS"
_LOG_PAGES = 400  # of the write-ahead log, 1.6 MB: then it is brought into the file


class StoreError(VisionError):
    """The store cannot be read or written; the message says why, nothing acknowledged is lost."""


class StoreFullError(StoreError):
    """The disk has no room for what should be saved."""


_V1 = (
    """
CREATE TABLE photo (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,           -- path in the folder, with forward slashes
    bytes INTEGER NOT NULL,              -- the file's size and time of change, to notice others
    mtime_ns INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    session TEXT NOT NULL,
    camera TEXT NOT NULL,
    origin TEXT NOT NULL,                -- where the picture came from, for people
    added_s REAL NOT NULL,               -- Unix time
    missing INTEGER NOT NULL DEFAULT 0,  -- the file is gone
    labels TEXT,                         -- JSON of Labels; NULL: nobody has begun
    revision INTEGER NOT NULL DEFAULT 0, -- counts changes of labels
    proposal TEXT,                       -- JSON of Proposal
    confidence REAL,                     -- of the proposal
    disagrees INTEGER NOT NULL DEFAULT 0,
    stamp INTEGER NOT NULL DEFAULT 0     -- grows with every change of the row, set-wide
)
""",
    "CREATE INDEX photo_stamp ON photo (stamp)",
    "CREATE INDEX photo_sha256 ON photo (sha256)",
    """
CREATE TRIGGER photo_added AFTER INSERT ON photo BEGIN
    UPDATE photo SET stamp = (SELECT max(stamp) + 1 FROM photo) WHERE id = NEW.id;
END
""",
    """
CREATE TRIGGER photo_changed
AFTER UPDATE OF name, session, camera, missing, labels, proposal ON photo BEGIN
    UPDATE photo SET stamp = (SELECT max(stamp) + 1 FROM photo) WHERE id = NEW.id;
END
""",
    """
CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    photo INTEGER NOT NULL REFERENCES photo (id),
    client TEXT NOT NULL,                -- whose undo this belongs to
    who TEXT NOT NULL,
    time_s REAL NOT NULL,
    before TEXT,
    after TEXT,
    state INTEGER NOT NULL DEFAULT 0     -- 0 done, 1 undone, 2 can be neither any more
)
""",
    "CREATE INDEX change_client ON change (client, state, id)",
)


def _v1(db: sqlite3.Connection) -> None:
    for statement in _V1:
        db.execute(statement)


def _v2(db: sqlite3.Connection) -> None:
    """Keep splits, what they go by, and what pictures look like."""
    db.execute("ALTER TABLE photo ADD COLUMN split TEXT")  # train, val, test
    db.execute("ALTER TABLE photo ADD COLUMN look TEXT")  # perceptual hash, hexadecimal
    db.execute("CREATE TABLE note (key TEXT PRIMARY KEY, value TEXT NOT NULL)")


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_v1, _v2)
"""Step n brings a store of version n to n + 1. A step, once released, is never changed."""

VERSION = len(MIGRATIONS)


class Store:
    """An open store. Threads share it; processes may open the same file at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        with _explained(path):
            self._db = sqlite3.connect(
                path, timeout=10.0, isolation_level=None, check_same_thread=False
            )
        try:
            self._db.row_factory = sqlite3.Row
            self._check()
            with _explained(path):
                self._db.execute("PRAGMA synchronous = FULL")
                self._db.execute("PRAGMA foreign_keys = ON")
            self._migrate()
            # Last: it changes the file, which is to stay as it is where all else failed.
            with _explained(path):
                self._db.execute(f"PRAGMA journal_mode = {_journal(path.parent)}")
                self._db.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")
        except StoreError:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file; what was acknowledged stays."""
        with self._lock:
            self._db.close()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Run one transaction: all of it is on the disk when the block ends, or none of it."""
        with self._lock, _explained(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def rows(self, query: str, values: tuple[Any, ...] = ()) -> list[sqlite3.Row]:
        """Run one question."""
        with self._lock, _explained(self.path):
            return self._db.execute(query, values).fetchall()

    def _check(self) -> None:
        version = self._header()[0]
        if version > VERSION:
            raise StoreError(
                f"{self.path}: made by a newer sooee (format {version}, this one knows "
                f"{VERSION}); update sooee to open it"
            )
        if version == 0 and self.rows("SELECT 1 FROM sqlite_master"):
            raise StoreError(f"{self.path}: a database, but not a photo set's; move it away")

    def _migrate(self) -> None:
        version, application = self._header()
        if version == VERSION and application == APPLICATION_ID:
            return
        if version > 0:
            self.rows("PRAGMA wal_checkpoint(TRUNCATE)")  # the copy is of this file alone
            shutil.copyfile(self.path, self.path.with_suffix(f".v{version}.bak"))
        with self.write() as db:
            # Another process may have done it while this one waited for the lock.
            version = self._header()[0]
            for step in MIGRATIONS[version:]:
                step(db)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {VERSION}")

    def _header(self) -> tuple[int, int]:
        version = int(self.rows("PRAGMA user_version")[0][0])
        return version, int(self.rows("PRAGMA application_id")[0][0])


def _journal(folder: Path) -> str:
    return "WAL" if is_local(folder) else "TRUNCATE"


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what SQLite says into what a person can do."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        if name.startswith("SQLITE_FULL"):
            raise StoreFullError(f"{path}: the disk is full; free some space") from error
        if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
            raise StoreError(f"{path}: cannot be written; check the folder's rights") from error
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            raise StoreError(f"{path}: another program holds it; close that one") from error
        if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            raise StoreError(
                f"{path}: damaged or not a photo set's store; put back a copy of it "
                "(a .bak lies beside it after an update of sooee)"
            ) from error
        if name.startswith("SQLITE_IOERR"):
            raise StoreFullError(f"{path}: the disk refused to write ({error})") from error
        raise
