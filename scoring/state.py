"""A game as it stands: everything a scoreboard shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypedDict, Unpack

from scoring.effects import Outcome
from scoring.errors import UnknownPlayerError
from scoring.events import Event, HogCalled, PlayEvent, ThrowMade
from scoring.names import name_key
from scoring.rules import Rules
from scoring.settlement import Settlement
from scoring.tape import Tape
from scoring.throw import AnyThrow


class Ending(StrEnum):
    """Why a game is over.

    `target`: somebody has the points. `last_standing`: all others are out. `all_out`: the only
    player is out, nobody wins. `stopped`: the table called it a day.
    """

    TARGET = "target"
    LAST_STANDING = "last_standing"
    ALL_OUT = "all_out"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Player:
    """Someone at the table; `score` is what stands on the pad, without the running turn."""

    name: str
    score: int = 0
    eliminated: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the game as it was played: a throw, a bank, a call or the stop.

    `id` is the sequence number of the event that brought it, and how corrections name it.
    `turn` numbers the turns of the game from 0; `player` is the seat whose turn it was.
    `outcome` is None unless something was thrown, `settled` what came of the Hog Call that waited
    for this throw, None when there was none. `counted` is False when a correction has made
    the entry meaningless: the turn or the game was already over.
    """

    id: int
    event: PlayEvent
    turn: int
    player: int
    outcome: Outcome | None = None
    counted: bool = True
    settled: Settlement | None = None

    @property
    def throw(self) -> AnyThrow | None:
        """What was thrown; None for a bank, a call or the stop."""
        return self.event.throw if isinstance(self.event, ThrowMade) else None

    def judged(
        self,
        outcome: Outcome | None,
        *,
        counted: bool = True,
        settled: Settlement | None = None,
    ) -> Entry:
        """Return the same entry with what came of it."""
        return Entry(self.id, self.event, self.turn, self.player, outcome, counted, settled)


class Changes(TypedDict, total=False):
    """What one step of play may change of a game."""

    players: tuple[Player, ...]
    up: int
    turn: int
    turn_points: int
    turn_throws: int
    call: HogCalled | None
    ending: Ending | None
    winners: tuple[int, ...]
    history: Tape[Entry]
    seq: int
    done: Tape[tuple[int, Event]]
    undone: tuple[tuple[int, Event], ...]


@dataclass(frozen=True)  # not slotted: `but` is four times as fast as `dataclasses.replace`
class GameState:
    """A game after `seq` events, never changed: `scoring.game.apply` returns a new one.

    `up` is the seat of the player to throw (the last one once the game is over), `turn` counts
    the turns from 0, `turn_points` and `turn_throws` belong to the running turn, `call` is the
    Hog Call waiting for the next throw. `history` is the game as it counts today, corrections
    worked in. `done` and `undone` are the events that stand and those taken back, with their
    sequence numbers.
    """

    rules: Rules
    players: tuple[Player, ...]
    up: int = 0
    turn: int = 0
    turn_points: int = 0
    turn_throws: int = 0
    call: HogCalled | None = None
    ending: Ending | None = None
    winners: tuple[int, ...] = ()
    history: Tape[Entry] = field(default_factory=Tape, repr=False)
    seq: int = 1
    done: Tape[tuple[int, Event]] = field(default_factory=Tape, repr=False)
    undone: tuple[tuple[int, Event], ...] = field(default=(), repr=False)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.ending is not None

    @property
    def active(self) -> int | None:
        """The seat of the player whose turn it is; None once the game is over."""
        return None if self.over else self.up

    @property
    def last_throw(self) -> Entry | None:
        """The newest throw, with its outcome; None before the first."""
        return next(self.newest_throws(), None)

    @property
    def throws(self) -> tuple[Entry, ...]:
        """Every throw of the game, oldest first, with the ids that corrections name."""
        return tuple(e for e in self.history if e.throw is not None)

    @property
    def standing(self) -> tuple[int, ...]:
        """The seats of those who are not eliminated."""
        return tuple(i for i, p in enumerate(self.players) if not p.eliminated)

    @property
    def can_bank(self) -> bool:
        """Whether the player who is up may stop now."""
        return not self.over and self.turn_throws > 0

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return len(self.done) > 1

    @property
    def can_redo(self) -> bool:
        """Whether something taken back can stand again."""
        return bool(self.undone)

    def but(self, **changes: Unpack[Changes]) -> GameState:
        """Return the same game with some fields changed; every step of play goes through here."""
        new = object.__new__(GameState)
        new.__dict__.update(self.__dict__, **changes)
        return new

    def newest_throws(self) -> Iterator[Entry]:
        """Yield the throws, newest first."""
        for index in range(len(self.history) - 1, -1, -1):
            if self.history[index].throw is not None:
                yield self.history[index]

    def entry(self, entry_id: int) -> Entry | None:
        """Return the entry of an event, or None when there is none of that number."""
        return next((e for e in self.history if e.id == entry_id), None)

    def total(self, seat: int) -> int:
        """Return the score of a player with the running turn, if it is theirs."""
        self.check_seat(seat)
        running = self.turn_points if seat == self.active else 0
        return self.players[seat].score + running

    def seat(self, name: str) -> int:
        """Return the seat of the player of that name, letter case aside."""
        for seat, player in enumerate(self.players):
            if name_key(player.name) == name_key(name):
                return seat
        names = ", ".join(p.name for p in self.players)
        raise UnknownPlayerError(f"nobody here is called {name!r}; players are {names}")

    def check_seat(self, seat: int) -> None:
        """Refuse a seat that nobody sits on."""
        if type(seat) is not int or not 0 <= seat < len(self.players):
            raise UnknownPlayerError(
                f"seats of this game are 0 to {len(self.players) - 1}, got {seat!r}"
            )
