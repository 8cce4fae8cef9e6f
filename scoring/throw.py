"""What lies on the table after a throw: two poses and how the pigs touch."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.errors import ScoringError


class Pose(StrEnum):
    """How one pig lies; the values are the names used in files, events and models.

    The dot is on the pig's right flank, so `dot_up` is a pig lying on its left side.
    """

    DOT_UP = "dot_up"
    DOT_DOWN = "dot_down"
    RAZORBACK = "razorback"
    TROTTER = "trotter"
    SNOUTER = "snouter"
    LEANING_JOWLER = "leaning_jowler"

    @property
    def is_side(self) -> bool:
        """Whether the pig lies on one of its flanks."""
        return self in (Pose.DOT_UP, Pose.DOT_DOWN)


class Contact(StrEnum):
    """How the two pigs lie to each other; `stacked`: the upper one touches no table."""

    APART = "apart"
    TOUCHING = "touching"
    STACKED = "stacked"


class ThrowError(ScoringError, ValueError):
    """A throw that cannot lie on any table."""


@dataclass(frozen=True, slots=True)
class Throw:
    """Two pigs at rest: an unordered pair of poses, kept sorted, and their contact."""

    poses: tuple[Pose, Pose]
    contact: Contact = Contact.APART

    def __post_init__(self) -> None:
        if len(self.poses) != 2:
            raise ThrowError(f"a throw is two pigs, got {len(self.poses)}")
        try:
            first, second = sorted((Pose(p) for p in self.poses), key=list(Pose).index)
            contact = Contact(self.contact)
        except ValueError as error:
            raise ThrowError(f"not a pose or contact of the game: {error}") from error
        object.__setattr__(self, "poses", (first, second))
        object.__setattr__(self, "contact", contact)
