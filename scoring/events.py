"""What can happen in a game: the events of its log, which is only ever added to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.hogcall import Call
from scoring.rules import Rules
from scoring.throw import AnyThrow


class Source(StrEnum):
    """Where a throw was seen: by the camera, tapped in by hand, or drawn by the generator."""

    CAMERA = "camera"
    HAND = "hand"
    VIRTUAL = "virtual"


class Later(StrEnum):
    """Whose the throws after a corrected one are.

    `kept`: they stay with the players who threw them; what a turn that is now over still held
    does not count, and a turn that is now open counts as banked once the next player has thrown.
    `dealt_anew`: they are dealt out again in order, as if the scoreboard had never been wrong.
    """

    KEPT = "kept"
    DEALT_ANEW = "dealt_anew"


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The first event of every log: the whole rules, and the players in the order of turns."""

    rules: Rules
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ThrowMade:
    """The player whose turn it is has thrown; `player` is a seat, counted from 0."""

    player: int
    throw: AnyThrow
    source: Source = Source.HAND


@dataclass(frozen=True, slots=True)
class Banked:
    """The player stops and writes the turn's points down."""

    player: int


@dataclass(frozen=True, slots=True)
class HogCalled:
    """Another player calls the throw that comes next."""

    caller: int
    call: Call


@dataclass(frozen=True, slots=True)
class Stopped:
    """The table calls it a day; the highest score on the pad wins."""


@dataclass(frozen=True, slots=True)
class ThrowCorrected:
    """The throw of event `id` was really another one."""

    id: int
    throw: AnyThrow
    later: Later = Later.KEPT


@dataclass(frozen=True, slots=True)
class Removed:
    """The throw, bank or call of event `id` never happened."""

    id: int
    later: Later = Later.DEALT_ANEW


@dataclass(frozen=True, slots=True)
class ThrowAdded:
    """A throw that was missed, made just before the throw or bank of event `before`."""

    before: int
    throw: AnyThrow
    source: Source = Source.HAND
    later: Later = Later.DEALT_ANEW


@dataclass(frozen=True, slots=True)
class BankAdded:
    """A stop that was missed, just before the throw or bank of event `before`."""

    before: int
    later: Later = Later.DEALT_ANEW


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """The player of a seat is called something else."""

    player: int
    name: str


@dataclass(frozen=True, slots=True)
class Undone:
    """Event `id`, the newest that still stood, is taken back."""

    id: int


@dataclass(frozen=True, slots=True)
class Redone:
    """Event `id`, the one taken back last, stands again."""

    id: int


PlayEvent = ThrowMade | Banked | HogCalled | Stopped
EditEvent = ThrowCorrected | Removed | ThrowAdded | BankAdded | PlayerRenamed
Event = GameStarted | PlayEvent | EditEvent | Undone | Redone
