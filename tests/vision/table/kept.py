"""A game without a camera that evidence is kept of."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from scoring.commands import MakeThrow
from scoring.events import Source
from scoring.ledger import Ledger
from scoring.rules import Rules
from scoring.store import Store
from scoring.throw import Pose, Throw
from vision.capture.frame import Frame
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)
from vision.table.evidence import Evidence
from vision.table.shelf import FACTS
from vision.table.state import ThrowSeen

FIVE = Throw((Pose.TROTTER, Pose.DOT_UP))
TEN = Throw((Pose.SNOUTER, Pose.DOT_UP))
FORTY = Throw((Pose.SNOUTER, Pose.SNOUTER))


def frame(index: int, fps: float = 30.0) -> Frame:
    rng = np.random.default_rng(index % 7)
    small = rng.integers(0, 255, (9, 16, 3), dtype=np.uint8)
    return Frame(small.repeat(20, 0).repeat(20, 1), index, index / fps, "drawn")


def seen(index: int, decision: Decision = Decision.ACCEPT) -> ThrowSeen:
    pigs = tuple(
        PigDetection((x, 50.0, x + 40, 80.0), 0.9, {c: float(c == pose) for c in POSE_CLASSES})
        for x, pose in ((60.0, "trotter"), (200.0, "dot_up"))
    )
    contact = ContactEvidence({c: float(c == "apart") for c in CONTACT_CLASSES}, 12.5)
    reading = Reading(pigs, contact, decision, "clear", time_s=index / 30)
    return ThrowSeen(index, index / 30, reading)


class Kept:
    """A game that evidence is kept of: throws are seen at once, and written when frames go by."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.ledger = Ledger.start(store, Rules(target=None), ("Anna", "Bo"))
        self.folder = folder
        self.evidence = Evidence(folder)
        self.ledger.subscribe(self.evidence.hear)
        self.frames = 0

    def film(self, frames: int) -> None:
        for _ in range(frames):
            self.evidence.frame(frame(self.frames))
            self.frames += 1

    def throw(self, throw: Throw = FIVE) -> int:
        """Count a throw that was read for sure."""
        self.film(1)
        number = self.ledger.act(MakeThrow(throw, Source.CAMERA)).seq
        self.evidence.keep(self.ledger.game_id, number, seen(self.frames - 1))
        return number

    def ask(self) -> str:
        """See a throw that a person must be asked about; gives its key."""
        self.film(1)
        doubtful = seen(self.frames - 1, Decision.ASK)
        return self.evidence.keep(self.ledger.game_id, None, doubtful)

    def answer(self, key: str, throw: Throw) -> int:
        number = self.ledger.act(MakeThrow(throw, Source.CAMERA)).seq
        self.evidence.answered(key, number, throw)
        return number

    def said(self) -> dict[int, list[str] | None]:
        """What the players said of each throw, once all is written."""
        self.evidence.close()
        all_facts = [json.loads(f.read_text()) for f in sorted(self.folder.glob(f"*/*/{FACTS}"))]
        return {f["event"]: f["corrected"] and f["corrected"]["poses"] for f in all_facts}
