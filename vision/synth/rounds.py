"""One round over the table: two pigs fly in, tumble, lie, and a hand takes them away."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

import numpy as np

from vision.synth.hand import REACH_MM, HandAt
from vision.synth.physics import Array
from vision.synth.pig import Pig
from vision.synth.scene import Camera, Paint, Placed
from vision.synth.throws import HandThrow, Thrower, Thrown, Track, throw_start

TRACK_HZ = 240.0
_GRAVITY = np.array([0.0, 0.0, -9810.0])


@dataclass(frozen=True, slots=True)
class Keyframe:
    """Where the hand is at a time (seconds)."""

    time_s: float
    hand: HandAt


@dataclass(frozen=True, slots=True)
class HandPath:
    """A hand's way through keyframes in order of time; outside of them there is no hand."""

    keys: tuple[Keyframe, ...]

    def __post_init__(self) -> None:
        times = [k.time_s for k in self.keys]
        if len(times) < 2 or times != sorted(times):
            raise ValueError(f"a hand's way has two or more keyframes in order, got {times}")

    @property
    def span_s(self) -> tuple[float, float]:
        """From when to when there is a hand."""
        return self.keys[0].time_s, self.keys[-1].time_s

    def at(self, time_s: float) -> HandAt | None:
        """Give where the hand is, eased between its keyframes as arms move."""
        first, last = self.span_s
        if not first <= time_s <= last:
            return None
        i = min(bisect_right([k.time_s for k in self.keys], time_s), len(self.keys) - 1)
        a, b = self.keys[i - 1], self.keys[i]
        share = (time_s - a.time_s) / max(b.time_s - a.time_s, 1e-9)
        return _between(a.hand, b.hand, share * share * (3 - 2 * share))

    def shifted(self, seconds: float) -> HandPath:
        """Give the same way later."""
        return HandPath(tuple(replace(k, time_s=k.time_s + seconds) for k in self.keys))


def _between(a: HandAt, b: HandAt, share: float) -> HandAt:
    turn = (b.heading_rad - a.heading_rad + np.pi) % (2 * np.pi) - np.pi
    return HandAt(
        x=a.x + share * (b.x - a.x),
        y=a.y + share * (b.y - a.y),
        heading_rad=a.heading_rad + share * turn,
        lift=a.lift + share * (b.lift - a.lift),
        closed=a.closed + share * (b.closed - a.closed),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Flight:
    """One pig's course: `times` float64[T] s, positions [T, 3], rotations [T, 3, 3]."""

    times: Array
    positions: Array
    rotations: Array

    def at(self, time_s: float) -> tuple[Array, Array]:
        """Give rotation and position; before and after its course it stays as it was."""
        from scipy.spatial.transform import Rotation, Slerp

        t = float(np.clip(time_s, self.times[0], self.times[-1]))
        i = int(np.clip(np.searchsorted(self.times, t) - 1, 0, len(self.times) - 2))
        share = (t - self.times[i]) / (self.times[i + 1] - self.times[i])
        position = self.positions[i] + share * (self.positions[i + 1] - self.positions[i])
        turns = Slerp([0.0, 1.0], Rotation.from_matrix(self.rotations[i : i + 2]))
        return np.asarray(turns(share).as_matrix()), position

    def position(self, time_s: float) -> Array:
        """Give where the pig's origin is, float64[3]; before and after its course it stays."""
        return np.array([np.interp(time_s, self.times, axis) for axis in self.positions.T])

    def speed(self, time_s: float) -> float:
        """Give how fast the pig's middle moves, mm/s."""
        if not self.times[0] <= time_s <= self.times[-1]:
            return 0.0
        i = int(np.clip(np.searchsorted(self.times, time_s) - 1, 0, len(self.times) - 2))
        way = self.positions[i + 1] - self.positions[i]
        return float(np.linalg.norm(way) / (self.times[i + 1] - self.times[i]))


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Two pigs thrown and taken away; all times in seconds of the session.

    `shown_s` per pig: from when to when it is over the table. `rest_s` when both lie still.
    """

    pigs: tuple[Pig, Pig]
    paints: tuple[Paint, Paint]
    flights: tuple[Flight, Flight]
    thrown: Thrown
    shown_s: tuple[tuple[float, float], tuple[float, float]]
    rest_s: float
    hand: HandPath

    @property
    def labels(self) -> tuple[str, str]:
        """Each pig's class once at rest."""
        one, two = (x.pose.value if x.pose else "other" for x in self.thrown.lying)
        return one, two

    def placed(self, time_s: float) -> tuple[Placed, ...]:
        """Give the pigs over the table at a time."""
        shown = []
        for i in range(2):
            if self.shown_s[i][0] <= time_s < self.shown_s[i][1]:
                rotation, position = self.flights[i].at(time_s)
                shown.append(
                    Placed(self.pigs[i], rotation, position, self.paints[i], self.labels[i])
                )
        return tuple(shown)

    def speed(self, time_s: float) -> float:
        """Give the speed of the faster pig, mm/s."""
        return max(f.speed(time_s) for f in self.flights)


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a player sits: throws come from there, and so does the hand.

    `side_deg` is the direction from the middle of the table to the seat (0 is +x, the right of
    the picture of a camera that looks along +y); `edge_mm` how far the picture's edge is.
    """

    side_deg: float
    edge_mm: float = 260.0

    @property
    def outward(self) -> Array:
        """Unit vector from the table's middle to the seat."""
        a = np.radians(self.side_deg)
        return np.array([np.cos(a), np.sin(a), 0.0])


def flights_of(thrown: Thrown, to: tuple[float, float], back_s: float) -> tuple[Flight, Flight]:
    """Move a throw's course so that the pigs come to rest around `to`, and begin it earlier.

    Before the simulated release the pigs fly free for `back_s` seconds, backwards in time.
    """
    end = thrown.track.positions[-1].mean(axis=0)
    move = np.array([to[0] - end[0], to[1] - end[1], 0.0])
    one, two = (_flight(thrown.track, i, move, back_s) for i in range(2))
    return one, two


def _flight(track: Track, i: int, move: Array, back_s: float) -> Flight:
    from scipy.spatial.transform import Rotation

    times, positions = track.times, track.positions[:, i] + move
    rotations = track.rotations[:, i]
    if back_s > 0:
        step = times[1] - times[0]
        # Secant velocity is that of the middle of the first step.
        velocity = (positions[1] - positions[0]) / step - 0.5 * step * _GRAVITY
        turn = Rotation.from_matrix(rotations[1] @ rotations[0].T).as_rotvec() / step
        before = np.arange(-back_s, -step / 2, step)
        flown = positions[0] + before[:, None] * velocity + 0.5 * before[:, None] ** 2 * _GRAVITY
        turned = Rotation.from_rotvec(before[:, None] * turn).as_matrix() @ rotations[0]
        times = np.concatenate([before, times])
        positions = np.concatenate([flown, positions])
        rotations = np.concatenate([turned, rotations])
    return Flight(times, positions, rotations)


def in_view(camera: Camera, points: Array, margin_px: float = 0.0) -> bool:
    """Whether any of the world's points float64[N, 3] shows in the picture, or nearly."""
    ahead = (points - camera.position) @ camera.rotation[2] > 20.0
    if not ahead.any():
        return False
    xy = camera.project(points[ahead])
    w, h = camera.full
    return bool(
        (
            (xy[:, 0] > -margin_px) & (xy[:, 0] < w + margin_px)
            & (xy[:, 1] > -margin_px) & (xy[:, 1] < h + margin_px)
        ).any()
    )  # fmt: skip


def all_in_view(camera: Camera, points: Array, margin_px: float) -> bool:
    """Whether all points show, at least `margin_px` from the picture's edge."""
    xy = camera.project(points)
    w, h = camera.full
    inside = (
        (xy[:, 0] > margin_px) & (xy[:, 0] < w - margin_px)
        & (xy[:, 1] > margin_px) & (xy[:, 1] < h - margin_px)
    )  # fmt: skip
    return bool(inside.all())


def pick_up_path(
    start_s: float, spots: tuple[Array, ...], seat: Seat, rng: np.random.Generator
) -> tuple[HandPath, tuple[float, ...]]:
    """Plan a hand that takes pigs at `spots` one after another; when it closes over each.

    The nearest is taken first; the times are in the order of `spots`.
    """
    outward = seat.outward
    shoulder = outward * (seat.edge_mm + 420.0)
    order = sorted(range(len(spots)), key=lambda i: -float(spots[i] @ outward))
    away = outward * (seat.edge_mm + REACH_MM + 70.0)
    keys = [Keyframe(start_s, _over(away, shoulder, lift=34.0))]
    closes = [0.0] * len(spots)
    time_s, here = start_s, away
    for i in order:
        spot = spots[i] + rng.normal(0.0, 3.0, 3) * [1, 1, 0]
        far = float(np.linalg.norm((spot - here)[:2]))
        time_s += 0.16 + far / rng.uniform(750.0, 1000.0)
        keys.append(Keyframe(time_s, _over(spot, shoulder, lift=24.0, closed=0.15)))
        time_s += rng.uniform(0.12, 0.2)
        keys.append(Keyframe(time_s, _over(spot, shoulder, lift=0.0, closed=0.85)))
        closes[i] = time_s
        here = spot
    time_s += 0.18 + float(np.linalg.norm((away - here)[:2])) / rng.uniform(750.0, 1000.0)
    keys.append(Keyframe(time_s, _over(away, shoulder, lift=40.0, closed=0.9)))
    return HandPath(tuple(keys)), tuple(closes)


def _over(spot: Array, shoulder: Array, lift: float, closed: float = 0.0) -> HandAt:
    heading = float(np.arctan2(spot[1] - shoulder[1], spot[0] - shoulder[0]))
    return HandAt(float(spot[0]), float(spot[1]), heading, lift, closed)


@dataclass(frozen=True, slots=True)
class Pace:
    """How quickly a round goes, seconds: pigs lie still for `hold_s` before the hand comes."""

    hold_s: tuple[float, float] = (1.2, 1.5)
    empty_s: tuple[float, float] = (0.15, 0.4)


FLAT_THROW = HandThrow(
    height=(100.0, 180.0), apart=(28.0, 40.0), speed=(450.0, 900.0), drop=(-150.0, 350.0)
)
"""A throw across the table, so that the pigs come from outside of the picture."""


def throw_into_view(
    thrower: Thrower, camera: Camera, seat: Seat, rng: np.random.Generator, margin_px: float = 25.0
) -> tuple[Thrown, tuple[Flight, Flight]] | None:
    """Throw once from a seat; None unless pigs come from outside the view and rest inside it."""
    towards = seat.side_deg + 180.0 + rng.normal(0.0, 14.0)
    start = throw_start(FLAT_THROW, rng, towards)
    thrown = thrower.let_go(start, every_s=1 / TRACK_HZ)
    if not thrown.settled:
        return None
    to = rng.normal(0.0, 1.0, 2) * [35.0, 22.0]
    for back_s in (0.0, 0.04, 0.08, 0.12, 0.16):
        flights = flights_of(thrown, (float(to[0]), float(to[1])), back_s)
        first = np.stack([f.positions[0] for f in flights])
        if first[:, 2].min() < 40.0:
            return None
        if not in_view(camera, first, margin_px=60.0):
            break
    else:
        return None
    rests = [
        pig.mesh.vertices @ f.rotations[-1].T + f.positions[-1]
        for pig, f in zip(thrower.pigs, flights, strict=True)
    ]
    if not all_in_view(camera, np.concatenate(rests), margin_px):
        return None
    return thrown, flights


def make_round(
    thrown: Thrown,
    flights: tuple[Flight, Flight],
    pigs: tuple[Pig, Pig],
    paints: tuple[Paint, Paint],
    seat: Seat,
    start_s: float,
    pace: Pace,
    rng: np.random.Generator,
) -> Round:
    """Put a throw on the session's clock, with the hand that takes the pigs away."""
    begin = min(float(f.times[0]) for f in flights)
    shift = start_s - begin
    moved = tuple(replace(f, times=f.times + shift) for f in flights)
    if thrown.track.rest_s is None:
        raise ValueError("a round needs a throw that came to rest")
    rest_s = thrown.track.rest_s + shift
    reach_s = rest_s + rng.uniform(*pace.hold_s)
    spots = tuple(f.positions[-1] * [1.0, 1.0, 0.0] for f in moved)
    hand, closes = pick_up_path(reach_s, spots, seat, rng)
    return Round(
        pigs=pigs,
        paints=paints,
        flights=(moved[0], moved[1]),
        thrown=thrown,
        shown_s=((start_s, closes[0]), (start_s, closes[1])),
        rest_s=rest_s,
        hand=hand,
    )
