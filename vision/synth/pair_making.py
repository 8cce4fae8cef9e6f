"""Making pairs of pigs at rest: dropped onto each other, shoved together, slid to a gap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.throw import Contact, Pose
from vision.recognize.reading import OTHER
from vision.synth.pairs import PairRest
from vision.synth.physics import Array, Body, Material, Motion, World, pig_body
from vision.synth.physics_gap import Surface, gap_between, slide_to_gap
from vision.synth.pig import Pig
from vision.synth.placing import drop_to_table, stand
from vision.synth.pool import PigPool
from vision.synth.throws import contact_of, lying, random_rotation, run_to_rest

WAYS = ("onto", "beside", "shove", "slide")
SHARES = (0.35, 0.15, 0.15, 0.35)
"""How often each way to make a pair is tried until it gives one.

The first three give pigs that touch, lean or lie stacked, the last mostly a gap below 5 mm.
"""

_SOFT = Material(friction=0.9, restitution=0.1, give_mm=1.0, roll_mm=0.2)
"""Pigs laid down rather than thrown: they bounce little, so that more of them stay."""

_TOUCH_MM = 0.03
_POSE_WEIGHTS = dict(zip(Pose, (0.2, 0.2, 0.2, 0.2, 0.12, 0.08), strict=True))
_SAME_REST = np.cos(np.radians(14.0))


def make_pairs(pool: PigPool, count: int, seed: int) -> Iterator[PairRest]:
    """Give `count` pairs of the pool's pigs; pair number i depends on the seed and i alone."""
    maker = PairMaker(pool)
    for i in range(count):
        yield maker.make(np.random.default_rng([seed, i]))


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """One pig laid somewhere, not yet a part of a pair."""

    rotation: Array
    position: Array

    def at_rest(self) -> Motion:
        return Motion(self.position, self.rotation, np.zeros(3), np.zeros(3))


class PairMaker:
    """Makes pairs of a pool's pigs; the two of a pair are neighbours in the pool, or the same."""

    def __init__(self, pool: PigPool) -> None:
        self._pool = pool
        self._bodies: dict[int, Body] = {}
        self._worlds: dict[tuple[int, int], World] = {}

    def make(self, rng: np.random.Generator) -> PairRest:
        """Make one pair, in a way drawn by `SHARES`."""
        one = int(rng.integers(len(self._pool)))
        pigs = (one, one if rng.random() < 0.5 else (one + 1) % len(self._pool))
        way = str(rng.choice(WAYS, p=SHARES))
        while True:
            made = self._slide(pigs, rng) if way == "slide" else self._drop(pigs, way, rng)
            if made is not None:
                return made

    def _world(self, pigs: tuple[int, int]) -> World:
        if pigs not in self._worlds:
            if len(self._worlds) > 64:
                self._worlds.pop(next(iter(self._worlds)))
            for i in pigs:
                self._bodies.setdefault(i, pig_body(self._pool[i]))
            self._worlds[pigs] = World((self._bodies[pigs[0]], self._bodies[pigs[1]]), _SOFT)
        return self._worlds[pigs]

    def _lay(self, pig: Pig, rng: np.random.Generator) -> _Laid:
        rests = [r for r in pig.rests if r.pose]
        weights = np.array([_POSE_WEIGHTS[r.pose] * r.share**0.3 for r in rests if r.pose])
        rest = rests[int(rng.choice(len(rests), p=weights / weights.sum()))]
        rotation = stand(rest.up, rng.uniform(-np.pi, np.pi))
        return _Laid(rotation, drop_to_table(pig, rotation, (0.0, 0.0)))

    def _slide(self, pigs: tuple[int, int], rng: np.random.Generator) -> PairRest | None:
        """Lay both, and slide one towards the other until the gap is as drawn."""
        fixed, moved = (self._lay(self._pool[i], rng) for i in pigs)
        angle = rng.uniform(-np.pi, np.pi)
        way = np.array([np.cos(angle), np.sin(angle), 0.0])
        aside = np.array([-way[1], way[0], 0.0]) * rng.normal(0.0, 5.0)
        gap = 0.0 if rng.random() < 0.2 else float(0.1 + 4.9 * rng.beta(0.9, 1.4))
        still = _surface(self._pool[pigs[0]], fixed)
        coming = _surface(self._pool[pigs[1]], _Laid(moved.rotation, moved.position + aside))
        shift = slide_to_gap(still, coming, way, max(gap, _TOUCH_MM)) + aside
        both = (fixed, _Laid(moved.rotation, moved.position + shift))
        contact = Contact.TOUCHING if gap == 0.0 else Contact.APART
        return self._pair(pigs, both, contact, gap, (True, True))

    def _drop(self, pigs: tuple[int, int], way: str, rng: np.random.Generator) -> PairRest | None:
        """Drop or shove one pig against the other; None when they end up apart."""
        first, second = (self._pool[i] for i in pigs)
        under = self._lay(first, rng)
        motion = _onto(under, first, second, rng) if way == "onto" else None
        if motion is None:
            over = self._lay(second, rng)
            motion = _beside(over, first, under, second, rng, thrown=way == "beside")
        world = self._world(pigs)
        world.start((under.at_rest(), motion))
        if run_to_rest(world, 1 / 60, 3.0).rest_s is None:
            return None
        contact, on_table = contact_of(world, 0.05)
        one, two = (_Laid(m.rotation, m.position) for m in world.motions())
        if contact is Contact.STACKED and not on_table[0]:
            one, two, pigs, on_table = two, one, (pigs[1], pigs[0]), (True, on_table[0])
        return self._finish(pigs, (one, two), contact, on_table)

    def _finish(
        self,
        pigs: tuple[int, int],
        both: tuple[_Laid, _Laid],
        contact: Contact,
        on_table: tuple[bool, bool],
    ) -> PairRest | None:
        """Close the hair's breadth that soft contacts and convex pieces leave; measure the gap."""
        one, two = (_surface(self._pool[i], laid) for i, laid in zip(pigs, both, strict=True))
        gap = gap_between(one, two)
        if contact is Contact.APART:
            return None
        way = np.array([0.0, 0.0, 1.0])
        if contact is Contact.TOUCHING:
            way = (both[1].position - both[0].position) * [1.0, 1.0, 0.0]
            way /= max(float(np.linalg.norm(way)), 1e-6)
        shift = 0.0
        for _ in range(12):
            if gap <= _TOUCH_MM:
                break
            shift -= gap
            gap = gap_between(one, two, shift * way)
        if gap > 2 * _TOUCH_MM or shift < -0.8:
            return None
        closed = _Laid(both[1].rotation, both[1].position + shift * way)
        return self._pair(pigs, (both[0], closed), contact, 0.0, on_table)

    def _pair(
        self,
        pigs: tuple[int, int],
        both: tuple[_Laid, _Laid],
        contact: Contact,
        gap: float,
        on_table: tuple[bool, bool],
    ) -> PairRest:
        labels = tuple(
            _label(self._pool[i], laid, alone=ground and contact is Contact.APART)
            for i, laid, ground in zip(pigs, both, on_table, strict=True)
        )
        middle = (both[0].position + both[1].position) / 2 * [1.0, 1.0, 0.0]
        return PairRest(
            pigs=pigs,
            rotations=np.stack([laid.rotation for laid in both]),
            positions=np.stack([laid.position - middle for laid in both]),
            labels=(labels[0], labels[1]),
            contact=contact,
            gap_mm=gap,
        )


def _surface(pig: Pig, laid: _Laid) -> Surface:
    return Surface.of(pig.mesh, laid.rotation, laid.position)


def _onto(under: _Laid, first: Pig, second: Pig, rng: np.random.Generator) -> Motion:
    """Hold a pig a little over another that lies."""
    top = float((first.mesh.vertices @ under.rotation[2]).max() + under.position[2])
    rotation = random_rotation(rng)
    if rng.random() < 0.6:
        rests = [r for r in second.rests if r.pose]
        rotation = stand(rests[int(rng.integers(len(rests)))].up, rng.uniform(-np.pi, np.pi))
    low = float((second.mesh.vertices @ rotation[2]).min())
    offset = rng.normal(0.0, 4.0, 2)
    height = top - low + rng.uniform(0.2, 6.0)
    return Motion(
        under.position * [1.0, 1.0, 0.0] + [offset[0], offset[1], height],
        rotation, rng.normal(0.0, 15.0, 3), rng.normal(0.0, 0.5, 3),
    )  # fmt: skip


def _beside(
    over: _Laid, first: Pig, under: _Laid, second: Pig, rng: np.random.Generator, *, thrown: bool
) -> Motion:
    """Shove a lying pig against another, or let one fall leaning towards it."""
    angle = rng.uniform(-np.pi, np.pi)
    way = np.array([np.cos(angle), np.sin(angle), 0.0])
    rotation = random_rotation(rng) if thrown else over.rotation
    low = float((second.mesh.vertices @ rotation[2]).min())
    position = np.array([over.position[0], over.position[1], -low])
    laid = _Laid(rotation, position)
    gap = rng.uniform(0.3, 2.0)
    shift = slide_to_gap(_surface(first, under), _surface(second, laid), way, gap)
    speed = rng.uniform(0.0, 120.0) if thrown else rng.uniform(60.0, 220.0)
    return Motion(position + shift, rotation, -way * speed, rng.normal(0.0, 1.0, 3))


def _label(pig: Pig, laid: _Laid, *, alone: bool) -> str:
    """Name a pig of a pair by the nearest way to lie of its own, else by what carries it.

    One that does not lie as it would alone leans on the other: it has no name.
    """
    up = laid.rotation.T @ np.array([0.0, 0.0, 1.0])
    rests = [r for r in pig.rests if r.pose]
    nearest = max(rests, key=lambda r: float(r.up @ up))
    if float(nearest.up @ up) >= _SAME_REST and nearest.pose:
        return nearest.pose.value
    if not alone:
        return OTHER
    pose = lying(pig, laid.at_rest()).pose
    return OTHER if pose is None else pose.value
