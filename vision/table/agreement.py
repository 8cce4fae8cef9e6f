"""Whether readings of the same still table say the same."""

from __future__ import annotations

from vision.recognize.locate import iou
from vision.recognize.reading import Decision, Reading

_SAME_PLACE = 0.6


def contradicts(look: Reading, fused: Reading) -> bool:
    """Tell whether a look was sure of something else."""
    return look.decision is Decision.ACCEPT and look.throw != fused.throw


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
