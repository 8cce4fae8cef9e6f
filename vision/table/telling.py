"""How a watched game is told: in lines for people, or in lines of JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

from scoring.effects import Effect, Landing, Outcome
from scoring.rulefile import ENDLESS
from scoring.state import GameState
from vision.table.referee import Ruling
from vision.table.state import HandHeld, Noticed, StateChanged, TableState

Write = Callable[[str], None]
"""Writes one line and hands it over at once."""


class Teller(Protocol):
    """What is told of a game as it goes; everything told is on the disk already."""

    def begin(self, game_id: str, state: GameState) -> None:
        """Tell which game is played."""

    def state(self, changed: StateChanged) -> None:
        """Tell that the table went into another state."""

    def notice(self, noticed: Noticed) -> None:
        """Tell what happened to the camera or the light."""

    def hand(self, held: HandHeld) -> None:
        """Tell that an open hand is about to bank the turn."""

    def throw(self, ruling: Ruling) -> None:
        """Tell a throw, or the question about it."""

    def bank(self, before: GameState, after: GameState) -> None:
        """Tell that a turn was banked."""

    def end(self, state: GameState) -> None:
        """Tell the scores, and who won if the game is over."""


class JsonTeller:
    """One JSON object a line, each with `event`; times in seconds of the source's clock."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def begin(self, game_id: str, state: GameState) -> None:
        """Write `game`: its name in the store, rules, target, players, last event's number."""
        self._line(
            event="game",
            game=game_id,
            rules=state.rules.variant,
            target=state.rules.target or ENDLESS,
            players=[p.name for p in state.players],
            seq=state.seq,
        )

    def state(self, changed: StateChanged) -> None:
        """Write `state`."""
        self._line(
            event="state",
            time_s=round(changed.time_s, 3),
            frame=changed.index,
            state=changed.state,
            reason=changed.reason,
        )

    def notice(self, noticed: Noticed) -> None:
        """Write `notice`."""
        self._line(
            event="notice",
            time_s=round(noticed.time_s, 3),
            frame=noticed.index,
            text=noticed.text,
        )

    def hand(self, held: HandHeld) -> None:
        """Write `hand`: the seconds until it banks, null when it was broken off."""
        self._line(event="hand", time_s=round(held.time_s, 3), frame=held.index, left_s=held.left_s)

    def throw(self, ruling: Ruling) -> None:
        """Write `throw`; with `counted` false it is a question and nobody's points changed."""
        seen, outcome = ruling.seen, ruling.outcome
        contact = seen.reading.contact
        self._line(
            event="throw",
            time_s=round(seen.time_s, 3),
            frame=seen.index,
            poses=[p.pose for p in seen.reading.pigs],
            contact=contact.state if contact else None,
            decision=seen.reading.decision,
            reason=seen.reading.reason,
            outcome=outcome.landing if outcome else None,
            effect=outcome.effect if outcome else None,
            points=outcome.points if outcome else 0,
            counted=ruling.counted,
            player=ruling.player,
            turn_points=ruling.after.turn_points,
            seq=ruling.after.seq,
        )

    def bank(self, before: GameState, after: GameState) -> None:
        """Write `bank`."""
        player = after.players[before.up]
        self._line(
            event="bank",
            player=player.name,
            points=before.turn_points,
            score=player.score,
            seq=after.seq,
        )

    def end(self, state: GameState) -> None:
        """Write `scores`."""
        self._line(
            event="scores",
            over=state.over,
            winners=[state.players[w].name for w in state.winners],
            scores=[
                {"player": p.name, "score": p.score, "eliminated": p.eliminated}
                for p in state.players
            ],
            up=None if state.over else state.players[state.up].name,
            turn_points=state.turn_points,
            seq=state.seq,
        )

    def _line(self, **fields: Any) -> None:
        self._write(json.dumps(fields, ensure_ascii=False))


_LANDINGS = {
    Landing.SIDER: "Sider",
    Landing.RAZORBACK: "Razorback",
    Landing.TROTTER: "Trotter",
    Landing.SNOUTER: "Snouter",
    Landing.LEANING_JOWLER: "Leaning Jowler",
    Landing.PIG_OUT: "Pig Out",
    Landing.MIXED_COMBO: "Mixed Combo",
}


class WordTeller:
    """Lines for people: throws, banks, what went wrong, and the scoreboard at the end."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def begin(self, game_id: str, state: GameState) -> None:
        """Write the game's heading."""
        names = " and ".join(filter(None, [", ".join(_names(state)[:-1]), _names(state)[-1]]))
        goal = f"to {state.rules.target}" if state.rules.target else "without an end"
        self._write(f"Game {game_id[:8]}: {names} play {state.rules.variant} {goal}.")

    def state(self, changed: StateChanged) -> None:
        """Write only what wants a person: a lost camera, a table that cannot be read."""
        if changed.state is TableState.NO_CAMERA:
            self._write(f"{_clock(changed.time_s)}  no picture: {changed.reason}")
        elif changed.state is TableState.ASKING and changed.reason:
            self._write(f"{_clock(changed.time_s)}  waiting: {changed.reason}")

    def notice(self, noticed: Noticed) -> None:
        """Write it as it is."""
        self._write(f"{_clock(noticed.time_s)}  note: {noticed.text}")

    def hand(self, held: HandHeld) -> None:
        """Write the count-down."""
        if held.left_s is None:
            self._write(f"{_clock(held.time_s)}  not banked")
        elif held.left_s:
            self._write(f"{_clock(held.time_s)}  an open hand: banking in {held.left_s:.1f} s")

    def throw(self, ruling: Ruling) -> None:
        """Write who threw what, what it is worth, and the running turn."""
        at = _clock(ruling.seen.time_s)
        poses = " and ".join(p.pose.replace("_", " ") for p in ruling.seen.reading.pigs)
        if ruling.outcome is None or not ruling.counted:
            likely = f" It looks like {_name(ruling.outcome)}." if ruling.outcome else ""
            self._write(f"{at}  {ruling.player}: {poses}: not counted, please check.{likely}")
            return
        self._write(f"{at}  {ruling.player}: {poses}: {_worth(ruling, ruling.outcome)}")

    def bank(self, before: GameState, after: GameState) -> None:
        """Write who has how much."""
        player = after.players[before.up]
        self._write(f"         {player.name} banks {before.turn_points} and has {player.score}")

    def end(self, state: GameState) -> None:
        """Write the scoreboard."""
        wide = max(len(name) for name in _names(state))
        self._write("Final score" if state.over else "Score")
        for seat, player in enumerate(state.players):
            marks = ["out of the game"] if player.eliminated else []
            if seat in state.winners:
                marks.append("wins" if len(state.winners) == 1 else "shares the win")
            if seat == state.active and state.turn_points:
                marks.append(f"{state.turn_points} in the running turn")
            self._write(f"  {player.name:<{wide}}  {player.score:>4}  {', '.join(marks)}".rstrip())


def _names(state: GameState) -> list[str]:
    return [p.name for p in state.players]


def _clock(time_s: float) -> str:
    return f"{time_s:7.1f}s"


def _name(outcome: Outcome) -> str:
    return _LANDINGS.get(outcome.landing, outcome.landing.replace("_", " ").title())


def _points(count: int) -> str:
    return f"{count} point" if count == 1 else f"{count} points"


def _worth(ruling: Ruling, outcome: Outcome) -> str:
    name = _name(outcome)
    before, after = ruling.before, ruling.after
    if outcome.effect is Effect.SCORE:
        turn = before.turn_points + outcome.points
        won = f"; {ruling.player} wins" if after.over and before.up in after.winners else ""
        return f"{name}, {_points(outcome.points)}, {turn} this turn{won}"
    if outcome.effect is Effect.LOSE_TURN:
        return f"{name}, {_points(before.turn_points)} lost, the turn passes"
    if outcome.effect is Effect.LOSE_ALL:
        return f"{name}, the whole score is lost, the turn passes"
    if outcome.effect is Effect.ELIMINATE:
        return f"{name}, {ruling.player} is out of the game"
    return f"{name}, throw again"
