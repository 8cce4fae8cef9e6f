"""Attitudes: looks turned back and averaged, and two directions made a rotation."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.recognize.attitude import rotations, together
from vision.recognize.gaze import AROUND, LEANED, look

ANGLES = st.floats(-180, 180)


def rotation(a: float, b: float, c: float) -> np.ndarray:
    """Any rotation, by three angles in degrees."""
    x, y, z = (
        cv2.Rodrigues(np.radians(v) * axis)[0] for v, axis in zip((a, b, c), np.eye(3), strict=True)
    )
    return np.asarray(x @ y @ z)


@given(ANGLES, ANGLES, ANGLES)
def test_the_rotation_of_true_directions_is_the_pigs(a: float, b: float, c: float) -> None:
    true = rotation(a, b, c)
    found = rotations(true[None, :, [0, 2]].transpose(0, 2, 1))[0]
    assert found == pytest.approx(true, abs=1e-6)


@given(ANGLES, ANGLES, ANGLES, st.integers(0, 10_000))
def test_directions_that_err_still_make_a_rotation_near_it(
    a: float, b: float, c: float, seed: int
) -> None:
    true = rotation(a, b, c)
    errs = np.random.default_rng(seed).normal(0, 0.05, (2, 3))
    found = rotations(0.7 * true[None, :, [0, 2]].transpose(0, 2, 1) + errs)[0]
    assert found @ found.T == pytest.approx(np.eye(3), abs=1e-6)
    assert np.linalg.det(found) == pytest.approx(1.0, abs=1e-6)
    assert np.degrees(np.arccos(np.clip((np.trace(found.T @ true) - 1) / 2, -1, 1))) < 35


@pytest.mark.parametrize("views", [LEANED, AROUND], ids=["leaned", "around"])
def test_looks_are_turned_back_as_the_picture_was_turned(
    views: tuple[tuple[float, float], ...],
) -> None:
    # A nose that points from a dark dot to a bright one, found anew in every look.
    crop = np.full((128, 128, 3), 90, np.uint8)
    cv2.circle(crop, (64, 64), 7, (0, 0, 0), -1)
    cv2.circle(crop, (88, 50), 7, (255, 255, 255), -1)
    raw = []
    for view in views:
        seen = look(crop, view, 96).astype(int).sum(axis=2)
        (y0, x0), (y1, x1) = (np.argwhere(m).mean(axis=0) for m in (seen < 90, seen > 700))
        raw.append([x1 - x0, y1 - y0, 0.4, 0.0, 0.0, -1.0])
    nose, back = together(np.array([raw]), views)[0]
    assert nose[:2] / np.linalg.norm(nose[:2]) == pytest.approx(
        np.array([24, -14]) / np.hypot(24, 14), abs=0.03
    )
    assert (nose[2], *back) == pytest.approx((0.4, 0.0, 0.0, -1.0))
