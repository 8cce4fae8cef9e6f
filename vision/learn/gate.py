"""Whether a new model may replace the old: only if it reads no worse, and is no less honest.

Both read the same pictures, so what is compared is picture by picture: how many the new one
mends, how many it breaks. The difference has a bootstrap interval over pictures. Throws read
right may not fall, and the mistakes that nobody would be asked about may not rise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from vision.errors import VisionError
from vision.learn.evaluate import Records, read_set
from vision.learn.evaluate_sets import EvaluationSet, TruePicture, TruePig
from vision.learn.gate_measures import MISTAKES, RIGHT, Comparison, Measure, comparison
from vision.photos.photo_set import PhotoSet
from vision.photos.split import Split, leaks
from vision.recognize.recognizer import Recognizer

FEWEST = 30
"""Fewer throws than this, over all sets, decide nothing."""


class GateError(VisionError):
    """A comparison that cannot be made; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the new models are let in, why in one sentence, and what it rests on.

    `comparisons` are of the throws read right, set by set and over all; `mistakes` of `MISTAKES`.
    """

    accepted: bool
    why: str
    comparisons: tuple[Comparison, ...]
    mistakes: tuple[Comparison, ...] = ()


def compare(
    old: Recognizer,
    new: Recognizer,
    sets: Sequence[EvaluationSet],
    told: Callable[[str, int], None] = lambda _name, _number: None,
) -> Verdict:
    """Read every set with both and judge; `told(set, picture)` is called after each picture."""
    read = []
    for chosen in sets:
        telling = partial(told, chosen.name)
        read.append((read_set(old, chosen, telling), read_set(new, chosen, telling)))
    throws = _compared(RIGHT, read)
    if not throws:
        raise GateError("none of the sets shows a throw: name one of whole pictures with two pigs")
    mistakes = (_compared(mistake, read) for mistake in MISTAKES)
    accepts = any(p.accepted for before, _ in read for p in before.pictures)
    return judge(throws, *mistakes, accepts=accepts)


def judge(
    throws: Sequence[Comparison], *mistakes: Sequence[Comparison], accepts: bool = True
) -> Verdict:
    """Decide by what each measure is over all sets, its last, and by each set on its own.

    `accepts`: whether the models in use accept anything. Those that ask about every throw make no
    mistakes, and are no measure of how few there should be: then mistakes must rise for certain.
    """
    shown = tuple(throws), tuple(c for each in mistakes for c in each)
    if throws[-1].new.count < FEWEST:
        why = f"only {throws[-1].new.count} throws to compare on; {FEWEST} are the least"
        return Verdict(False, why, *shown)
    whys = (_worse(throws), *(_worse(m, strictly=accepts) for m in mistakes))
    worse = [why for why in whys if why]
    if worse:
        return Verdict(False, "; ".join(worse), *shown)
    gained = f"{100 * throws[-1].difference:+.1f} percentage points"
    return Verdict(True, f"throws read right do not fall ({gained}), nor do mistakes rise", *shown)


def _worse(comparisons: Sequence[Comparison], *, strictly: bool = True) -> str:
    """Say where a measure is worse, in words; nothing where it is not, or not for certain."""
    if not comparisons:
        return ""
    whole, measure = comparisons[-1], comparisons[-1].measure
    moved = f"{measure.what} {'fall' if measure.better > 0 else 'rise'}"
    if whole.is_worse and (strictly or whole.is_worse_for_certain):
        return f"{moved} by {100 * abs(whole.difference):.1f} percentage points"
    worse = [c.name for c in comparisons if c.is_worse_for_certain]
    return f"on {worse[0]} {moved} for certain" if worse else ""


def _compared(measure: Measure, read: Sequence[tuple[Records, Records]]) -> list[Comparison]:
    """Compare set by set, then over all where there are several; sets that show none are left."""
    values = [(old.name, measure.of(old), measure.of(new)) for old, new in read]
    values = [each for each in values if len(each[1])]
    if len(values) > 1:
        _, before, after = zip(*values, strict=True)
        values.append(("all", np.concatenate(before), np.concatenate(after)))
    return [comparison(name, measure, *sides) for name, *sides in values]


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
