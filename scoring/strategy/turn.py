"""One turn by itself: what it gives on average, and how often it gets how far."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from scoring.odds import Chances

_NEVER = 400  # no hold value beyond this gives more in a turn than a smaller one does


@dataclass(frozen=True, slots=True)
class TurnTable:
    """A turn thrown until `hold` points or a bust: each end with its chance, 0 for a bust."""

    hold: int
    ends: tuple[tuple[int, float], ...]

    @property
    def mean(self) -> float:
        """Points a turn gives on average, without what an oinker takes off the pad."""
        return sum(points * chance for points, chance in self.ends)

    @property
    def bust(self) -> float:
        """The chance that the turn gives nothing."""
        return dict(self.ends).get(0, 0.0)


def turn_table(chances: Chances, hold: int, start: int = 0) -> TurnTable:
    """Return where a turn ends that banks at `hold` points or more; the first throw is free."""
    reached = {start: 1.0}
    ends: dict[int, float] = {}
    for total in range(start, max(hold, start + 1)):
        chance = reached.pop(total, 0.0)
        if not chance:
            continue
        if chances.bust:
            ends[0] = ends.get(0, 0.0) + chance * chances.bust
        for points, p in chances.points:
            after = total + points
            into = ends if after >= hold else reached
            into[after] = into.get(after, 0.0) + chance * p
    return TurnTable(hold, tuple(sorted(ends.items())))


def reach_chance(chances: Chances, missing: int) -> float:
    """Return the chance of making `missing` points or more in one turn without ever banking."""
    return 1.0 - turn_table(chances, max(1, missing)).bust if missing > 0 else 1.0


def hold_threshold(chances: Chances) -> float:
    """Return the turn points above which a throw costs more than it brings, on average.

    What an oinker takes off the pad is left out: average points a throw over the chance of a bust.
    """
    return chances.mean / chances.bust if chances.bust else inf


def best_holds(chances: Chances) -> tuple[int, ...]:
    """Return every hold value that gives the most points in a turn on average."""
    threshold = hold_threshold(chances)
    if threshold > _NEVER:
        return ()
    around = range(max(1, int(threshold) - 2), int(threshold) + 4)
    means = {hold: turn_table(chances, hold).mean for hold in around}
    best = max(means.values())
    return tuple(hold for hold, mean in means.items() if best - mean < 1e-12)
