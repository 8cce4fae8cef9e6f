"""A game watched from its first frame to its last: frames, table, referee and teller together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from scoring.errors import GameOverError
from scoring.state import GameState
from vision.table.evidence import Evidence
from vision.table.referee import Referee, Ruling
from vision.table.state import HandHeld, Noticed, StateChanged, TableEvent, ThrowSeen
from vision.table.telling import Teller

if TYPE_CHECKING:
    from scoring.ledger import Ledger  # brings the database

UNNAMED = (
    "not banked: a throw is not counted yet, and may have ended the turn; name it first "
    "(sooee games throw), or bank by hand (sooee games bank)"
)


def play_through(
    events: Iterable[TableEvent],
    referee: Referee,
    teller: Teller,
    evidence: Evidence | None = None,
) -> None:
    """Rule on each throw and tell it, until the table's events or the game end.

    Everything is on the disk before it is told, so whatever was told outlives the program.
    """
    trouble = ""
    unnamed = _Unnamed(referee.ledger)
    for event in events:
        if isinstance(event, StateChanged):
            teller.state(event)
        elif isinstance(event, Noticed):
            teller.notice(event)
        elif isinstance(event, HandHeld):
            _hand(event, referee, teller, unnamed)
        else:
            try:
                unnamed.ruled(_rule(event, referee, teller, evidence))
            except GameOverError:  # ended from another screen
                return
        if referee.ledger.state.over:
            return
        if evidence is not None and evidence.trouble not in ("", trouble):
            trouble = evidence.trouble
            teller.notice(Noticed(event.index, event.time_s, trouble))


def _rule(seen: ThrowSeen, referee: Referee, teller: Teller, evidence: Evidence | None) -> Ruling:
    ruling = referee.rule(seen)
    if evidence is not None:
        number = ruling.after.seq if ruling.counted else None
        evidence.keep(referee.ledger.game_id, number, seen)
    teller.throw(ruling)
    _tell_bank(referee.bank_if_due(), teller)
    return ruling


def _hand(held: HandHeld, referee: Referee, teller: Teller, unnamed: _Unnamed) -> None:
    """Tell of an open hand, and bank when it has been held, but not past a throw in question."""
    if held.left_s != 0:
        teller.hand(held)
    elif unnamed.now:
        teller.hand(replace(held, left_s=None))
        teller.notice(Noticed(held.index, held.time_s, UNNAMED))
    else:
        teller.hand(held)
        _tell_bank(referee.bank(), teller)
        unnamed.acted()


def _tell_bank(banked: tuple[GameState, GameState] | None, teller: Teller) -> None:
    if banked is not None:
        teller.bank(*banked)


class _Unnamed:
    """Whether a throw was asked about that nobody has seen to since.

    There is no page to answer on: whoever does something to the game from another screen has.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._seq = ledger.state.seq  # of the last event that the table itself knows of
        self._open = False

    @property
    def now(self) -> bool:
        """Look at the log, and tell."""
        self._look(self._ledger.refresh().seq)
        return self._open

    def ruled(self, ruling: Ruling) -> None:
        """Take note of a throw that was just ruled on."""
        self._look(ruling.before.seq)
        self._open |= not ruling.counted
        self.acted()

    def acted(self) -> None:
        """Take note that the table itself has written in the log."""
        self._seq = self._ledger.state.seq

    def _look(self, seq: int) -> None:
        if seq != self._seq:
            self._open = False
            self._seq = seq
