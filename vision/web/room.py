"""The room: the game on the table, what the camera has seen of it, and who wants to hear."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from scoring.commands import Bank, CallHog, Command, MakeThrow, Stop
from scoring.errors import GameOverError, ScoringError, StoreError
from scoring.events import Event, Redone, Source, Undone
from scoring.game import apply, decide
from scoring.ledger import Ledger, News
from scoring.rules import Rules
from scoring.store import Store
from scoring.throw import AnyThrow, ThrowError
from vision.recognize.reading import Decision
from vision.table.referee import Referee, Ruling
from vision.table.state import ThrowSeen
from vision.web.board import Board, Listener
from vision.web.camera_view import CameraView
from vision.web.errors import MovedOnError, QuestionError
from vision.web.keeper import Keeper
from vision.web.memory import Memory
from vision.web.news import NewsView, tell
from vision.web.remembering import Remembering
from vision.web.said import says_what_lies_there
from vision.web.sights import Sight, Sights
from vision.web.table_view import TableView, question_view
from vision.web.views import GameView, game_view
from vision.web.waiting import Queue, Waiting

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
        self._ledger: Ledger | None = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self._queue = Queue()
        self._ender: tuple[int, Waiting] | None = None  # the throw that ended it, others behind it
        self._idle: str | None = None
        self._trouble: str | None = None
        self._news: NewsView | None = None
        self._of_entry: dict[int, int] = {}
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
        return self._ledger

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
            ledger = self._game(game_id)
            self._first_what_waits()
            self._check_question(command, question)
            if question is None:
                ledger.act(command, expected_seq)
            else:
                self._answer(ledger, command, expected_seq)
            self._drain()  # an undo or a correction may have taken back the end
        return self.view

    def preview(self, game_id: str, command: Command) -> GameView:
        """Return the game as it would be after a command; nothing is done."""
        state = self._game(game_id).state
        for event in decide(state, command):
            state = apply(state, event)
        return game_view(game_id, state, self._of_entry)

    def seen(self, seen: ThrowSeen, sight: Sight) -> None:
        """Take a throw from the camera: it counts at once, or waits for a person."""
        with self._changing():
            if self._ledger is None or self._ledger.state.over:
                self._idle = "no_game" if self._ledger is None else "over"
                return
            self._idle = None
            waiting = Waiting(self._number(), seen, self.sights.add(sight))
            self._queue.add(waiting)
            if len(self._queue) == 1:
                self._drain()
            self._keep(waiting)

    def answer(self, question: int, throw: AnyThrow, expected_seq: int) -> TableView:
        """Say what the throw in question was; it counts as seen by the camera."""
        with self._changing():
            ledger = self._asked(question)
            self._answer(ledger, MakeThrow(throw, Source.CAMERA), expected_seq)
        return self.view

    def dismiss(self, question: int) -> TableView:
        """Say that it was no throw."""
        with self._changing():
            self._asked(question)
            self._settle(None)
        return self.view

    def bank_by_hand(self) -> None:
        """Bank the running turn, because an open hand over the table asked for it."""
        with self._changing():
            self._drain()
            if self._ledger is None or self._queue:
                return
            try:
                Referee(self._ledger).bank()
            except ScoringError as error:
                self._trouble = str(error)

    def on_settled(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when a person has said what was thrown; returns what ends that.

        That is the answer to a question, or the newest throw seen corrected, removed or undone.
        """
        self._settled.append(listener)
        return lambda: self._settled.remove(listener)

    def refresh(self) -> None:
        """Take in what other programs did, and try again what could not be written."""
        if self._ledger is None:
            return
        with self._changing(always=False):
            try:
                self._ledger.refresh()
            except ScoringError as error:  # also a log that a newer program has written to
                self._trouble = str(error)
                return
            self._trouble = None
            self._drain()

    def sights_of(self, game_id: str) -> dict[int, int]:
        """Return the numbers of the pictures of a game's throws, by entry."""
        if self._ledger is None or self._ledger.game_id != game_id:
            return {}
        return dict(self._of_entry)

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
                self._remember()
                if always or self._facts() != before:
                    self._publish()

    def _remember(self) -> None:
        """Keep for a restart what is on the table; `refresh` tries again where it fails."""
        trouble = self._remembering.keep(self._ledger, self._queue)
        self._trouble = self._trouble or trouble

    def _facts(self) -> tuple[object, ...]:
        seq = None if self._ledger is None else self._ledger.state.seq
        return (seq, len(self._queue), self._queue.asking, self._trouble, self._idle)

    def _expect(self, expected: str | None) -> None:
        actual = None if self._ledger is None else self._ledger.game_id
        if expected != actual:
            raise MovedOnError(f"expected game {expected} on the table, but it is {actual}")

    def _game(self, game_id: str) -> Ledger:
        if self._ledger is None or self._ledger.game_id != game_id:
            raise MovedOnError(f"game {game_id} is not the one on the table")
        return self._ledger

    def _asked(self, question: int) -> Ledger:
        asked = self._queue.question
        if self._ledger is None or asked is None or asked.id != question:
            raise QuestionError("this question is answered already")
        return self._ledger

    def _check_question(self, command: Command, question: int | None) -> None:
        """Refuse what overtakes the open question, or answers another one than is open."""
        if question is not None:
            if not isinstance(command, MakeThrow):
                raise QuestionError("only a throw answers a question")
            self._asked(question)
        elif self._queue.asking and isinstance(command, _AFTER_THROWS):
            raise QuestionError("the last throw is not counted yet; say first what it was")

    def _answer(self, ledger: Ledger, command: Command, expected_seq: int) -> None:
        with self._remembering.becoming(self._queue.head, ledger.game_id, expected_seq + 1):
            ledger.act(command, expected_seq)
        self._settle(ledger.state.seq)

    def _leave(self) -> None:
        """Count what waits before another game takes the place, or have it on the disk."""
        self._drain()
        self._remember()
        if not all(self._remembering.holds(w) for w in self._queue):
            self._refuse_stuck()

    def _put(self, ledger: Ledger, kind: str) -> None:
        self._unsubscribe()
        self._ledger = ledger
        self._unsubscribe = ledger.subscribe(self._heard)
        self._queue.clear()
        self._of_entry.clear()
        self._ender = self._idle = self._trouble = None
        for waiting in self._remembering.put_back(ledger):
            self._numbers = max(self._numbers, waiting.id)
            self._queue.add(waiting)
        self._news = NewsView(self._number(), kind)
        self._drain()

    def _heard(self, news: News) -> None:
        for event in news.events:
            self._ask_again(news.game_id, event)
        if self.keeper is not None:
            self.keeper.hear(news)
        newest = max(self._of_entry, default=0)
        if not self._queue and says_what_lies_there(news, newest):
            self._tell_settled()
        self._news = tell(self._number(), news, self._of_entry)

    def _settle(self, entry_id: int | None) -> None:
        """Take the throw in question off the queue, and go on with those behind it."""
        settled = self._queue.take()
        if entry_id is not None:
            self._became(settled, entry_id)
        if not self._queue:  # those behind it were thrown later: it is they that lie there
            self._tell_settled()
        self._drain()

    def _ask_again(self, game_id: str, event: Event) -> None:
        """Ask about a throw once more when the end that it made is undone while others wait.

        They were thrown after it: before they count somebody must say what it really was.
        """
        if self._ender is None or not isinstance(event, Undone | Redone):
            return
        entry_id, waiting = self._ender
        if event.id != entry_id:
            return
        if isinstance(event, Undone):
            self._queue.ask_first(waiting.unsure(key=f"{game_id}/{entry_id:06d}"))
        elif self._queue.question is not None and self._queue.head.id == waiting.id:
            self._queue.take()

    def _tell_settled(self) -> None:
        for listener in tuple(self._settled):
            listener()

    def _first_what_waits(self) -> None:
        """Write the throws seen before anything that a person does now can overtake them."""
        self._drain()
        self._refuse_stuck()

    def _refuse_stuck(self) -> None:
        if self._ledger is None or self._ledger.state.over or self._queue.asking:
            return  # what waits then waits for a person
        if self._queue and self._trouble is not None:
            raise StoreError(self._trouble)

    def _drain(self) -> None:
        """Rule on what waits, until a person must be asked or nothing is left."""
        while self._queue and not self._queue.asking and self._ledger is not None:
            if self._ledger.state.over:  # kept: the end may be taken back
                self._idle = "over"
                return
            head = self._queue.head
            referee = Referee(self._ledger, bank_at=self._bank_at)
            try:
                ruling = self._rule(referee, head)
                self._trouble = self._idle = None
                self._queue.asking = not ruling.counted
                if ruling.counted:
                    self._became(self._queue.take(), ruling.after.seq)
                    referee.bank_if_due()
            except GameOverError:  # ended by another program in this moment
                self._idle = "over"
                return
            except ThrowError:  # never a throw of this game
                self._queue.clear()
                self._idle = "dice"
                return
            except ScoringError as error:  # kept, and tried again by `refresh`
                self._trouble = str(error)
                return

    def _rule(self, referee: Referee, waiting: Waiting) -> Ruling:
        sure = waiting.seen.reading.decision is Decision.ACCEPT
        if not sure or not self._remembering.holds(waiting):
            return referee.rule(waiting.seen)
        ledger = referee.ledger
        with self._remembering.becoming(waiting, ledger.game_id, ledger.refresh().seq + 1):
            return referee.rule(waiting.seen)

    def _became(self, waiting: Waiting, entry_id: int) -> None:
        """Remember which event a throw seen has become."""
        self._of_entry[entry_id] = waiting.sight
        over = self._ledger is not None and self._ledger.state.over
        self._ender = (entry_id, waiting) if over and self._queue else None
        if waiting.key is not None and self.keeper is not None and self._ledger is not None:
            entry = self._ledger.state.entry(entry_id)
            if entry is not None and entry.throw is not None:
                self.keeper.answered(waiting.key, entry_id, entry.throw)

    def _keep(self, waiting: Waiting) -> None:
        """Keep the pictures of a throw: under its event's number, or until it is answered."""
        if self.keeper is None or self._ledger is None:
            return
        entry = next((e for e, sight in self._of_entry.items() if sight == waiting.sight), None)
        key = self.keeper.keep(self._ledger.game_id, entry, waiting.seen)
        self._queue.kept(waiting, key)

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _publish(self) -> None:
        """Show the game as it stands now."""
        ledger = self._ledger
        game = question = None
        if ledger is not None:
            game = game_view(ledger.game_id, ledger.state, self._of_entry)
            if (asked := self._queue.question) is not None:
                reading, rules = asked.seen.reading, ledger.state.rules
                sight = self.sights.get(asked.sight)
                question = question_view(asked.id, reading, rules, asked.sight, sight)
        self._board.change(
            game=game,
            question=question,
            waiting=self._queue.behind,
            idle=self._idle,
            trouble=self._trouble,
            news=self._news,
        )
