"""Which of the located boxes are the game's pigs, by what both models say of them."""

from __future__ import annotations

from collections.abc import Sequence

from vision.recognize.crop import Box
from vision.recognize.locate import Located

SURELY_A_PIG = 0.8
"""A box this sure stays, however it lies: a pig that leans on a cup is one, in no pose."""

ONE_OF_TWO = 0.5
"""Where two boxes are this sure by both models, they are the game's two pigs."""

ONE_TOO_MANY = 0.7
"""The least confidence of a box beside those two: a real third pig is surer still."""

SOME_POSE = 0.6
"""Nor is it one unless the pose model is this sure that it lies in some pose."""

PART_OF_A_PIG = 0.3
"""A box beside two surer ones that shares so much with one of them shows the same pig again.

It must be less sure than `ONE_OF_TWO`: of two pigs that touch both are surer.
"""


def pigs_among(located: Sequence[Located], posed: Sequence[float], threshold: float) -> list[int]:
    """Give which boxes are pigs, in their order.

    `posed` are the pose model's probabilities that a box holds a pig in some pose. A game has two
    pigs: once two are found, a doubtful third is something else, or a part of one of them.
    """
    both = [pig.confidence * p for pig, p in zip(located, posed, strict=True)]
    sure = [pig.confidence >= SURELY_A_PIG for pig in located]
    kept = [i for i, b in enumerate(both) if sure[i] or b >= threshold]
    surest = sorted(kept, key=both.__getitem__, reverse=True)[:2]
    if len(surest) < 2:
        return kept
    two = [located[i].box for i in surest]
    kept = [i for i in kept if i in surest or both[i] >= ONE_OF_TWO or not part_of(located[i], two)]
    if both[surest[1]] < ONE_OF_TWO:
        return kept
    third = [located[i].confidence >= ONE_TOO_MANY and posed[i] >= SOME_POSE for i in kept]
    return [i for i, stays in zip(kept, third, strict=True) if i in surest or stays]


def part_of(pig: Located, others: Sequence[Box]) -> bool:
    """Tell whether a box shows part of what one of the others shows, or that and more."""
    return any(shared(pig.box, other) >= PART_OF_A_PIG for other in others)


def shared(a: Box, b: Box) -> float:
    """Give the share of the smaller of two boxes that lies in the other, 0 to 1."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
    return max(0.0, width) * max(0.0, height) / smaller if smaller > 0 else 0.0
