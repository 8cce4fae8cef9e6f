"""The looks at one still table: how many it takes until a reading can be relied on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from vision.recognize.locate import iou
from vision.recognize.reading import Decision, Reading
from vision.table.closer import Closer
from vision.table.novelty import Novelty

UNSURE = "two looks at the pigs do not agree"
HARD_TO_SEE = "the pigs are hard to make out"

_SAME_PLACE = 0.6


class Looks:
    """Two looks, each for itself; if they leave a doubt, a third one and all three together.

    A closer look comes last, where those before show fewer pigs than came, or things.
    """

    def __init__(self) -> None:
        self._readings: list[Reading] = []
        self._plain: tuple[Reading, Closer] | None = None

    @property
    def wanted(self) -> int:
        """How many frames should be read together next."""
        return 1 if len(self._readings) < 2 and self._plain is None else 3

    @property
    def closer(self) -> Closer | None:
        """How they should be looked at, if not as they are."""
        return None if self._plain is None else self._plain[1]

    def clear(self) -> None:
        """Begin anew: another table, or the next time that this one is read."""
        self._readings.clear()
        self._plain = None

    def take(self, reading: Reading, sort: Callable[[Reading], Novelty]) -> Reading | None:
        """Take the reading wanted; gives the one to rely on, None while more looks are needed.

        `sort` sorts a reading by what lay on the table before.
        """
        if self._plain is not None:
            return _better(*self._plain, reading, sort(reading))
        before = tuple(self._readings)
        self._readings.append(reading)
        if not before:
            return None
        if len(before) == 1:
            # A question about two pigs may be settled by a better look; a missing pig is one.
            doubtful = reading.decision is Decision.ASK and len(reading.pigs) == 2
            if doubtful or not agree(before[0], reading):
                return None
        elif any(_contradicts(look, reading) for look in before):
            reading = doubted(reading, UNSURE)
        closer = sort(reading).closer()
        if closer is None:
            return reading
        self._plain = (reading, closer)
        return None


def doubted(reading: Reading, reason: str) -> Reading:
    """Give a reading that a person must confirm."""
    if reading.decision is Decision.ASK:
        return reading
    return replace(reading, decision=Decision.ASK, reason=reason)


def agree(first: Reading, second: Reading) -> bool:
    """Tell whether two readings show the same pigs in the same places and poses."""
    if len(first.pigs) != len(second.pigs) or first.decision is not second.decision:
        return False
    if len(first.pigs) == 2 and first.throw != second.throw:
        return False
    left = list(first.pigs)
    for pig in second.pigs:
        best = max(left, key=lambda old: iou(old.box, pig.box))
        if best.pose != pig.pose or iou(best.box, pig.box) < _SAME_PLACE:
            return False
        left.remove(best)
    return True


def _contradicts(look: Reading, fused: Reading) -> bool:
    """Tell whether a look was sure of something else."""
    return look.decision is Decision.ACCEPT and look.throw != fused.throw


def _better(plain: Reading, how: Closer, closer: Reading, novelty: Novelty) -> Reading:
    """Take a closer look for true only where it shows two pigs, and no thing for one."""
    if len(novelty.pigs) != 2 or novelty.things:
        return plain
    # Where the plain looks showed something else it is for a person to say.
    return doubted(closer, HARD_TO_SEE) if how.steady else closer
