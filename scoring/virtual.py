"""Virtual throws: pigs and dice drawn from their odds, for games without any on the table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from random import Random

from scoring.odds import Odds
from scoring.throw import AnyThrow


def draw(odds: Odds, generator: Random) -> AnyThrow:
    """Draw one throw; the same generator state gives the same throw."""
    return next(draws(odds, generator))


def draws(odds: Odds, generator: Random) -> Iterator[AnyThrow]:
    """Draw throws for ever, each independent of the others."""
    throws = [throw for throw, _ in odds.throws]
    cumulative = list(accumulate(chance for _, chance in odds.throws))
    while True:
        yield generator.choices(throws, cum_weights=cumulative)[0]
