"""The rasterizer gives back what it no longer draws: a set of many pigs takes no more memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.synth.test_render_set import side_view
from vision.synth.pig import Pig
from vision.synth.renderers.raster import RasterRenderer

MEMORY = Path("/proc/self/statm")
PAGE = 4096


def resident_mb() -> float:
    """Memory that this process holds, in megabytes."""
    return int(MEMORY.read_text().split()[1]) * PAGE / 1e6


@pytest.mark.skipif(not MEMORY.exists(), reason="this system does not tell what a process holds")
def test_pigs_and_sizes_that_are_drawn_no_more_are_given_back(common_pig: Pig) -> None:
    renderer = RasterRenderer(np.full((1, 8, 8, 3), 200, np.uint8), keep_meshes=3)
    scene = side_view(common_pig, nose_right=True)
    heavy = replace(common_pig.mesh, faces=np.tile(common_pig.mesh.faces, (40, 1)))
    rounds = 40

    def draw(number: int) -> None:
        # So large that the pig is drawn in all its detail, through a window of another size.
        camera = replace(scene.camera, focal_px=2600.0, window=(0.0, 0.0, 24 + number, 16))
        mine = replace(common_pig, mesh=replace(heavy))
        renderer.render(replace(scene, camera=camera, pigs=(replace(scene.pigs[0], pig=mine),)))

    for number in range(30):
        draw(number)
    before = resident_mb()
    for number in range(30, 30 + rounds):
        draw(number)
    grown = resident_mb() - before
    renderer.close()
    assert heavy.faces.nbytes > 1_000_000
    assert grown < 0.4 * rounds * heavy.faces.nbytes / 1e6
