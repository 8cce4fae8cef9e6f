"""The store survives what disks and people do to it, and says what happened."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from vision.photos.labels import Labels, PigLabel
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.store import MIGRATIONS, STORE_NAME, VERSION, Store, StoreError, StoreFullError

GOLDEN = Path(__file__).parent / "golden"


def test_a_full_disk_loses_nothing_that_was_acknowledged(photos: PhotoSet, photo: Photo) -> None:
    db = photos.store._db
    kept = photos.save(photo.id, Labels(), revision=0)
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages + 12}")

    def fill() -> None:
        nonlocal kept
        for number in range(1, 200):
            pigs = tuple(PigLabel((i, number, i + 9, number + 9), "trotter") for i in range(90))
            kept = photos.save(photo.id, Labels(pigs), revision=kept.revision)

    with pytest.raises(StoreFullError, match="disk is full"):
        fill()
    assert kept.revision > 1
    assert photos.photo(photo.id) == kept
    assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    db.execute("PRAGMA max_page_count = 1000000")
    assert photos.save(photo.id, Labels(unsure=True), revision=kept.revision).labels is not None


def test_a_newer_store_is_refused_and_left_alone(photos: PhotoSet) -> None:
    photos.close()
    path = photos.folder / STORE_NAME
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer sooee"):
        PhotoSet.open(photos.folder)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "message"), [(b"not a database, surely" * 99, "damaged"), (b"", None)]
)
def test_a_damaged_store_is_named(tmp_path: Path, content: bytes, message: str | None) -> None:
    (tmp_path / STORE_NAME).write_bytes(content)
    if message is None:  # an empty file is a store that nobody began
        PhotoSet.open(tmp_path).close()
        return
    with pytest.raises(StoreError, match=message):
        PhotoSet.open(tmp_path)
    assert (tmp_path / STORE_NAME).read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / STORE_NAME)
    db.execute("CREATE TABLE recipes (name)")
    db.close()
    with pytest.raises(StoreError, match="not a photo set"):
        PhotoSet.open(tmp_path)


def test_a_store_held_by_another_program_is_named(tmp_path: Path) -> None:
    with PhotoSet.open(tmp_path) as photos:
        photos.store._db.execute("PRAGMA busy_timeout = 50")
        other = sqlite3.connect(tmp_path / STORE_NAME)
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="another program"), photos.store.write():
            pass
        other.close()


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_a_store_of_each_version_opens_with_every_label(tmp_path: Path, version: int) -> None:
    # golden/v1.db was written by the program of that time: two photographs, one labelled.
    shutil.copyfile(GOLDEN / f"v{version}.db", tmp_path / STORE_NAME)
    with PhotoSet.open(tmp_path) as photos:
        first, second = photos.photos()
        assert first.labels is not None
        assert [p.pose for p in first.labels.pigs] == ["dot_up", "trotter"]
        assert first.labels.pigs[0].box == (1.25, 2.5, 20.0, 30.75)
        assert first.labels.reviewed_by == "Ada"
        assert second.labels is None
        assert second.proposal is not None
        assert second.proposal.pigs[0].pose == "snouter"
        undone = photos.undo("golden")
        assert undone is not None
        assert undone.labels is None
    backup = tmp_path / STORE_NAME.replace(".db", f".v{version}.bak")
    assert backup.is_file() is (version < VERSION)


def test_migrating_gives_what_a_new_store_has(tmp_path: Path) -> None:
    def schema(path: Path) -> set[tuple[str, str]]:
        db = sqlite3.connect(path)
        rows = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        db.close()
        return {(str(n), " ".join(str(s).split())) for n, s in rows}

    old, new = tmp_path / "old.db", tmp_path / "new.db"
    shutil.copyfile(GOLDEN / "v1.db", old)
    Store(old).close()
    Store(new).close()
    assert schema(old) == schema(new)


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(db: sqlite3.Connection) -> None:
        db.execute("CREATE TABLE half (done)")
        db.execute("nonsense")

    path = tmp_path / STORE_NAME
    shutil.copyfile(GOLDEN / "v1.db", path)
    before = path.read_bytes()
    monkeypatch.setattr("vision.photos.store.MIGRATIONS", (*MIGRATIONS, fails))
    monkeypatch.setattr("vision.photos.store.VERSION", VERSION + 1)
    with pytest.raises(sqlite3.OperationalError):
        Store(path)
    assert path.read_bytes() == before


WRITER = """
import sys
from pathlib import Path
from vision.photos.labels import Labels, PigLabel
from vision.photos.photo_set import PhotoSet
with PhotoSet.open(Path(sys.argv[1])) as photos:
    photo = photos.photos()[0]
    for n in range(photo.revision, 100000):
        labels = Labels((PigLabel((n, 0, n + 5, 5), "trotter"),))
        photo = photos.save(photo.id, labels, revision=photo.revision, client="w")
        print(n, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no kill -9 there")
def test_killed_in_the_middle_of_writing(photos: PhotoSet, photo: Photo) -> None:
    photos.close()
    acknowledged = -1
    for lines in (1, 7, 23):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(photos.folder)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        for _ in range(lines):
            acknowledged = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        rest = writer.stdout.read().split()
        writer.wait()
        writer.stdout.close()
        acknowledged = int(rest[-1]) if rest else acknowledged
        with PhotoSet.open(photos.folder) as again:
            labels = again.photo(photo.id).labels
            assert labels is not None
            assert labels.pigs[0].box[0] >= acknowledged
            check = again.store.rows("PRAGMA integrity_check")[0][0]
            assert check == "ok"
