"""The plan of a session: rounds one after another, and the disturbance between and in them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from vision.errors import RenderError
from vision.synth.disturb import IN_THE_PICTURE, Disturbance, Kind
from vision.synth.film import Script, Shown
from vision.synth.hand import REACH_MM, HandAt
from vision.synth.mesh import Mesh, mesh_solid
from vision.synth.physics import Array, Motion
from vision.synth.pig import Pig
from vision.synth.placing import rotation_about
from vision.synth.rounds import (
    TRACK_HZ,
    Flight,
    HandPath,
    Keyframe,
    Pace,
    Round,
    Seat,
    all_in_view,
    flights_of,
    in_view,
    make_round,
    pick_up_path,
)
from vision.synth.scene import Camera, Colour, Paint, Thing
from vision.synth.sdf import Distances, Points
from vision.synth.session_recipe import SessionRecipe
from vision.synth.throws import HandThrow, Thrower, Thrown, throw_start

_TRIES = 400
_FROM_A_HAND = HandThrow(
    height=(90.0, 140.0), apart=(26.0, 34.0), speed=(250.0, 600.0), drop=(-100.0, 300.0)
)
_LASTS_S = {
    Kind.SHADOW: 1.6, Kind.LAMP: 3.0, Kind.EXPOSURE: 2.0, Kind.FOCUS: 2.0, Kind.NUDGE: 0.5,
    Kind.KNOCK: 0.5,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A session's script, and which of its rounds are throws that count.

    `happenings` are what else happened: (kind, from, until) in seconds.
    """

    script: Script
    counted: tuple[bool, ...]
    happenings: tuple[tuple[str, float, float], ...]


@dataclass(eq=False)
class Planner:
    """Plans rounds with two pigs under a camera, drawing all from one generator."""

    camera: Camera
    pigs: tuple[Pig, Pig]
    paints: tuple[Paint, Paint]
    rng: np.random.Generator
    _rounds: list[Round] = field(default_factory=list)
    _counted: list[bool] = field(default_factory=list)
    _hands: list[HandPath] = field(default_factory=list)
    _things: list[Shown] = field(default_factory=list)
    _disturbances: list[Disturbance] = field(default_factory=list)
    _happenings: list[tuple[str, float, float]] = field(default_factory=list)

    def plan(self, recipe: SessionRecipe) -> Plan:
        """Plan all rounds; every other one is disturbed, if the recipe says so."""
        thrower = Thrower(self.pigs)
        clock = 1.0
        for i in range(recipe.throws):
            kind = recipe.disturbance if i % 2 == 1 else None
            clock = self._round(thrower, self._seat(i), clock, kind, recipe.strength)
            clock += self.rng.uniform(0.3, 0.8)
        if recipe.disturbance in (Kind.NIGHT, Kind.LOST_FRAMES):
            self._happenings.append((recipe.disturbance.value, 0.0, clock))
        script = Script(
            tuple(self._rounds), tuple(self._hands), tuple(self._things),
            tuple(self._disturbances), clock,
        )  # fmt: skip
        return Plan(script, tuple(self._counted), tuple(self._happenings))

    def _seat(self, i: int) -> Seat:
        """Seat the players left and right of the picture, just outside of it."""
        side = 0.0 if i % 2 else 180.0
        edge = 0.5 * self.camera.full[0] / self.camera.focal_px * 450.0
        return Seat(side + float(self.rng.normal(0, 12)), edge_mm=edge + 25.0)

    def _round(
        self, thrower: Thrower, seat: Seat, clock: float, kind: Kind | None, strength: float
    ) -> float:
        """Plan one round from `clock` on; gives when its hand has left."""
        thrown, flights = self._throw(thrower, seat, kind)
        release = self._throwing_hand(flights, seat, clock)
        hold = (1.4, 2.0)
        if kind in _LASTS_S:
            hold = (_LASTS_S[kind] + 1.6, _LASTS_S[kind] + 2.2)
        elif kind in (Kind.PHONE, Kind.PINK_THING):
            hold = (5.0, 5.5)
        round_ = make_round(
            thrown, flights, self.pigs, self.paints, seat, release, Pace(hold_s=hold), self.rng
        )
        counted = True
        if kind is Kind.ROLLING:
            round_ = self._roll_on(round_, seat, hold)
        elif kind is Kind.LATE:
            round_, counted = self._one_late(round_, seat, hold), False
        elif kind is Kind.OFF_TABLE:
            round_, counted = self._one_off(round_, seat), False
        elif kind is not None:
            round_ = self._disturb(round_, kind, strength)
        self._rounds.append(round_)
        self._counted.append(counted)
        return round_.hand.span_s[1]

    def _throw(
        self, thrower: Thrower, seat: Seat, kind: Kind | None
    ) -> tuple[Thrown, tuple[Flight, Flight]]:
        """Throw until both pigs come to rest in the picture, or one of them off it."""
        for _ in range(_TRIES):
            towards = seat.side_deg + 180.0 + self.rng.normal(0.0, 14.0)
            start = throw_start(_FROM_A_HAND, self.rng, towards)
            if kind is Kind.OFF_TABLE:
                start = (start[0], _hurled(start[1]))
            thrown = thrower.let_go(start, every_s=1 / TRACK_HZ)
            if not thrown.settled:
                continue
            flights = self._landing(thrown, seat, kind)
            if flights is not None:
                return thrown, flights
        raise RenderError("no throw of many came to rest in the picture; is the camera too near?")

    def _landing(
        self, thrown: Thrown, seat: Seat, kind: Kind | None
    ) -> tuple[Flight, Flight] | None:
        if kind is Kind.OFF_TABLE:
            # The first pig stays; where it leaves the hand the second leaves it too.
            stays = thrown.track.positions[-1][0]
            middle = thrown.track.positions[-1].mean(axis=0)
            to = (middle - stays)[:2]
        else:
            to = self.rng.normal(0.0, 1.0, 2) * [28.0, 18.0]
        flights = flights_of(thrown, (float(to[0]), float(to[1])), 0.0)
        spots = [
            pig.mesh.vertices @ f.rotations[-1].T + f.positions[-1]
            for pig, f in zip(self.pigs, flights, strict=True)
        ]
        from_seat = float(flights[0].positions[0] @ seat.outward)
        if from_seat < 20.0:  # the hand would throw from across the table
            return None
        if kind is Kind.OFF_TABLE:
            off = not in_view(self.camera, spots[1], margin_px=10.0)
            return flights if off and all_in_view(self.camera, spots[0], 12.0) else None
        if kind is Kind.LATE and thrown.gap_mm < 25.0:
            return None
        return flights if all_in_view(self.camera, np.concatenate(spots), 12.0) else None

    def _throwing_hand(self, flights: tuple[Flight, Flight], seat: Seat, clock: float) -> float:
        """Let a closed hand in, shake, throw and withdraw; gives when the pigs leave it."""
        start = np.mean([f.positions[0] for f in flights], axis=0)
        lift = max(0.0, float(start[2]) - 55.0)
        heading = float(np.radians(seat.side_deg + 180.0))
        out = seat.outward

        def hand(spot: Array, closed: float, up: float) -> HandAt:
            return HandAt(float(spot[0]), float(spot[1]), heading, lift + up, closed)

        away = out * (seat.edge_mm + REACH_MM + 60.0)
        behind = start + out * 60.0
        keys = [Keyframe(clock, hand(away, 1.0, 20.0))]
        time_s = clock + 0.15 + float(np.linalg.norm((behind - away)[:2])) / 800.0
        for _ in range(int(self.rng.integers(2, 5))):
            aside = behind + self.rng.normal(0.0, 10.0, 3) * [1, 1, 0]
            keys.append(Keyframe(time_s, hand(aside, 1.0, float(self.rng.uniform(0, 25)))))
            time_s += self.rng.uniform(0.1, 0.16)
        keys.append(Keyframe(time_s, hand(behind, 1.0, 10.0)))
        release = time_s + 0.12
        keys.append(Keyframe(release, hand(start + out * 15.0, 0.7, 0.0)))
        keys.append(Keyframe(release + 0.1, hand(start + out * 5.0, 0.1, 10.0)))
        gone = release + 0.3 + float(np.linalg.norm((start - away)[:2])) / 800.0
        keys.append(Keyframe(gone, hand(away, 0.0, 30.0)))
        self._hands.append(HandPath(tuple(keys)))
        return release

    def _disturb(self, round_: Round, kind: Kind, strength: float) -> Round:
        """Let something happen while the pigs of a round lie."""
        begin = round_.rest_s + self.rng.uniform(0.9, 1.2)
        if kind in (Kind.PHONE, Kind.PINK_THING):
            self._put_down(round_, kind, begin)
            return round_
        if kind not in _LASTS_S:
            return round_
        way = float(self.rng.uniform(-np.pi, np.pi))
        d = Disturbance(kind, begin, _LASTS_S[kind], strength, way)
        self._disturbances.append(d)
        self._happenings.append((kind.value, begin, begin + d.seconds))
        if kind in IN_THE_PICTURE:
            return round_
        return self._knocked(round_, begin, strength)

    def _knocked(self, round_: Round, at_s: float, strength: float) -> Round:
        """Move both lying pigs a little, as a knock against the table does."""
        flights = tuple(
            _go_on(f, at_s, 0.09, self.rng.normal(0.0, 1.2 * strength, 2),
                   float(self.rng.normal(0.0, 0.06 * strength)))
            for f in round_.flights
        )  # fmt: skip
        return replace(round_, flights=(flights[0], flights[1]))

    def _roll_on(self, round_: Round, seat: Seat, hold: tuple[float, float]) -> Round:
        """Let one pig creep on for some seconds after the other lies."""
        seconds = float(self.rng.uniform(1.5, 2.6))
        flight = round_.flights[0]
        inward = -flight.positions[-1][:2]
        inward = inward / max(float(np.linalg.norm(inward)), 1.0)
        apart = flight.positions[-1][:2] - round_.flights[1].positions[-1][:2]
        if float(apart @ inward) < 0:  # never towards the other pig
            inward = apart / max(float(np.linalg.norm(apart)), 1.0)
        begin = float(flight.times[-1])
        rolled = _go_on(flight, begin, seconds, inward * self.rng.uniform(14, 26), 0.7)
        self._happenings.append((Kind.ROLLING.value, round_.rest_s, begin + seconds))
        flights = (rolled, round_.flights[1])
        return self._taken_later(replace(round_, flights=flights), seat, hold, begin + seconds)

    def _one_late(self, round_: Round, seat: Seat, hold: tuple[float, float]) -> Round:
        """Throw the second pig only when the first has lain still for a while."""
        wait = round_.rest_s - round_.shown_s[1][0] + float(self.rng.uniform(1.2, 2.0))
        first, late = round_.flights
        late = replace(late, times=late.times + wait)
        begin = float(late.times[0])
        rest = round_.rest_s + wait
        self._happenings.append((Kind.LATE.value, round_.shown_s[0][0], rest))
        shown = (round_.shown_s[0], (begin, round_.shown_s[1][1]))
        moved = replace(round_, flights=(first, late), shown_s=shown)
        return self._taken_later(moved, seat, hold, rest)

    def _taken_later(
        self, round_: Round, seat: Seat, hold: tuple[float, float], rest_s: float
    ) -> Round:
        spots = tuple(f.positions[-1] * [1.0, 1.0, 0.0] for f in round_.flights)
        reach = rest_s + float(self.rng.uniform(*hold))
        hand, closes = pick_up_path(reach, spots, seat, self.rng)
        shown = tuple((a, c) for (a, _), c in zip(round_.shown_s, closes, strict=True))
        return replace(round_, hand=hand, rest_s=rest_s, shown_s=(shown[0], shown[1]))

    def _one_off(self, round_: Round, seat: Seat) -> Round:
        """Only the first pig is taken away: the second lies off the table."""
        spot = round_.flights[0].positions[-1] * [1.0, 1.0, 0.0]
        hand, closes = pick_up_path(round_.hand.span_s[0], (spot,), seat, self.rng)
        self._happenings.append((Kind.OFF_TABLE.value, round_.shown_s[0][0], closes[0]))
        start = round_.shown_s[0][0]
        return replace(round_, hand=hand, shown_s=((start, closes[0]), (start, closes[0])))

    def _put_down(self, round_: Round, kind: Kind, begin: float) -> None:
        """Let a hand put a thing on the table, away from the pigs; it stays there."""
        spot = self._free_spot(round_)
        seat = Seat(90.0 + float(self.rng.normal(0, 10)), edge_mm=230.0)
        path, closes = pick_up_path(begin, (spot,), seat, self.rng)
        mesh, colour = _thing_of(kind, self.paints[0].skin)
        turn = rotation_about(np.array([0.0, 0.0, 1.0]), float(self.rng.uniform(-np.pi, np.pi)))
        self._hands.append(path)
        self._things.append(
            Shown(Thing(mesh, turn, spot, colour, 0.3), closes[0], path.span_s[1] + 3600.0)
        )
        self._happenings.append((kind.value, *path.span_s))

    def _free_spot(self, round_: Round) -> Array:
        for _ in range(200):
            spot = np.append(self.rng.uniform([-120, -60], [120, 80]), 0.0)
            clear = all(np.linalg.norm((spot - f.positions[-1])[:2]) > 75.0 for f in round_.flights)
            if clear and all_in_view(self.camera, spot[None], 40.0):
                return spot
        return np.array([110.0, 70.0, 0.0])


def _hurled(motion: Motion) -> Motion:
    return replace(motion, velocity=motion.velocity * [3.2, 3.2, 1.0])


def _go_on(flight: Flight, at_s: float, seconds: float, way: Array, turn_rad: float) -> Flight:
    """Let a lying pig glide by `way` float64[2] and turn about the vertical, eased."""
    steps = np.linspace(0.0, 1.0, max(3, round(seconds * 60)))
    eased = steps * steps * (3 - 2 * steps)
    last, rotation = flight.positions[-1], flight.rotations[-1]
    positions = last + eased[:, None] * np.append(way, 0.0)
    up = np.array([0.0, 0.0, 1.0])
    rotations = np.stack([rotation_about(up, float(e) * turn_rad) @ rotation for e in eased])
    begin = max(at_s, float(flight.times[-1]) + 1e-3)
    return Flight(
        np.concatenate([flight.times, begin + steps * seconds]),
        np.concatenate([flight.positions, positions]),
        np.concatenate([flight.rotations, rotations]),
    )


def _thing_of(kind: Kind, skin: Colour) -> tuple[Mesh, Colour]:
    if kind is Kind.PHONE:
        return _slab(36.0, 73.0, 4.0), (0.015, 0.015, 0.018)
    return _slab(11.0, 7.0, 6.0), skin


def _slab(half_x: float, half_y: float, half_z: float) -> Mesh:
    half, rounding = np.array([half_x, half_y, half_z]), min(2.5, half_z * 0.6)

    def solid(p: Points) -> Distances:
        q = np.abs(p - np.array([0, 0, half_z])) - half + rounding
        inside = np.minimum(q.max(axis=1), 0.0)
        return np.asarray(np.linalg.norm(np.maximum(q, 0.0), axis=1) + inside - rounding)

    reach = (half_x + 2, half_y + 2)
    low, high = (-reach[0], -reach[1], -2.0), (reach[0], reach[1], 2 * half_z + 2)
    return mesh_solid(solid, low, high, min(2.0, half_z / 3), faces=(900,))[0]
