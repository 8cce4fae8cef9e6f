"""Keeping what waits on the disk as it changes, and putting it back after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from scoring.errors import ScoringError, StoreError, UnknownGameError
from scoring.events import ThrowMade
from scoring.ledger import Ledger
from scoring.store import Store
from vision.web.memory import Memory
from vision.web.sights import Sight, Sights
from vision.web.waiting import Queue, Waiting
from vision.web.waiting_data import KeptThrow


class Remembering:
    """A table and its memory; without one nothing outlives the program."""

    def __init__(self, memory: Memory | None, sights: Sights) -> None:
        self._memory = memory
        self._sights = sights

    def last_game(self, store: Store) -> str | None:
        """Give the game that lay on the table last, if the store has it."""
        game_id = None if self._memory is None else self._memory.game
        if game_id is None:
            return None
        try:
            store.records(game_id)
        except UnknownGameError:  # of another database
            return None
        return game_id

    def keep(self, ledger: Ledger | None, queue: Queue) -> str | None:
        """Make the disk hold what is on the table; gives what is wrong where it cannot."""
        if self._memory is None or ledger is None:
            return None
        try:
            self._memory.put(ledger.game_id)
            self._memory.forget_but(ledger.game_id, {w.id for w in queue})
            new = (w for w in queue if not self.holds(w))
            self._memory.keep(ledger.game_id, (self._kept(w, ledger.state.seq) for w in new))
        except StoreError as error:
            return str(error)
        return None

    def put_back(self, ledger: Ledger) -> list[Waiting]:
        """Give the throws that waited when the game was left, the oldest first.

        Where the game has gone on since then, also a sure one is for people to say: it may be
        counted already, or another player's.
        """
        if self._memory is None:
            return []
        back = []
        for kept in self._memory.waiting(ledger.game_id, partial(_is_throw, ledger)):
            waiting = Waiting(kept.id, kept.seen, self._sights.add(kept.sight))
            moved_on = kept.seq != ledger.state.seq
            back.append(waiting.unsure(key=None) if moved_on else waiting)
        return back

    def holds(self, waiting: Waiting) -> bool:
        """Tell whether a throw that waits is on the disk."""
        return self._memory is not None and self._memory.keeps(waiting.id)

    @contextmanager
    def becoming(self, waiting: Waiting, game_id: str, event: int) -> Iterator[None]:
        """Note the event that a throw kept is about to become: no restart counts it twice."""
        if self._memory is None:
            yield
            return
        self._memory.becomes(game_id, waiting.id, event)
        try:
            yield
        except ScoringError:
            self._memory.becomes(game_id, waiting.id, None)
            raise

    def _kept(self, waiting: Waiting, seq: int) -> KeptThrow:
        sight = self._sights.get(waiting.sight) or Sight({}, ())
        return KeptThrow(waiting.id, seq, waiting.seen, sight)


def _is_throw(ledger: Ledger, number: int) -> bool:
    """Tell whether an event of the log is a throw; one that was undone since is one too."""
    after = ledger.store.events(ledger.game_id, after=number - 1)
    return bool(after) and isinstance(after[0], ThrowMade)
