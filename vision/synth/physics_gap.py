"""How far two surfaces are from each other, and sliding one until they are so far apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.synth.mesh import Mesh
from vision.synth.physics import Array

Index = NDArray[np.int64]

_EDGE_MM = 1.2
"""No edge of a pig's mesh is much longer: nearest points lie within it of nearest corners."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """A mesh where it lies: corners float64[N, 3] in the world, faces, and a tree over them."""

    corners: Array
    faces: NDArray[np.int32]
    tree: object

    @classmethod
    def of(cls, mesh: Mesh, rotation: Array, position: Array) -> Surface:
        """Lay a mesh."""
        from scipy.spatial import cKDTree

        corners = mesh.vertices @ rotation.T + position
        return cls(np.asarray(corners, dtype=np.float64), mesh.faces, cKDTree(corners))


def gap_between(a: Surface, b: Surface, shift: Array | None = None) -> float:
    """Least distance of two surfaces in millimetres, `b` moved by `shift`.

    Exact for a corner against a face, either way round, and within a hundredth of a millimetre
    for an edge against an edge of these meshes. Surfaces that cross give about 0: what is
    pressed in by less than an edge's length cannot be told from touching.
    """
    move = np.zeros(3) if shift is None else shift
    moved = b.corners + move
    far, nearest = a.tree.query(moved)  # type: ignore[attr-defined]
    least = float(far.min())
    close_b = np.flatnonzero(far < least + _EDGE_MM)
    back, _ = b.tree.query(a.corners - move, distance_upper_bound=least + _EDGE_MM)  # type: ignore[attr-defined]
    close_a = np.flatnonzero(np.isfinite(back))
    one = _corners_to_faces(moved[close_b], a.corners, _faces_at(a.faces, nearest[close_b]))
    other = _corners_to_faces(a.corners[close_a], moved, _faces_at(b.faces, close_b))
    return min(least, one, other)


def _faces_at(faces: NDArray[np.int32], corners: Index) -> NDArray[np.int32]:
    wanted = np.zeros(int(faces.max()) + 1, dtype=bool)
    wanted[corners] = True
    return faces[wanted[faces].any(axis=1)]


def _corners_to_faces(points: Array, corners: Array, faces: NDArray[np.int32]) -> float:
    if not len(points) or not len(faces):
        return float("inf")
    a, b, c = (corners[faces[:, i]] for i in range(3))
    return float(_point_triangle(points[:, None, :], a[None], b[None], c[None]).min())


def _point_triangle(p: Array, a: Array, b: Array, c: Array) -> Array:
    """Distances of points to triangles, broadcast against each other (Quilez, udTriangle)."""
    ba, cb, ac = b - a, c - b, a - c
    pa, pb, pc = p - a, p - b, p - c
    normal = np.cross(ba, ac)
    inside = (
        (_dot(np.cross(ba, normal), pa) >= 0)
        & (_dot(np.cross(cb, normal), pb) >= 0)
        & (_dot(np.cross(ac, normal), pc) >= 0)
    ) | (
        (_dot(np.cross(ba, normal), pa) <= 0)
        & (_dot(np.cross(cb, normal), pb) <= 0)
        & (_dot(np.cross(ac, normal), pc) <= 0)
    )
    edges = np.minimum(np.minimum(_edge(pa, ba), _edge(pb, cb)), _edge(pc, ac))
    face = _dot(normal, pa) ** 2 / np.maximum(_dot(normal, normal), 1e-18)
    area = _dot(normal, normal)  # a sliver without area has no inside, only edges
    return np.asarray(np.sqrt(np.where(inside & (area > 1e-9), face, edges)))


def _edge(p: Array, e: Array) -> Array:
    t = np.clip(_dot(p, e) / np.maximum(_dot(e, e), 1e-18), 0.0, 1.0)
    rest = p - t[..., None] * e
    return _dot(rest, rest)


def _dot(a: Array, b: Array) -> Array:
    return np.asarray((a * b).sum(axis=-1))


def slide_to_gap(
    fixed: Surface, moved: Surface, way: Array, gap_mm: float, within_mm: float = 0.02
) -> Array:
    """Shift float64[3] along `way` (unit) that leaves `gap_mm` between two surfaces.

    `moved` comes from afar against `way` and stops at the first place where the gap is so
    small. Both surfaces lie anywhere; the shift is along `way` only.
    """
    span = _along(fixed.corners, way), _along(moved.corners, way)
    start = span[0][1] - span[1][0] + gap_mm  # clear of each other along the way
    shift, gap = start, gap_between(fixed, moved, start * way)
    for _ in range(60):  # sphere tracing: no step can jump over the gap sought
        if gap - gap_mm < within_mm:
            break
        shift -= max(gap - gap_mm, within_mm)
        gap = gap_between(fixed, moved, shift * way)
    return np.asarray(shift * way)


def _along(points: Array, way: Array) -> tuple[float, float]:
    reach = points @ way
    return float(reach.min()), float(reach.max())
