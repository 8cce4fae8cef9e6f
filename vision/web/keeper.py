"""The pictures of throws kept on the disk: which there are, and where each lies."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from scoring.ledger import News
from scoring.throw import AnyThrow
from vision.capture.frame import Frame
from vision.table.evidence import Evidence
from vision.table.state import ThrowSeen


class Kept(StrEnum):
    """The names of a kept throw's pictures; the only names there are."""

    TABLE = "table"
    PAIR = "pair"
    FIRST = "first"
    SECOND = "second"
    REPLAY = "replay"


_FILES = {
    Kept.TABLE: "still.jpg",
    Kept.PAIR: "contact.jpg",
    Kept.FIRST: "pig1.jpg",
    Kept.SECOND: "pig2.jpg",
    Kept.REPLAY: "replay.webp",
}


class Keeper:
    """Keeps what is seen of each throw while it is switched on; safe from any thread.

    `frame` and `keep` belong to the camera's thread, as `Evidence` wants it.
    """

    def __init__(self, folder: Path, *, on: bool = True) -> None:
        self._folder = folder
        self._on = on
        self._framed = False
        self._lock = threading.Lock()
        self._evidence: Evidence | None = None
        self._models: Mapping[str, str] = {}

    def switch(self, *, on: bool) -> None:
        """Keep pictures from now on, or keep none; what is kept already stays."""
        self._on = on

    def models(self, hashes: Mapping[str, str]) -> None:
        """Say by which models the throws are read."""
        self._models = dict(hashes)

    def frame(self, frame: Frame) -> None:
        """Take each frame that the table looks at."""
        self._framed = self._on
        if self._on:
            self._open().frame(frame)

    def keep(self, game_id: str, number: int | None, seen: ThrowSeen) -> str | None:
        """Keep the throw read from the newest frame; gives its key, None when switched off."""
        if not (self._on and self._framed):  # switched on since the newest frame
            return None
        return self._open().keep(game_id, number, seen)

    def answered(self, key: str, number: int, throw: AnyThrow) -> None:
        """Say which event a throw that was asked about became, and what it was."""
        if self._evidence is not None:
            self._evidence.answered(key, number, throw)

    def hear(self, news: News) -> None:
        """Note corrections; a listener of the ledger."""
        if self._evidence is not None:
            self._evidence.hear(news)

    def close(self) -> None:
        """Write what is left."""
        with self._lock:
            if self._evidence is not None:
                self._evidence.close()
                self._evidence = None

    def entries(self, game_id: str) -> frozenset[int]:
        """Return the entries of a game that pictures are kept of."""
        folder = self._folder / game_id
        if not folder.is_dir():
            return frozenset()
        return frozenset(int(p.name) for p in folder.iterdir() if p.name.isdecimal())

    def read(self, game_id: str, entry_id: int, name: Kept) -> bytes | None:
        """Return a kept picture; `game_id` must be a game of the store."""
        try:
            return (self._folder / game_id / f"{entry_id:06d}" / _FILES[name]).read_bytes()
        except OSError:
            return None

    def _open(self) -> Evidence:
        with self._lock:
            if self._evidence is None:
                self._evidence = Evidence(self._folder, models=self._models)
            return self._evidence
