"""Frames of one still table are averaged, not multiplied, and pigs keep their identity."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.recognize.fuse import Look, fuse
from vision.recognize.locate import Located
from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES, ContactEvidence

A, B = (10.0, 10.0, 50.0, 50.0), (80.0, 20.0, 120.0, 60.0)


def logs(*likeliest: tuple[str, float]) -> Any:
    """Log-probabilities: the named class so likely, the rest shared."""
    rows = []
    for name, p in likeliest:
        rows.append([p if c == name else (1 - p) / 6 for c in POSE_CLASSES])
    return np.log(np.array(rows).reshape(-1, 7))


def look(*pigs: tuple[tuple[float, float, float, float], str, float]) -> Look:
    located = tuple(Located(box, 0.9) for box, _, _ in pigs)
    return Look(located, logs(*((name, p) for _, name, p in pigs)))


def poses(fused: Look) -> list[str]:
    return [POSE_CLASSES[i] for i in fused.log_poses.argmax(axis=1)]


def test_one_look_stays_as_it_is() -> None:
    one = look((A, "trotter", 0.8), (B, "snouter", 0.6))
    fused = fuse([one])
    assert fused.agreement == 1.0
    assert np.allclose(fused.look.log_poses, one.log_poses)
    assert fused.look.pigs == one.pigs


def test_pigs_are_matched_by_place_whatever_their_order() -> None:
    first = look((A, "trotter", 0.8), (B, "snouter", 0.6))
    second = look((B, "snouter", 0.7), (A, "trotter", 0.7))
    fused = fuse([first, second]).look
    assert poses(fused) == ["snouter", "trotter"]  # in the order of the newest
    assert fused.pigs[1].box == A


def test_many_alike_frames_are_no_surer_than_one() -> None:
    one = look((A, "trotter", 0.6), (B, "snouter", 0.6))
    assert np.allclose(fuse([one] * 30).look.log_poses, one.log_poses)


def test_one_frame_that_is_unsure_does_not_outvote_two() -> None:
    sure = look((A, "trotter", 0.9), (B, "dot_up", 0.9))
    unsure = look((A, "snouter", 0.4), (B, "dot_up", 0.9))
    assert poses(fuse([sure, unsure, sure]).look) == ["trotter", "dot_up"]


def test_frames_with_another_count_are_left_out_and_told() -> None:
    two = look((A, "trotter", 0.8), (B, "snouter", 0.6))
    one = look((A, "trotter", 0.8))
    fused = fuse([two, one, two])
    assert len(fused.look.pigs) == 2
    assert fused.agreement == pytest.approx(2 / 3)


def test_on_a_draw_the_newest_frame_counts() -> None:
    two = look((A, "trotter", 0.8), (B, "snouter", 0.6))
    one = look((A, "trotter", 0.8))
    assert len(fuse([two, one]).look.pigs) == 1
    assert len(fuse([one, two]).look.pigs) == 2


def test_no_pigs_in_any_frame() -> None:
    fused = fuse([look(), look()])
    assert fused.look.pigs == ()
    assert fused.agreement == 1.0


def test_boxes_are_the_median() -> None:
    shifted = tuple(v + 30 for v in A)
    looks = [look((A, "trotter", 0.8)), look((A, "trotter", 0.8))]
    looks.append(look((shifted, "trotter", 0.8)))  # type: ignore[arg-type]
    assert fuse(looks).look.pigs[0].box == A


def test_contact_is_averaged_and_the_gap_is_the_median() -> None:
    def with_contact(apart: float, gap: float) -> Look:
        shares = dict(zip(CONTACT_CLASSES, (apart, 1 - apart, 0.0), strict=True))
        one = look((A, "trotter", 0.8), (B, "snouter", 0.6))
        return Look(one.pigs, one.log_poses, ContactEvidence(shares, gap))

    fused = fuse([with_contact(0.9, 3.0), with_contact(0.9, 9.0), with_contact(0.9, 4.0)])
    assert fused.look.contact is not None
    assert fused.look.contact.probabilities["apart"] == pytest.approx(0.9, abs=1e-3)
    assert fused.look.contact.gap_mm == 4.0


def test_nothing_to_fuse() -> None:
    with pytest.raises(ValueError, match="at least one look"):
        fuse([])


@given(st.lists(st.lists(st.floats(-20, 0), min_size=7, max_size=7), min_size=1, max_size=6))
def test_fused_probabilities_sum_to_one(rows: list[list[float]]) -> None:
    looks = [Look((Located(A, 0.5),), np.array([row])) for row in rows]
    assert np.exp(fuse(looks).look.log_poses).sum() == pytest.approx(1.0)
