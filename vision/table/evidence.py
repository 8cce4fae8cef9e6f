"""What the camera saw of each throw, kept beside the game without ever holding up the table.

A throw's folder `GAME/NUMBER` holds `still.jpg` (the frame that was read), `pig1.jpg`,
`pig2.jpg`, `contact.jpg`, `replay.webp` (three seconds around the landing) and `throw.json`.
`NUMBER` is the event's in the game's log, or `q` and a count for a throw that was asked about.
"""

from __future__ import annotations

import itertools
import json
import os
import queue
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.throw import AnyThrow, Throw
from vision.capture.frame import Frame, Image
from vision.recognize.crop import PAIR_MARGIN, POSE_MARGIN, square_crop, union
from vision.recognize.reading import Reading
from vision.table.replay import SECONDS, Ring, Shot, animate
from vision.table.said import Said, changes
from vision.table.shelf import CAP_BYTES, DamagedError, Shelf
from vision.table.state import ThrowSeen

if TYPE_CHECKING:
    from scoring.ledger import News  # brings the database, which a table without a game lacks

# How much of the replay comes after the throw was read.
_AFTER_S = 0.7
_WAITING = 16
_PIG_PX, _PAIR_PX = 320, 640
_QUALITY = 92


ENVIRONMENT = "SOOEE_EVIDENCE"


def default_folder() -> Path:
    """Give where evidence is kept unless told otherwise: `SOOEE_EVIDENCE`, or the user's data."""
    chosen = os.environ.get(ENVIRONMENT, "").strip()
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("sooee", appauthor=False)) / "evidence"


@dataclass(frozen=True, slots=True, eq=False)
class _Sight:
    """A throw to be kept: the frame that was read, and what is known of it."""

    key: str
    frame: Frame
    seen: ThrowSeen
    facts: Mapping[str, Any]
    shots: tuple[Shot, ...] = ()


@dataclass(frozen=True, slots=True)
class _Answer:
    """A throw that was asked about is now an event of the log."""

    key: str
    number: int
    said: Said


@dataclass(frozen=True, slots=True)
class _Change:
    """Something else is now said of a kept throw, or nothing any more."""

    key: str
    said: Said


class Evidence:
    """Keeps what was seen of each throw in a folder, up to `cap_bytes`.

    `frame` and `keep` are called by the table's loop and never wait: a thread of its own cuts,
    compresses and writes. When that thread falls behind, or the disk is full, evidence is left
    out and `trouble` says why; the game goes on. `models` are the hashes to note, by role.
    """

    def __init__(
        self,
        folder: Path,
        *,
        cap_bytes: int = CAP_BYTES,
        models: Mapping[str, str] | None = None,
    ) -> None:
        self._shelf = Shelf(folder, cap_bytes)
        self._models = dict(models or {})
        self._ring = Ring()
        self._frame: Frame | None = None
        self._pending: list[_Sight] = []
        self._questions = itertools.count(1)
        self._work: queue.Queue[_Sight | _Change | _Answer | None] = queue.Queue(_WAITING)
        self._answers: dict[str, _Answer] = {}
        self._changes: dict[str, _Change] = {}
        self._slow = ""
        self._trouble = ""
        self._thread = threading.Thread(target=self._write_all, name="sooee-evidence", daemon=True)
        self._thread.start()

    @property
    def trouble(self) -> str:
        """Why evidence is being left out; empty when it is kept."""
        return self._slow or self._trouble

    def frame(self, frame: Frame) -> None:
        """Take each frame the table looks at, before anything is kept of it."""
        self._frame = frame
        self._ring.add(frame)
        while self._pending and frame.time_s >= self._pending[0].seen.time_s + _AFTER_S:
            self._finish(self._pending.pop(0))

    def keep(self, game_id: str, number: int | None, seen: ThrowSeen) -> str:
        """Keep the throw read from the newest frame; gives its key, `GAME/NUMBER`.

        `number` is the event's in the log, None for a question.
        """
        if self._frame is None:
            raise ValueError("expected a frame before a throw to keep, got none")
        name = f"{number:06d}" if number is not None else f"q{next(self._questions):05d}"
        key = f"{game_id}/{name}"
        facts = {"game": game_id, "event": number, "source": self._frame.source}
        self._pending.append(_Sight(key, self._frame, seen, facts))
        return key

    def hear(self, news: News) -> None:
        """Note in what was kept what is said of it now; a listener of the ledger."""
        for number, said in changes(news).items():
            self._put(_Change(f"{news.game_id}/{number:06d}", said))

    def answered(self, key: str, number: int, throw: AnyThrow) -> None:
        """Note which event a throw that was asked about became, and what it was; never waits."""
        self._put(_Answer(key, number, Said(throw)))

    def close(self, wait_s: float = 60.0) -> None:
        """Write what is left, for at most so long: a slow computer needs seconds for a replay."""
        for pending in self._pending:
            self._finish(pending)
        self._pending.clear()
        with suppress(queue.Full):
            self._work.put(None, timeout=wait_s)
        self._thread.join(wait_s)

    def _finish(self, sight: _Sight) -> None:
        shots = self._ring.since(sight.seen.time_s + _AFTER_S - SECONDS)
        self._put(replace(sight, shots=shots))

    def _put(self, work: _Sight | _Change | _Answer) -> None:
        try:
            self._work.put_nowait(work)
            self._slow = ""
        except queue.Full:
            self._slow = "the disk is too slow for evidence; some throws have none"

    def _write_all(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                if isinstance(work, _Change):
                    self._changes[work.key] = work
                elif isinstance(work, _Answer):
                    self._answers[work.key] = work
                else:
                    self._shelf.put(work.key, self._files(work))
                self._change(self._name_answered(work.key))
                self._trouble = ""
            except OSError as error:
                self._trouble = f"evidence is not kept: {error.strerror or error}"
            except DamagedError as error:
                self._trouble = str(error)

    def _name_answered(self, key: str) -> str:
        """Name a throw by its event, and give its key; an answer may come before the replay."""
        answer = self._answers.get(key)
        if answer is None or key not in self._shelf:
            return key
        del self._answers[key]
        self._say(key, answer.said)
        return self._shelf.rename(key, answer.number)

    def _change(self, key: str) -> None:
        """Note what is said now; like an answer it may come before the replay is complete."""
        if key in self._changes and key in self._shelf:
            self._say(key, self._changes.pop(key).said)

    def _say(self, key: str, said: Said) -> None:
        """Note what players say a throw was: nothing of one that was read and left as read."""
        by_players = said.corrected or self._shelf.asked(key)
        self._shelf.correct(key, _throw_data(said.throw) if by_players else None)

    def _files(self, sight: _Sight) -> dict[str, bytes]:
        image, pigs = sight.frame.image, sight.seen.reading.pigs
        files = {"still.jpg": _jpeg(image)}
        for number, pig in enumerate(pigs, 1):
            files[f"pig{number}.jpg"] = _jpeg(square_crop(image, pig.box, _PIG_PX, POSE_MARGIN))
        if len(pigs) == 2:
            both = union(pigs[0].box, pigs[1].box)
            files["contact.jpg"] = _jpeg(square_crop(image, both, _PAIR_PX, PAIR_MARGIN))
        if sight.shots:
            files["replay.webp"] = animate(sight.shots)
        facts = {
            "version": 1,
            **sight.facts,
            "frame": sight.seen.index,
            "time_s": sight.seen.time_s,
            "size": [image.shape[1], image.shape[0]],
            "models": self._models,
            "reading": reading_data(sight.seen.reading),
            "corrected": None,
        }
        files["throw.json"] = json.dumps(facts, indent=1, ensure_ascii=False).encode()
        return files


def reading_data(reading: Reading) -> dict[str, Any]:
    """Give a reading as plain data, the probabilities in full."""
    contact = reading.contact
    return {
        "pigs": [
            {
                "box": [round(v, 1) for v in p.box],
                "confidence": p.confidence,
                "pose": p.pose,
                "probabilities": dict(p.probabilities),
            }
            for p in reading.pigs
        ],
        "contact": contact
        and {
            "state": contact.state,
            "probabilities": dict(contact.probabilities),
            "gap_mm": contact.gap_mm,
        },
        "decision": reading.decision,
        "reason": reading.reason,
        "frames": reading.frames,
    }


def _throw_data(throw: AnyThrow | None) -> dict[str, Any] | None:
    if throw is None:
        return None
    if isinstance(throw, Throw):
        return {"poses": list(throw.poses), "contact": throw.contact}
    return {"other": str(throw)}


def _jpeg(image: Image) -> bytes:
    import cv2

    bgr = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
    return bytes(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1])
