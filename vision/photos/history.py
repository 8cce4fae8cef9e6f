"""Every change of labels, kept with the labels: who, when, what before and after.

Undo belongs to whoever made the change (a `client`, one browser), survives a restart, and never
takes back what another has said since.
"""

from __future__ import annotations

import json
import sqlite3
import time

from vision.errors import VisionError
from vision.photos.labels import Labels
from vision.photos.proposal import Proposal
from vision.photos.store import Store

_DONE, _UNDONE, _PAST = 0, 1, 2


class StaleError(VisionError):
    """Another has changed the photograph since; `photo_id` says which."""

    def __init__(self, photo_id: int) -> None:
        super().__init__(
            f"photograph {photo_id} was changed by someone else meanwhile; look at it again"
        )
        self.photo_id = photo_id


class History:
    """The changes of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def record(
        self,
        db: sqlite3.Connection,
        photo_id: int,
        before: Labels | None,
        after: Labels,
        *,
        client: str,
        who: str,
    ) -> None:
        """Note a change inside the transaction that makes it; what was undone is past now."""
        db.execute(
            "UPDATE change SET state = ? WHERE client = ? AND state = ?", (_PAST, client, _UNDONE)
        )
        db.execute(
            "INSERT INTO change (photo, client, who, time_s, before, after) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (photo_id, client, who, time.time(), dump(before), dump(after)),
        )

    def undo(self, client: str) -> int | None:
        """Take back the client's last change; gives the photograph's id, None if there is none.

        Raises `StaleError` once when another has changed that photograph since.
        """
        return self._step(client, _DONE, _UNDONE, order="DESC", expected="after", wanted="before")

    def redo(self, client: str) -> int | None:
        """Do again what the client took back last."""
        return self._step(client, _UNDONE, _DONE, order="ASC", expected="before", wanted="after")

    def _step(
        self, client: str, state: int, to: int, *, order: str, expected: str, wanted: str
    ) -> int | None:
        stale = False
        with self._store.write() as db:
            change = db.execute(
                f"SELECT * FROM change WHERE client = ? AND state = ? ORDER BY id {order} LIMIT 1",  # noqa: S608 -- one of two words of this module
                (client, state),
            ).fetchone()
            if change is None:
                return None
            photo_id = int(change["photo"])
            photo = db.execute("SELECT * FROM photo WHERE id = ?", (photo_id,)).fetchone()
            stale = photo["labels"] != change[expected]
            db.execute(
                "UPDATE change SET state = ? WHERE id = ?", (_PAST if stale else to, change["id"])
            )
            if not stale:
                proposal = photo["proposal"]
                write_labels(
                    db,
                    photo_id,
                    load(change[wanted]),
                    None if proposal is None else Proposal.from_json(json.loads(proposal)),
                )
        if stale:
            raise StaleError(photo_id)
        return photo_id


def write_labels(
    db: sqlite3.Connection, photo_id: int, labels: Labels | None, proposal: Proposal | None
) -> None:
    """Write labels into a photograph's row, one revision further."""
    disagrees = labels is not None and proposal is not None and proposal.disagrees(labels)
    db.execute(
        "UPDATE photo SET labels = ?, revision = revision + 1, disagrees = ? WHERE id = ?",
        (dump(labels), disagrees, photo_id),
    )


def dump(labels: Labels | None) -> str | None:
    """Give labels as the text that is kept; equal labels give equal text."""
    return None if labels is None else json.dumps(labels.to_json(), separators=(",", ":"))


def load(text: str | None) -> Labels | None:
    """Read what `dump` gave."""
    return None if text is None else Labels.from_json(json.loads(text))
