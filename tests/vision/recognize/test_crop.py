"""Crops are square, centred, at native resolution, and never show a mirrored pig."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.recognize.crop import as_tensor, pair_crop, pose_crop, square_crop, window


def gradient(height: int = 60, width: int = 80) -> np.ndarray:
    """A picture whose red is the column and green the row, so that a crop says where it is from."""
    image = np.zeros((height, width, 3), np.uint8)
    image[..., 0] = np.arange(width)
    image[..., 1] = np.arange(height)[:, None]
    return image


def test_a_crop_of_its_own_size_is_the_picture_untouched() -> None:
    crop = square_crop(gradient(), (20.0, 10.0, 40.0, 30.0), 20, margin=0.0)
    assert np.array_equal(crop, gradient()[10:30, 20:40])


def test_a_pose_crop_is_a_quarter_longer_than_the_longer_side() -> None:
    crop = pose_crop(gradient(), (30.0, 20.0, 50.0, 30.0), 25)
    assert crop.shape == (25, 25, 3)
    assert crop[0, :, 0].tolist() == list(range(28, 53))  # 1.25 * 20 px, centred on x = 40
    assert crop[:, 0, 1].tolist() == list(range(12, 37))


def test_a_pair_crop_holds_both_boxes() -> None:
    crop = pair_crop(gradient(), (10.0, 20.0, 30.0, 30.0), (35.0, 25.0, 60.0, 40.0), 55)
    assert crop[0, 0, 0] <= 10
    assert crop[0, -1, 0] >= 59


def test_beyond_the_edge_the_last_pixels_are_repeated_not_mirrored() -> None:
    seen = window(gradient(), -3, 0, 6, 2)
    assert seen[0, :, 0].tolist() == [0, 0, 0, 0, 1, 2]
    assert window(gradient(), 78, 0, 4, 1)[0, :, 0].tolist() == [78, 79, 79, 79]


def test_shrinking_averages_over_the_area() -> None:
    checks = np.zeros((64, 64, 3), np.uint8)
    checks[::2, ::2] = checks[1::2, 1::2] = 200
    crop = square_crop(checks, (0.0, 0.0, 64.0, 64.0), 16, margin=0.0)
    assert np.all(crop == 100)


corner = st.floats(-200, 300)
length = st.floats(0.2, 250)


@given(x=corner, y=corner, width=length, height=length, size=st.integers(8, 96))
def test_any_box_gives_a_crop_of_the_size_asked_for(
    x: float, y: float, width: float, height: float, size: int
) -> None:
    crop = pose_crop(gradient(), (x, y, x + width, y + height), size)
    assert crop.shape == (size, size, 3)
    assert crop.dtype == np.uint8


@pytest.mark.parametrize("size", [64, 96, 128])
def test_a_quarter_turn_of_the_picture_is_a_quarter_turn_of_the_crop(size: int) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (100, 100, 3), dtype=np.uint8)
    box = (30.0, 40.0, 70.0, 60.0)
    turned = (40.0, 30.0, 60.0, 70.0)  # np.rot90: (x, y) -> (y, 100 - x)
    expected = np.rot90(pose_crop(noise, box, size))
    got = pose_crop(np.ascontiguousarray(np.rot90(noise)), turned, size)
    assert np.abs(expected.astype(int) - got.astype(int)).max() <= 1


def test_images_become_the_tensor_that_opencv_makes_of_them() -> None:
    noise = np.random.default_rng(4).integers(0, 256, (3, 24, 32, 3), np.uint8)
    theirs = cv2.dnn.blobFromImages(list(noise), 1 / 255.0)
    np.testing.assert_allclose(as_tensor(list(noise)), theirs, atol=1e-7)
    view = noise[0, 2:20, 5:28]  # not contiguous, as crops of a picture are
    assert np.array_equal(as_tensor([view])[0, 1], (view[..., 1] * np.float32(1 / 255)))
