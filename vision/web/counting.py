"""Ruling on the throws seen of one game, one after another, until a person must be asked."""

from __future__ import annotations

from scoring.commands import Command
from scoring.errors import GameOverError, ScoringError, StoreError
from scoring.events import Event, Redone, Undone
from scoring.ledger import Ledger
from scoring.throw import ThrowError
from vision.recognize.reading import Decision
from vision.table.referee import Referee, Ruling
from vision.web.remembering import Remembering
from vision.web.seen_as import SeenAs
from vision.web.waiting import Queue, Waiting


class Counting:
    """The throws of one game on their way into its log; for whoever holds the room.

    `idle` says why the camera's last throw did not count, `trouble` why nothing can be written.
    """

    def __init__(
        self, ledger: Ledger, seen_as: SeenAs, remembering: Remembering, bank_at: int | None
    ) -> None:
        self.ledger = ledger
        self.seen_as = seen_as
        self.queue = Queue()
        self.idle: str | None = None
        self.trouble: str | None = None
        self._remembering = remembering
        self._bank_at = bank_at
        self._ender: tuple[int, Waiting] | None = None  # the throw that ended it, others behind it

    def take(self, waiting: Waiting) -> None:
        """Take a throw of the camera: it counts at once, or waits."""
        self.idle = None
        self.queue.add(waiting)
        if len(self.queue) == 1:
            self.drain()
        self.seen_as.keep(self.ledger, waiting, self.queue)

    def answer(self, command: Command, expected_seq: int) -> None:
        """Count the throw in question as what a person says it is."""
        ledger = self.ledger
        with self._remembering.becoming(self.queue.head, ledger.game_id, expected_seq + 1):
            ledger.act(command, expected_seq)
        self._became(self.queue.take(), ledger.state.seq)

    def first_what_waits(self) -> None:
        """Write the throws seen before anything that a person does now can overtake them."""
        self.drain()
        self._refuse_stuck()

    def leave(self) -> None:
        """Count what waits before another game takes the place, or have it on the disk."""
        self.drain()
        self.remember()
        if not all(self._remembering.holds(w) for w in self.queue):
            self._refuse_stuck()

    def remember(self) -> None:
        """Keep for a restart what is on the table; `refresh` tries again where it fails."""
        trouble = self._remembering.keep(self.ledger, self.queue)
        self.trouble = self.trouble or trouble

    def refresh(self) -> None:
        """Take in what other programs did, and try again what could not be written."""
        try:
            self.ledger.refresh()
        except ScoringError as error:  # also a log that a newer program has written to
            self.trouble = str(error)
            return
        self.trouble = None
        self.drain()

    def bank(self) -> None:
        """Bank the running turn, unless a throw waits that may have ended it."""
        self.drain()
        if self.queue:
            return
        try:
            Referee(self.ledger).bank()
        except ScoringError as error:
            self.trouble = str(error)

    def ask_again(self, event: Event) -> None:
        """Ask about a throw once more when the end that it made is undone while others wait.

        They were thrown after it: before they count somebody must say what it really was.
        """
        if self._ender is None or not isinstance(event, Undone | Redone):
            return
        entry_id, waiting = self._ender
        if event.id != entry_id:
            return
        if isinstance(event, Undone):
            key = f"{self.ledger.game_id}/{entry_id:06d}"
            self.queue.ask_first(waiting.unsure(key=key))
        elif self.queue.question is not None and self.queue.head.id == waiting.id:
            self.queue.take()

    def drain(self) -> None:
        """Rule on what waits, until a person must be asked or nothing is left."""
        while self.queue and not self.queue.asking:
            if self.ledger.state.over:  # kept: the end may be taken back
                self.idle = "over"
                return
            referee = Referee(self.ledger, bank_at=self._bank_at)
            try:
                ruling = self._rule(referee, self.queue.head)
                self.trouble = self.idle = None
                self.queue.asking = not ruling.counted
                if ruling.counted:
                    self._became(self.queue.take(), ruling.after.seq)
                    referee.bank_if_due()
            except GameOverError:  # ended by another program in this moment
                self.idle = "over"
                return
            except ThrowError:  # never a throw of this game
                self.queue.clear()
                self.idle = "dice"
                return
            except ScoringError as error:  # kept, and tried again by `refresh`
                self.trouble = str(error)
                return

    def _rule(self, referee: Referee, waiting: Waiting) -> Ruling:
        sure = waiting.seen.reading.decision is Decision.ACCEPT
        if not sure or not self._remembering.holds(waiting):
            return referee.rule(waiting.seen)
        ledger = referee.ledger
        with self._remembering.becoming(waiting, ledger.game_id, ledger.refresh().seq + 1):
            return referee.rule(waiting.seen)

    def _became(self, waiting: Waiting, entry_id: int) -> None:
        ended = self.ledger.state.over and len(self.queue) > 0
        self._ender = (entry_id, waiting) if ended else None
        self.seen_as.became(self.ledger, waiting, entry_id)

    def _refuse_stuck(self) -> None:
        if self.ledger.state.over or self.queue.asking:
            return  # what waits then waits for a person
        if self.queue and self.trouble is not None:
            raise StoreError(self.trouble)
