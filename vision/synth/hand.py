"""A hand with its sleeve: it reaches in, covers pigs, and carries them away.

The hand's own frame: the origin lies on the table under the middle of the palm, x points to the
fingertips, z up, the arm comes from -x and above; millimetres. It is a right hand, palm down.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.synth import sdf
from vision.synth.mesh import Mesh, mesh_solid
from vision.synth.placing import rotation_about
from vision.synth.scene import Colour, Thing, Vec
from vision.synth.sdf import Distances, Points

STAGES = 5
"""From the open hand (0) to the closed one (STAGES - 1)."""

REACH_MM = 105.0
"""How far the fingertips of the open hand are ahead of its origin."""

_FINGERS = ((-27.0, 60.0, 7.6), (-9.5, 70.0, 8.3), (9.0, 66.0, 8.3), (26.5, 57.0, 7.9))
"""Little finger to forefinger: y at the knuckle, length, radius."""


@dataclass(frozen=True, slots=True)
class HandLook:
    """Colours of a hand and of the sleeve it comes in."""

    skin: Colour = (0.66, 0.30, 0.19)
    sleeve: Colour = (0.05, 0.09, 0.2)


@dataclass(frozen=True, slots=True, eq=False)
class HandAt:
    """Where a hand is: its origin over the table (mm), heading of its fingers, how closed.

    `lift` is how high over the table the hand is held, `closed` 0 open to 1 a loose fist.
    """

    x: float
    y: float
    heading_rad: float
    lift: float = 0.0
    closed: float = 0.0

    def things(self, look: HandLook, *, coarse: bool = False) -> tuple[Thing, Thing]:
        """Give hand and sleeve as a scene takes them; `coarse` ones have few triangles."""
        stage = round(np.clip(self.closed, 0.0, 1.0) * (STAGES - 1))
        turn = rotation_about(np.array([0.0, 0.0, 1.0]), self.heading_rad)
        position = np.array([self.x, self.y, self.lift])
        return (
            Thing(_hand_meshes(stage)[coarse], turn, position, look.skin, gloss=0.25),
            Thing(_sleeve_meshes()[coarse], turn, position, look.sleeve, gloss=0.05),
        )

    def covers(self, point: Vec) -> bool:
        """Whether a point of the table lies under the palm."""
        c, s = np.cos(self.heading_rad), np.sin(self.heading_rad)
        dx, dy = point[0] - self.x, point[1] - self.y
        return bool(abs(c * dx + s * dy) < 28.0 and abs(c * dy - s * dx) < 26.0)


def hand_mesh(stage: int) -> Mesh:
    """Mesh the hand at one stage of closing, bare wrist included."""
    return _hand_meshes(stage)[0]


@lru_cache(maxsize=STAGES)
def _hand_meshes(stage: int) -> tuple[Mesh, ...]:
    """Mesh the hand, finely and coarsely."""
    closed = stage / (STAGES - 1)
    low, high = (-140.0, -75.0, -2.0), (118.0, 75.0, 120.0)
    return mesh_solid(lambda p: _hand(p, closed), low, high, 2.2, faces=(4200, 600))


@lru_cache(maxsize=1)
def _sleeve_meshes() -> tuple[Mesh, ...]:
    """Mesh the sleeve, half a metre of it, its folds running round the arm; finely and coarsely."""
    low, high = (-560.0, -75.0, 10.0), (-70.0, 75.0, 290.0)
    return mesh_solid(_sleeve, low, high, 4.0, faces=(1800, 200))


def _vec(x: float, y: float, z: float) -> Points:
    return np.array([x, y, z])


def _hand(p: Points, closed: float) -> Distances:
    palm = _palm(p)
    for y, length, radius in _FINGERS:
        palm = sdf.smooth_union(palm, _finger(p, y, length, radius, closed), 4.0)
    palm = sdf.smooth_union(palm, _thumb(p, closed), 9.0)
    wrist = sdf.round_cone(p, _vec(-42, 0, 52), _vec(-128, 2, 74), 24.0, 26.0)
    flat = sdf.round_cone(p, _vec(-42, 8, 52), _vec(-128, 8, 74), 22.0, 23.0)
    return sdf.smooth_union(palm, sdf.smooth_union(wrist, flat, 6.0), 16.0)


def _palm(p: Points) -> Distances:
    tilt = np.radians(-8.0)
    c, s = np.cos(tilt), np.sin(tilt)
    axes = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
    back = sdf.ellipsoid(p, _vec(-4, 0, 47), _vec(48, 42, 15), axes)
    heel = sdf.ellipsoid(p, _vec(-30, 14, 44), _vec(26, 22, 17))
    outer = sdf.ellipsoid(p, _vec(-22, -20, 44), _vec(32, 17, 16))
    knuckles = sdf.round_cone(p, _vec(36, -27, 44), _vec(38, 27, 47), 10.5, 11.0)
    palm = sdf.smooth_union(sdf.smooth_union(back, heel, 8.0), outer, 8.0)
    return sdf.smooth_union(palm, knuckles, 9.0)


def _finger(p: Points, y: float, length: float, radius: float, closed: float) -> Distances:
    """Three bones bending downwards, the more the hand is closed."""
    spread = y * (0.30 - 0.28 * closed) / 27.0
    start = _vec(38.0, y, 45.0)
    bends = np.radians([12.0 + 40.0 * closed, 22.0 + 45.0 * closed, 18.0 + 30.0 * closed])
    angle, d = 0.0, np.full(len(p), np.inf)
    point = start
    for i, share in enumerate((0.45, 0.3, 0.25)):
        angle += bends[i]
        ahead = _vec(np.cos(angle) * np.cos(spread), np.cos(angle) * np.sin(spread), -np.sin(angle))
        end = point + ahead * length * share
        end[2] = max(end[2], radius * 0.9)
        thick = radius * (1.0 - 0.09 * i)
        bone = sdf.round_cone(p, point, end, thick, thick * 0.92)
        d = sdf.smooth_union(d, bone, 1.5) if i else bone
        point = end
    return d


def _thumb(p: Points, closed: float) -> Distances:
    root, joint = _vec(-22, 30, 44), _vec(8, 52 - 8 * closed, 32)
    tip = _vec(38 - 4 * closed, 50 - 26 * closed, 13)
    low = sdf.round_cone(p, root, joint, 14.0, 10.5)
    return sdf.smooth_union(low, sdf.round_cone(p, joint, tip, 10.0, 8.0), 3.0)


def _sleeve(p: Points) -> Distances:
    start, end = _vec(-98, 4, 66), _vec(-540, 14, 215)
    arm = sdf.round_cone(p, start, end, 34.0, 52.0)
    along = (p - start) @ (end - start) / np.linalg.norm(end - start)
    folds = 1.4 * np.sin(along / 9.0 + 0.05 * p[:, 1]) + 0.8 * np.sin(along / 4.1 + p[:, 2] / 17.0)
    hole = sdf.round_cone(p, start - (end - start) * 0.08, start, 24.0, 25.0)
    return np.asarray(np.maximum(arm + folds, -hole))
