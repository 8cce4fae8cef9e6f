"""Whether two pigs that lie there were thrown, by the pigs that were told before."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import permutations

from vision.capture.small import Small
from vision.recognize.reading import PigDetection
from vision.table.lying import NUDGED, Lying, LyingPig

# How far two pigs may lie otherwise to each other, in a pig's length, and be moved as one by a
# camera that was lifted and put back. At 0.35 a filmed throw that fell like the one before it,
# 0.29 off, was asked about.
_AS_ONE = 0.15
# A knock moves a pig less far, or both pigs one way: so far otherwise at most.
_KNOCKED = 0.35

Pairs = tuple[tuple[LyingPig, LyingPig], ...]
"""Each pig that was told before with one that lies there now."""


class Verdict(Enum):
    """What two pigs are to those told before."""

    SAME = auto()
    NUDGED = auto()
    ONE = auto()
    DOUBT = auto()
    THROWN = auto()


def judge(pigs: Sequence[PigDetection], lying: Lying, small: Small, *, lifted: bool) -> Verdict:
    """Compare two pigs with those that were told before; `lifted`: a hand may have had them."""
    unthrown = lying.unthrown(pigs, small, lifted=lifted)
    if unthrown == 2:
        unseen = not lifted and _scattered(lying, Lying.of(pigs, small))
        return Verdict.DOUBT if unseen else Verdict.SAME
    if unthrown == 1:
        return Verdict.NUDGED if _nudged(lying, Lying.of(pigs, small)) else Verdict.ONE
    here = Lying.of(pigs, small)
    return Verdict.DOUBT if moved_as_one(lying, here) or _put_near(lying, here) else Verdict.THROWN


def returned(pigs: Sequence[PigDetection], gone: Lying, small: Small) -> Verdict:
    """Compare two pigs with those that were told before and went out of sight."""
    # One pig in an old place is chance: the table was seen without either of them.
    if gone.unthrown(pigs, small, lifted=True) == 2:
        return Verdict.SAME
    here = Lying.of(pigs, small)
    return Verdict.DOUBT if moved_as_one(gone, here) else Verdict.THROWN


def moved_as_one(old: Lying, here: Lying) -> bool:
    """Tell whether pigs in the same poses lie to each other as they did, wherever that is."""
    return any(
        all(a.pose == b.pose for a, b in pairs) and _apart(pairs) <= _AS_ONE
        for pairs in _pairings(old, here)
    )


def _nudged(old: Lying, here: Lying) -> bool:
    """Tell whether each pig lies near its old place in its old pose: one may lie in it."""
    return any(
        all(a.pose == b.pose and a.distance(b.box) <= NUDGED for a, b in pairs)
        for pairs in _pairings(old, here)
    )


def _put_near(old: Lying, here: Lying) -> bool:
    """Tell whether pigs in the same poses, changed about or not, lie near the old places.

    Thrown ones hardly ever do.
    """
    if sorted(p.pose for p in old.pigs) != sorted(p.pose for p in here.pigs):
        return False
    return any(all(a.distance(b.box) <= NUDGED for a, b in pairs) for pairs in _pairings(old, here))


def _scattered(old: Lying, here: Lying) -> bool:
    """Tell whether both pigs moved, each another way: a hand that nobody saw may have had them."""
    return all(
        _apart(pairs) > _KNOCKED and all(a.distance(b.box) > _KNOCKED for a, b in pairs)
        for pairs in _pairings(old, here)
    )


def _pairings(old: Lying, here: Lying) -> Iterator[Pairs]:
    for order in permutations(here.pigs):
        yield tuple(zip(old.pigs, order, strict=True))


def _apart(pairs: Pairs) -> float:
    """Give by how much the pigs moved differently, in a pig's length."""
    (ax, ay), (bx, by) = (_way(a, b) for a, b in pairs)
    return math.hypot(ax - bx, ay - by) / max(a.length for a, _ in pairs)


def _way(old: LyingPig, new: LyingPig) -> tuple[float, float]:
    a, b = old.box, new.box
    return (b[0] + b[2] - a[0] - a[2]) / 2, (b[1] + b[3] - a[1] - a[3]) / 2
