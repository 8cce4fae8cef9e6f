"""Thrown pigs: a hand's throw, simulated until both lie still, and what the throw then is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.throw import Contact, Pose
from vision.synth.physics import Array, Material, Motion, World, pig_body
from vision.synth.physics_gap import Surface, gap_between
from vision.synth.pig import Pig
from vision.synth.rest import name_rest, parts_on_table
from vision.synth.shape import PigSolid


@dataclass(frozen=True, slots=True)
class HandThrow:
    """How a hand throws two pigs: ranges (low, high), millimetres and seconds.

    `height` of the release, `apart` between the pigs then, `speed` along the table, `drop` the
    downward speed, `spin` the standard deviation of each pig's turning (rad/s, each axis).
    """

    height: tuple[float, float] = (100.0, 200.0)
    apart: tuple[float, float] = (28.0, 45.0)
    speed: tuple[float, float] = (150.0, 700.0)
    drop: tuple[float, float] = (-200.0, 400.0)
    spin: float = 18.0


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """One pig at rest: where, which part carries it, its pose (None without a name)."""

    position: Array
    rotation: Array
    touching: frozenset[str]
    pose: Pose | None
    mirrored: bool
    on_table: bool

    @property
    def up(self) -> Array:
        """The table's upward normal in the pig's frame."""
        return np.asarray(self.rotation.T @ np.array([0.0, 0.0, 1.0]))


def throw_start(
    hand: HandThrow, rng: np.random.Generator, towards_deg: float | None = None
) -> tuple[Motion, Motion]:
    """Draw two pigs leaving a hand over the table's origin, in the direction `towards_deg`."""
    angle = rng.uniform(0, 2 * np.pi) if towards_deg is None else np.radians(towards_deg)
    ahead = np.array([np.cos(angle), np.sin(angle), 0.0])
    speed = rng.uniform(*hand.speed) * ahead
    fall = rng.uniform(*hand.drop)
    middle = np.array([0.0, 0.0, rng.uniform(*hand.height)])
    between = _unit(rng.normal(size=3) * [1.0, 1.0, 0.4]) * rng.uniform(*hand.apart) / 2
    return (
        _leaving(middle + between, speed, fall, hand, rng),
        _leaving(middle - between, speed, fall, hand, rng),
    )


def _leaving(
    position: Array, speed: Array, fall: float, hand: HandThrow, rng: np.random.Generator
) -> Motion:
    own = rng.normal(0.0, 0.15 * np.linalg.norm(speed) + 20.0, 3) * [1.0, 1.0, 0.5]
    return Motion(
        position=position,
        rotation=random_rotation(rng),
        velocity=speed + own - [0.0, 0.0, fall],
        spin=rng.normal(0.0, hand.spin, 3),
    )


def random_rotation(rng: np.random.Generator) -> Array:
    """Draw a rotation, all equally likely (Shoemake 1992: a normal quaternion), float64[3, 3]."""
    w, x, y, z = _unit(rng.normal(size=4))
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _unit(v: Array) -> Array:
    return np.asarray(v / np.linalg.norm(v))


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """A throw's course.

    `times` float64[T] s, `positions` [T, 2, 3] mm and `rotations` [T, 2, 3, 3] of both pigs;
    `rest_s` when both had come to rest, None when they never did.
    """

    times: Array
    positions: Array
    rotations: Array
    rest_s: float | None


def run_to_rest(world: World, every_s: float = 1 / 120, longest_s: float = 5.0) -> Track:
    """Step a started world until nothing moves, keeping the course every `every_s` seconds."""
    times, positions, rotations = [], [], []
    quiet = 0
    rest = None
    while world.time_s < longest_s:
        now = world.motions()
        times.append(world.time_s)
        positions.append([m.position for m in now])
        rotations.append([m.rotation for m in now])
        quiet = quiet + 1 if all(_still(m) for m in now) else 0
        if quiet * every_s > 0.1:
            rest = times[-quiet]
            break
        world.run(every_s)
    return Track(np.array(times), np.array(positions), np.array(rotations), rest)


def _still(motion: Motion) -> bool:
    slow = np.linalg.norm(motion.velocity) < 6.0 and np.linalg.norm(motion.spin) < 0.6
    return bool(slow)


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """Two pigs thrown and come to rest.

    `settled` is False when they still moved at the end of the patience; `gap_mm` the least
    distance of their surfaces.
    """

    track: Track
    lying: tuple[Lying, Lying]
    contact: Contact
    gap_mm: float
    settled: bool


class Thrower:
    """Throws the same two pigs again and again."""

    def __init__(
        self, pigs: tuple[Pig, Pig], material: Material | None = None, step_ms: float = 0.25
    ) -> None:
        bodies = {id(p): pig_body(p) for p in pigs}
        self.pigs = pigs
        self.world = World((bodies[id(pigs[0])], bodies[id(pigs[1])]), material, step_ms)

    def throw(self, rng: np.random.Generator, hand: HandThrow | None = None) -> Thrown:
        """Throw both from a hand over the table's origin."""
        return self.let_go(throw_start(hand or HandThrow(), rng))

    def let_go(
        self, start: tuple[Motion, Motion], every_s: float = 1 / 120, longest_s: float = 5.0
    ) -> Thrown:
        """Let two pigs go as they move, and follow them until they lie still."""
        self.world.start(start)
        track = run_to_rest(self.world, every_s, longest_s)
        contact, on_table = contact_of(self.world)
        now = self.world.motions()
        one, two = (
            lying(pig, motion, ground)
            for pig, motion, ground in zip(self.pigs, now, on_table, strict=True)
        )
        surfaces = [
            Surface.of(p.mesh, m.rotation, m.position) for p, m in zip(self.pigs, now, strict=True)
        ]
        gap = gap_between(surfaces[0], surfaces[1])
        return Thrown(track, (one, two), contact, gap, track.rest_s is not None)


def lying(pig: Pig, motion: Motion, on_table: bool = True) -> Lying:
    """Say how a pig at rest lies; one that the other carries has no pose of its own."""
    touching = parts_on_table(pig.mesh, PigSolid(pig.shape), motion.up)
    pose, mirrored = name_rest(motion.up, touching)
    return Lying(motion.position, motion.rotation, touching, pose, mirrored, on_table)


def contact_of(world: World, watch_s: float = 0.1) -> tuple[Contact, tuple[bool, bool]]:
    """Say how two pigs at rest lie to each other, and which of them presses on the table.

    Pigs at rest still tremble by a thousandth of a millimetre, so they are watched for a while.
    """
    pairs: set[tuple[int, int]] = set()
    for _ in range(10):
        world.run(watch_s / 10)
        pairs |= {(t.first, t.second) for t in world.touches()}
    on_table = ((-1, 0) in pairs, (-1, 1) in pairs)
    if (0, 1) not in pairs:
        return Contact.APART, on_table
    return (Contact.TOUCHING if all(on_table) else Contact.STACKED), on_table
