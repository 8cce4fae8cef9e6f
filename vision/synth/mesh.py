"""Triangle meshes of solids, with what shading needs at each vertex."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.synth.sdf import Distances, Points

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """A closed surface in its own frame, millimetres.

    `vertices`, `normals` float32[N, 3] (normals unit, outward), `faces` int32[M, 3],
    `openness` float32[N] in 0 to 1: how much of the sky the rest of the solid leaves free.
    """

    vertices: Floats
    normals: Floats
    faces: NDArray[np.int32]
    openness: Floats

    def __post_init__(self) -> None:
        n = len(self.vertices)
        if self.normals.shape != (n, 3) or self.openness.shape != (n,):
            raise ValueError(f"a mesh of {n} vertices has {n} normals and {n} opennesses")


def mesh_solid(
    distance: Callable[[Points], Distances],
    low: tuple[float, float, float],
    high: tuple[float, float, float],
    step: float = 0.5,
    faces: tuple[int, ...] = (5000,),
) -> tuple[Mesh, ...]:
    """Mesh the zero surface of `distance` inside a box: one mesh for each number of `faces`.

    Marching cubes on a grid of `step` millimetres, thinned by quadric decimation; normals and
    openness are taken from the solid itself, so that few triangles still shade smoothly.
    Raises ValueError when the box holds no surface.
    """
    import fast_simplification
    from skimage.measure import marching_cubes

    axes = [np.arange(a, b + step, step) for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    volume = distance(grid.reshape(-1, 3)).reshape(grid.shape[:3])
    if volume.min() >= 0 or volume.max() <= 0:
        raise ValueError("the box holds no surface")
    fine, triangles, _, _ = marching_cubes(volume, 0.0, spacing=(step, step, step))
    meshes = []
    for count in faces:
        points, kept = fine, triangles
        if count < len(triangles):
            points, kept = fast_simplification.simplify(
                fine.astype(np.float32), triangles.astype(np.int32), target_count=count
            )
        meshes.append(_shaded(volume, np.asarray(points, dtype=np.float64), kept, step, low))
    return tuple(meshes)


def _shaded(
    volume: Distances,
    points: Points,
    faces: NDArray[np.int32],
    step: float,
    low: tuple[float, float, float],
) -> Mesh:
    normals = _gradient(volume, points / step)
    openness = _openness(volume, points / step, normals, step)
    return Mesh(
        vertices=(points + np.array(low)).astype(np.float32),
        normals=normals.astype(np.float32),
        faces=np.ascontiguousarray(faces).astype(np.int32),
        openness=openness.astype(np.float32),
    )


def _sample(volume: Distances, at: Points) -> Distances:
    from scipy.ndimage import map_coordinates

    return np.asarray(map_coordinates(volume, at.T, order=1, mode="nearest"))


def _gradient(volume: Distances, at: Points) -> Points:
    offsets = 0.6 * np.eye(3)
    g = np.stack([_sample(volume, at + o) - _sample(volume, at - o) for o in offsets], axis=1)
    return np.asarray(g / np.maximum(np.linalg.norm(g, axis=1, keepdims=True), 1e-9))


def _openness(volume: Distances, at: Points, normals: Points, step: float) -> Distances:
    """Ambient occlusion from the distance field (Evans 2006): free distance along the normal."""
    occluded = np.zeros(len(at))
    for reach, weight in ((0.8, 0.42), (1.6, 0.3), (3.2, 0.18), (6.0, 0.1)):
        free = _sample(volume, at + normals * (reach / step))
        occluded += weight * np.clip(1.0 - free / reach, 0.0, 1.0)
    return np.clip(1.0 - 1.25 * occluded, 0.0, 1.0)
