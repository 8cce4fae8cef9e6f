"""What programs and pages send: plain JSON, checked before anything looks at it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictInt

from scoring.commands import AddBank, AddThrow, Command, CorrectThrow, Remove
from scoring.events import Later, Source
from scoring.hogcall import Call
from scoring.names import MAX_NAME
from scoring.rulefile import load_rules
from scoring.rules import (
    MAX_PLAYERS,
    MAX_POINTS,
    GameEnd,
    HogCallForm,
    MishapPolicy,
    PiggybackPolicy,
    Rules,
    RulesError,
)
from scoring.throw import AnyThrow, Contact, DiceThrow, Mishap, MishapKind, Pose, Throw, ThrowError

Seq = Annotated[StrictInt, Field(ge=0, le=1_000_000_000)]
"""The number of the last event the sender had seen; what stops two taps from counting twice."""

GameId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Seat = Annotated[StrictInt, Field(ge=0, lt=MAX_PLAYERS)]
EntryId = Annotated[int, Field(ge=1, le=1_000_000_000)]
Name = Annotated[str, Field(min_length=1, max_length=4 * MAX_NAME)]
Face = Annotated[StrictInt, Field(ge=1, le=6)]


class Body(BaseModel):
    """Base: unknown fields are refused, values never change after the check."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Pigs(Body):
    """Two pigs at rest."""

    poses: tuple[Pose, Pose]
    contact: Contact = Contact.APART


class Dice(Body):
    """One or two dice at rest."""

    dice: Annotated[tuple[Face, ...], Field(min_length=1, max_length=2)]


class NoLanding(Body):
    """A throw that came to no landing on the table."""

    mishap: MishapKind


AnyThrowBody = Pigs | Dice | NoLanding


def throw_of(body: AnyThrowBody) -> AnyThrow:
    """Return the throw that a body describes."""
    if isinstance(body, Pigs):
        return Throw(body.poses, body.contact)
    if isinstance(body, Dice):
        return DiceThrow(body.dice)
    return Mishap(body.mishap)


def body_of(throw: AnyThrow) -> AnyThrowBody:
    """Return a throw as it is sent."""
    if isinstance(throw, Throw):
        return Pigs(poses=throw.poses, contact=throw.contact)
    if isinstance(throw, DiceThrow):
        return Dice(dice=throw.faces)
    return NoLanding(mishap=throw.kind)


class Act(Body):
    """Anything done to a game."""

    expected_seq: Seq


class MakeThrowBody(Act):
    """Count a throw; `question` is the open question that it answers, null where none is seen."""

    throw: AnyThrowBody
    question: Annotated[StrictInt, Field(ge=1, le=1_000_000_000)] | None = None


class StepsBody(Act):
    """Undo or redo."""

    steps: Annotated[StrictInt, Field(ge=1, le=100_000)] = 1


class CallBody(Act):
    """Call the next throw: two poses, or the points it will give."""

    caller: Seat
    poses: tuple[Pose, Pose] | None = None
    points: Annotated[StrictInt, Field(ge=1, le=MAX_POINTS)] | None = None

    def call(self) -> Call:
        """Return the call; a `CallError` when it names both or neither."""
        return Call(poses=self.poses, points=self.points)


class RenameBody(Act):
    """Call a player something else."""

    player: Seat
    name: Name


class CorrectBody(Act):
    """Say what a throw really was."""

    throw: AnyThrowBody
    later: Later = Later.KEPT


class RemoveBody(Act):
    """Say that a throw, bank or call never happened."""

    later: Later = Later.DEALT_ANEW


class AddThrowBody(Act):
    """Say that a throw was missed just before another one."""

    throw: AnyThrowBody
    later: Later = Later.DEALT_ANEW


class AddBankBody(Act):
    """Say that a bank was missed just before a throw."""

    later: Later = Later.DEALT_ANEW


class OptionsBody(Body):
    """The options the players agreed on; what is left out is the game's own."""

    target: Annotated[StrictInt, Field(ge=1, le=MAX_POINTS)] | None = None
    endless: bool = False
    game_end: GameEnd | None = None
    piggyback: PiggybackPolicy | None = None
    off_table: MishapPolicy | None = None
    leaning: MishapPolicy | None = None
    hog_call: HogCallForm | None = None


class NewGameBody(Body):
    """Start a game; `expected_game` is the one on the table, so that two taps start one game."""

    variant: Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,40}$")] = "classic"
    options: OptionsBody = OptionsBody()
    players: Annotated[tuple[Name, ...], Field(min_length=1, max_length=MAX_PLAYERS)]
    expected_game: GameId | None = None

    def rules(self, known: tuple[str, ...]) -> Rules:
        """Return the rules; `RulesError` when there is no such game."""
        if self.variant not in known:
            raise RulesError(f"no game {self.variant!r}; games are {', '.join(known)}")
        chosen = self.options.model_dump(exclude_none=True)
        endless = chosen.pop("endless", False)
        if endless:
            chosen["target"] = None
        return load_rules(self.variant, **chosen)


class OpenBody(Body):
    """Take a past game back to the table."""

    expected_game: GameId | None = None


class AnswerBody(Act):
    """Say what lies on the table."""

    throw: AnyThrowBody


class JoinBody(Body):
    """The code shown on the host's screen."""

    code: Annotated[str, Field(min_length=1, max_length=40)]


class Change(StrEnum):
    """The corrections that can be tried out first."""

    CORRECT = "correct"
    REMOVE = "remove"
    ADD_THROW = "add_throw"
    ADD_BANK = "add_bank"


class PreviewBody(Body):
    """A correction to try out; `throw` goes with `correct` and `add_throw`."""

    change: Change
    throw: AnyThrowBody | None = None
    later: Later = Later.DEALT_ANEW

    def command(self, entry: int) -> Command:
        """Return the command it stands for; `ThrowError` when its throw is missing."""
        if self.change is Change.REMOVE:
            return Remove(entry, self.later)
        if self.change is Change.ADD_BANK:
            return AddBank(entry, self.later)
        if self.throw is None:
            raise ThrowError(f"{self.change} needs a throw")
        throw = throw_of(self.throw)
        if self.change is Change.CORRECT:
            return CorrectThrow(entry, throw, self.later)
        return AddThrow(entry, throw, Source.HAND, self.later)


class Problem(BaseModel):
    """Why a request was refused: a code for programs, a line for people."""

    error: str
    message: str
