"""Photographs as table tops, on a few made here: the fetched ones are on no test machine."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import RenderError
from vision.synth.photographs import STAMPS, TABLES, Photographs, find_photographs
from vision.synth.textures import texture_stack

GREEN, RED = (20, 180, 30), (200, 30, 20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make one green photograph and one red disc cut out of nothing."""
    (tmp_path / TABLES).mkdir()
    (tmp_path / STAMPS).mkdir()
    green = np.full((120, 200, 3), GREEN, np.uint8)
    cv2.imwrite(str(tmp_path / TABLES / "green.png"), green[..., ::-1])
    disc = np.zeros((80, 80, 4), np.uint8)
    cv2.circle(disc, (40, 40), 38, (*RED[::-1], 255), -1)
    cv2.imwrite(str(tmp_path / STAMPS / "disc.png"), disc)
    return tmp_path


@pytest.fixture
def photographs(folder: Path) -> Photographs:
    return find_photographs(folder)


def test_a_patch_shows_the_photograph(photographs: Photographs, rng: np.random.Generator) -> None:
    patch = photographs.patch(rng, 64)
    assert patch.shape == (64, 64, 3)
    assert np.ptp(patch.reshape(-1, 3), axis=0).max() < 1e-9
    assert patch[0, 0].argmax() == 1


def test_cut_outs_lie_on_the_table_and_leave_the_rest(
    photographs: Photographs, rng: np.random.Generator
) -> None:
    white = np.full((128, 128, 3), 255.0)
    strewn = photographs.strew(rng, white)
    changed = np.abs(strewn - white).max(axis=2) > 1
    assert 0.01 < changed.mean() < 0.9
    assert strewn[changed].mean(axis=0).argmax() == 0
    assert (white == 255).all()


def test_the_same_seed_gives_the_same_table_tops(photographs: Photographs) -> None:
    first, second, other = (
        texture_stack(seed, 12, 64, photographed=0.7, photographs=photographs) for seed in (1, 1, 2)
    )
    assert (first == second).all()
    assert not (first == other).all()


def test_a_share_of_none_draws_as_ever(photographs: Photographs) -> None:
    plain = texture_stack(3, 6, 64)
    assert (plain == texture_stack(3, 6, 64, photographed=0.0, photographs=photographs)).all()


def test_missing_photographs_are_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match=r"scripts/fetch_photographs\.py"):
        find_photographs(tmp_path)


def test_a_broken_photograph_is_named(folder: Path, rng: np.random.Generator) -> None:
    (folder / TABLES / "green.png").write_bytes(b"no picture")
    with pytest.raises(RenderError, match=r"green\.png"):
        find_photographs(folder).patch(rng, 32)
