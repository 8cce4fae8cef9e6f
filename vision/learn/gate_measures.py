"""What is compared of two models: throws read right, and the mistakes that nobody would see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.learn.evaluate import PictureRecord, Records
from vision.learn.evaluate_rates import RESAMPLES, SEED, Rate, rate


@dataclass(frozen=True, slots=True)
class Measure:
    """Something that a reading of a picture is or is not.

    `counts` says by a picture's truth alone whether it is one to look at, `holds` whether the
    thing is so; `better` is 1 where more of it is better, -1 where less is.
    """

    what: str
    better: int
    counts: Callable[[PictureRecord], bool]
    holds: Callable[[PictureRecord], bool]

    def of(self, records: Records) -> NDArray[np.float64]:
        """Give 1 or 0 for each picture that counts, in the set's order."""
        return np.array([self.holds(p) for p in records.pictures if self.counts(p)], np.float64)


RIGHT = Measure("throws read right", 1, lambda p: p.is_throw, lambda p: p.is_right)

MISTAKES = (
    Measure(
        "touching or stacked pairs taken as apart",
        -1,
        lambda p: p.truth.contact in ("touching", "stacked"),
        lambda p: p.taken_as_apart,
    ),
    Measure(
        "wrong readings accepted",
        -1,
        lambda p: p.is_known,
        lambda p: p.accepted and not p.is_right,
    ),
)
"""Nobody is asked about these, so a wrong score stands."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure on one set read by both: `old` and `new` are its shares.

    `low` and `high` are the 95 % interval of new minus old; `mended` and `broken` count the
    pictures that changed for the better and for the worse.
    """

    name: str
    measure: Measure
    old: Rate
    new: Rate
    low: float
    high: float
    mended: int
    broken: int

    @property
    def difference(self) -> float:
        """New minus old."""
        return self.new.value - self.old.value

    @property
    def is_worse(self) -> bool:
        """Whether more pictures are broken than mended."""
        return self.measure.better * self.difference < 0

    @property
    def is_worse_for_certain(self) -> bool:
        """Whether all of the interval says so."""
        return (self.high if self.measure.better > 0 else -self.low) < 0


def comparison(
    name: str, measure: Measure, before: NDArray[np.float64], after: NDArray[np.float64]
) -> Comparison:
    """Compare what a measure gave for the same pictures, with a bootstrap over pictures."""
    change = after - before
    rng = np.random.default_rng(SEED)
    drawn = rng.integers(0, len(change), (RESAMPLES, len(change)))
    low, high = np.percentile(change[drawn].mean(axis=1), [2.5, 97.5])
    return Comparison(
        name,
        measure,
        rate(before),
        rate(after),
        float(low),
        float(high),
        int((measure.better * change > 0).sum()),
        int((measure.better * change < 0).sum()),
    )
