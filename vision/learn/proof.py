"""Whether held-out shots prove that a profile reads better, or chance may have made it look so."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from vision.recognize.embedding import Floats
from vision.recognize.linear import Labels

LEVEL = 0.05
"""Chance of letting in a profile that changes nothing, over all ways tried together."""

SIGN_LEVEL = 0.35
"""Chance that as many of the changed shots would be mended, were mending and breaking alike.

Looser, for of 72 shots hardly ten change at all; that a way reads surer is what proves a gain at
`LEVEL`, and this that it is no gain in modesty alone.
"""

_FLIPS = 4000


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """The same held-out shots read in two ways.

    `before` and `after` bool[N] say which are right; `sign` is the one-sided chance of a sign
    test (McNemar's) of mended against broken shots, `surer` that of the gain in log-probability,
    its signs flipped at random.
    """

    before: NDArray[np.bool_]
    after: NDArray[np.bool_]
    sign: float
    surer: float

    @classmethod
    def of(cls, before_logs: Floats, after_logs: Floats, labels: Labels) -> Proof:
        """Compare log-probabilities [N, K] of the same N shots."""
        rows = np.arange(len(labels))
        before = before_logs.argmax(axis=1) == labels
        after = after_logs.argmax(axis=1) == labels
        gains = after_logs[rows, labels] - before_logs[rows, labels]
        mended, broken = int((after & ~before).sum()), int((before & ~after).sum())
        return cls(before, after, sign_test(mended, broken), flip_test(gains))

    @property
    def mended(self) -> int:
        """How many were wrong and are right."""
        return int((self.after & ~self.before).sum())

    @property
    def broken(self) -> int:
        """How many were right and are wrong."""
        return int((self.before & ~self.after).sum())

    def helps(self, ways: int) -> bool:
        """Whether it proves a gain, where it is one of so many ways that were tried."""
        return self.sign <= SIGN_LEVEL and self.surer <= LEVEL / ways


def sign_test(more: int, less: int) -> float:
    """Give the chance of at least `more` heads in as many throws as `more` and `less` together."""
    total = more + less
    return sum(comb(total, heads) for heads in range(more, total + 1)) / 2.0**total


def flip_test(gains: Floats) -> float:
    """Give the chance of so large a sum of `gains` [N] if each were as likely a loss."""
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (_FLIPS, len(gains)))
    total = float(gains.sum())
    return float((1 + np.sum(signs @ gains >= total - 1e-9)) / (1 + _FLIPS))
