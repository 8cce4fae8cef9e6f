"""Which pigs of a reading were thrown, by the table as it lay before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.capture.small import Grey, Small
from vision.recognize.reading import PigDetection, Reading
from vision.table.before import Before, Came, Then
from vision.table.closer import Closer
from vision.table.lying import SAME, Box, Lying, LyingPig, part

# Of a pig's length: a pig that lies where a known one lay is that one.
_KNOWN = 0.35
# A place of something that went is this much covered by the pig that lay there.
_WENT = 0.3
# A thing may be so large that a pig lies on it: so much of it must be as it was.
_LEFT = 0.7
# How large an unread pig may be to the one beside it; shadows count with either.
_LIKE = (0.3, 3.0)
# Around a pig that is not painted over, in its lengths.
_ROOM = 0.15


@dataclass(frozen=True, slots=True)
class Novelty:
    """A reading, sorted.

    `things` lie there since before the pigs: none of them. `waiting` are pigs that lay there
    before the last change, `came` is what the last change brought, read or not, in small pixels;
    `scale` of the reading's pixels go to one of these.
    """

    pigs: tuple[PigDetection, ...]
    things: tuple[PigDetection, ...] = ()
    waiting: int = 0
    came: tuple[Came, ...] = ()
    unread: Came | None = None
    scale: int = 1

    def closer(self) -> Closer | None:
        """Say how to look closer, if that may show two pigs where none, one or many were seen."""
        steady = len(self.pigs) < 2
        if len(self.pigs) > 2 or not (self.came if steady else self.things):
            return None
        came = (tuple(v * self.scale for v in c.box) for c in self.came)
        spared = [*(p.box for p in self.pigs), *came]
        covers = tuple(thing.box for thing in self.things)
        return Closer(covers, tuple(_with_room(*box) for box in spared), steady=steady)


def sort_out(reading: Reading, small: Small, before: Before, lying: Lying | None) -> Novelty:
    """Sort a reading of a still table by what lay there before."""
    now = before.now
    if now is None:
        return Novelty(reading.pigs)
    here = Lying.of(reading.pigs, Small(now, small.scale, small.index, small.time_s))
    then = before.then()
    lay = [[_lay(place, t, now) for t in then] for place in here.pigs]
    old = [bool(then) and all(these) for these in lay]
    known = [_known(place, lying, now) for place in here.pigs]
    if old.count(False) != 2:
        # With two pigs that came, what was logged before them was none, either.
        old = [o and not k for o, k in zip(old, known, strict=True)]
    kept = [i for i, o in enumerate(old) if not o]
    waiting = sum(bool(then) and lay[i][0] for i in kept)
    went = () if lying is None else tuple(p.box for p in lying.pigs)
    changes = then[0].changes if then else ()
    came = tuple(c for c in changes if all(_share(c.box, box) < _WENT for box in went))
    return Novelty(
        pigs=tuple(reading.pigs[i] for i in kept),
        things=tuple(pig for pig, o in zip(reading.pigs, old, strict=True) if o),
        waiting=waiting,
        came=came,
        unread=None if waiting else _unread([here.pigs[i].box for i in kept], came),
        scale=small.scale,
    )


def _lay(place: LyingPig, then: Then, now: Grey) -> bool:
    """Tell whether what is taken for a pig lay there then, whatever else came or went on it."""
    if place.lies_in(then.grey):
        return True
    left = np.ones(now.shape, bool)
    for change in then.changes:
        left[part(change.box)] = False
    inside = part(place.box)
    left = left[inside]
    if left.size == 0 or left.mean() < _LEFT:
        return False
    a, b = then.grey[inside][left].astype(np.float32), now[inside][left].astype(np.float32)
    spread = float(a.std() * b.std())
    alike = float(((a - a.mean()) * (b - b.mean())).mean())
    return spread > 0 and alike >= SAME * spread


def _known(place: LyingPig, lying: Lying | None, now: Grey) -> bool:
    if lying is None:
        return False
    return any(p.distance(place.box) <= _KNOWN and p.lies_in(now) for p in lying.pigs)


def _unread(boxes: list[Box], came: tuple[Came, ...]) -> Came | None:
    """Give what came beside the one pig that was read, if it may well be the other one."""
    if len(boxes) != 1:
        return None
    own = [c for c in came if _share(c.box, boxes[0]) >= _WENT]
    others = [c for c in came if c not in own]
    pixels = sum(c.pixels for c in own)
    alike = [c for c in others if _LIKE[0] * pixels <= c.pixels <= _LIKE[1] * pixels]
    return alike[0] if len(alike) == 1 else None


def _share(box: Box, other: Box) -> float:
    """Give how much of a box lies in another one."""
    wide = min(box[2], other[2]) - max(box[0], other[0])
    high = min(box[3], other[3]) - max(box[1], other[1])
    if wide <= 0 or high <= 0:
        return 0.0
    return wide * high / ((box[2] - box[0]) * (box[3] - box[1]))


def _with_room(x0: float, y0: float, x1: float, y1: float) -> Box:
    room = _ROOM * max(x1 - x0, y1 - y0)
    return x0 - room, y0 - room, x1 + room, y1 + room
