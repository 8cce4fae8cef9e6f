"""A game watched from its first frame to its last: frames, table, referee and teller together."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.errors import GameOverError
from scoring.state import GameState
from vision.table.evidence import Evidence
from vision.table.referee import Referee
from vision.table.state import HandHeld, Noticed, StateChanged, TableEvent, ThrowSeen
from vision.table.telling import Teller


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
    for event in events:
        if isinstance(event, StateChanged):
            teller.state(event)
        elif isinstance(event, Noticed):
            teller.notice(event)
        elif isinstance(event, HandHeld):
            teller.hand(event)
            if event.left_s == 0:
                _tell_bank(referee.bank(), teller)
        else:
            try:
                _rule(event, referee, teller, evidence)
            except GameOverError:  # ended from another screen
                return
        if referee.ledger.state.over:
            return
        if evidence is not None and evidence.trouble not in ("", trouble):
            trouble = evidence.trouble
            teller.notice(Noticed(event.index, event.time_s, trouble))


def _rule(seen: ThrowSeen, referee: Referee, teller: Teller, evidence: Evidence | None) -> None:
    ruling = referee.rule(seen)
    if evidence is not None:
        number = ruling.after.seq if ruling.counted else None
        evidence.keep(referee.ledger.game_id, number, seen)
    teller.throw(ruling)
    _tell_bank(referee.bank_if_due(), teller)


def _tell_bank(banked: tuple[GameState, GameState] | None, teller: Teller) -> None:
    if banked is not None:
        teller.bank(*banked)
