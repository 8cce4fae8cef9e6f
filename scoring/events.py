"""What can happen in a game: the events of its log, which is only ever added to.

An event is checked when it is made: what is played in memory is then what the log is read back
to. Seats are checked by the game, which knows how many there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoring.errors import FieldError
from scoring.hogcall import Call
from scoring.rules import Rules
from scoring.throw import AnyThrow, DiceThrow, Mishap, Throw


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


def _hold(event: object, name: str, kind: type[StrEnum]) -> None:
    """Turn a word into the member it names: `kept` written as text is not `Later.KEPT`."""
    value = getattr(event, name)
    if isinstance(value, kind):
        return
    try:
        object.__setattr__(event, name, kind(value))
    except ValueError as error:
        raise FieldError(f"{name} is one of {', '.join(kind)}, got {value!r}") from error


def _check_number(name: str, value: Any) -> None:
    if type(value) is not int:
        raise FieldError(f"{name} is the number of an event, got {value!r}")


def _check_throw(throw: Any) -> None:
    if not isinstance(throw, (Throw, DiceThrow, Mishap)):
        raise FieldError(f"a throw is two pigs, dice or a mishap, got {throw!r}")


def _check_names(players: Any) -> None:
    if isinstance(players, str):
        raise FieldError(f"players are several names, got {players!r}")


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The first event of every log: the whole rules, and the players in the order of turns."""

    rules: Rules
    players: tuple[str, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Rules):
            raise FieldError(f"a game is started with rules, got {self.rules!r}")
        _check_names(self.players)
        object.__setattr__(self, "players", tuple(self.players))


@dataclass(frozen=True, slots=True)
class ThrowMade:
    """The player whose turn it is has thrown; `player` is a seat, counted from 0."""

    player: int
    throw: AnyThrow
    source: Source = Source.HAND

    def __post_init__(self) -> None:
        _check_throw(self.throw)
        _hold(self, "source", Source)


@dataclass(frozen=True, slots=True)
class Banked:
    """The player stops and writes the turn's points down."""

    player: int


@dataclass(frozen=True, slots=True)
class HogCalled:
    """Another player calls the throw that comes next."""

    caller: int
    call: Call

    def __post_init__(self) -> None:
        if not isinstance(self.call, Call):
            raise FieldError(f"a call names poses or points, got {self.call!r}")


@dataclass(frozen=True, slots=True)
class Stopped:
    """The table calls it a day; the highest score on the pad wins."""


@dataclass(frozen=True, slots=True)
class ThrowCorrected:
    """The throw of event `id` was really another one."""

    id: int
    throw: AnyThrow
    later: Later = Later.KEPT

    def __post_init__(self) -> None:
        _check_number("id", self.id)
        _check_throw(self.throw)
        _hold(self, "later", Later)


@dataclass(frozen=True, slots=True)
class Removed:
    """The throw, bank or call of event `id` never happened."""

    id: int
    later: Later = Later.DEALT_ANEW

    def __post_init__(self) -> None:
        _check_number("id", self.id)
        _hold(self, "later", Later)


@dataclass(frozen=True, slots=True)
class ThrowAdded:
    """A throw that was missed, made just before the throw or bank of event `before`."""

    before: int
    throw: AnyThrow
    source: Source = Source.HAND
    later: Later = Later.DEALT_ANEW

    def __post_init__(self) -> None:
        _check_number("before", self.before)
        _check_throw(self.throw)
        _hold(self, "source", Source)
        _hold(self, "later", Later)


@dataclass(frozen=True, slots=True)
class BankAdded:
    """A stop that was missed, just before the throw or bank of event `before`."""

    before: int
    later: Later = Later.DEALT_ANEW

    def __post_init__(self) -> None:
        _check_number("before", self.before)
        _hold(self, "later", Later)


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """The player of a seat is called something else."""

    player: int
    name: str


@dataclass(frozen=True, slots=True)
class Undone:
    """Event `id`, the newest that still stood, is taken back."""

    id: int

    def __post_init__(self) -> None:
        _check_number("id", self.id)


@dataclass(frozen=True, slots=True)
class Redone:
    """Event `id`, the one taken back last, stands again."""

    id: int

    def __post_init__(self) -> None:
        _check_number("id", self.id)


PlayEvent = ThrowMade | Banked | HogCalled | Stopped
EditEvent = ThrowCorrected | Removed | ThrowAdded | BankAdded | PlayerRenamed
Event = GameStarted | PlayEvent | EditEvent | Undone | Redone
