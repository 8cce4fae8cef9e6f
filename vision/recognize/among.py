"""Which of the located boxes are the game's pigs, by what both models say of them."""

from __future__ import annotations

from collections.abc import Sequence

from vision.recognize.locate import Located

SURELY_A_PIG = 0.8
"""A box this sure stays, however it lies: a pig that leans on a cup is one, in no pose."""

ONE_OF_TWO = 0.5
"""Where two boxes are this sure by both models, they are the game's two pigs."""

ONE_TOO_MANY = 0.7
"""The least confidence of a box beside those two: a real third pig is surer still."""

SOME_POSE = 0.6
"""Nor is it one unless the pose model is this sure that it lies in some pose."""


def pigs_among(located: Sequence[Located], posed: Sequence[float], threshold: float) -> list[int]:
    """Give which boxes are pigs, in their order.

    `posed` are the pose model's probabilities that a box holds a pig in some pose. A game has two
    pigs: once two are found, a doubtful third is something else.
    """
    both = [pig.confidence * p for pig, p in zip(located, posed, strict=True)]
    sure = [pig.confidence >= SURELY_A_PIG for pig in located]
    kept = [i for i, b in enumerate(both) if sure[i] or b >= threshold]
    surest = sorted(kept, key=both.__getitem__, reverse=True)[:2]
    if len(surest) < 2 or both[surest[1]] < ONE_OF_TWO:
        return kept
    third = [located[i].confidence >= ONE_TOO_MANY and posed[i] >= SOME_POSE for i in kept]
    return [i for i, stays in zip(kept, third, strict=True) if i in surest or stays]
