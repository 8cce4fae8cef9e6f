"""Which boxes are pigs: both models have their say, and a game has two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.recognize.among import (
    ONE_OF_TWO,
    ONE_TOO_MANY,
    SOME_POSE,
    SURELY_A_PIG,
    pigs_among,
    shared,
)
from vision.recognize.crop import Box
from vision.recognize.locate import Located

THRESHOLD = 0.3


def apart(confidences: list[float]) -> list[Located]:
    """Give boxes of these confidences, none near another."""
    return [Located((100.0 * i, 0.0, 100.0 * i + 50, 40.0), c) for i, c in enumerate(confidences)]


@pytest.mark.parametrize(
    ("confidences", "posed", "kept"),
    [
        ([], [], []),
        ([0.9, 0.8], [0.9, 0.9], [0, 1]),
        ([0.9, 0.4], [0.9, 0.5], [0]),  # 0.2 together: doubted by both
        ([0.9, 0.4], [0.9, 0.9], [0, 1]),
        ([0.85], [0.01], [0]),  # in no pose, but surely there: it leans on a cup
        ([0.9, 0.8, 0.6], [0.9, 0.9, 0.9], [0, 1]),  # a doubtful third
        ([0.9, 0.8, 0.75], [0.9, 0.9, 0.9], [0, 1, 2]),  # a third pig: that is asked about
        ([0.9, 0.8, 0.65], [0.9, 0.9, 0.99], [0, 1, 2]),  # small, and plainly in a pose
        ([0.9, 0.8, 0.65], [0.9, 0.9, 0.9], [0, 1]),  # less plainly
        ([0.9, 0.8, 0.85], [0.9, 0.9, 0.3], [0, 1]),  # pig-like, but in no pose
        ([0.9, 0.4, 0.85], [0.9, 0.9, 0.3], [0, 1, 2]),  # beside two that are not both sure
        ([0.9, 0.45, 0.4], [0.9, 0.9, 0.9], [0, 1, 2]),  # the second is no surer: asked as well
        ([0.6, 0.9, 0.8], [0.9, 0.9, 0.9], [1, 2]),  # in whatever order they come
    ],
)
def test_which_are_kept(confidences: list[float], posed: list[float], kept: list[int]) -> None:
    assert pigs_among(apart(confidences), posed, THRESHOLD) == kept


PIG: Box = (100, 100, 200, 160)
OTHER: Box = (400, 100, 500, 160)
MOST_OF_IT: Box = (120, 95, 205, 155)  # nine tenths of it on the pig


@pytest.mark.parametrize(
    ("boxes", "kept"),
    [
        ({MOST_OF_IT: 0.45, OTHER: 0.9, PIG: 0.4}, [1, 2]),  # seen twice: the larger box stays
        ({PIG: 0.4, OTHER: 0.9, MOST_OF_IT: 0.45}, [0, 1]),
        # What is left out itself leaves nothing out: the last is seen twice with the first alone.
        ({MOST_OF_IT: 0.45, OTHER: 0.9, PIG: 0.4, (130, 95, 205, 155): 0.45}, [1, 2]),
        ({(150, 100, 240, 160): 0.45, PIG: 0.45, (196, 100, 284, 160): 0.4, OTHER: 0.9}, [1, 2, 3]),
        ({PIG: 0.45, MOST_OF_IT: 0.4}, [0, 1]),  # no third: two that touch look alike
        ({PIG: 0.9, OTHER: 0.95, MOST_OF_IT: 0.75}, [0, 1, 2]),  # surely two pigs there
        ({PIG: 0.45, OTHER: 0.9, (190, 95, 275, 155): 0.4}, [0, 1, 2]),  # beside each other
        ({PIG: 0.9, OTHER: 0.4, (90, 90, 210, 260): 0.35}, [0, 1, 2]),  # may hold two that touch
    ],
)
def test_a_pig_seen_twice_counts_once(boxes: dict[Box, float], kept: list[int]) -> None:
    located = [Located(box, sure) for box, sure in boxes.items()]
    assert pigs_among(located, [1.0] * len(located), THRESHOLD) == kept


def test_how_much_boxes_share_is_of_the_smaller() -> None:
    assert shared(PIG, MOST_OF_IT) == shared(MOST_OF_IT, PIG) == pytest.approx(0.863, abs=1e-3)
    assert shared(PIG, OTHER) == shared(PIG, (5, 5, 5, 9)) == 0.0


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=6))
def test_a_sure_third_pig_is_never_left_out(boxes: list[tuple[float, float]]) -> None:
    confidences, posed = [c for c, _ in boxes], [p for _, p in boxes]
    kept = pigs_among(apart(confidences), posed, THRESHOLD)
    assert kept == sorted(set(kept))
    sure = {i for i, c in enumerate(confidences) if c >= SURELY_A_PIG}
    assert {i for i in sure if posed[i] >= SOME_POSE} <= set(kept)
    if len(boxes) < 3:
        assert sure <= set(kept)
    assert SURELY_A_PIG > ONE_TOO_MANY > ONE_OF_TWO > THRESHOLD
