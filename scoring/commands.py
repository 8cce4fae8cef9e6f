"""What people, the camera or a program ask of a game; `scoring.game.decide` answers in events."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.events import Later, Source
from scoring.hogcall import Call
from scoring.rules import Rules
from scoring.throw import AnyThrow


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin a game; players throw in the order given."""

    rules: Rules
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MakeThrow:
    """Count a throw; with `player`, only if that seat is up (None: whoever is)."""

    throw: AnyThrow
    source: Source = Source.HAND
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Bank:
    """Stop and write the turn's points down; with `player`, only if that seat is up."""

    player: int | None = None


@dataclass(frozen=True, slots=True)
class CallHog:
    """Shout "Sooee!" and call the next throw."""

    caller: int
    call: Call


@dataclass(frozen=True, slots=True)
class Stop:
    """Call it a day; the only way to end an endless game that nobody is thrown out of."""


@dataclass(frozen=True, slots=True)
class CorrectThrow:
    """Say what the throw with this id really was."""

    id: int
    throw: AnyThrow
    later: Later = Later.KEPT


@dataclass(frozen=True, slots=True)
class Remove:
    """Say that the throw, bank or call with this id never happened."""

    id: int
    later: Later = Later.DEALT_ANEW


@dataclass(frozen=True, slots=True)
class AddThrow:
    """Say that a throw was missed just before the throw or bank with this id."""

    before: int
    throw: AnyThrow
    source: Source = Source.HAND
    later: Later = Later.DEALT_ANEW


@dataclass(frozen=True, slots=True)
class AddBank:
    """Say that a stop was missed just before the throw or bank with this id."""

    before: int
    later: Later = Later.DEALT_ANEW


@dataclass(frozen=True, slots=True)
class Rename:
    """Call the player of a seat something else."""

    player: int
    name: str


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the newest `steps` events that stand, corrections among them."""

    steps: int = 1


@dataclass(frozen=True, slots=True)
class Redo:
    """Let the last `steps` events that were taken back stand again."""

    steps: int = 1


Command = (
    StartGame
    | MakeThrow
    | Bank
    | CallHog
    | Stop
    | CorrectThrow
    | Remove
    | AddThrow
    | AddBank
    | Rename
    | Undo
    | Redo
)
