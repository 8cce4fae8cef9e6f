"""A game as a log of events.

`decide(state, command)` gives the events of a command or refuses it, `apply(state, event)` gives
the game after an event, `apply_all(state, events)` after several, `replay(events)` after a whole
log. None of them changes anything: whoever keeps the log appends the events first and applies
them then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from scoring import commands as cm
from scoring import events as ev
from scoring.edits import edit
from scoring.errors import (
    GameError,
    LogError,
    ScoringError,
    TurnError,
    UndoError,
)
from scoring.events import Event
from scoring.names import checked_names, logged_names
from scoring.play import play, replay_entry
from scoring.state import Entry, GameState, Player
from scoring.tape import Tape

MAX_STEPS = 1000  # at once: more than any evening holds, and every step is a row of the log
# Tuples, because a test against a union of types takes three times as long.
_PLAY = (ev.ThrowMade, ev.Banked, ev.HogCalled, ev.Stopped)
_BY_PLAYER = (ev.ThrowMade, ev.Banked)


def decide(state: GameState | None, command: cm.Command) -> tuple[Event, ...]:
    """Return the events that carry a command out; a `ScoringError` when it is refused.

    `state` is None only for the command that starts a game.
    """
    if isinstance(command, cm.StartGame):
        if state is not None:
            raise GameError("this game has started already")
        started = ev.GameStarted(command.rules, checked_names(command.players))
        return (started,)
    if state is None:
        raise GameError("there is no game yet; start one first")
    if isinstance(command, cm.Undo):
        return _undo_events(state, command.steps)
    if isinstance(command, cm.Redo):
        return _redo_events(state, command.steps)
    event = _event_of(state, command)
    apply(state, event)  # refuses what the rules do not allow
    return (event,)


def apply(state: GameState | None, event: Event) -> GameState:
    """Return the game after one more event; a `ScoringError` when it cannot follow."""
    if isinstance(event, ev.GameStarted):
        if state is not None:
            raise LogError("a game starts only once")
        return _opening(event)
    if state is None:
        raise LogError(f"a log starts with a game started, got {type(event).__name__}")
    seq = state.seq + 1
    if isinstance(event, ev.Undone):
        _check_newest(state, 0, event)
        return _taken_back(state, 1)
    if isinstance(event, ev.Redone):
        return _redo(state, event, seq)
    return _do(state, seq, event, seq, ())


def apply_all(state: GameState | None, events: Iterable[Event]) -> GameState:
    """Return the game after several more events, as `apply` one after another would.

    An undo plays the game through again from its start; several in a row do so once.
    """
    back = 0
    for event in events:
        if state is not None and isinstance(event, ev.Undone):
            _check_newest(state, back, event)
            back += 1
            continue
        if state is not None and back:
            state, back = _taken_back(state, back), 0
        state = apply(state, event)
    if state is None:
        raise LogError("the log is empty; a game starts with its first event")
    return _taken_back(state, back)


def replay(events: Iterable[Event]) -> GameState:
    """Return the game after a whole log; `LogError` names the event that cannot follow."""
    number = 0

    def numbered() -> Iterator[Event]:
        nonlocal number
        for number, event in enumerate(events, start=1):  # noqa: B007  # read when one is refused
            yield event

    try:
        return apply_all(None, numbered())
    except LogError:
        raise
    except ScoringError as error:
        raise LogError(f"event {number} of the log cannot follow: {error}") from error


class Step(NamedTuple):
    """One entry of a game, with the game before it and after it."""

    before: GameState
    entry: Entry
    after: GameState


def walk(state: GameState) -> Iterator[Step]:
    """Play the game through once more as it counts today, corrections worked in."""
    before = fresh(state)
    for entry in state.history:
        after = replay_entry(before, entry)
        yield Step(before, after.history[-1], after)
        before = after


def fresh(state: GameState) -> GameState:
    """Return the same game before its first throw, under today's names."""
    return GameState(state.rules, tuple(Player(p.name) for p in state.players))


def _event_of(state: GameState, command: cm.Command) -> Event:  # noqa: PLR0911
    match command:
        case cm.MakeThrow(throw, source, player):
            return ev.ThrowMade(_whose_turn(state, player), throw, source)
        case cm.Bank(player):
            return ev.Banked(_whose_turn(state, player))
        case cm.CallHog(caller, call):
            return ev.HogCalled(caller, call)
        case cm.Stop():
            return ev.Stopped()
        case cm.CorrectThrow(entry_id, throw, later):
            return ev.ThrowCorrected(entry_id, throw, later)
        case cm.Remove(entry_id, later):
            return ev.Removed(entry_id, later)
        case cm.AddThrow(before, throw, source, later):
            return ev.ThrowAdded(before, throw, source, later)
        case cm.AddBank(before, later):
            return ev.BankAdded(before, later)
        case cm.Rename(player, name):
            return _renamed(state, player, name)
    raise GameError(f"no such command: {command!r}")


def _renamed(state: GameState, player: int, name: str) -> ev.PlayerRenamed:
    state.check_seat(player)
    names = [p.name for p in state.players]
    names[player] = name
    return ev.PlayerRenamed(player, checked_names(names)[player])


def _whose_turn(state: GameState, player: int | None) -> int:
    return state.up if player is None else player


def _check_turn(state: GameState, seat: int) -> None:
    state.check_seat(seat)
    if seat == state.up or state.over:
        return
    name, up = state.players[seat].name, state.players[state.up].name
    if state.players[seat].eliminated:
        raise TurnError(f"{name} is out of the game; it is {up}'s turn")
    raise TurnError(f"it is {up}'s turn, not {name}'s")


def _opening(event: ev.GameStarted) -> GameState:
    names = logged_names(event.players)
    return GameState(event.rules, tuple(Player(name) for name in names), done=Tape([(1, event)]))


def _do(
    state: GameState, number: int, event: Event, seq: int, undone: tuple[tuple[int, Event], ...]
) -> GameState:
    """Carry out an event that play or a correction consists of, under its own number.

    `seq` and `undone` are those of the log after it; a redone event keeps the number it had.
    """
    if isinstance(event, _PLAY):
        if isinstance(event, _BY_PLAYER):
            _check_turn(state, event.player)
        after = play(state, Entry(number, event, state.turn, state.up))
    elif isinstance(event, ev.PlayerRenamed):
        after = _rename(state, event)
    elif isinstance(event, ev.EditEvent):
        after = edit(fresh(state), state.history, number, event)
    else:
        raise LogError(f"{event!r} is no event of play")
    return after.but(done=state.done.plus((number, event)), seq=seq, undone=undone)


def _rename(state: GameState, event: ev.PlayerRenamed) -> GameState:
    state.check_seat(event.player)
    names = [p.name for p in state.players]
    names[event.player] = event.name
    checked = logged_names(names)
    players = tuple(replace(p, name=n) for p, n in zip(state.players, checked, strict=True))
    return state.but(players=players)


def _check_newest(state: GameState, back: int, event: ev.Undone) -> None:
    """Refuse an undo of anything but the newest event that stands once `back` are taken back."""
    if len(state.done) - back <= 1:
        raise UndoError("there is nothing to undo")
    newest, _ = state.done[-1 - back]
    if newest != event.id:
        raise UndoError(f"the newest event that stands is {newest}, not {event.id}")


def _taken_back(state: GameState, steps: int) -> GameState:
    """Return the game with its newest events taken back, played through again once."""
    if not steps:
        return state
    items = state.done[-steps:][::-1]
    before = _fold(state.done[:-steps])
    return before.but(seq=state.seq + steps, undone=(*state.undone, *items))


def _redo(state: GameState, event: ev.Redone, seq: int) -> GameState:
    if not state.undone:
        raise UndoError("there is nothing to redo")
    *rest, (number, again) = state.undone
    if number != event.id:
        raise UndoError(f"the event taken back last is {number}, not {event.id}")
    return _do(state, number, again, seq, tuple(rest))


def _fold(items: Iterable[tuple[int, Event]]) -> GameState:
    (_, first), *rest = items
    state = apply(None, first)
    for seq, event in rest:
        state = _do(state, seq, event, seq, ())
    return state


def _undo_events(state: GameState, steps: int) -> tuple[Event, ...]:
    available = len(state.done) - 1
    _check_steps(steps, available, "undo")
    return tuple(ev.Undone(number) for number, _ in state.done[-steps:][::-1])


def _redo_events(state: GameState, steps: int) -> tuple[Event, ...]:
    _check_steps(steps, len(state.undone), "redo")
    return tuple(ev.Redone(number) for number, _ in state.undone[-steps:][::-1])


def _check_steps(steps: int, available: int, verb: str) -> None:
    if not available:
        raise UndoError(f"there is nothing to {verb}")
    most = min(available, MAX_STEPS)
    if type(steps) is not int or not 1 <= steps <= most:
        raise UndoError(f"1 to {most} steps can be taken to {verb}, got {steps!r}")
