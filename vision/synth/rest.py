"""The ways a rigid pig can lie on a table: the stable faces of its convex hull."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.throw import Pose
from vision.synth.mesh import Mesh
from vision.synth.sdf import Points
from vision.synth.shape import PART_NAMES, PigSolid


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """One stable way to lie.

    `up` is the table's upward normal in the pig's frame (float64[3], unit); `share` the
    probability to come to rest so when tipped slowly from a random orientation (Goldberg et
    al. 1999); `touching` the parts that carry the pig; `pose` its name, None for a way to lie
    that the game has no name for; `mirrored` for a jowler on its right ear.
    """

    up: Points
    share: float
    touching: frozenset[str]
    pose: Pose | None
    mirrored: bool = False


def resting_poses(mesh: Mesh, solid: PigSolid, least_share: float = 0.002) -> tuple[Rest, ...]:
    """Find every stable way to lie, the likeliest first, rarer than `least_share` left out."""
    import trimesh

    hull = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False).convex_hull
    full = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    transforms, shares = trimesh.poses.compute_stable_poses(
        hull, center_mass=full.center_mass, n_samples=1, threshold=least_share
    )
    found: list[Rest] = []
    for transform, share in zip(transforms, shares, strict=True):
        up = np.asarray(transform[:3, :3].T @ np.array([0.0, 0.0, 1.0]))
        same = next((i for i, r in enumerate(found) if r.up @ up > np.cos(np.radians(7))), None)
        if same is not None:  # neighbouring facets of a rounded part: one way to lie
            old = found[same]
            found[same] = Rest(old.up, old.share + share, old.touching, old.pose, old.mirrored)
            continue
        touching = parts_on_table(mesh, solid, up)
        pose, mirrored = name_rest(up, touching)
        found.append(Rest(up, float(share), touching, pose, mirrored))
    return tuple(sorted(found, key=lambda r: -r.share))


def parts_on_table(
    mesh: Mesh, solid: PigSolid, up: Points, within_mm: float = 0.35
) -> frozenset[str]:
    """Name the parts within `within_mm` of the table when the table's normal is `up`."""
    heights = mesh.vertices @ up
    low = mesh.vertices[heights < heights.min() + within_mm].astype(np.float64)
    nearest = solid.part_distances(low).argmin(axis=0)
    return frozenset(PART_NAMES[i] for i in np.unique(nearest))


def name_rest(up: Points, touching: frozenset[str]) -> tuple[Pose | None, bool]:
    """Name a way to lie by its up vector and what carries it; (None, False) when it has none."""
    x, y, z = (float(v) for v in up)
    left, right = "ear_left" in touching, "ear_right" in touching
    face = bool(touching & {"snout", "jaw"})
    ears_only = (left != right) and face and x < -0.3 and z > -0.2
    if ears_only and abs(y) > 0.2:
        return Pose.LEANING_JOWLER, right
    if face and x < -0.25 and abs(y) < 0.25 and z > 0:
        return Pose.SNOUTER, False
    if z > 0.85 and not face:
        return Pose.TROTTER, False
    if z < -0.75:
        return Pose.RAZORBACK, False
    if abs(y) > 0.7:
        return (Pose.DOT_UP if y < 0 else Pose.DOT_DOWN), False
    return None, False
