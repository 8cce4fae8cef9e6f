"""A small layer learnt on top of a network: regularised softmax regression, in plain numpy.

It adds to the log-probabilities that the network gives already, and its weights are held to
zero: the stronger the hold, the more the network's own answer stands.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]

_STEPS = 400
_STILL = 1e-5
_LEAST_SPREAD = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """What is added to log-probabilities [N, K] for vectors [N, D].

    `centre` float64[D], `scale` a number, `weights` float64[D, K], `bias` float64[K].
    """

    centre: Floats
    scale: float
    weights: Floats
    bias: Floats

    def __call__(self, vectors: Floats, log_probabilities: Floats) -> Floats:
        """Give the log-probabilities [N, K] as this layer changes them."""
        added = (vectors - self.centre) / self.scale @ self.weights + self.bias
        return log_softmax(log_probabilities + added)


def log_softmax(values: Floats) -> Floats:
    """Give log-probabilities along the last axis."""
    shifted = values - values.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float64)


def fit(
    vectors: Floats,
    labels: Labels,
    log_probabilities: Floats,
    hold: float,
    weights: Floats | None = None,
) -> Layer:
    """Fit a layer to vectors [N, D] whose classes are `labels` [N], numbers below K.

    `log_probabilities` [N, K] are the network's own; `hold` above 0 is the weight of the squared
    layer in units of one sample; `weights` [N] counts samples, by default each once.

    The vectors are centred and scaled to a mean squared length of 1, then turned into their own
    axes, where the loss has a diagonal bound of curvature (Böhning 1992), so that accelerated
    steps (Nesterov 1983, restarted when the loss rises) need no matrix to be inverted.
    """
    with _one_core():
        return _fit(vectors, labels, log_probabilities, hold, weights)


def _fit(
    vectors: Floats,
    labels: Labels,
    log_probabilities: Floats,
    hold: float,
    weights: Floats | None,
) -> Layer:
    count, classes = log_probabilities.shape
    share = np.ones(count) if weights is None else np.asarray(weights, np.float64)
    centre = share @ vectors / share.sum()
    spread = vectors - centre
    scale = float(np.sqrt((share @ (spread**2).sum(axis=1)) / share.sum())) or 1.0
    # [N, r] coordinates along the r axes in which the samples differ.
    left, sizes, axes = np.linalg.svd(spread / scale, full_matrices=False)
    kept = sizes > _LEAST_SPREAD
    inner = left[:, kept] * sizes[kept]
    truth = np.zeros((count, classes))
    truth[np.arange(count), labels] = 1.0
    bound = share.max() * sizes[kept, None] ** 2 / 2 + hold
    bound_bias = share.sum() / 2 + hold

    def gradient(layer: Floats, bias: Floats) -> tuple[Floats, Floats, float]:
        logs = log_softmax(log_probabilities + inner @ layer + bias)
        wrong = share[:, None] * (np.exp(logs) - truth)
        loss = -(share * logs[np.arange(count), labels]).sum()
        loss += hold / 2 * ((layer**2).sum() + (bias**2).sum())
        return inner.T @ wrong + hold * layer, wrong.sum(axis=0) + hold * bias, float(loss)

    layer, bias = np.zeros((inner.shape[1], classes)), np.zeros(classes)
    ahead, ahead_bias, speed, last = layer, bias, 1.0, np.inf
    for _ in range(_STEPS):
        slope, slope_bias, loss = gradient(ahead, ahead_bias)
        if loss > last:
            ahead, ahead_bias, speed, last = layer, bias, 1.0, np.inf
            continue
        last = loss
        if max(np.abs(slope).max(initial=0.0), np.abs(slope_bias).max()) < _STILL * count:
            layer, bias = ahead, ahead_bias
            break
        new, new_bias = ahead - slope / bound, ahead_bias - slope_bias / bound_bias
        faster = (1 + np.sqrt(1 + 4 * speed**2)) / 2
        push = (speed - 1) / faster
        ahead, ahead_bias = new + push * (new - layer), new_bias + push * (new_bias - bias)
        layer, bias, speed = new, new_bias, faster
    return Layer(centre, scale, axes[kept].T @ layer, bias)


def _one_core() -> AbstractContextManager[object]:
    """Keep linear algebra on one core.

    Its threads spin while they wait for each other: with products of microseconds on a busy
    machine a fit of 0.03 s took over 20 s.
    """
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1, user_api="blas")
    return limits


def held_out(
    vectors: Floats, labels: Labels, log_probabilities: Floats, groups: Labels, hold: float
) -> Floats:
    """Give log-probabilities [N, K] of each sample by a layer that has not seen its group."""
    result = np.array(log_probabilities)
    for group in np.unique(groups):
        inside = groups == group
        if inside.all():
            continue
        layer = fit(vectors[~inside], labels[~inside], log_probabilities[~inside], hold)
        result[inside] = layer(vectors[inside], log_probabilities[inside])
    return result
