"""What is read from a still table: the pigs, their contact, and whether to trust it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from scoring.throw import Contact, Pose, Throw
from vision.errors import VisionError

if TYPE_CHECKING:
    from collections.abc import Mapping

OTHER = "other"
"""The class of whatever is not one of the six poses: leaning, half out, in a hand, no pig."""

POSE_CLASSES: tuple[str, ...] = (*(p.value for p in Pose), OTHER)
"""The pose model's classes in the order of its output; fixed for ever."""

CONTACT_CLASSES: tuple[str, ...] = tuple(c.value for c in Contact)
"""The contact classes in the order of its output; fixed for ever."""


class ReadingError(VisionError, ValueError):
    """A reading that contradicts itself; a bug in whoever made it."""


class Decision(StrEnum):
    """Whether a reading is trusted (`accept`) or a person is asked (`ask`)."""

    ACCEPT = "accept"
    ASK = "ask"


def _checked(probabilities: Mapping[str, float], classes: tuple[str, ...]) -> Mapping[str, float]:
    if tuple(probabilities) != classes:
        raise ReadingError(f"expected probabilities of {classes}, got {tuple(probabilities)}")
    total = sum(probabilities.values())
    if not math.isclose(total, 1.0, abs_tol=1e-3) or min(probabilities.values()) < 0:
        raise ReadingError(f"probabilities are 0 or more and sum to 1, got a sum of {total:.4f}")
    return MappingProxyType(dict(probabilities))


@dataclass(frozen=True, slots=True)
class PigDetection:
    """One pig in a picture.

    `box` is (x0, y0, x1, y1) in pixels of the whole picture, x right, y down; `confidence` the
    locator's, 0 to 1; `probabilities` over `POSE_CLASSES`, in that order, summing to 1.
    """

    box: tuple[float, float, float, float]
    confidence: float
    probabilities: Mapping[str, float]

    def __post_init__(self) -> None:
        x0, y0, x1, y1 = self.box
        if not (x0 < x1 and y0 < y1):
            raise ReadingError(f"a box is (x0, y0, x1, y1) with x0 < x1, y0 < y1, got {self.box}")
        if not 0.0 <= self.confidence <= 1.0:
            raise ReadingError(f"a confidence lies in 0 to 1, got {self.confidence}")
        object.__setattr__(self, "probabilities", _checked(self.probabilities, POSE_CLASSES))

    @property
    def pose(self) -> str:
        """The likeliest class: one of `POSE_CLASSES`."""
        return max(self.probabilities, key=self.probabilities.__getitem__)

    @property
    def probability(self) -> float:
        """The probability of the likeliest class."""
        return self.probabilities[self.pose]


@dataclass(frozen=True, slots=True)
class ContactEvidence:
    """How two pigs lie to each other.

    `probabilities` over `CONTACT_CLASSES`; `gap_mm` is the least visible distance between the
    two outlines on the picture, in millimetres by the pigs' own length, None if not measured.
    """

    probabilities: Mapping[str, float]
    gap_mm: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "probabilities", _checked(self.probabilities, CONTACT_CLASSES))

    @property
    def state(self) -> Contact:
        """The likeliest contact."""
        return Contact(max(self.probabilities, key=self.probabilities.__getitem__))


@dataclass(frozen=True, slots=True)
class Reading:
    """What one still table shows, from one or several frames.

    `contact` is None unless exactly two pigs were found. `reason` is one sentence for a person.
    `frames` counts the still frames fused; `time_s` is the time of the last.
    """

    pigs: tuple[PigDetection, ...]
    contact: ContactEvidence | None
    decision: Decision
    reason: str
    frames: int = 1
    time_s: float = 0.0

    def __post_init__(self) -> None:
        if (self.contact is not None) != (len(self.pigs) == 2):
            raise ReadingError(f"contact goes with exactly two pigs, got {len(self.pigs)}")
        if self.decision is Decision.ACCEPT and self.throw is None:
            raise ReadingError("only two pigs in poses of the game can be accepted as a throw")

    @property
    def throw(self) -> Throw | None:
        """The likeliest throw, or None when these are not two pigs in poses of the game."""
        if self.contact is None or any(p.pose == OTHER for p in self.pigs):
            return None
        first, second = (Pose(p.pose) for p in self.pigs)
        return Throw((first, second), self.contact.state)
