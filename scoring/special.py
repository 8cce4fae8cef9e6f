"""The two functions of probability that the standard library lacks.

Continued fractions and series after Abramowitz and Stegun 6.5 and 26.5, and Lentz's method.
"""

from __future__ import annotations

from math import exp, lgamma, log

_TINY = 1e-300
_EPSILON = 1e-15
_STEPS = 10_000


def beta_below(x: float, a: float, b: float) -> float:
    """Return the chance that a Beta(a, b) variable is at most x; a, b > 0."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1.0 - x))
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(x, a, b) / a
    return 1.0 - front * _beta_fraction(1.0 - x, b, a) / b


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the x that a Beta(a, b) variable is at most with chance p, 0 to 1."""
    low, high = 0.0, 1.0
    while high - low > 1e-12 * max(high, 1e-3):
        middle = (low + high) / 2
        if beta_below(middle, a, b) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def chi2_above(x: float, freedom: int) -> float:
    """Return the chance that a chi-square variable with `freedom` degrees exceeds x."""
    if x <= 0.0:
        return 1.0
    return _gamma_above(freedom / 2, x / 2)


def _beta_fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1.0 / _away(1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, _STEPS):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / _away(1.0 + factor * d)
            c = _away(1.0 + factor / c)
            value *= d * c
        if abs(d * c - 1.0) < _EPSILON:
            break
    return value


def _gamma_above(a: float, x: float) -> float:
    """Return the regularized upper incomplete gamma function."""
    front = exp(-x + a * log(x) - lgamma(a))
    if x < a + 1.0:
        term = total = 1.0 / a
        for n in range(1, _STEPS):
            term *= x / (a + n)
            total += term
            if term < total * _EPSILON:
                break
        return 1.0 - front * total
    b = x + 1.0 - a
    c, d = 1.0 / _TINY, 1.0 / b
    value = d
    for n in range(1, _STEPS):
        factor = -n * (n - a)
        b += 2.0
        d = 1.0 / _away(factor * d + b)
        c = _away(b + factor / c)
        value *= d * c
        if abs(d * c - 1.0) < _EPSILON:
            break
    return front * value


def _away(x: float) -> float:
    """Keep a denominator away from 0."""
    return x if abs(x) > _TINY else _TINY
