"""Coarser meshes: fewer triangles, the same solid."""

import numpy as np

from vision.synth.pig import Pig
from vision.synth.thin import thinned


def test_a_thinned_pig_keeps_its_size_and_its_shading(common_pig: Pig) -> None:
    fine = common_pig.mesh
    coarse = thinned(fine, 900)
    assert len(coarse.faces) <= 900 < len(fine.faces)
    for pick in (np.min, np.max):
        gap = np.abs(pick(coarse.vertices, axis=0) - pick(fine.vertices, axis=0))
        assert gap.max() < 0.5
    outward = coarse.vertices - coarse.vertices.mean(axis=0)
    assert (np.einsum("ij,ij->i", outward, coarse.normals) > 0).mean() > 0.8
    assert coarse.faces.max() < len(coarse.vertices)


def test_a_mesh_that_is_coarse_already_stays(common_pig: Pig) -> None:
    assert thinned(common_pig.shadow, 900) is common_pig.shadow
