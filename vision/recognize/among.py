"""Which of the located boxes are the game's pigs, by what both models say of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

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

SURE_OF_THREE = 0.6
"""But a box that both models together are this sure of is a third pig, however small it is seen.

Three pigs read as two is a wrong throw in silence: of 75 frames with a third pig laid in, four
were. It costs one more question on 400 frames of the loudest tables, none on 400 others.
"""

SAME_AGAIN = 0.5
"""Boxes that share so much of the smaller one show the same pig twice, if either is doubtful."""

LARGER = 1.8
"""Unless one is so many times as large: it may hold both of two pigs that touch."""


def pigs_among(located: Sequence[Located], posed: Sequence[float], threshold: float) -> list[int]:
    """Give which boxes are pigs, in their order.

    `posed` are the pose model's probabilities that a box holds a pig in some pose. A game has two
    pigs: once two are found, a doubtful third is something else. Where three are left, a pig that
    is seen twice counts once, by the larger box: a part of a pig is easily misread.
    """
    both = [pig.confidence * p for pig, p in zip(located, posed, strict=True)]
    sure = [pig.confidence >= SURELY_A_PIG for pig in located]
    kept = [i for i, b in enumerate(both) if sure[i] or b >= threshold]
    surest = sorted(kept, key=both.__getitem__, reverse=True)[:2]
    if len(surest) == 2 and both[surest[1]] >= ONE_OF_TWO:
        third = [
            both[i] >= SURE_OF_THREE
            or (located[i].confidence >= ONE_TOO_MANY and posed[i] >= SOME_POSE)
            for i in kept
        ]
        kept = [i for i, stays in zip(kept, third, strict=True) if i in surest or stays]
    return _each_once(kept, [pig.box for pig in located], both)


def _each_once(kept: list[int], boxes: Sequence[Box], both: Sequence[float]) -> list[int]:
    """Leave out the smaller of two boxes of one pig, while there are more than two."""
    for pair in combinations(kept, 2):
        if len(kept) == 2 or not set(pair) <= set(kept):
            continue
        small, large = sorted(pair, key=lambda i: area(boxes[i]))
        doubtful = min(both[small], both[large]) < ONE_OF_TWO
        near = area(boxes[large]) <= LARGER * area(boxes[small])
        if doubtful and near and shared(boxes[small], boxes[large]) >= SAME_AGAIN:
            kept = [i for i in kept if i != small]
    return kept


def area(box: Box) -> float:
    """Give the area of a box in pixels."""
    return (box[2] - box[0]) * (box[3] - box[1])


def shared(a: Box, b: Box) -> float:
    """Give the share of the smaller of two boxes that lies in the other, 0 to 1."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    smaller = min(area(a), area(b))
    return max(0.0, width) * max(0.0, height) / smaller if smaller > 0 else 0.0
