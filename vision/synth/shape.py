"""The parametric pig: its measures, their spread, and the solids they make.

Axes in the pig's own frame: x forward, y left, z up, origin in the middle of the body,
millimetres. The dot is on the right flank (y < 0). Nothing here is ever mirrored as a whole.
Measures were read off photographs, to about a tenth.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import pairwise

import numpy as np

from vision.synth import sdf
from vision.synth.sdf import Distances, Points

PART_NAMES = (
    "body", "head", "snout", "jaw", "ear_left", "ear_right",
    "front_left", "front_right", "hind_left", "hind_right", "tail", "teats",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PigShape:
    """Measures of one pig in millimetres and degrees; the defaults are the common pink one.

    A field `name` with a spread in `SPREAD` varies from pig to pig.
    """

    body_length: float = 9.0
    body_width: float = 5.3
    body_height: float = 5.5
    rump: float = 1.0
    shoulder: float = 1.0
    belly: float = 1.0
    head_x: float = 10.6
    head_z: float = 2.4
    head_radius: float = 3.9
    snout_x: float = 16.6
    snout_z: float = 1.0
    snout_radius: float = 2.2
    jaw_drop: float = 1.2
    ear_length: float = 7.1
    ear_width: float = 2.7
    ear_thick: float = 0.62
    ear_lift_deg: float = 6.0
    ear_sweep_deg: float = -16.0
    ear_face_deg: float = 35.0
    ear_uneven_deg: float = -6.0
    front_hoof_x: float = 6.8
    front_hoof_y: float = 4.3
    hind_hoof_x: float = -9.6
    hind_hoof_y: float = 4.3
    hoof_z: float = -12.0
    leg_thick: float = 1.0
    hoof_radius: float = 1.55
    tail_z: float = 5.6
    tail_curl: float = 1.25
    tail_thick: float = 0.85
    teat_radius: float = 0.8
    dot_x: float = 0.2
    dot_z: float = 0.6
    dot_radius: float = 1.35
    softness: float = 1.0
    scale: float = 1.0


SPREAD: dict[str, float] = {
    "body_length": 0.45, "body_width": 0.3, "body_height": 0.3, "rump": 0.05, "shoulder": 0.05,
    "belly": 0.06, "head_x": 0.5, "head_z": 0.45, "head_radius": 0.22, "snout_x": 0.5,
    "snout_z": 0.5, "snout_radius": 0.2, "jaw_drop": 0.35, "ear_length": 0.5, "ear_width": 0.35,
    "ear_thick": 0.08, "ear_lift_deg": 11.0, "ear_sweep_deg": 12.0, "ear_face_deg": 15.0,
    "ear_uneven_deg": 4.0, "front_hoof_x": 0.6, "front_hoof_y": 0.35, "hind_hoof_x": 0.7,
    "hind_hoof_y": 0.35, "hoof_z": 0.45, "leg_thick": 0.07, "hoof_radius": 0.13, "tail_z": 0.4,
    "tail_curl": 0.18, "tail_thick": 0.12, "teat_radius": 0.12, "dot_x": 0.7, "dot_z": 0.5,
    "dot_radius": 0.13, "softness": 0.12, "scale": 0.03,
}  # fmt: skip
"""Standard deviation of each measure from pig to pig, moulds and editions together."""


def sample_shape(rng: np.random.Generator, spread: float = 1.0) -> PigShape:
    """Draw a pig: every measure from a normal distribution cut at two deviations."""
    base = PigShape()
    draws = {
        name: getattr(base, name) + sd * spread * float(np.clip(rng.normal(), -2.0, 2.0))
        for name, sd in SPREAD.items()
    }
    return replace(base, **draws)


@dataclass(frozen=True, slots=True)
class Anchors:
    """Places on a pig that the paint needs, in its own frame (millimetres, float64[3] each)."""

    dot: Points
    hooves: tuple[Points, Points, Points, Points]
    snout: Points
    snout_normal: Points
    eyes: tuple[Points, Points]


def _vec(*xyz: float) -> Points:
    return np.array(xyz, dtype=np.float64)


def _unit(v: Points) -> Points:
    return np.asarray(v / np.linalg.norm(v))


def _rotation_from(axis_x: Points, roll_deg: float) -> Points:
    """Rows of an orthonormal frame whose first axis is `axis_x`, rolled about it."""
    x = _unit(axis_x)
    helper = _vec(1, 0, 0) if abs(x[0]) < 0.8 else _vec(0, 0, 1)
    y = _unit(np.cross(helper, x))
    z = np.cross(x, y)
    c, s = np.cos(np.radians(roll_deg)), np.sin(np.radians(roll_deg))
    return np.stack([x, c * y + s * z, -s * y + c * z])


class PigSolid:
    """The solid of a `PigShape`: signed distance, and which part is nearest."""

    def __init__(self, shape: PigShape) -> None:
        for f in fields(shape):
            if not np.isfinite(getattr(shape, f.name)):
                raise ValueError(f"measure {f.name} of a pig is a finite number")
        self.shape = shape

    def part_distances(self, points: Points) -> Distances:
        """Signed distance to each part, float64[len(PART_NAMES), N], before blending."""
        return np.stack(
            [
                self._body(points), self._head(points), self._snout(points), self._jaw(points),
                self._ear(points, +1), self._ear(points, -1),
                self._front_leg(points, +1), self._front_leg(points, -1),
                self._hind_leg(points, +1), self._hind_leg(points, -1),
                self._tail(points), self._teats(points),
            ]
        )  # fmt: skip

    def distance(self, points: Points) -> Distances:
        """Signed distance to the whole pig (a bound near blends), float64[N]."""
        return self.blend(self.part_distances(points))

    def blend(self, parts: Distances) -> Distances:
        """Unite the parts as rubber does, with a fillet of its own at each joint."""
        soft = self.shape.softness
        body, head, snout, jaw, ear_l, ear_r, fl, fr, hl, hr, tail, teats = parts
        face = sdf.smooth_union(sdf.smooth_union(head, snout, 1.2 * soft), jaw, 0.5 * soft)
        face = sdf.smooth_union(face, np.minimum(ear_l, ear_r), 0.7 * soft)
        trunk = sdf.smooth_union(body, np.minimum(fl, fr), 1.3 * soft)
        trunk = sdf.smooth_union(trunk, np.minimum(hl, hr), 1.6 * soft)
        trunk = sdf.smooth_union(trunk, tail, 0.5 * soft)
        trunk = sdf.smooth_union(trunk, teats, 0.3 * soft)
        return sdf.smooth_union(trunk, face, 2.0 * soft)

    def anchors(self) -> Anchors:
        """Find where dot, hooves, snout and eyes sit on the surface."""
        s = self.shape
        dot = self._to_surface(_vec(s.dot_x, -12.0, s.dot_z), _vec(0, 1, 0))
        eyes = tuple(
            self._to_surface(
                _vec(s.head_x + 6.0, side * 6.0, s.head_z + 3.6),
                _unit(_vec(-0.78, -side * 0.55, -0.3)),
            )
            for side in (+1, -1)
        )
        front = [_vec(s.front_hoof_x, y * s.front_hoof_y, s.hoof_z) for y in (+1, -1)]
        hind = [_vec(s.hind_hoof_x, y * s.hind_hoof_y, s.hoof_z) for y in (+1, -1)]
        return Anchors(
            dot=dot,
            hooves=(front[0], front[1], hind[0], hind[1]),
            snout=self._snout_tip(),
            snout_normal=self._snout_axis(),
            eyes=(eyes[0], eyes[1]),
        )

    def _to_surface(self, origin: Points, direction: Points) -> Points:
        point = origin.copy()
        for _ in range(60):
            point = point + direction * 0.7 * self.distance(point[None])[0]
        return point

    def _body(self, p: Points) -> Distances:
        s = self.shape
        radii = _vec(s.body_length, s.body_width, s.body_height)
        barrel = sdf.ellipsoid(p, _vec(0, 0, 0), radii)
        rump = sdf.ellipsoid(
            p, _vec(-4.9, 0, 0.5), _vec(5.4, s.body_width * 1.0, s.body_height * 1.02) * s.rump
        )
        shoulder = sdf.ellipsoid(
            p, _vec(4.6, 0, 0.4), _vec(5.0, s.body_width * 0.97, s.body_height * 1.0) * s.shoulder
        )
        belly = sdf.ellipsoid(
            p, _vec(-0.3, 0, -1.3), _vec(6.6, s.body_width * 0.9, s.body_height * 0.9) * s.belly
        )
        return sdf.smooth_union(
            sdf.smooth_union(sdf.smooth_union(barrel, rump, 2.0), shoulder, 2.0), belly, 2.0
        )

    def _head(self, p: Points) -> Distances:
        s = self.shape
        r = s.head_radius
        skull = sdf.ellipsoid(p, _vec(s.head_x, 0, s.head_z), _vec(r * 1.06, r * 0.98, r))
        brow = sdf.ellipsoid(p, _vec(s.head_x + 0.4, 0, s.head_z + 1.3), _vec(2.9, 3.2, 2.5))
        cheeks = [
            sdf.ellipsoid(p, _vec(s.head_x + 0.5, y * 1.9, s.head_z - 1.6), _vec(2.6, 2.1, 2.2))
            for y in (+1, -1)
        ]
        neck = sdf.round_cone(p, _vec(4.0, 0, 1.0), _vec(s.head_x, 0, s.head_z - 0.2), 4.6, 3.2)
        head = sdf.smooth_union(sdf.smooth_union(skull, brow, 1.0), np.minimum(*cheeks), 0.9)
        return sdf.smooth_union(head, neck, 1.4)

    def _snout_axis(self) -> Points:
        s = self.shape
        return _unit(_vec(s.snout_x - s.head_x, 0, 0.75 * (s.snout_z - s.head_z)))

    def _snout_tip(self) -> Points:
        return _vec(self.shape.snout_x, 0, self.shape.snout_z)

    def _snout(self, p: Points) -> Distances:
        s = self.shape
        axis = self._snout_axis()
        tip = self._snout_tip()
        root = _vec(s.head_x + 1.0, 0, s.head_z - 0.6)
        tube = sdf.round_cone(
            p, root, tip - axis * 1.3, s.snout_radius * 1.35, s.snout_radius * 0.86
        )
        plate = sdf.disc(p, tip - axis * 0.55, axis, s.snout_radius, 0.6, 0.35)
        snout = sdf.smooth_union(tube, plate, 0.4)
        side = np.cross(axis, _vec(0, 1, 0))
        for y in (+1, -1):  # nostrils: two shallow holes
            centre = tip + _vec(0, y * 0.75, 0) + side * 0.1
            snout = np.maximum(snout, -sdf.ellipsoid(p, centre, _vec(0.5, 0.42, 0.55)))
        return snout

    def _jaw(self, p: Points) -> Distances:
        s = self.shape
        root = _vec(s.head_x + 0.3, 0, s.head_z - 2.6)
        tip = _vec(s.snout_x - 2.7, 0, s.snout_z - 1.9 - 0.6 * s.jaw_drop)
        return sdf.round_cone(p, root, tip, 1.9, 0.95)

    def _ear(self, p: Points, side: int) -> Distances:
        s = self.shape
        lift = np.radians(s.ear_lift_deg + side * s.ear_uneven_deg)
        sweep = np.radians(s.ear_sweep_deg)
        out = _vec(-np.sin(sweep) * np.cos(lift), side * np.cos(sweep) * np.cos(lift), np.sin(lift))
        base = _vec(s.head_x - 1.0, side * 2.3, s.head_z + 2.6)
        centre = base + out * s.ear_length * 0.5
        # The leaf's broad face looks forward and, by ear_face_deg, upward.
        face = _vec(np.cos(np.radians(s.ear_face_deg)), 0, np.sin(np.radians(s.ear_face_deg)))
        face = _unit(face - (face @ out) * out)
        axes = np.stack([out, np.cross(face, out), face])
        leaf = sdf.ellipsoid(
            p, centre, _vec(s.ear_length * 0.58, s.ear_width, s.ear_thick * 1.35), axes
        )
        hollow = sdf.ellipsoid(
            p,
            centre + out * 0.3 + face * s.ear_thick * 2.2,
            _vec(s.ear_length * 0.45, s.ear_width * 0.7, s.ear_thick * 1.7),
            axes,
        )
        leaf = np.maximum(leaf, -hollow)
        stem = sdf.round_cone(p, base - out * 0.8, base + out * 1.4, 1.5, 0.9)
        return sdf.smooth_union(leaf, stem, 0.7)

    def _front_leg(self, p: Points, side: int) -> Distances:
        s = self.shape
        hoof = _vec(s.front_hoof_x, side * s.front_hoof_y, s.hoof_z + s.hoof_radius * 0.55)
        leg = sdf.round_cone(
            p, _vec(4.6, side * 2.9, -2.6), hoof, 2.5 * s.leg_thick, s.hoof_radius * 0.95
        )
        return self._cut_hoof(p, leg)

    def _hind_leg(self, p: Points, side: int) -> Distances:
        s = self.shape
        hoof = _vec(s.hind_hoof_x, side * s.hind_hoof_y, s.hoof_z + s.hoof_radius * 0.55)
        hip = _vec(-5.6, side * 2.7, -1.6)
        leg = sdf.round_cone(p, hip, hoof, 3.1 * s.leg_thick, s.hoof_radius)
        ham = sdf.ellipsoid(
            p, hip + _vec(-0.5, side * 0.4, -1.2), _vec(3.1, 2.6, 3.7) * s.leg_thick
        )
        return self._cut_hoof(p, sdf.smooth_union(leg, ham, 1.0))

    def _cut_hoof(self, p: Points, leg: Distances) -> Distances:
        # Hooves end flat where the pig stands.
        return np.maximum(leg, self.shape.hoof_z - p[:, 2])

    def _tail(self, p: Points) -> Distances:
        s = self.shape
        turns = np.linspace(-0.45 * np.pi, 1.25 * np.pi, 8)
        centre = _vec(-9.2, 0, s.tail_z + 0.6)
        loop = [
            centre
            + s.tail_curl * (np.cos(t) * _vec(-0.75, 0.65, 0) + np.sin(t) * _vec(0.15, 0.1, 1.0))
            for t in turns
        ]
        root = _vec(-8.4, 0, s.tail_z - 2.2)
        d = sdf.round_cone(p, root, loop[0], s.tail_thick * 1.5, s.tail_thick)
        for a, b in pairwise(loop):
            d = np.minimum(d, sdf.round_cone(p, a, b, s.tail_thick, s.tail_thick))
        return d

    def _teats(self, p: Points) -> Distances:
        s = self.shape
        z = -1.3 - s.body_height * 0.9 * s.belly
        d = np.full(len(p), np.inf)
        for x in np.linspace(-4.2, 2.9, 5):
            depth = z + 0.055 * (x + 0.3) ** 2
            for y in (-1.25, 1.25):
                centre = _vec(x, y, depth + 0.45)
                d = np.minimum(d, np.linalg.norm(p - centre, axis=1) - s.teat_radius)
        return d
