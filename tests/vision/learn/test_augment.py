"""Crops varied for training: another picture each time, the same pig, never its mirror image."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.learn.augment import Strained


def moved(matrix: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Move points [N, 2] by a 3x3 matrix."""
    there = np.c_[points, np.ones(len(points))] @ matrix.T
    return np.asarray(there[:, :2] / there[:, 2:])


@given(st.integers(0, 2**32 - 1))
def test_a_crop_is_turned_and_bent_but_never_mirrored(seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = Strained(96, 25.0, 1.0).warp(rng, 128, float(np.radians(rng.uniform(-25, 25))))
    nose, tail, dot = moved(matrix, np.array([[100.0, 64.0], [28.0, 64.0], [64.0, 90.0]]))
    along, across = nose - tail, dot - tail
    # Right of the nose's way stays right of it, also in the corners that are bent most.
    assert along[0] * across[1] - along[1] * across[0] > 0


def test_without_strain_a_crop_is_only_resized() -> None:
    crop = np.full((128, 128, 3), (200, 120, 90), np.uint8)
    crop[40:80, 40:80] = (20, 30, 40)
    varied = Strained(96, 0.0, 0.0)(crop)
    assert varied.shape == (96, 96, 3)
    assert tuple(varied[45, 45]) == (20, 30, 40)


def test_each_time_it_is_another_picture() -> None:
    random.seed(3)
    crop = np.random.default_rng(1).integers(0, 256, (128, 128, 3)).astype(np.uint8)
    strained = Strained(96, 25.0, 0.7)
    first, second = strained(crop), strained(crop)
    assert first.dtype == np.uint8
    assert np.abs(first.astype(int) - second).mean() > 5
    random.seed(3)
    assert np.array_equal(strained(crop), first)
