"""Signed distances of the few solids a pig is made of, and their smooth union.

All functions take points float64[N, 3] in millimetres and give float64[N]: negative inside.
Formulas: Inigo Quilez, "Distance functions" (ellipsoid bound, round cone, polynomial smooth
minimum).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Distances = NDArray[np.float64]


def ellipsoid(
    points: Points, centre: Points, radii: Points, axes: Points | None = None
) -> Distances:
    """Distance bound to an ellipsoid; `axes` is float64[3, 3], its rows the ellipsoid's axes."""
    local = points - centre
    if axes is not None:
        local = local @ axes.T
    k0 = np.linalg.norm(local / radii, axis=1)
    k1 = np.linalg.norm(local / radii**2, axis=1)
    return np.asarray(k0 * (k0 - 1.0) / np.maximum(k1, 1e-9))


def round_cone(
    points: Points, start: Points, end: Points, r_start: float, r_end: float
) -> Distances:
    """Distance to a capsule whose radius goes from `r_start` to `r_end` (linear bound)."""
    axis = end - start
    t = np.clip((points - start) @ axis / (axis @ axis), 0.0, 1.0)
    nearest = start + t[:, None] * axis
    radius = r_start + (r_end - r_start) * t
    return np.asarray(np.linalg.norm(points - nearest, axis=1) - radius)


def disc(
    points: Points,
    centre: Points,
    normal: Points,
    radius: float,
    half_height: float,
    rounding: float,
) -> Distances:
    """Distance to a flat round plate with rounded edges."""
    local = points - centre
    along = local @ normal
    across = np.linalg.norm(local - along[:, None] * normal, axis=1)
    d = np.stack([across - radius + rounding, np.abs(along) - half_height + rounding], axis=1)
    outside = np.linalg.norm(np.maximum(d, 0.0), axis=1)
    return np.asarray(outside + np.minimum(d.max(axis=1), 0.0) - rounding)


def smooth_union(a: Distances, b: Distances, blend: float) -> Distances:
    """Union of two solids with a fillet of about `blend` millimetres."""
    if blend <= 0:
        return np.minimum(a, b)
    h = np.maximum(blend - np.abs(a - b), 0.0) / blend
    return np.asarray(np.minimum(a, b) - h * h * blend * 0.25)
