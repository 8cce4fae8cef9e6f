"""Rates carry honest intervals, and the same figures come out at every run."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.learn.evaluate_rates import (
    binned,
    fit_temperature,
    rate,
    reliability,
    risk_coverage,
)


def test_nothing_to_measure_is_not_a_number() -> None:
    empty = rate([])
    assert empty.count == 0
    assert math.isnan(empty.value)


def test_the_interval_is_that_of_a_binomial() -> None:
    hits = [True] * 90 + [False] * 10
    got = rate(hits)
    assert (got.value, got.count) == (0.9, 100)
    # Normal approximation: 0.9 +- 1.96 * sqrt(0.9 * 0.1 / 100).
    assert got.low == pytest.approx(0.841, abs=0.015)
    assert got.high == pytest.approx(0.959, abs=0.015)


def test_pigs_of_one_picture_are_no_independent_witnesses() -> None:
    hits = [True] * 180 + [False] * 20
    alone = rate(hits)
    paired = rate(hits, [i // 2 for i in range(200)])
    assert paired.high - paired.low > 1.2 * (alone.high - alone.low)


@pytest.mark.parametrize(("hit", "bound"), [(True, 0.9637), (False, 0.0363)])
def test_no_error_in_a_hundred_does_not_mean_none_at_all(hit: bool, bound: float) -> None:
    got = rate([hit] * 100)
    assert (got.low if hit else got.high) == pytest.approx(bound, abs=1e-3)


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_the_rate_lies_in_its_interval_and_is_always_the_same(hits: list[bool]) -> None:
    got = rate(hits)
    assert 0.0 <= got.low <= got.value <= got.high <= 1.0
    assert got == rate(hits)


def test_bins_leave_unknown_measures_out() -> None:
    edges = (("low", 0.0, 10.0), ("high", 10.0, 20.0))
    low, high = binned([True, False, True, True], [5.0, 5.0, 10.0, None], edges, range(4))
    assert (low.rate.value, low.rate.count) == (0.5, 2)
    assert (high.rate.value, high.rate.count) == (1.0, 1)


def test_the_calibration_error_of_a_model_that_is_too_sure() -> None:
    confidence = np.full(100, 0.95)
    hits = np.array([1.0] * 75 + [0.0] * 25)
    bins, error = reliability(confidence, hits)
    assert error == pytest.approx(0.20)
    assert bins[-1].rate.value == 0.75
    assert sum(b.rate.count for b in bins) == 100


def test_risk_grows_with_what_is_taken_when_confidence_means_something() -> None:
    curve = risk_coverage(np.array([0.9, 0.8, 0.7, 0.6]), np.array([0.0, 0.0, 1.0, 1.0]))
    assert [(p.x, round(p.y, 3)) for p in curve] == [
        (0.25, 0.0),
        (0.5, 0.0),
        (0.75, 0.333),
        (1.0, 0.5),
    ]
    assert risk_coverage(np.array([]), np.array([])) == []


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.5])
def test_the_temperature_that_was_put_in_is_found_again(temperature: float) -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 2.0, (4000, 7))
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    truth = np.array([rng.choice(7, p=p) for p in chances])
    assert fit_temperature(logits * temperature, truth) == pytest.approx(temperature, rel=0.1)
