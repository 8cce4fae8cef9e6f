"""What comes to rest after a throw: two pigs, dice, or a mishap that is no throw at all."""

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
        return self is Pose.DOT_UP or self is Pose.DOT_DOWN


class Contact(StrEnum):
    """How the two pigs lie to each other; `stacked`: the upper one touches no table."""

    APART = "apart"
    TOUCHING = "touching"
    STACKED = "stacked"


class MishapKind(StrEnum):
    """Why what was thrown gives no landing to judge.

    `off_table`: a pig or die left the table. `leaning`: it rests against something that is
    neither table nor pig. `late`: the pigs were not thrown together.
    """

    OFF_TABLE = "off_table"
    LEANING = "leaning"
    LATE = "late"


class ThrowError(ScoringError, ValueError):
    """A throw that cannot lie on any table."""


_RANK = {pose: rank for rank, pose in enumerate(Pose)}


@dataclass(frozen=True, slots=True)
class Throw:
    """Two pigs at rest: an unordered pair of poses, kept sorted, and their contact."""

    poses: tuple[Pose, Pose]
    contact: Contact = Contact.APART

    def __post_init__(self) -> None:
        if len(self.poses) != 2:
            raise ThrowError(f"a throw is two pigs, got {len(self.poses)}")
        try:
            first, second = sorted((Pose(p) for p in self.poses), key=_RANK.__getitem__)
            contact = Contact(self.contact)
        except ValueError as error:
            raise ThrowError(f"not a pose or contact of the game: {error}") from error
        object.__setattr__(self, "poses", (first, second))
        object.__setattr__(self, "contact", contact)


@dataclass(frozen=True, slots=True)
class DiceThrow:
    """One or two six-sided dice at rest, faces 1 to 6 as a person reads them, kept sorted."""

    faces: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.faces) not in (1, 2):
            raise ThrowError(f"a throw is one or two dice, got {len(self.faces)}")
        for face in self.faces:
            if type(face) is not int or not 1 <= face <= 6:
                raise ThrowError(f"a die shows 1 to 6, got {face!r}")
        object.__setattr__(self, "faces", tuple(sorted(self.faces)))


@dataclass(frozen=True, slots=True)
class Mishap:
    """A throw that came to no landing on the table; the rules say what it costs."""

    kind: MishapKind

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "kind", MishapKind(self.kind))
        except ValueError as error:
            kinds = ", ".join(MishapKind)
            raise ThrowError(f"a mishap is one of {kinds}, got {self.kind!r}") from error


AnyThrow = Throw | DiceThrow | Mishap
