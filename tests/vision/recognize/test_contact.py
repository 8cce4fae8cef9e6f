"""Apart is said only of pigs with table visible between them; a doubt never becomes a proof."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.throw import Contact
from vision.recognize.contact import NEVER_SURE, SURE_APART, ContactReader, judge_gap, weigh_contact
from vision.recognize.crop import Box
from vision.recognize.decide import Policy
from vision.recognize.outline import BOX_CLEAR_MM, PIG_MM, Gap, box_distance, measure_gap

PINK = (214, 160, 140)
WOOD = (120, 84, 52)
ENOUGH = Policy().least_apart


def table(height: int = 240, width: int = 320, *, seed: int = 1) -> np.ndarray:
    """A wooden table with streaks and camera noise."""
    rng = np.random.default_rng(seed)
    streaks = cv2.GaussianBlur(rng.normal(0, 40, (height, 1)), (1, 5), 0)
    noise = rng.normal(0, 4, (height, width, 3))
    return np.clip(np.array(WOOD) + streaks[..., None] + noise, 0, 255).astype(np.uint8)


def two_pigs(
    gap: float, *, angle: float = 0.0, shadow: bool = False, seed: int = 1
) -> tuple[np.ndarray, Box, Box]:
    """Paint two round pigs of 60 px with so many pixels between them along `angle`."""
    image = table(seed=seed)
    along = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    boxes = []
    for side in (-1, 1):
        x, y = np.array([160.0, 120.0]) + side * along * (60 + gap) / 2
        middle = (round(x * 16), round(y * 16))
        if shadow:
            dark = image.copy()
            cv2.circle(dark, (middle[0] + 60, middle[1] + 100), 30 * 16, (14, 9, 5), -1, 16, 4)
            image = dark
        cv2.circle(image, middle, 30 * 16, PINK, -1, cv2.LINE_AA, 4)
        boxes.append((x - 30, y - 30, x + 30, y + 30))
    return image, boxes[0], boxes[1]


@pytest.mark.parametrize("angle", [0, 30, 45, 90, 200])
@pytest.mark.parametrize("gap", [6, 10, 20])
def test_a_visible_gap_is_measured_and_proves_apart(gap: int, angle: int) -> None:
    image, a, b = two_pigs(gap, angle=angle)
    evidence = ContactReader()(image, a, b)
    assert evidence.state is Contact.APART
    assert evidence.probabilities["apart"] >= ENOUGH
    seen = gap * PIG_MM / 60
    if box_distance(a, b) * PIG_MM / 60 < BOX_CLEAR_MM:
        assert evidence.gap_mm == pytest.approx(seen, abs=1.2)
    else:
        assert evidence.gap_mm is not None
        assert BOX_CLEAR_MM <= evidence.gap_mm <= seen + 1e-6


@pytest.mark.parametrize("angle", [0, 45, 90])
@pytest.mark.parametrize("gap", [0, -1, -8])
def test_outlines_that_meet_prove_nothing(gap: int, angle: int) -> None:
    image, a, b = two_pigs(gap, angle=angle)
    evidence = ContactReader()(image, a, b)
    assert evidence.gap_mm == 0.0
    assert evidence.probabilities["apart"] < ENOUGH


def test_a_hair_of_table_is_not_enough() -> None:
    image, a, b = two_pigs(1)
    assert ContactReader()(image, a, b).probabilities["apart"] < ENOUGH


def test_a_dark_line_between_touching_pigs_is_not_table() -> None:
    image, a, b = two_pigs(0)
    cv2.line(image, (160, 90), (160, 150), (30, 15, 10), 3)
    assert ContactReader()(image, a, b).probabilities["apart"] < ENOUGH


@pytest.mark.parametrize("gap", [0, -2])
def test_a_shadow_at_touching_pigs_is_no_gap(gap: int) -> None:
    image, a, b = two_pigs(gap, shadow=True)
    assert ContactReader()(image, a, b).probabilities["apart"] < ENOUGH


def test_far_apart_needs_no_look_at_the_pixels() -> None:
    image = np.random.default_rng(0).integers(0, 256, (200, 600, 3), dtype=np.uint8)
    evidence = ContactReader()(image, (10, 10, 90, 90), (400, 10, 480, 90))
    assert evidence.probabilities["apart"] >= ENOUGH
    assert evidence.gap_mm == pytest.approx(310 * PIG_MM / 80)


def test_pigs_of_the_tables_own_colour_give_no_evidence() -> None:
    """Only their darker ends differ from the table: what lies between those is no gap."""
    image, a, b = two_pigs(0)
    pale = np.array(WOOD) * 1.05
    image[60:180, 80:240] = np.random.default_rng(2).normal(pale, 4, (120, 160, 3)).astype(np.uint8)
    cv2.circle(image, (105, 120), 5, (60, 10, 80), -1)
    cv2.circle(image, (215, 120), 5, (60, 10, 80), -1)
    evidence = ContactReader()(image, a, b)
    assert evidence.gap_mm == 0.0
    assert evidence.probabilities["apart"] < ENOUGH


def test_a_table_like_nothing_gives_no_evidence() -> None:
    """On noise the outlines cannot be told from the table."""
    image = np.random.default_rng(0).integers(0, 256, (240, 320, 3), dtype=np.uint8)
    cv2.circle(image, (130, 120), 30, PINK, -1)
    cv2.circle(image, (190, 120), 30, PINK, -1)
    evidence = ContactReader()(image, (100, 90, 160, 150), (160, 90, 220, 150))
    assert evidence.probabilities["apart"] < ENOUGH


def test_one_box_inside_the_other_looks_stacked() -> None:
    image = table()
    cv2.circle(image, (160, 120), 40, PINK, -1)
    evidence = ContactReader()(image, (120, 80, 200, 160), (140, 90, 180, 130))
    assert evidence.state is Contact.STACKED


def test_pigs_at_the_edge_of_a_tiny_picture() -> None:
    image = np.full((20, 24, 3), 130, np.uint8)
    evidence = ContactReader()(image, (0, 0, 12, 20), (12, 0, 24, 20))
    assert evidence.probabilities["apart"] < ENOUGH


def test_the_same_gap_is_seen_at_any_resolution() -> None:
    image, a, b = two_pigs(12, angle=20)
    gaps = []
    for scale in (0.5, 1, 3):
        big = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        first, second = (tuple(v * scale for v in box) for box in (a, b))
        gaps.append(measure_gap(big, first, second).seen_mm)  # type: ignore[arg-type]
    assert np.ptp(gaps) < 1.5


@given(st.floats(0, 50), st.floats(0, 50), st.floats(0, 1))
def test_more_visible_table_is_never_less_apart(seen: float, more: float, overlap: float) -> None:
    nearer = judge_gap(Gap(0.0, seen, overlap))
    further = judge_gap(Gap(0.0, seen + more, overlap))
    assert further["apart"] >= nearer["apart"]
    assert sum(nearer.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        ((20.0, 0.0, 30.0, 10.0), 10.0),
        ((13.0, 14.0, 30.0, 30.0), 5.0),
        ((5.0, 5.0, 30.0, 30.0), 0.0),
        ((-9.0, 0.0, -3.0, 10.0), 3.0),
    ],
)
def test_box_distance(b: Box, expected: float) -> None:
    assert box_distance((0.0, 0.0, 10.0, 10.0), b) == pytest.approx(expected)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_the_networks_word_is_weighed_with_how_pigs_lie(a: float, b: float, c: float) -> None:
    balanced = np.array([a, b, c]) + 1e-7
    balanced /= balanced.sum()
    weighed = weigh_contact(balanced)
    assert sum(weighed.values()) == pytest.approx(1.0)
    assert weighed["apart"] <= NEVER_SURE + 1e-9
    assert weighed["apart"] >= min(balanced[0], NEVER_SURE) - 1e-6
    assert weighed["touching"] * balanced[2] == pytest.approx(weighed["stacked"] * balanced[1])


def test_only_a_network_that_is_nearly_sure_proves_apart() -> None:
    assert SURE_APART >= ENOUGH, "else a sure network would be asked about, and no outline heard"
    assert weigh_contact(np.array([0.93, 0.05, 0.02]))["apart"] < ENOUGH
    assert weigh_contact(np.array([0.97, 0.02, 0.01]))["apart"] >= ENOUGH
