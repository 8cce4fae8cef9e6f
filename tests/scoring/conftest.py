"""A table to play at in tests: moves are short words, so that a game reads like one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

from scoring import commands as cm
from scoring.events import Event, Later
from scoring.game import apply, apply_all, decide, replay
from scoring.notation import parse_call, parse_throw
from scoring.rulefile import load_rules
from scoring.state import GameState

# Speed is measured by benchmarks; a busy machine must not fail a property.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


def command(state: GameState, move: str) -> cm.Command:
    """Read one move.

    `bank`, `stop`, `undo 2`, `redo`, `rename Bo Bob`, `call Bo 15 points`, `fix 3 snouter dot_up`,
    `remove 3`, `add 3 trotter dot_up`, `addbank 3`, each of these four perhaps with a last word
    `kept` or `dealt_anew`; everything else is a throw.
    """
    words = move.split()
    later: dict[str, Any] = {}
    if words[-1] in tuple(Later):
        later["later"] = Later(words.pop())
    verb, rest = words[0], words[1:]
    verbs: dict[str, Callable[[], cm.Command]] = {
        "bank": lambda: cm.Bank(player=state.seat(rest[0]) if rest else None),
        "stop": cm.Stop,
        "undo": lambda: cm.Undo(int(rest[0]) if rest else 1),
        "redo": lambda: cm.Redo(int(rest[0]) if rest else 1),
        "rename": lambda: cm.Rename(state.seat(rest[0]), rest[1]),
        "call": lambda: cm.CallHog(state.seat(rest[0]), parse_call(" ".join(rest[1:]))),
        "fix": lambda: cm.CorrectThrow(int(rest[0]), parse_throw(" ".join(rest[1:])), **later),
        "remove": lambda: cm.Remove(int(rest[0]), **later),
        "add": lambda: cm.AddThrow(int(rest[0]), parse_throw(" ".join(rest[1:])), **later),
        "addbank": lambda: cm.AddBank(int(rest[0]), **later),
    }
    return verbs.get(verb, lambda: cm.MakeThrow(parse_throw(move)))()


class Table:
    """A game under way, with its log; `do` plays moves and returns the table."""

    def __init__(self, players: str = "Anna Bo", variant: str = "classic", **options: Any) -> None:
        rules = load_rules(variant, **options)
        self.events: list[Event] = list(decide(None, cm.StartGame(rules, tuple(players.split()))))
        self.state = apply(None, self.events[0])

    def do(self, *moves: str) -> Table:
        """Play moves; each is decided, logged and applied, and the log must replay to the same."""
        self.play(*moves)
        assert replay(self.events) == self.state
        return self

    def play(self, *moves: str) -> Table:
        """Play moves as `do` does, without the replay: for games of many moves."""
        for move in moves:
            events = decide(self.state, command(self.state, move))
            self.state = apply_all(self.state, events)
            self.events.extend(events)
        return self

    @property
    def pad(self) -> dict[str, int]:
        """The scores by name."""
        return {p.name: p.score for p in self.state.players}

    @property
    def up(self) -> str | None:
        """The name of whose turn it is; None once the game is over."""
        seat = self.state.active
        return None if seat is None else self.state.players[seat].name

    @property
    def winners(self) -> list[str]:
        """The names of the winners."""
        return [self.state.players[i].name for i in self.state.winners]

    @property
    def last_id(self) -> int:
        """The number of the newest throw."""
        assert self.state.last_throw is not None
        return self.state.last_throw.id

    @property
    def counted(self) -> str:
        """The history in brief: the number of each entry, in brackets where it does not count."""
        return " ".join(str(e.id) if e.counted else f"({e.id})" for e in self.state.history)


@pytest.fixture
def table() -> Callable[..., Table]:
    """Give a new table: `table("Anna Bo Carl", target=50)`."""
    return Table
