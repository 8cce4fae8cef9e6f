"""Shared pigs and studios of the render tests: made once, as they take a second each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from vision.errors import RenderError
from vision.synth.dataset import Studio
from vision.synth.pig import Pig, make_pig
from vision.synth.recipe import load_recipe
from vision.synth.renderers import Renderer, open_renderer
from vision.synth.session import SURFACES
from vision.synth.shape import PigShape
from vision.synth.textures import texture_stack


@pytest.fixture(scope="session")
def common_pig() -> Pig:
    return make_pig(PigShape())


@pytest.fixture(scope="session")
def crop_studio() -> Iterator[Studio]:
    recipe = replace(load_recipe("crops"), shapes=(7, 3), surfaces=(7, 12), things=(7, 10))
    yield from _open(recipe)


@pytest.fixture(scope="session")
def frame_studio() -> Iterator[Studio]:
    recipe = replace(
        load_recipe("frames-test"), shapes=(7, 3), surfaces=(7, 12), things=(7, 10),
        frame_px=(640, 360), pig_px=(30.0, 90.0),
    )  # fmt: skip
    yield from _open(recipe)


@pytest.fixture(scope="session")
def pair_studio() -> Iterator[Studio]:
    recipe = replace(
        load_recipe("pairs-test"), shapes=(7, 2), pairs=(3, 24), surfaces=(5, 3), things=(5, 3),
        paired=1.0,
    )  # fmt: skip
    yield from _open(recipe)


@pytest.fixture(scope="session")
def renderer() -> Iterator[Renderer]:
    """Give a renderer with the table tops of sessions."""
    try:
        opened = open_renderer("raster", texture_stack(*SURFACES, size=128))
    except RenderError as error:
        pytest.skip(f"rendering needs OpenGL through EGL: {error}")
    yield opened
    opened.close()


def _open(recipe: object) -> Iterator[Studio]:
    try:
        studio = Studio(recipe)  # type: ignore[arg-type]
    except RenderError as error:
        pytest.skip(f"rendering needs OpenGL through EGL: {error}")
    yield studio
    studio.renderer.close()


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20260)
