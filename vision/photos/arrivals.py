"""Photographs on their way into a set: dropped on a page, or laid into the folder."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from vision.errors import PictureError
from vision.photos.intake import CONVERTED, SUFFIXES, Picture, read_picture, write_atomically
from vision.photos.names import free_name, safe_stem
from vision.photos.photo_set import Photo, PhotoSet, PhotoSetError, one_line
from vision.photos.store import StoreFullError

ORIGINALS = "originals"
"""Where pictures lie as they came, when they had to be turned."""

UNSORTED = "unsorted"
UNKNOWN_CAMERA = "unknown"


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that was not taken in, and why."""

    name: str
    reason: str


def add(
    photos: PhotoSet,
    data: bytes,
    name: str,
    *,
    session: str = "",
    camera: str = "",
    origin: str = "",
) -> tuple[Photo, bool]:
    """Take in a picture's bytes; gives the photograph and whether it is new.

    A picture whose content is in the set already is not taken twice. Without `session` and
    `camera` the picture's own day and camera stand in. Raises `PictureError` for what is no
    picture, `StoreFullError` when the disk is full.
    """
    picture = read_picture(data, name)
    with photos.store.write() as db:
        same = db.execute(
            "SELECT id FROM photo WHERE sha256 = ? AND missing = 0", (picture.sha256,)
        ).fetchone()
        if same is not None:
            return photos.photo(same["id"]), False
        path = photos.folder / free_name(photos.folder, safe_stem(name), picture.suffix)
        with _room(path):
            if picture.turned:
                kept = photos.folder / ORIGINALS
                kept.mkdir(exist_ok=True)
                suffix = Path(safe_stem(name) + Path(name).suffix.lower()[:8]).suffix
                write_atomically(kept / free_name(kept, path.stem, suffix), data)
            write_atomically(path, picture.data)
        photo_id = _insert(
            db,
            path.relative_to(photos.folder),
            path.stat(),
            picture,
            session=session,
            camera=camera,
            origin=origin or f"file {name}",
        )
    return photos.photo(photo_id), True


def refresh(photos: PhotoSet, tell: Callable[[int, int], None] | None = None) -> list[Problem]:
    """Take in what was laid into the folder; notice what is gone or was moved.

    `tell(done, all)` is called after each file. Gives the files that could not be taken in.
    """
    known = {r["name"]: r for r in photos.store.rows("SELECT * FROM photo")}
    files = list(_files(photos.folder))
    problems: list[Problem] = []
    for number, path in enumerate(files, start=1):
        name = path.relative_to(photos.folder).as_posix()
        try:
            _notice(photos, path, name, known.get(name))
        except PictureError as error:
            problems.append(Problem(name, str(error)))
        except OSError as error:
            problems.append(Problem(name, f"{name}: unreadable: {error.strerror}"))
        if tell is not None:
            tell(number, len(files))
    there = {p.relative_to(photos.folder).as_posix() for p in _files(photos.folder)}
    rows = photos.store.rows("SELECT id, name FROM photo WHERE missing = 0")
    gone = [r["id"] for r in rows if r["name"] not in there]
    with photos.store.write() as db:
        for photo_id in gone:
            db.execute("UPDATE photo SET missing = 1 WHERE id = ?", (photo_id,))
    return problems


def _files(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != ORIGINALS)
        for name in sorted(names):
            known = Path(name).suffix.lower() in (*SUFFIXES, *CONVERTED)
            if known and not name.startswith("."):
                yield Path(root) / name


def _notice(photos: PhotoSet, path: Path, name: str, row: sqlite3.Row | None) -> None:
    """Take in one file of the folder, unless it is known and unchanged."""
    state = path.stat()
    if row is not None and (row["bytes"], row["mtime_ns"]) == (state.st_size, state.st_mtime_ns):
        if row["missing"]:
            _found(photos, row["id"], name, state)
        return
    data = path.read_bytes()
    picture = read_picture(data, name)
    if picture.turned:
        path = _turn(photos.folder, path, data, picture)
        name, state = path.relative_to(photos.folder).as_posix(), path.stat()
    same = photos.store.rows(
        "SELECT * FROM photo WHERE sha256 = ? ORDER BY name = ? DESC", (picture.sha256, name)
    )
    for other in same:
        if other["name"] == name or not (photos.folder / other["name"]).exists():
            _found(photos, other["id"], name, state)
            return
    if row is not None:
        raise PictureError(
            f"{name}: another picture than the one of this name in the set; rename the new one"
        )
    with photos.store.write() as db:
        _insert(db, Path(name), state, picture, origin="folder")


def _turn(folder: Path, path: Path, data: bytes, picture: Picture) -> Path:
    """Put the upright picture in the place of one that is not, keeping that one."""
    target = path
    if path.suffix.lower() not in SUFFIXES:
        target = path.with_name(free_name(path.parent, path.stem, picture.suffix))
    with _room(target):
        write_atomically(folder / ORIGINALS / path.relative_to(folder), data)
        write_atomically(target, picture.data)
        if target != path:
            path.unlink()
    return target


def _insert(
    db: sqlite3.Connection,
    name: Path,
    state: os.stat_result,
    picture: Picture,
    *,
    session: str = "",
    camera: str = "",
    origin: str,
) -> int:
    folder = name.parts[0] if len(name.parts) > 1 else ""
    cursor = db.execute(
        "INSERT INTO photo (name, bytes, mtime_ns, sha256, width, height, session, camera, "
        "origin, added_s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            name.as_posix(),
            state.st_size,
            state.st_mtime_ns,
            picture.sha256,
            picture.width,
            picture.height,
            one_line(session or folder or picture.day) or UNSORTED,
            one_line(camera or picture.camera) or UNKNOWN_CAMERA,
            origin[:200],
            time.time(),
        ),
    )
    return int(cursor.lastrowid or 0)


def _found(photos: PhotoSet, photo_id: int, name: str, state: os.stat_result) -> None:
    with photos.store.write() as db:
        db.execute(
            "UPDATE photo SET name = ?, bytes = ?, mtime_ns = ?, missing = 0 WHERE id = ?",
            (name, state.st_size, state.st_mtime_ns, photo_id),
        )


@contextmanager
def _room(path: Path) -> Iterator[None]:
    """Say in words why a picture could not be written."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise StoreFullError(f"{path}: the disk is full; free some space") from error
        raise PhotoSetError(f"{path}: cannot be written: {error.strerror}") from error
