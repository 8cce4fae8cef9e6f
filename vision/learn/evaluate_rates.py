"""Rates with their 95 % intervals, bins, calibration and risk against coverage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

RESAMPLES = 2000
SEED = 20240531

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rate:
    """A share, 0 to 1, of `count` things, with its 95 % interval; NaN where count is 0."""

    value: float
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Bin:
    """The rate of the things whose measure lies in a named range."""

    name: str
    rate: Rate


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a curve."""

    x: float
    y: float


def rate(hits: ArrayLike, groups: ArrayLike | None = None) -> Rate:
    """Give the share of hits with a bootstrap interval, the same at every run.

    Things of one group (the pigs of one picture) are drawn together, since they are alike.
    Where all or none are hits a bootstrap knows no doubt, so there the exact bound of so many
    independent groups (Clopper and Pearson) takes its place.
    """
    values = np.asarray(hits, np.float64)
    count = len(values)
    if count == 0:
        return Rate(float("nan"), float("nan"), float("nan"), 0)
    keys = (
        np.arange(count)
        if groups is None
        else np.unique(np.asarray(groups), return_inverse=True)[1]
    )
    size = int(keys.max()) + 1
    sums = np.bincount(keys, values, size)
    counts = np.bincount(keys, minlength=size)
    value = float(values.mean())
    if value in (0.0, 1.0):
        doubt = 1.0 - 0.025 ** (1.0 / size)
        low, high = (1.0 - doubt, 1.0) if value else (0.0, doubt)
        return Rate(value, low, high, count)
    rng = np.random.default_rng(SEED)
    draws = rng.multinomial(size, np.full(size, 1.0 / size), RESAMPLES)
    shares = (draws @ sums) / (draws @ counts)
    low, high = np.percentile(shares, [2.5, 97.5])
    return Rate(value, float(low), float(high), count)


def binned(
    hits: ArrayLike,
    measures: Sequence[float | None],
    edges: Sequence[tuple[str, float, float]],
    groups: ArrayLike,
) -> list[Bin]:
    """Give the rate within each named range (name, from, below); unknown measures are left out."""
    known = np.array([np.nan if m is None else m for m in measures], np.float64)
    values, keys = np.asarray(hits, np.float64), np.asarray(groups)
    bins = []
    for name, low, high in edges:
        inside = (known >= low) & (known < high)
        bins.append(Bin(name, rate(values[inside], keys[inside])))
    return bins


def reliability(confidence: Floats, hits: Floats, bins: int = 10) -> tuple[list[Bin], float]:
    """Give the rate of hits within equal ranges of confidence, and the calibration error (ECE)."""
    at = np.minimum((confidence * bins).astype(int), bins - 1)
    parts, error = [], 0.0
    for i in range(bins):
        inside = at == i
        parts.append(Bin(f"{i / bins:.1f}-{(i + 1) / bins:.1f}", rate(hits[inside])))
        if inside.any():
            error += inside.mean() * abs(hits[inside].mean() - confidence[inside].mean())
    return parts, float(error)


def risk_coverage(confidence: Floats, wrong: Floats) -> list[Point]:
    """Give the share of wrong ones among the surest, for every share of them taken."""
    if not len(confidence):
        return []
    order = np.argsort(-confidence, kind="stable")
    taken = np.arange(1, len(order) + 1)
    risk = np.cumsum(wrong[order]) / taken
    return [Point(float(t / len(order)), float(r)) for t, r in zip(taken, risk, strict=True)]


def fit_temperature(log_probabilities: Floats, truth: NDArray[np.intp]) -> float:
    """Give the temperature, 0.25 to 8, with the least negative log-likelihood [N, classes]."""
    rows = np.arange(len(truth))

    def loss(temperature: float) -> float:
        scaled = log_probabilities / temperature
        scaled = scaled - scaled.max(axis=1, keepdims=True)
        total = np.log(np.exp(scaled).sum(axis=1))
        return float((total - scaled[rows, truth]).mean())

    grid = np.geomspace(0.25, 8.0, 400)
    return float(grid[int(np.argmin([loss(t) for t in grid]))])
