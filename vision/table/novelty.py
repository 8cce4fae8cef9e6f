"""Which pigs of a reading were thrown, by the table as it lay before."""

from __future__ import annotations

from dataclasses import dataclass

from vision.capture.small import Grey, Small
from vision.recognize.reading import PigDetection, Reading
from vision.table.before import Before, Came
from vision.table.closer import Closer
from vision.table.lying import Box, Lying, LyingPig

# Of a pig's length: a pig that lies where a known one lay is that one.
_KNOWN = 0.35
# A place of something that went is this much covered by the pig that lay there.
_WENT = 0.3
# How large an unread pig may be to the one beside it; shadows count with either.
_LIKE = (0.3, 3.0)


@dataclass(frozen=True, slots=True)
class Novelty:
    """A reading, sorted.

    `things` lie there since before the pigs: none of them. `waiting` are pigs that lay there
    before the last change, `came` is what the last change brought, read or not, in small pixels.
    """

    pigs: tuple[PigDetection, ...]
    things: tuple[PigDetection, ...]
    waiting: int
    came: tuple[Came, ...]
    unread: Came | None

    def closer(self) -> Closer | None:
        """Say how to look closer, if that may show two pigs where none, one or many were seen."""
        covers = tuple(thing.box for thing in self.things)
        if len(self.pigs) == 2:
            return Closer(covers) if covers else None
        return Closer(covers, steady=True) if len(self.pigs) < 2 and self.came else None


def sort_out(reading: Reading, small: Small, before: Before, lying: Lying | None) -> Novelty:
    """Sort a reading of a still table by what lay there before."""
    now = before.now
    if now is None:
        return Novelty(reading.pigs, (), 0, (), None)
    here = Lying.of(reading, Small(now, small.scale, small.index, small.time_s))
    then = before.then
    pigs, things, boxes, waiting = [], [], [], 0
    for pig, place in zip(reading.pigs, here.pigs, strict=True):
        lay = [place.lies_in(grey) for grey in then]
        if lay and all(lay) and not _known(place, lying, now):
            things.append(pig)
            continue
        pigs.append(pig)
        boxes.append(place.box)
        waiting += bool(lay) and lay[0]
    went = () if lying is None else tuple(p.box for p in lying.pigs)
    came = tuple(c for c in before.came() if all(_share(c.box, box) < _WENT for box in went))
    unread = _unread(boxes, came) if not waiting else None
    return Novelty(tuple(pigs), tuple(things), waiting, came, unread)


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
