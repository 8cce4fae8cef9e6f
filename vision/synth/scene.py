"""A scene as plain description: what lies where, under which light, seen by which camera.

World frame: z up, the table is z = 0, millimetres. Camera frame: x right, y down, z forward.
Renderers and physics are views of this; none of them is imported here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.synth.mesh import Mesh
from vision.synth.pig import Pig

Vec = NDArray[np.float64]
Colour = tuple[float, float, float]
"""Linear RGB, 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A pinhole camera that renders the window `window` of a picture `full` pixels wide.

    `rotation` float64[3, 3] takes world to camera, `position` in millimetres, `focal_px` of the
    full picture, `window` = (x0, y0, width, height) in full-picture pixels.
    """

    position: Vec
    rotation: Vec
    focal_px: float
    full: tuple[int, int]
    window: tuple[float, float, int, int]

    def project(self, points: Vec) -> Vec:
        """Give window pixels float64[N, 2] of world points float64[N, 3]."""
        cam = (points - self.position) @ self.rotation.T
        xy = self.focal_px * cam[:, :2] / cam[:, 2:3]
        centre = np.array([self.full[0] / 2 - self.window[0], self.full[1] / 2 - self.window[1]])
        return np.asarray(xy + centre)

    @property
    def tilt_deg(self) -> float:
        """Angle between the optical axis and straight down, degrees."""
        return float(np.degrees(np.arccos(np.clip(-self.rotation[2, 2], -1.0, 1.0))))


@dataclass(frozen=True, slots=True)
class Light:
    """A distant lamp: `direction` towards it (unit), its `size_deg` softens the shadow."""

    direction: tuple[float, float, float]
    colour: Colour
    size_deg: float = 4.0


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours of a pig and how worn its paint is (0 new to 1 gone)."""

    skin: Colour = (0.80, 0.42, 0.30)
    hoof: Colour = (0.42, 0.05, 0.24)
    hoof_wear: float = 0.2
    snout_wear: float = 0.5
    eye_wear: float = 0.1
    dot: Colour = (0.02, 0.02, 0.02)
    dot_wear: float = 0.0
    hoof_reach: float = 2.2
    gloss: float = 0.25
    mottle: float = 0.06
    translucency: float = 0.3
    seed: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A pig in the world: `rotation` float64[3, 3] pig to world, `position` of its origin."""

    pig: Pig
    rotation: Vec
    position: Vec
    paint: Paint
    label: str
    """One of `POSE_CLASSES`."""

    def world(self, points: Vec | NDArray[np.float32]) -> Vec:
        """Give world points of points in the pig's frame, float64[N, 3]."""
        return np.asarray(points @ self.rotation.T + self.position)


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """Anything else on the table: a mesh in the world with one colour."""

    mesh: Mesh
    rotation: Vec
    position: Vec
    colour: Colour
    gloss: float = 0.2
    shadow: Mesh | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The table top: layer `texture` of the renderer's texture stack, its size and tint.

    `scale_mm` is the width of one repeat; `bump` roughens the lighting; `plain` (0 to 1) mixes
    towards the flat `tint`.
    """

    texture: int
    scale_mm: float
    turn_deg: float
    offset: tuple[float, float]
    tint: Colour
    plain: float = 0.0
    bump: float = 0.2
    gloss: float = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything a renderer needs for one picture."""

    camera: Camera
    table: Table
    lights: tuple[Light, ...]
    ambient: Colour
    pigs: tuple[Placed, ...]
    things: tuple[Thing, ...] = ()
    ground_shadow: float = 1.0
    """0 shows no shadow and no occlusion on the table (a cut-out look) to 1."""
    centre: tuple[float, float] = field(default=(0.0, 0.0))
    """Where the shadow maps look, world millimetres."""
    radius_mm: float = 60.0

    @property
    def solids(self) -> tuple[Placed | Thing, ...]:
        """All that stands on the table."""
        return (*self.pigs, *self.things)
