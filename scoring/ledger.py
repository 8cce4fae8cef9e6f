"""One game being played: its log in a store, its state in memory, and who wants to hear of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scoring.commands import Command, StartGame
from scoring.errors import ConflictError
from scoring.events import Event
from scoring.game import apply_all, decide
from scoring.rules import Rules
from scoring.state import GameState
from scoring.store import Store


@dataclass(frozen=True, slots=True)
class News:
    """What has just been committed: the events, and the game before and after them."""

    game_id: str
    events: tuple[Event, ...]
    before: GameState
    after: GameState


Listener = Callable[[News], None]


class Ledger:
    """Plays one game of a store; every change is on the disk before anybody hears of it.

    Safe to use from several threads. Several ledgers, in this program or another, may keep the
    same game: whoever comes second gets a `ConflictError`, and finds the game as it stands in
    `state`. Listeners are called in the order of events, by the thread that acts; they must be
    quick and must not act themselves.
    """

    def __init__(self, store: Store, game_id: str) -> None:
        self.store = store
        self.game_id = game_id
        self._state = store.state(game_id)
        self._listeners: list[Listener] = []
        self._lock = threading.RLock()

    @classmethod
    def start(cls, store: Store, rules: Rules, players: Sequence[str]) -> Ledger:
        """Begin a new game in the store."""
        events = decide(None, StartGame(rules, tuple(players)))
        return cls(store, store.create(events))

    @property
    def state(self) -> GameState:
        """The game as it stands, as far as this ledger has seen."""
        return self._state

    def act(self, command: Command, expected_seq: int | None = None) -> GameState:
        """Carry a command out, commit it, tell the listeners, and return the new state.

        `expected_seq` is the number of the last event the actor had seen; None trusts this
        ledger. A refused command raises its `ScoringError` and changes nothing.
        """
        with self._lock:
            before = self._state
            if expected_seq is not None and expected_seq != before.seq:
                before = self.refresh()
            if expected_seq is not None and expected_seq != before.seq:
                raise ConflictError(self.game_id, expected_seq, before.seq)
            events = decide(before, command)
            try:
                self.store.append(self.game_id, before.seq, events)
            except ConflictError:
                self.refresh()
                raise
            return self._move(events)

    def refresh(self) -> GameState:
        """Take in what others have added to the log, and tell the listeners."""
        with self._lock:
            events = self.store.events(self.game_id, after=self._state.seq)
            return self._move(events) if events else self._state

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after every change from now on; returns what ends that."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return unsubscribe

    def _move(self, events: Sequence[Event]) -> GameState:
        before = self._state
        self._state = apply_all(before, events)
        news = News(self.game_id, tuple(events), before, self._state)
        for listener in tuple(self._listeners):
            listener(news)
        return self._state
