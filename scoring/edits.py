"""Corrections: the game played through again with one entry changed, removed or added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoring.errors import CorrectionError
from scoring.events import (
    BankAdded,
    Banked,
    Later,
    PlayEvent,
    Removed,
    ThrowAdded,
    ThrowCorrected,
    ThrowMade,
)
from scoring.outcome import judge
from scoring.play import replay_entry
from scoring.state import Entry, GameState

Correction = ThrowCorrected | Removed | ThrowAdded | BankAdded


def edit(start: GameState, history: Sequence[Entry], seq: int, event: Correction) -> GameState:
    """Return the game played from `start` through `history`, the correction worked in.

    `seq` is the number of the correction's own event; an added entry is known by it.
    `CorrectionError` when the entry is unknown or the correction would change nothing.
    """
    entries = list(history)
    if isinstance(event, ThrowCorrected):
        place = _place(entries, event.id)
        entries[place] = _corrected(entries[place], event, start)
        # The corrected throw stays whose it was; `later` is about what comes after it.
        return _through(start, entries, place + 1, event.later)
    if isinstance(event, Removed):
        place = _place(entries, event.id)
        del entries[place]
        return _through(start, entries, place, event.later)
    place = _place(entries, event.before)
    at = entries[place]
    play_event: PlayEvent
    if isinstance(event, ThrowAdded):
        judge(event.throw, start.rules)
        play_event = ThrowMade(at.player, event.throw, event.source)
    else:
        play_event = Banked(at.player)
    entries.insert(place, Entry(seq, play_event, at.turn, at.player))
    state = _through(start, entries, place, event.later)
    if not state.history[place].counted:
        raise CorrectionError(f"nothing can be added before event {event.before}: no turn is open")
    return state


def _through(state: GameState, entries: Sequence[Entry], changed: int, later: Later) -> GameState:
    anew = later is Later.DEALT_ANEW
    for place, entry in enumerate(entries):
        state = replay_entry(state, entry, anew=anew and place >= changed)
    return state


def _place(entries: Sequence[Entry], entry_id: int) -> int:
    for place, entry in enumerate(entries):
        if entry.id == entry_id:
            return place
    raise CorrectionError(f"this game has no throw, bank or call with the number {entry_id!r}")


def _corrected(entry: Entry, event: ThrowCorrected, start: GameState) -> Entry:
    if not isinstance(entry.event, ThrowMade):
        raise CorrectionError(f"event {entry.id} is not a throw; only throws can be corrected")
    if entry.event.throw == event.throw:
        raise CorrectionError(f"event {entry.id} is that throw already")
    judge(event.throw, start.rules)
    return replace(entry, event=replace(entry.event, throw=event.throw))
