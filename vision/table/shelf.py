"""The folder that evidence lies in: written whole or not at all, and never larger than its cap."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CAP_BYTES = 2_000_000_000
FACTS = "throw.json"

# Pruning goes on until there is room for a good many more throws.
_AFTER_PRUNING = 0.9


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
                (half / name).write_bytes(content)
            shutil.rmtree(folder, ignore_errors=True)
            half.rename(folder)
        except OSError:
            shutil.rmtree(half, ignore_errors=True)
            raise
        kept[key] = _Kept(size, corrected=False, at=folder.stat().st_mtime)

    def correct(self, key: str, throw: Mapping[str, Any]) -> None:
        """Note what a throw really was; nothing happens when it is not kept (any more)."""
        kept = self._all().get(key)
        if kept is None:
            return
        path = self.folder / key / FACTS
        facts = json.loads(path.read_text(encoding="utf-8"))
        facts["corrected"] = dict(throw)
        half = path.with_suffix(".half")
        half.write_text(json.dumps(facts, indent=1, ensure_ascii=False), encoding="utf-8")
        half.replace(path)
        kept.corrected = True

    def rename(self, key: str, number: int, throw: Mapping[str, Any]) -> bool:
        """Give a throw that was asked about its event's number, and note what it was.

        False when it is not kept (yet).
        """
        kept = self._all()
        if key not in kept:
            return False
        new = f"{key.partition('/')[0]}/{number:06d}"
        self.correct(key, throw)
        path = self.folder / key / FACTS
        facts = json.loads(path.read_text(encoding="utf-8")) | {"event": number}
        half = path.with_suffix(".half")
        half.write_text(json.dumps(facts, indent=1, ensure_ascii=False), encoding="utf-8")
        half.replace(path)
        shutil.rmtree(self.folder / new, ignore_errors=True)
        (self.folder / key).rename(self.folder / new)
        kept[new] = kept.pop(key)
        return True

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
        corrected = bool(json.loads(facts.read_text(encoding="utf-8")).get("corrected"))
    except (ValueError, AttributeError):  # not ours any more: the first to go
        corrected = False
    return _Kept(size, corrected, facts.parent.stat().st_mtime)
