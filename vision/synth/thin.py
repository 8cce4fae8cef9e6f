"""Coarser meshes for what is small in a picture: tiny triangles are paid for whole."""

from __future__ import annotations

import numpy as np

from vision.synth.mesh import Mesh


def thinned(mesh: Mesh, faces: int) -> Mesh:
    """Give a mesh of at most `faces` triangles; it shades as the nearest points of `mesh` do."""
    import fast_simplification
    from scipy.spatial import cKDTree

    if len(mesh.faces) <= faces:
        return mesh
    points, kept = fast_simplification.simplify(mesh.vertices, mesh.faces, target_count=faces)
    _, nearest = cKDTree(mesh.vertices).query(points)
    return Mesh(
        np.asarray(points, np.float32),
        mesh.normals[nearest],
        np.ascontiguousarray(kept, np.int32),
        mesh.openness[nearest],
    )
