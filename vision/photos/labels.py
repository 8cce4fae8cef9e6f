"""What a person or a model says about one photograph: pigs, their poses, their contact."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self, TypeVar

from scoring.throw import Contact
from vision.errors import VisionError
from vision.recognize.reading import POSE_CLASSES

Box = tuple[float, float, float, float]
"""(x0, y0, x1, y1) in pixels of the upright picture, x right, y down."""

MAX_PIGS = 100
"""More boxes than this on one picture are a mistake of whoever sends them."""

MAX_NAME = 80
"""Characters in a person's name."""


_E = TypeVar("_E", bound=StrEnum)


class LabelError(VisionError, ValueError):
    """Labels that cannot be: an empty box, an unknown pose, a contact of three pigs."""


class Source(StrEnum):
    """Who said it: a person by hand, a model, or a player who corrected a throw."""

    HAND = "hand"
    MODEL = "model"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True)
class PigLabel:
    """One pig of a photograph.

    `box` in pixels of the upright picture; it may reach beyond the picture's edge (the health
    check reports it). `pose` is one of `POSE_CLASSES`, None while nobody has said.
    """

    box: Box
    pose: str | None
    source: Source = Source.HAND

    def __post_init__(self) -> None:
        if len(self.box) != 4 or not all(
            isinstance(v, int | float) and math.isfinite(v) for v in self.box
        ):
            raise LabelError(f"a box is four numbers (x0, y0, x1, y1), got {self.box!r}")
        x0, y0, x1, y1 = (float(v) for v in self.box)
        if not (x0 < x1 and y0 < y1):
            raise LabelError(f"a box is (x0, y0, x1, y1) with x0 < x1 and y0 < y1, got {self.box}")
        if max(abs(v) for v in (x0, y0, x1, y1)) > 1e6:
            raise LabelError(f"a box lies within a million pixels, got {self.box}")
        if self.pose is not None and self.pose not in POSE_CLASSES:
            raise LabelError(f"expected a pose of {', '.join(POSE_CLASSES)}, got {self.pose!r}")
        object.__setattr__(self, "box", (x0, y0, x1, y1))
        object.__setattr__(self, "source", _member(Source, self.source, "a source"))

    @property
    def area(self) -> float:
        """The box's area in square pixels."""
        x0, y0, x1, y1 = self.box
        return (x1 - x0) * (y1 - y0)


@dataclass(frozen=True, slots=True)
class Labels:
    """What is said about one photograph.

    `contact` goes with exactly two pigs and may be None (nobody has said). `reviewed` means that
    a person, `reviewed_by`, stands by all of it; a pig without a pose cannot be reviewed.
    `unsure` asks for a second look; `left_out` keeps the photograph out of training and export.
    """

    pigs: tuple[PigLabel, ...] = ()
    contact: Contact | None = None
    reviewed: bool = False
    reviewed_by: str = ""
    unsure: bool = False
    left_out: bool = False

    def __post_init__(self) -> None:
        if len(self.pigs) > MAX_PIGS:
            raise LabelError(f"at most {MAX_PIGS} pigs on a picture, got {len(self.pigs)}")
        for flag in ("reviewed", "unsure", "left_out"):
            if not isinstance(getattr(self, flag), bool):
                raise LabelError(f"`{flag}` is true or false, got {getattr(self, flag)!r}")
        if self.contact is not None:
            object.__setattr__(self, "contact", _member(Contact, self.contact, "a contact"))
            if len(self.pigs) != 2:
                raise LabelError(f"a contact goes with exactly two pigs, got {len(self.pigs)}")
        if self.reviewed and any(p.pose is None for p in self.pigs):
            raise LabelError("a pig without a pose: name it before the picture counts as reviewed")
        if not isinstance(self.reviewed_by, str) or len(self.reviewed_by) > MAX_NAME:
            raise LabelError(f"a name has at most {MAX_NAME} characters")

    @property
    def confirmed(self) -> bool:
        """Whether this may be trained and measured on: reviewed, sure, not left out."""
        return self.reviewed and not self.unsure and not self.left_out

    def to_json(self) -> dict[str, Any]:
        """Give plain values for JSON; `from_json` reads them back."""
        return {
            "pigs": [
                {"box": list(p.box), "pose": p.pose, "source": p.source.value} for p in self.pigs
            ],
            "contact": None if self.contact is None else self.contact.value,
            "reviewed": self.reviewed,
            "reviewed_by": self.reviewed_by,
            "unsure": self.unsure,
            "left_out": self.left_out,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_json` gave; raises `LabelError` for anything else."""
        if not isinstance(data, Mapping):
            raise LabelError(f"labels are an object, got {type(data).__name__}")
        known = {"pigs", "contact", "reviewed", "reviewed_by", "unsure", "left_out"}
        if extra := set(data) - known:
            raise LabelError(f"unknown fields of labels: {', '.join(sorted(map(str, extra)))}")
        pigs = data.get("pigs", [])
        if not isinstance(pigs, list):
            raise LabelError("`pigs` is a list")
        return cls(
            pigs=tuple(_pig(p) for p in pigs),
            contact=data.get("contact"),
            reviewed=data.get("reviewed", False),
            reviewed_by=data.get("reviewed_by", ""),
            unsure=data.get("unsure", False),
            left_out=data.get("left_out", False),
        )

    def with_pigs(self, pigs: tuple[PigLabel, ...]) -> Self:
        """Replace the pigs; a contact that no longer goes with two pigs is dropped."""
        contact = self.contact if len(pigs) == 2 else None
        return replace(self, pigs=pigs, contact=contact)


def _pig(data: object) -> PigLabel:
    if not isinstance(data, Mapping) or not {"box", "pose"} <= set(data):
        raise LabelError(f"a pig has a box and a pose, got {data!r:.80}")
    if extra := set(data) - {"box", "pose", "source"}:
        raise LabelError(f"unknown fields of a pig: {', '.join(sorted(map(str, extra)))}")
    box = data["box"]
    if not isinstance(box, list | tuple) or any(isinstance(v, bool) for v in box):
        raise LabelError(f"a box is four numbers (x0, y0, x1, y1), got {box!r:.80}")
    pose = data["pose"]
    if pose is not None and not isinstance(pose, str):
        raise LabelError(f"a pose is a word, got {pose!r:.80}")
    return PigLabel(tuple(box), pose, data.get("source", Source.HAND))


def _member(kind: type[_E], value: object, what: str) -> _E:
    for member in kind:
        if value == member.value:
            return member
    names = ", ".join(m.value for m in kind)
    raise LabelError(f"expected {what} of {names}, got {value!r:.80}")


def overlap(a: Box, b: Box) -> float:
    """Give the intersection over union of two boxes, 0 to 1."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    area_a = (a[2] - a[0]) * (a[3] - a[1])
    area_b = (b[2] - b[0]) * (b[3] - b[1])
    return shared / (area_a + area_b - shared)
