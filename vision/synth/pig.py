"""A pig ready to be placed: shape, mesh, paint anchors and the ways it can lie."""

from __future__ import annotations

from dataclasses import dataclass

from vision.synth.mesh import Mesh, mesh_solid
from vision.synth.rest import Rest, resting_poses
from vision.synth.shape import Anchors, PigShape, PigSolid


@dataclass(frozen=True, slots=True, eq=False)
class Pig:
    """One pig: what it measures, its surface, and its resting poses (up vectors)."""

    shape: PigShape
    mesh: Mesh
    anchors: Anchors
    rests: tuple[Rest, ...]


def make_pig(shape: PigShape, step: float = 0.5) -> Pig:
    """Build a pig from its measures; `step` is the mesh's fineness in millimetres."""
    solid = PigSolid(shape)
    mesh = mesh_solid(solid.distance, (-15.0, -12.5, -13.5), (19.5, 12.5, 13.5), step)
    return Pig(shape, mesh, solid.anchors(), resting_poses(mesh, solid))
