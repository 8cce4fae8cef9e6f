"""Whether a new model may replace the old: only if the throws read right do not fall.

Both read the same pictures, so what is compared is picture by picture: how many the new one
mends, how many it breaks. The difference has a bootstrap interval over pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from vision.errors import VisionError
from vision.learn.evaluate import Records, read_set
from vision.learn.evaluate_rates import RESAMPLES, SEED, Rate, rate
from vision.learn.evaluate_sets import EvaluationSet, TruePicture, TruePig
from vision.photos.photo_set import PhotoSet
from vision.photos.split import Split, leaks
from vision.recognize.recognizer import Recognizer

FEWEST = 30
"""Fewer throws than this, over all sets, decide nothing."""


class GateError(VisionError):
    """A comparison that cannot be made; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One set read by both: `old` and `new` shares of throws read right.

    `low` and `high` are the 95 % interval of new minus old; `mended` and `broken` count the
    pictures that changed.
    """

    name: str
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


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the new models are let in, why in one sentence, and what it rests on."""

    accepted: bool
    why: str
    comparisons: tuple[Comparison, ...]


def compare(
    old: Recognizer,
    new: Recognizer,
    sets: Sequence[EvaluationSet],
    told: Callable[[str, int], None] = lambda _name, _number: None,
) -> Verdict:
    """Read every set with both and judge; `told(set, picture)` is called after each picture."""
    comparisons, hits = [], []
    for chosen in sets:
        telling = partial(told, chosen.name)
        before = _hits(read_set(old, chosen, telling))
        after = _hits(read_set(new, chosen, telling))
        if len(before):
            comparisons.append(_comparison(chosen.name, before, after))
            hits.append((before, after))
    if not hits:
        raise GateError("none of the sets shows a throw: name one of whole pictures with two pigs")
    whole = _comparison("all", *(np.concatenate(side) for side in zip(*hits, strict=True)))
    return judge(comparisons, whole)


def judge(comparisons: Sequence[Comparison], whole: Comparison) -> Verdict:
    """Decide by the whole, and by each set on its own."""
    every = (*comparisons, whole) if len(comparisons) > 1 else tuple(comparisons)
    if whole.new.count < FEWEST:
        why = f"only {whole.new.count} throws to compare on; {FEWEST} are the least"
        return Verdict(False, why, every)
    if whole.difference < 0:
        why = f"throws read right fall by {-100 * whole.difference:.1f} percentage points"
        return Verdict(False, why, every)
    fallen = next((c for c in comparisons if c.high < 0), None)
    if fallen is not None:
        why = f"on {fallen.name} throws read right fall for certain"
        return Verdict(False, why, every)
    gained = 100 * whole.difference
    return Verdict(True, f"throws read right do not fall ({gained:+.1f} percentage points)", every)


def held_out_photos(photos: PhotoSet) -> EvaluationSet:
    """Give a photo set's test part; `GateError` where there is none, or where it leaks."""
    shown = photos.photos()
    found = leaks(shown, photos.split_by)
    if found:
        raise GateError(
            f"{photos.folder}: {found[0].why} lies in two parts; `sooee photos split --again`"
        )
    test = [
        p for p in shown
        if p.split is Split.TEST and p.labels is not None and p.labels.confirmed and not p.missing
    ]  # fmt: skip
    if not test:
        raise GateError(f"{photos.folder}: no test part; `sooee photos split` makes one")
    pictures = tuple(
        TruePicture(
            photos.path(p),
            tuple(TruePig(pig.box, pig.pose) for pig in p.labels.pigs),
            p.labels.contact if len(p.labels.pigs) == 2 else None,
        )
        for p in test
        if p.labels is not None
    )
    return EvaluationSet(photos.folder.resolve().name, pictures)


def _hits(records: Records) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([p.is_right for p in records.pictures if p.is_throw], np.float64)


def _comparison(
    name: str,
    before: np.ndarray[tuple[int], np.dtype[np.float64]],
    after: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> Comparison:
    change = after - before
    rng = np.random.default_rng(SEED)
    drawn = rng.integers(0, len(change), (RESAMPLES, len(change)))
    low, high = np.percentile(change[drawn].mean(axis=1), [2.5, 97.5])
    return Comparison(
        name,
        rate(before),
        rate(after),
        float(low),
        float(high),
        int((change > 0).sum()),
        int((change < 0).sum()),
    )
