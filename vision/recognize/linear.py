"""A small layer learnt on top of a network: regularised softmax regression, in plain numpy.

It adds to the log-probabilities that the network gives already, and its weights are held to
zero: the stronger the hold, the more the network's own answer stands. Classes of which it has
seen nothing keep their place among the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

_STEPS = 400
_STILL = 1e-4
_MOST_AXES = 128
_LEAST_SPREAD = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """What becomes of log-probabilities [N, K] for vectors [N, D].

    `centre` float64[D], `scale` a number, `weights` float64[D, K], `bias` float64[K]; `trust`
    times the network's own log-probabilities is what the rest is added to.
    """

    centre: Floats
    scale: float
    weights: Floats
    bias: Floats
    trust: float = 1.0

    def __call__(self, vectors: Floats, log_probabilities: Floats) -> Floats:
        """Give the log-probabilities [N, K] as this layer changes them."""
        added = (vectors - self.centre) / self.scale @ self.weights + self.bias
        return log_softmax(self.trust * log_probabilities + added)


@dataclass(frozen=True, slots=True)
class Hold:
    """How much the network stands: `hold` above 0 weighs the squared layer, in samples.

    `trust`, 0 to 1, scales the network's own log-probabilities: a network that is sure and
    wrong about a stranger's pigs is hard to outvote. `share`, 0 to 1, is how far to go from the
    network's own answer to the fitted layer's: what few samples say is half chance.
    """

    hold: float
    trust: float = 1.0
    share: float = 1.0


def log_softmax(values: Floats) -> Floats:
    """Give log-probabilities along the last axis."""
    shifted = values - values.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float64)


def fit(
    vectors: Floats,
    labels: Labels,
    log_probabilities: Floats,
    hold: Hold,
    weights: Floats | None = None,
) -> Layer:
    """Fit a layer to vectors [N, D] whose classes are `labels` [N], numbers below K.

    `log_probabilities` [N, K] are the network's own; `weights` [N] counts samples, by default
    each once.

    The vectors are centred and scaled to a mean squared length of 1, then turned into their own
    axes, where the loss has a diagonal bound of curvature (Boehning 1992), so that accelerated
    steps (Nesterov 1983, restarted when the loss rises) need no matrix to be inverted.
    """
    with _one_core():
        basis = _Basis.of(vectors, _share(weights, len(labels)))
        return basis.fit(labels, log_probabilities, hold)[0]


def held_out(
    vectors: Floats,
    labels: Labels,
    log_probabilities: Floats,
    groups: Labels,
    holds: Sequence[Hold],
    weights: Floats | None = None,
) -> list[Floats]:
    """Give, for each hold, log-probabilities [N, K] by layers that have not seen a row's group.

    The axes are found once a group, and each hold goes on from the one before.
    """
    results = [np.array(log_probabilities) for _ in holds]
    share = _share(weights, len(labels))
    with _one_core():
        for group in np.unique(groups):
            inside = groups == group
            if inside.all():
                continue
            basis = _Basis.of(vectors[~inside], share[~inside])
            start: Floats | None = None
            for hold, result in zip(holds, results, strict=True):
                layer, start = basis.fit(labels[~inside], log_probabilities[~inside], hold, start)
                result[inside] = layer(vectors[inside], log_probabilities[inside])
    return results


def _share(weights: Floats | None, count: int) -> Floats:
    return np.ones(count) if weights is None else np.asarray(weights, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Basis:
    """Samples in the axes in which they differ: `inner` [N, r], `axes` [r, D]."""

    centre: Floats
    scale: float
    inner: Floats
    axes: Floats
    sizes: Floats
    share: Floats

    @classmethod
    def of(cls, vectors: Floats, share: Floats) -> Self:
        centre = share @ vectors / share.sum()
        spread = vectors - centre
        scale = float(np.sqrt((share @ (spread**2).sum(axis=1)) / share.sum())) or 1.0
        spread /= scale
        sizes, axes = _axes(spread)
        return cls(centre, scale, spread @ axes.T, axes, sizes, share)

    def fit(
        self, labels: Labels, logs: Floats, hold: Hold, start: Floats | None = None
    ) -> tuple[Layer, Floats]:
        """Fit a layer; gives it, and the same in these axes, from where another may start."""
        classes = logs.shape[1]
        problem = _Problem(
            inner=self.inner,
            given=hold.trust * logs,
            truth=np.eye(classes)[labels],
            share=self.share,
            hold=hold.hold,
            seen=np.isin(np.arange(classes), labels),
        )
        # A row an axis, and the bias as the last.
        curve = np.append(self.share.max() * self.sizes**2, self.share.sum()) / 2 + hold.hold
        first = np.zeros((len(curve), classes)) if start is None else start
        solved = _descend(problem, curve[:, None], _STILL * self.share.sum(), first)
        weights, bias = hold.share * (self.axes.T @ solved[:-1]), hold.share * solved[-1]
        trust = 1 - hold.share * (1 - hold.trust)
        return Layer(self.centre, self.scale, weights, bias, trust), solved


def _axes(spread: Floats) -> tuple[Floats, Floats]:
    """Give the lengths [r] of samples [N, D] along their own axes [r, D], the longest first.

    By the eigenvectors of their products (N x N): three times as quick as a decomposition of
    the samples where they are fewer than their numbers, and as exact for the axes that are kept.
    """
    squares, turns = np.linalg.eigh(spread @ spread.T)
    sizes = np.sqrt(squares[::-1].clip(0.0))
    kept = np.flatnonzero(sizes > _LEAST_SPREAD * sizes[0])[:_MOST_AXES]
    axes = (turns[:, ::-1][:, kept] / sizes[kept]).T @ spread
    return sizes[kept], axes


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """What is minimised over layers [r + 1, K], the bias being the last row."""

    inner: Floats
    given: Floats
    truth: Floats
    share: Floats
    hold: float
    seen: NDArray[np.bool_]

    def slope(self, layer: Floats) -> tuple[Floats, float]:
        """Give the gradient, and the loss."""
        logs = log_softmax(self.given + self.inner @ layer[:-1] + layer[-1])
        wrong = self.share[:, None] * (np.exp(logs) - self.truth)
        loss = -float((self.share * (logs * self.truth).sum(axis=1)).sum())
        loss += self.hold / 2 * float((layer**2).sum())
        slope = np.vstack([self.inner.T @ wrong, wrong.sum(axis=0)]) + self.hold * layer
        return self.allowed(slope), loss

    def allowed(self, layer: Floats) -> Floats:
        """Leave unseen classes alone: nothing is added to them, nor to all others at once."""
        inside = np.where(self.seen, layer, 0.0)
        mean = inside.sum(axis=1, keepdims=True) / self.seen.sum()
        return np.asarray(np.where(self.seen, inside - mean, 0.0), np.float64)


def _descend(problem: _Problem, bound: Floats, still: float, start: Floats) -> Floats:
    layer = ahead = start
    speed, last = 1.0, np.inf
    for _ in range(_STEPS):
        slope, loss = problem.slope(ahead)
        if loss > last:
            ahead, speed, last = layer, 1.0, np.inf
            continue
        last = loss
        if np.abs(slope).max() < still:
            return ahead
        new = ahead - slope / bound
        faster = (1 + np.sqrt(1 + 4 * speed**2)) / 2
        ahead = new + (speed - 1) / faster * (new - layer)
        layer, speed = new, faster
    return layer


def _one_core() -> AbstractContextManager[object]:
    """Keep linear algebra on one core.

    Its threads spin while they wait for each other: with products of microseconds on a busy
    machine a fit of 0.03 s took over 20 s.
    """
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1, user_api="blas")
    return limits
