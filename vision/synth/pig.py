"""A pig ready to be placed: shape, mesh, paint anchors and the ways it can lie."""

from __future__ import annotations

from dataclasses import dataclass

from vision.synth.mesh import Mesh, mesh_solid
from vision.synth.rest import Rest, resting_poses
from vision.synth.shape import Anchors, PigShape, PigSolid


@dataclass(frozen=True, slots=True, eq=False)
class Pig:
    """One pig: what it measures, its surface, and its resting poses (up vectors).

    `shadow` is a coarse mesh of the same solid, enough for what falls on the table.
    """

    shape: PigShape
    mesh: Mesh
    shadow: Mesh
    anchors: Anchors
    rests: tuple[Rest, ...]


def make_pig(shape: PigShape, step: float = 0.5, faces: int = 3600) -> Pig:
    """Build a pig from its measures; `step` millimetres and `faces` say how fine its mesh is."""
    solid = PigSolid(shape)
    box = (-15.0, -13.5, -13.5), (20.5, 13.5, 13.5)
    mesh, shadow = mesh_solid(solid.distance, *box, step=step, faces=(faces, 700))
    return Pig(shape, mesh, shadow, solid.anchors(), resting_poses(mesh, solid))
