"""A folder of photographs and what is said about them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Self

from vision.errors import VisionError
from vision.photos.history import History, StaleError, load, write_labels
from vision.photos.labels import Labels
from vision.photos.proposal import Proposal
from vision.photos.split import By, Split
from vision.photos.store import STORE_NAME, Store


class PhotoSetError(VisionError):
    """A photo set cannot do what was asked; the message says why."""


class UnknownPhotoError(PhotoSetError):
    """No photograph of this number."""


@dataclass(frozen=True, slots=True)
class Photo:
    """One photograph of a set.

    `name` is its path in the folder with forward slashes; `width`, `height` in pixels, upright;
    `session` and `camera` say when and with what it was taken: splits go by them. `labels` is
    None while nobody has begun; `revision` counts their changes. `look` is the perceptual hash,
    once made. `stamp` grows with every change of the photograph, over the whole set.
    """

    id: int
    name: str
    width: int
    height: int
    sha256: str
    session: str
    camera: str
    origin: str
    missing: bool
    labels: Labels | None
    revision: int
    proposal: Proposal | None
    disagrees: bool
    split: Split | None
    look: str | None
    stamp: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One photograph in a list: what is needed to find it and to say how far it is.

    `poses` are the labelled pigs' in order, None for an unnamed one; `begun` whether anybody has
    labelled at all; `confidence` the model's of its least sure statement, None without a proposal.
    """

    id: int
    name: str
    session: str
    camera: str
    missing: bool
    begun: bool
    reviewed: bool
    unsure: bool
    left_out: bool
    poses: tuple[str | None, ...]
    contact: str | None
    confidence: float | None
    disagrees: bool
    split: str | None
    revision: int
    stamp: int


class PhotoSet:
    """An open photo set; use it as a context manager, or close it.

    Threads share one; several processes may have the same folder open.
    """

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self.store = store
        self.history = History(store)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open a folder's set, beginning one where there is none; reads no picture yet."""
        if not folder.is_dir():
            raise PhotoSetError(f"{folder}: no such folder")
        return cls(folder, Store(folder / STORE_NAME))

    @staticmethod
    def exists(folder: Path) -> bool:
        """Whether the folder holds a photo set already."""
        return (folder / STORE_NAME).is_file()

    def close(self) -> None:
        """Close it."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def photos(self, since: int = -1) -> list[Photo]:
        """Give the photographs that changed after stamp `since`, in the order they came."""
        rows = self.store.rows("SELECT * FROM photo WHERE stamp > ? ORDER BY +id", (since,))
        return [_photo(r) for r in rows]

    def photo(self, photo_id: int) -> Photo:
        """Give one photograph."""
        rows = self.store.rows("SELECT * FROM photo WHERE id = ?", (photo_id,))
        if not rows:
            raise UnknownPhotoError(f"no photograph {photo_id} in {self.folder}")
        return _photo(rows[0])

    def index(self, since: int = -1) -> list[Entry]:
        """Give a line for each photograph that changed after stamp `since`; quick for thousands."""
        rows = self.store.rows(
            "SELECT id, name, session, camera, missing, revision, confidence, disagrees, stamp, "
            # The plus keeps SQLite from reading all rows in the order of their ids.
            "split, labels FROM photo WHERE stamp > ? ORDER BY +id",
            (since,),
        )
        return [_entry(r) for r in rows]

    def without_proposal(self, model: str) -> list[int]:
        """Give the ids of the photographs that `model` has not looked at, unreviewed ones first."""
        rows = self.store.rows(
            "SELECT id FROM photo WHERE missing = 0 AND (proposal IS NULL "
            "OR json_extract(proposal, '$.model') <> ?) "
            "ORDER BY coalesce(json_extract(labels, '$.reviewed'), 0), id",
            (model,),
        )
        return [r["id"] for r in rows]

    def path(self, photo: Photo) -> Path:
        """Give the photograph's file."""
        return self.folder / PurePosixPath(photo.name)

    def save(
        self, photo_id: int, labels: Labels, *, revision: int, client: str = "", who: str = ""
    ) -> Photo:
        """Keep new labels, on the disk when this returns.

        `revision` is the one that was changed; raises `StaleError`, with the photograph as it
        is now, when another has changed it since. `client` is whose undo this belongs to.
        """
        with self.store.write() as db:
            photo = self.photo(photo_id)
            if photo.labels == labels:
                return photo  # said twice, as after a lost answer
            if photo.revision != revision:
                raise StaleError(photo_id)
            self.history.record(db, photo_id, photo.labels, labels, client=client, who=who)
            write_labels(db, photo_id, labels, photo.proposal)
        return self.photo(photo_id)

    def undo(self, client: str) -> Photo | None:
        """Take back this client's last change; None when there is none."""
        photo_id = self.history.undo(client)
        return None if photo_id is None else self.photo(photo_id)

    def redo(self, client: str) -> Photo | None:
        """Do again what this client took back last; None when there is none."""
        photo_id = self.history.redo(client)
        return None if photo_id is None else self.photo(photo_id)

    def propose(self, photo_id: int, proposal: Proposal | None) -> None:
        """Keep what a model says; labels are never touched by it."""
        with self.store.write() as db:
            photo = self.photo(photo_id)
            differs = (
                proposal is not None
                and photo.labels is not None
                and proposal.disagrees(photo.labels)
            )
            db.execute(
                "UPDATE photo SET proposal = ?, confidence = ?, disagrees = ? WHERE id = ?",
                (
                    None if proposal is None else json.dumps(proposal.to_json()),
                    None if proposal is None else proposal.confidence,
                    differs,
                    photo_id,
                ),
            )

    def set_origin(
        self, photo_ids: Iterable[int], *, session: str | None = None, camera: str | None = None
    ) -> None:
        """Say when or with what photographs were taken; None leaves it as it is."""
        with self.store.write() as db:
            for photo_id in photo_ids:
                db.execute(
                    "UPDATE photo SET session = coalesce(?, session), "
                    "camera = coalesce(?, camera) WHERE id = ?",
                    (
                        None if session is None else one_line(session),
                        None if camera is None else one_line(camera),
                        photo_id,
                    ),
                )

    def set_split(self, splits: Mapping[int, Split | None], by: By = By.SESSION) -> None:
        """Say what photographs are for, by id, and what the split goes by; all or nothing."""
        with self.store.write() as db:
            for photo_id, split in splits.items():
                value = None if split is None else split.value
                db.execute("UPDATE photo SET split = ? WHERE id = ?", (value, photo_id))
            db.execute("INSERT OR REPLACE INTO note VALUES ('split by', ?)", (by.value,))

    @property
    def split_by(self) -> By:
        """What the last split went by."""
        rows = self.store.rows("SELECT value FROM note WHERE key = 'split by'")
        return By(rows[0]["value"]) if rows else By.SESSION

    def set_look(self, photo_id: int, look: str) -> None:
        """Keep a photograph's perceptual hash."""
        with self.store.write() as db:
            db.execute("UPDATE photo SET look = ? WHERE id = ?", (look, photo_id))


def _entry(row: sqlite3.Row) -> Entry:
    labels = json.loads(row["labels"]) if row["labels"] is not None else {}
    return Entry(
        id=row["id"],
        name=row["name"],
        session=row["session"],
        camera=row["camera"],
        missing=bool(row["missing"]),
        begun=row["labels"] is not None,
        reviewed=labels.get("reviewed", False),
        unsure=labels.get("unsure", False),
        left_out=labels.get("left_out", False),
        poses=tuple(p["pose"] for p in labels.get("pigs", ())),
        contact=labels.get("contact"),
        confidence=row["confidence"],
        disagrees=bool(row["disagrees"]),
        split=row["split"],
        revision=row["revision"],
        stamp=row["stamp"],
    )


def _photo(row: sqlite3.Row) -> Photo:
    proposal = row["proposal"]
    return Photo(
        id=row["id"],
        name=row["name"],
        width=row["width"],
        height=row["height"],
        sha256=row["sha256"],
        session=row["session"],
        camera=row["camera"],
        origin=row["origin"],
        missing=bool(row["missing"]),
        labels=load(row["labels"]),
        revision=row["revision"],
        proposal=None if proposal is None else Proposal.from_json(json.loads(proposal)),
        disagrees=bool(row["disagrees"]),
        split=None if row["split"] is None else Split(row["split"]),
        look=row["look"],
        stamp=row["stamp"],
    )


def one_line(text: str) -> str:
    """Give a session's or camera's name without what does not belong into one line."""
    return " ".join(text.split())[:80]
