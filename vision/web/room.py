"""The room: the game on the table, what the camera has seen of it, and who wants to hear."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from scoring.commands import Bank, CallHog, Command, MakeThrow, Stop
from scoring.events import Source
from scoring.game import apply, decide
from scoring.ledger import Ledger, News
from scoring.rules import Rules
from scoring.store import Store
from scoring.throw import AnyThrow
from vision.table.state import ThrowSeen
from vision.web.board import Board, Listener
from vision.web.camera_view import CameraView
from vision.web.counting import Counting
from vision.web.errors import MovedOnError, QuestionError
from vision.web.keeper import Keeper
from vision.web.memory import Memory
from vision.web.news import NewsView, tell
from vision.web.remembering import Remembering
from vision.web.said import says_what_lies_there
from vision.web.seen_as import SeenAs
from vision.web.sights import Sight, Sights
from vision.web.table_view import TableView, question_view
from vision.web.views import GameView, game_view
from vision.web.waiting import Waiting

_AFTER_THROWS = (Bank, CallHog, MakeThrow, Stop)
"""Commands that mean something else before a throw than after it."""


class Room:
    """Where camera and people meet; every change is on the disk before anybody hears of it.

    Safe from any thread. Throws of the camera are ruled on one after another: while one waits
    for a person's answer, those after it wait behind it, so that none is lost or counted for
    the wrong player. `bank_at` banks a camera's turn by itself (the demo).
    """

    def __init__(
        self,
        store: Store,
        *,
        bank_at: int | None = None,
        keeper: Keeper | None = None,
        memory: Memory | None = None,
    ) -> None:
        self.store = store
        self.keeper = keeper
        self.sights = Sights()
        self._remembering = Remembering(memory, self.sights)
        self._bank_at = bank_at
        self._counting: Counting | None = None  # of the game on the table
        self._unsubscribe: Callable[[], None] = lambda: None
        self._idle: str | None = None
        self._news: NewsView | None = None
        self._numbers = 0
        self._lock = threading.RLock()
        self._board = Board()
        self._settled: list[Callable[[], None]] = []

    @property
    def view(self) -> TableView:
        """The newest view; never waits for the disk."""
        return self._board.view

    @property
    def ledger(self) -> Ledger | None:
        """The game on the table."""
        return None if self._counting is None else self._counting.ledger

    def subscribe(self, listener: Listener) -> None:
        """Call `listener` with every new view; it must be quick."""
        self._board.subscribe(listener)

    def resume(self) -> None:
        """Put the game on the table that lay there last, or else the newest, if it is not over."""
        newest = next((info.id for info in self.store.games(limit=1)), None)
        for game_id in (self._remembering.last_game(self.store), newest):
            if game_id is not None and not self.store.state(game_id).over:
                self.open(game_id, None)
                return

    def start(self, rules: Rules, players: tuple[str, ...], expected: str | None) -> TableView:
        """Begin a game; `MovedOnError` when another than the expected one is on the table."""
        with self._changing():
            self._expect(expected)
            self._leave()
            self._put(Ledger.start(self.store, rules, players), "started")
        return self.view

    def open(self, game_id: str, expected: str | None) -> TableView:
        """Take a past game back to the table."""
        with self._changing():
            self._expect(expected)
            if game_id == expected:  # what waits of it goes on waiting
                self._news = NewsView(self._number(), "opened")
            else:
                self._leave()
                self._put(Ledger(self.store, game_id), "opened")
        return self.view

    def act(
        self, game_id: str, command: Command, expected_seq: int, question: int | None = None
    ) -> TableView:
        """Carry out what a person asks of the game on the table.

        A throw entered by hand answers the `question` that it names, and is refused while another
        one is open. `QuestionError` for what cannot be done before the answer, `StoreError`
        before a throw seen is written; a `ScoringError` when the game refuses.
        """
        with self._changing():
            counting = self._game(game_id)
            counting.first_what_waits()
            self._check_question(counting, command, question)
            if question is None:
                counting.ledger.act(command, expected_seq)
            else:
                counting.answer(command, expected_seq)
                self._settle(counting)
            counting.drain()  # an undo or a correction may have taken back the end
        return self.view

    def preview(self, game_id: str, command: Command) -> GameView:
        """Return the game as it would be after a command; nothing is done."""
        counting = self._game(game_id)
        state = counting.ledger.state
        for event in decide(state, command):
            state = apply(state, event)
        return game_view(game_id, state, counting.seen_as.sights)

    def seen(self, seen: ThrowSeen, sight: Sight) -> None:
        """Take a throw from the camera: it counts at once, or waits for a person."""
        with self._changing():
            if self._counting is None:
                self._idle = "no_game"
            elif self._counting.ledger.state.over:
                self._counting.idle = "over"
            else:
                waiting = Waiting(self._number(), seen, self.sights.add(sight))
                self._counting.take(waiting)

    def answer(self, question: int, throw: AnyThrow, expected_seq: int) -> TableView:
        """Say what the throw in question was; it counts as seen by the camera."""
        with self._changing():
            counting = self._asked(question)
            counting.answer(MakeThrow(throw, Source.CAMERA), expected_seq)
            self._settle(counting)
        return self.view

    def dismiss(self, question: int) -> TableView:
        """Say that it was no throw."""
        with self._changing():
            counting = self._asked(question)
            counting.queue.take()
            self._settle(counting)
        return self.view

    def bank_by_hand(self) -> None:
        """Bank the running turn, because an open hand over the table asked for it."""
        with self._changing():
            if self._counting is not None:
                self._counting.bank()

    def on_settled(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when a person has said what was thrown; returns what ends that.

        That is the answer to a question, or the newest throw seen corrected, removed or undone.
        """
        self._settled.append(listener)
        return lambda: self._settled.remove(listener)

    def refresh(self) -> None:
        """Take in what other programs did, and try again what could not be written."""
        with self._changing(always=False):
            if self._counting is not None:
                self._counting.refresh()

    def sights_of(self, game_id: str) -> dict[int, int]:
        """Return the numbers of the pictures of a game's throws, by entry."""
        counting = self._counting
        if counting is None or counting.ledger.game_id != game_id:
            return {}
        return dict(counting.seen_as.sights)

    def set_camera(self, camera: CameraView) -> None:
        """Show another state of the camera."""
        self._board.change(camera=camera)

    def set_viewers(self, count: int) -> None:
        """Show how many pages look on."""
        self._board.change(viewers=count)

    @contextmanager
    def _changing(self, *, always: bool = True) -> Iterator[None]:
        """Hold the room while something is done, and show it as it then stands, come what may."""
        with self._lock:
            before = self._facts()
            try:
                yield
            finally:
                if self._counting is not None:
                    self._counting.remember()
                if always or self._facts() != before:
                    self._publish()

    def _facts(self) -> tuple[object, ...]:
        if (counting := self._counting) is None:
            return (self._idle,)
        queue = counting.queue
        troubles = (counting.trouble, counting.idle)
        return (counting.ledger.state.seq, len(queue), queue.asking, *troubles)

    def _expect(self, expected: str | None) -> None:
        actual = None if self.ledger is None else self.ledger.game_id
        if expected != actual:
            raise MovedOnError(f"expected game {expected} on the table, but it is {actual}")

    def _game(self, game_id: str) -> Counting:
        if self._counting is None or self._counting.ledger.game_id != game_id:
            raise MovedOnError(f"game {game_id} is not the one on the table")
        return self._counting

    def _asked(self, question: int) -> Counting:
        asked = None if self._counting is None else self._counting.queue.question
        if self._counting is None or asked is None or asked.id != question:
            raise QuestionError("this question is answered already")
        return self._counting

    def _check_question(self, counting: Counting, command: Command, question: int | None) -> None:
        """Refuse what overtakes the open question, or answers another one than is open."""
        if question is not None:
            if not isinstance(command, MakeThrow):
                raise QuestionError("only a throw answers a question")
            self._asked(question)
        elif counting.queue.asking and isinstance(command, _AFTER_THROWS):
            raise QuestionError("the last throw is not counted yet; say first what it was")

    def _leave(self) -> None:
        if self._counting is not None:
            self._counting.leave()

    def _put(self, ledger: Ledger, kind: str) -> None:
        self._unsubscribe()
        counting = Counting(ledger, SeenAs(self.keeper), self._remembering, self._bank_at)
        self._counting = counting
        self._unsubscribe = ledger.subscribe(self._heard)
        for waiting in self._remembering.put_back(ledger):
            self._numbers = max(self._numbers, waiting.id)
            counting.queue.add(waiting)
        self._news = NewsView(self._number(), kind)
        counting.drain()

    def _heard(self, news: News) -> None:
        if (counting := self._counting) is None:
            return
        for event in news.events:
            counting.ask_again(event)
        counting.seen_as.hear(news)
        if not counting.queue and says_what_lies_there(news, counting.seen_as.newest):
            self._tell_settled()
        self._news = tell(self._number(), news, counting.seen_as.sights)

    def _settle(self, counting: Counting) -> None:
        """Tell that the throw in question is named, and go on with those behind it."""
        if not counting.queue:  # those behind it were thrown later: it is they that lie there
            self._tell_settled()
        counting.drain()

    def _tell_settled(self) -> None:
        for listener in tuple(self._settled):
            listener()

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _publish(self) -> None:
        """Show the game as it stands now."""
        if (counting := self._counting) is None:
            self._board.change(idle=self._idle)
            return
        state, question = counting.ledger.state, None
        if (asked := counting.queue.question) is not None:
            sight = self.sights.get(asked.sight)
            reading = asked.seen.reading
            question = question_view(asked.id, reading, state.rules, asked.sight, sight)
        self._board.change(
            game=game_view(counting.ledger.game_id, state, counting.seen_as.sights),
            question=question,
            waiting=counting.queue.behind,
            idle=counting.idle,
            trouble=counting.trouble,
            news=self._news,
        )
