"""Which part of a picture what stands on the table can change: itself, its shadows, what it hides.

A table without anything on it is rendered once; only such parts need rendering again.
"""

from __future__ import annotations

import math

import numpy as np

from vision.synth.physics import Array
from vision.synth.renderers import Part
from vision.synth.renderers.shaders import SHADOW_LIGHTS
from vision.synth.scene import Camera, Light, Placed, Scene, Thing

# The edge of a solid is smoothed, and its coarse mesh may lie a little inside of it; the table
# is darkened by what is near over it.
_EDGE_PX = 3.0
_HIDES_MM = 7.0
_NEAR_MM = 20.0


def part_of(scene: Scene, solid: Placed | Thing) -> Part | None:
    """Give the part of the camera's window that a solid of a scene can change; None: no part."""
    mesh = solid.pig.shadow if isinstance(solid, Placed) else solid.mesh
    vertices = mesh.vertices @ solid.rotation.T + solid.position
    touched = [vertices, _around(vertices * [1.0, 1.0, 0.0], _HIDES_MM)]
    touched += [_shadow(scene, light, vertices) for light in scene.lights[:SHADOW_LIGHTS]]
    return _part(scene.camera, np.concatenate(touched))


def apart(parts: list[Part | None]) -> list[Part]:
    """Give parts that hold all of these and do not overlap."""
    left = [p for p in parts if p is not None]
    done: list[Part] = []
    while left:
        part = left.pop()
        touching = next((d for d in done if _overlap(part, d)), None)
        if touching is None:
            done.append(part)
        else:
            done.remove(touching)
            left.append(_joined(part, touching))
    return done


def _overlap(a: Part, b: Part) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _joined(a: Part, b: Part) -> Part:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _shadow(scene: Scene, light: Light, vertices: Array) -> Array:
    """Cast vertices on the table, as far as the renderer's shadow map goes, soft edge included."""
    z = light.direction[2]
    if z <= 0.01:
        return np.zeros((0, 3))
    cast = vertices - vertices[:, 2:] * (np.array(light.direction) / z)
    middle, reach = np.append(scene.centre, 0.0), 1.5 * scene.radius_mm / z
    cast = np.clip(cast, middle - reach, middle + reach) * [1.0, 1.0, 0.0]
    soft = (0.1 * math.tan(math.radians(light.size_deg)) + 0.002) * 2.0 * scene.radius_mm
    return _around(cast, soft / z)


def _around(points: Array, far: float) -> Array:
    """Give points around each point, so that every place nearer than `far` is between them."""
    corners = np.array([[1, 1, 0], [1, -1, 0], [-1, 1, 0], [-1, -1, 0]]) * far
    return np.asarray((points[:, None] + corners).reshape(-1, 3))


def _part(camera: Camera, points: Array) -> Part | None:
    width, height = camera.window[2:]
    ahead = (points - camera.position) @ camera.rotation[2]
    if float(ahead.min()) < _NEAR_MM:
        return 0, 0, width, height
    xy = camera.project(points)
    x0, y0 = (math.floor(v) for v in xy.min(axis=0) - _EDGE_PX)
    x1, y1 = (math.ceil(v) for v in xy.max(axis=0) + _EDGE_PX)
    part = max(0, x0), max(0, y0), min(width, x1), min(height, y1)
    return part if part[0] < part[2] and part[1] < part[3] else None
