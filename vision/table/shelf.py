"""The folder that evidence lies in: written whole or not at all, and never larger than its cap."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.errors import VisionError
from vision.recognize.reading import Decision

CAP_BYTES = 2_000_000_000
FACTS = "throw.json"

# Pruning goes on until there is room for a good many more throws.
_AFTER_PRUNING = 0.9


class DamagedError(VisionError):
    """What is known of a kept throw can no longer be read, as after a power cut."""


@dataclass(slots=True)
class _Kept:
    """What is known of one kept throw."""

    size: int
    corrected: bool
    at: float


class Shelf:
    """Throws by key, `GAME/NUMBER`; for one thread.

    Above `cap_bytes` the oldest go first, those that a person corrected last of all: they are
    what the recognizer can learn from.
    """

    def __init__(self, folder: Path, cap_bytes: int) -> None:
        self.folder = folder
        self._cap_bytes = cap_bytes
        self._kept: dict[str, _Kept] | None = None

    def __contains__(self, key: str) -> bool:
        """Whether a throw is kept."""
        return key in self._all()

    def put(self, key: str, files: Mapping[str, bytes]) -> None:
        """Write a throw's files, replacing what has its key; an `OSError` leaves none of them."""
        kept = self._all()
        size = sum(map(len, files.values()))
        self._make_room(size)
        folder = self.folder / key
        half = folder.with_name(folder.name + ".half")
        try:
            shutil.rmtree(half, ignore_errors=True)
            half.mkdir(parents=True)
            for name, content in files.items():
                _write(half / name, content)
            shutil.rmtree(folder, ignore_errors=True)
            half.rename(folder)
        except OSError:
            shutil.rmtree(half, ignore_errors=True)
            raise
        kept[key] = _Kept(size, corrected=False, at=folder.stat().st_mtime)

    def asked(self, key: str) -> bool:
        """Whether a person was asked what a kept throw was."""
        reading = _facts(self.folder / key / FACTS).get("reading")
        return isinstance(reading, dict) and reading.get("decision") == Decision.ASK

    def correct(self, key: str, throw: Mapping[str, Any] | None) -> None:
        """Note what players say a throw was; nothing happens when it is not kept (any more)."""
        kept = self._all().get(key)
        if kept is None:
            return
        self._note(key, {"corrected": None if throw is None else dict(throw)})
        kept.corrected = throw is not None

    def rename(self, key: str, number: int) -> str:
        """Give a kept throw that was asked about its event's number; returns its new key."""
        kept = self._all()
        new = f"{key.partition('/')[0]}/{number:06d}"
        self._note(key, {"event": number})
        shutil.rmtree(self.folder / new, ignore_errors=True)
        (self.folder / key).rename(self.folder / new)
        kept[new] = kept.pop(key)
        return new

    def _note(self, key: str, changes: Mapping[str, Any]) -> None:
        """Change what is known of a kept throw; a power cut leaves the old facts or the new."""
        path = self.folder / key / FACTS
        text = json.dumps({**_facts(path), **changes}, indent=1, ensure_ascii=False)
        half = path.with_suffix(".half")
        _write(half, text.encode())
        half.replace(path)

    def _make_room(self, size: int) -> None:
        kept = self._all()
        total = sum(k.size for k in kept.values()) + size
        if total <= self._cap_bytes:
            return
        for key in sorted(kept, key=lambda k: (kept[k].corrected, kept[k].at, k)):
            if total <= self._cap_bytes * _AFTER_PRUNING:
                break
            shutil.rmtree(self.folder / key, ignore_errors=True)
            total -= kept.pop(key).size

    def _all(self) -> dict[str, _Kept]:
        """Know what is kept; the folder is looked through once."""
        if self._kept is None:
            self._kept = {}
            for facts in self.folder.glob(f"*/*/{FACTS}"):
                key = facts.parent.relative_to(self.folder).as_posix()
                self._kept[key] = _look_at(facts)
        return self._kept


def _look_at(facts: Path) -> _Kept:
    size = sum(f.stat().st_size for f in facts.parent.iterdir())
    try:
        corrected = bool(_facts(facts).get("corrected"))
    except DamagedError:  # nobody can learn from it any more: among the first to go
        corrected = False
    return _Kept(size, corrected, facts.parent.stat().st_mtime)


def _facts(path: Path) -> dict[str, Any]:
    key = "/".join(path.parts[-3:-1])
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"what is known of the throw {key} is damaged: {error}") from error
    if not isinstance(facts, dict):
        raise DamagedError(f"what is known of the throw {key} is damaged: it is no object")
    return facts


def _write(path: Path, content: bytes) -> None:
    """Write a file that is on the disk when this returns: a name given before could be empty."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
