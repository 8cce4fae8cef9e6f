"""What really happens in a simulated session, and a reader that knows it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from scoring.throw import Contact
from vision.capture.frame import Frame
from vision.errors import RenderError
from vision.recognize.reading import (
    CONTACT_CLASSES,
    OTHER,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)

Span = tuple[float, float]
"""From when to when, seconds."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class LyingTruth:
    """One pig that lies in the picture: when, in which box (pixels), and its class."""

    from_s: float
    until_s: float
    box: Box
    pose: str


@dataclass(frozen=True, slots=True)
class ThrowTruth:
    """One throw that counts.

    `start_s` when the pigs come into being over the table, `rest_s` when both lie still,
    `until_s` when the first is covered by the hand again.
    """

    start_s: float
    rest_s: float
    until_s: float
    poses: tuple[str, str]
    contact: str
    gap_mm: float


@dataclass(frozen=True, slots=True)
class Happening:
    """A disturbance, or a throw that does not count, and from when to when."""

    kind: str
    from_s: float
    until_s: float


@dataclass(frozen=True, slots=True)
class SessionTruth:
    """A session's truth; `hands` and `moving` are spans when a hand or anything moves in view."""

    name: str
    fps: float
    size: tuple[int, int]
    frames: int
    throws: tuple[ThrowTruth, ...]
    lying: tuple[LyingTruth, ...]
    hands: tuple[Span, ...]
    moving: tuple[Span, ...]
    happenings: tuple[Happening, ...]

    def save(self, path: Path) -> None:
        """Write it as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read it back; `RenderError` when the file is no such truth."""
        try:
            raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return cls(
                name=raw["name"],
                fps=raw["fps"],
                size=(raw["size"][0], raw["size"][1]),
                frames=raw["frames"],
                throws=tuple(
                    ThrowTruth(**{**t, "poses": tuple(t["poses"])}) for t in raw["throws"]
                ),
                lying=tuple(LyingTruth(**{**p, "box": tuple(p["box"])}) for p in raw["lying"]),
                hands=tuple((a, b) for a, b in raw["hands"]),
                moving=tuple((a, b) for a, b in raw["moving"]),
                happenings=tuple(Happening(**h) for h in raw["happenings"]),
            )
        except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
            raise RenderError(f"{path} holds no session's truth: {error}") from error

    def scaled(self, factor: float, size: tuple[int, int]) -> Self:
        """Give the truth of the same pictures made `factor` times as large."""

        def larger(box: Box) -> Box:
            x0, y0, x1, y1 = (round(v * factor, 2) for v in box)
            return x0, y0, x1, y1

        lying = tuple(replace(p, box=larger(p.box)) for p in self.lying)
        return replace(self, lying=lying, size=size)


class TruthReader:
    """Reads frames of a session as a perfect recognizer would, by their time alone.

    Its boxes can be moved by `shift(time_s)` (pixels), for cameras that are nudged.
    """

    def __init__(self, truth: SessionTruth) -> None:
        self._truth = truth
        self.readings = 0

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read what lies still at the time of the newest frame."""
        self.readings += 1
        time_s = frames[-1].time_s
        found = [p for p in self._truth.lying if p.from_s <= time_s < p.until_s]
        pigs = tuple(PigDetection(p.box, 0.95, _sure(p.pose, POSE_CLASSES)) for p in found)
        if len(pigs) != 2:
            reason = f"{len(pigs)} pigs are seen where there should be two"
            return Reading(pigs, None, Decision.ASK, reason, len(frames), time_s)
        contact = self._contact(time_s)
        named = all(p.pose != OTHER for p in found)
        sure = named and contact is Contact.APART
        return Reading(
            pigs=pigs,
            contact=ContactEvidence(_sure(contact.value, CONTACT_CLASSES)),
            decision=Decision.ACCEPT if sure else Decision.ASK,
            reason="as it lies" if sure else "the pigs touch or lie as no rule names",
            frames=len(frames),
            time_s=time_s,
        )

    def _contact(self, time_s: float) -> Contact:
        for throw in self._truth.throws:
            if throw.rest_s <= time_s < throw.until_s:
                return Contact(throw.contact)
        return Contact.APART


def _sure(label: str, classes: tuple[str, ...]) -> dict[str, float]:
    return {c: float(c == label) for c in classes}
