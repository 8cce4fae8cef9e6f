"""What each throw seen has become in the log, and the pictures kept of it."""

from __future__ import annotations

from scoring.ledger import Ledger, News
from vision.web.keeper import Keeper
from vision.web.waiting import Queue, Waiting


class SeenAs:
    """The pictures of a game's throws, by the event that each throw became.

    `sights` gives their numbers in memory; what is kept on the disk is the keeper's.
    """

    def __init__(self, keeper: Keeper | None) -> None:
        self._keeper = keeper
        self.sights: dict[int, int] = {}

    @property
    def newest(self) -> int:
        """The newest event that was seen; 0 before the first."""
        return max(self.sights, default=0)

    def became(self, ledger: Ledger, waiting: Waiting, entry_id: int) -> None:
        """Remember which event a throw seen has become."""
        self.sights[entry_id] = waiting.sight
        if waiting.key is None or self._keeper is None:
            return
        entry = ledger.state.entry(entry_id)
        if entry is not None and entry.throw is not None:
            self._keeper.answered(waiting.key, entry_id, entry.throw)

    def keep(self, ledger: Ledger, waiting: Waiting, queue: Queue) -> None:
        """Keep the pictures of a throw: under its event's number, or until it is answered."""
        if self._keeper is None:
            return
        entry = next((e for e, sight in self.sights.items() if sight == waiting.sight), None)
        queue.kept(waiting, self._keeper.keep(ledger.game_id, entry, waiting.seen))

    def hear(self, news: News) -> None:
        """Note corrections; of what the ledger tells."""
        if self._keeper is not None:
            self._keeper.hear(news)
