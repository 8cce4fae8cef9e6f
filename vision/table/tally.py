"""How well a table was watched, against what really happened: each throw once, and how soon."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.throw import Throw
from vision.recognize.reading import Decision
from vision.table.state import StateChanged, TableEvent, TableState, ThrowSeen

_SEEN = (TableState.HAND, TableState.MOVING)


@dataclass(frozen=True, slots=True)
class RealThrow:
    """A throw that really happened: from the hand's letting go, rest, until it is taken away.

    Seconds of the source's clock; `throw` None where no rule names how the pigs lie.
    """

    start_s: float
    rest_s: float
    until_s: float
    throw: Throw | None


@dataclass(slots=True)
class Tally:
    """Counts over one or more tables.

    `once`: throws told once, `missed`: not at all, `doubled`: told again, `phantoms`: told
    though there was none. Of those told once, `asked`: as a question, and `misread`: accepted
    as another throw, or though no rule names how the pigs lie. `waits_s`: from rest to told;
    `lags_s`: from a hand's or a motion's beginning to its state.
    """

    once: int = 0
    asked: int = 0
    missed: int = 0
    doubled: int = 0
    phantoms: int = 0
    misread: int = 0
    waits_s: list[float] = field(default_factory=list)
    lags_s: list[float] = field(default_factory=list)

    @property
    def throws(self) -> int:
        """How many throws there really were."""
        return self.once + self.missed + self.doubled

    def add(self, other: Tally) -> None:
        """Add what was counted at another table."""
        for name in ("once", "asked", "missed", "doubled", "phantoms", "misread"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.waits_s += other.waits_s
        self.lags_s += other.lags_s


def tally(
    events: Sequence[TableEvent],
    throws: Sequence[RealThrow],
    begun_s: Sequence[float] = (),
    grace_s: float = 0.5,
) -> Tally:
    """Compare what was told with what happened.

    A throw may be told from its start until `grace_s` after it was taken away. `begun_s` are the
    moments at which a hand or a motion came into view of a table that was quiet before.
    """
    told = [e for e in events if isinstance(e, ThrowSeen)]
    counted = Tally()
    matched = 0
    for real in throws:
        mine = [t for t in told if real.start_s <= t.time_s <= real.until_s + grace_s]
        matched += len(mine)
        counted.once += len(mine) == 1
        counted.missed += not mine
        counted.doubled += len(mine) > 1
        if mine:
            counted.waits_s.append(mine[0].time_s - real.rest_s)
        if len(mine) == 1:
            asked = mine[0].reading.decision is Decision.ASK
            counted.asked += asked
            counted.misread += not asked and mine[0].reading.throw != real.throw
    counted.phantoms = len(told) - matched
    counted.lags_s = _lags(events, begun_s)
    return counted


def _lags(events: Sequence[TableEvent], begun_s: Sequence[float]) -> list[float]:
    """Give how long after each beginning the table was told to be moving, or a hand in it."""
    changes = [e for e in events if isinstance(e, StateChanged)]
    times = [c.time_s for c in changes]
    lags = []
    for moment in begun_s:
        at = bisect_right(times, moment)
        if at and changes[at - 1].state in _SEEN:
            lags.append(0.0)
            continue
        seen = next((c.time_s for c in changes[at:] if c.state in _SEEN), None)
        if seen is not None:
            lags.append(seen - moment)
    return lags
