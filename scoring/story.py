"""A game told turn by turn: what score sheets, score races and statistics are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from scoring.effects import Effect
from scoring.events import Banked
from scoring.game import Step, walk
from scoring.rules import GameEnd
from scoring.state import Entry, GameState


class TurnEnd(StrEnum):
    """How a turn came to its end.

    `moved_on`: the next player threw before anybody had banked, so it counted as banked.
    `won`: the game ended with a throw of this turn. `stopped`: the game was called a day.
    `open`: it is running.
    """

    BANKED = "banked"
    PIG_OUT = "pig_out"
    OINKER = "oinker"
    PIGGYBACK = "piggyback"
    MOVED_ON = "moved_on"
    WON = "won"
    STOPPED = "stopped"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One turn: whose, what was thrown, how it ended, the points it brought to the pad.

    `turn` numbers the turns of the game from 0, `entries` are those that count. `pads` are all
    scores after the turn, in the order of seats.
    """

    turn: int
    player: int
    entries: tuple[Entry, ...]
    end: TurnEnd
    points: int
    pads: tuple[int, ...]

    @property
    def throws(self) -> tuple[Entry, ...]:
        """The entries that are throws."""
        return tuple(e for e in self.entries if e.throw is not None)


_LOST = {
    Effect.LOSE_TURN: TurnEnd.PIG_OUT,
    Effect.LOSE_ALL: TurnEnd.OINKER,
    Effect.ELIMINATE: TurnEnd.PIGGYBACK,
}


def turns(state: GameState) -> tuple[TurnRecord, ...]:
    """Tell the game as it counts today, corrections worked in."""
    return tuple(_turns(state))


def _turns(state: GameState) -> Iterator[TurnRecord]:
    counted = [step for step in walk(state) if step.entry.counted]
    groups = [list(g) for _, g in groupby(counted, key=lambda s: (s.entry.turn, s.entry.player))]
    for number, steps in enumerate(groups):
        last = steps[-1]
        # A turn that moved on is written down by the first step of the next turn.
        running = number == len(groups) - 1
        end, points = _end(last, running=running and not state.over)
        pads = tuple(p.score for p in last.after.players)
        if end is TurnEnd.MOVED_ON:
            pads = tuple(n + points * (i == last.entry.player) for i, n in enumerate(pads))
        entries = tuple(s.entry for s in steps)
        yield TurnRecord(last.entry.turn, last.entry.player, entries, end, points, pads)


def _end(last: Step, *, running: bool) -> tuple[TurnEnd, int]:
    before, entry, after = last
    if isinstance(entry.event, Banked):
        return TurnEnd.BANKED, before.turn_points
    if entry.outcome is not None and entry.outcome.effect in _LOST:
        return _LOST[entry.outcome.effect], 0
    if after.over and entry.outcome is not None:
        # On reach the running turn is written down; otherwise a call's transfer won.
        written = after.rules.game_end is GameEnd.ON_REACH
        return TurnEnd.WON, (before.turn_points + entry.outcome.points) * written
    if after.over:
        return TurnEnd.STOPPED, 0
    if running:
        return TurnEnd.OPEN, after.turn_points
    return TurnEnd.MOVED_ON, after.turn_points
