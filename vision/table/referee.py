"""The one place where vision meets scoring: a throw seen becomes events of the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.commands import Bank, Command, MakeThrow
from scoring.effects import Outcome
from scoring.errors import ConflictError
from scoring.events import Source
from scoring.outcome import judge
from scoring.state import GameState
from scoring.throw import Throw
from vision.recognize.reading import Decision
from vision.table.state import ThrowSeen

if TYPE_CHECKING:
    from scoring.ledger import Ledger  # brings the database; the referee is given one

# Somebody at another screen may act in the same moment; the throw still counts.
_TRIES = 5


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a throw seen means for the game.

    `throw` and `outcome` are None when no throw of the game could be read. `counted`: it is in
    the log, `before` and `after` are the game around it; a question is not counted and leaves
    the game as it was.
    """

    seen: ThrowSeen
    throw: Throw | None
    outcome: Outcome | None
    counted: bool
    before: GameState
    after: GameState

    @property
    def player(self) -> str:
        """Who threw."""
        return self.before.players[self.before.up].name


class Referee:
    """Puts throws into a game; what is answered is on the disk already.

    `bank_at`: a turn that reaches so many points is banked at once, None: never.
    """

    def __init__(self, ledger: Ledger, *, bank_at: int | None = None) -> None:
        self.ledger = ledger
        self._bank_at = bank_at

    def rule(self, seen: ThrowSeen) -> Ruling:
        """Log an accepted throw; a question changes nothing.

        Raises `GameOverError` after the end of the game, `StoreError` when the log cannot be
        written: nothing is logged then.
        """
        throw = seen.reading.throw
        before = self.ledger.refresh()
        outcome = None if throw is None else judge(throw, before.rules)
        if throw is None or seen.reading.decision is Decision.ASK:
            return Ruling(seen, throw, outcome, False, before, before)
        before, after = self._act(MakeThrow(throw, Source.CAMERA))
        return Ruling(seen, throw, outcome, True, before, after)

    def bank_if_due(self) -> tuple[GameState, GameState] | None:
        """Bank the running turn if it has reached `bank_at`; gives the game before and after."""
        if self._bank_at is None or self.ledger.state.turn_points < self._bank_at:
            return None
        return self.bank()

    def bank(self) -> tuple[GameState, GameState] | None:
        """Bank the running turn; None when there is none to bank, or somebody just did."""
        before = self.ledger.refresh()
        if not before.can_bank:
            return None
        try:
            return before, self.ledger.act(Bank(before.up), expected_seq=before.seq)
        except ConflictError:  # somebody has just acted on this very turn: it is theirs
            return None

    def _act(self, command: Command) -> tuple[GameState, GameState]:
        for _ in range(_TRIES):
            before = self.ledger.state
            try:
                return before, self.ledger.act(command)
            except ConflictError:
                continue
        return self.ledger.state, self.ledger.act(command)
