"""How a pig is turned as the camera sees it, and where the table's normal points there.

Both are given in the axes of the line of sight to the pig: x to the right of the picture, y down
it, z away from the camera. A crop shows its pig along that line, whatever the camera's own tilt.
"""

from __future__ import annotations

import numpy as np

from vision.synth.scene import Camera, Placed, Vec

Attitude = tuple[float, float, float, float, float, float]
"""The pig's nose and back (its x and z), unit vectors in the axes of sight, one after the other."""


def sight_axes(camera: Camera, point: Vec) -> Vec:
    """Rotation float64[3, 3] from the world to the axes of the line of sight to `point`."""
    ray = point - camera.position
    ray = ray / np.linalg.norm(ray)
    right = camera.rotation[0] - (camera.rotation[0] @ ray) * ray
    right = right / np.linalg.norm(right)
    return np.stack([right, np.cross(ray, right), ray])


def attitude_of(camera: Camera, placed: Placed) -> Attitude:
    """Give a pig's attitude, rounded to a thousandth."""
    seen = sight_axes(camera, placed.position) @ placed.rotation
    nose, back = (np.round(v, 3).tolist() for v in (seen[:, 0], seen[:, 2]))
    return (*nose, *back)


def normal_at(camera: Camera, point: Vec) -> tuple[float, float, float]:
    """Give the table's normal in the axes of sight to `point`: (0, 0, -1) seen from above."""
    x, y, z = np.round(sight_axes(camera, point)[:, 2], 3).tolist()
    return x, y, z
