"""The states a table is in, and what the table's watch tells about them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vision.recognize.reading import Reading


class TableState(StrEnum):
    """What is going on over the table; the values are those of the page and of `watch --json`."""

    NO_CAMERA = "no_camera"
    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    SETTLING = "settling"
    STILL = "still"
    ASKING = "asking"


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The table went into another state, at a frame; `reason` says why in words, or is empty."""

    index: int
    time_s: float
    state: TableState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ThrowSeen:
    """Two thrown pigs lie still: told once a throw.

    `reading` says what they show; where its decision is `ask`, a person must say what lies there.
    """

    index: int
    time_s: float
    reading: Reading


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something worth a line that is no throw: a bumped camera, another light."""

    index: int
    time_s: float
    text: str


@dataclass(frozen=True, slots=True)
class HandHeld:
    """An open hand asks to bank the turn: in `left_s` seconds it does, at 0 it has.

    Told while the count-down runs; `left_s` None says that it was broken off.
    """

    index: int
    time_s: float
    left_s: float | None


TableEvent = StateChanged | ThrowSeen | Noticed | HandHeld
