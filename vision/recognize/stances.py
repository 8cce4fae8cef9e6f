"""Where the table's normal points in a pig's own frame, pose by pose.

A pig on its feet has its back up; a leaning jowler has its tail, its right flank and a little of
its back up. Fitted to crops that the network did not learn from, so that a stance spreads as far
as pigs differ and as the network errs about how they are turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.recognize.reading import OTHER, POSE_CLASSES

ANYWHERE = 1 / (4 * np.pi)
"""Density of a pig in no pose: its up may point anywhere."""

STRAY = 0.02
"""The share of any pose's pigs whose attitude is misread: their up points anywhere."""


FEWEST = 10
"""Pigs in a pose that say how it lies."""


@dataclass(frozen=True, slots=True)
class Stance:
    """One way to lie in `pose`: `share` of that pose's pigs have their up about `up` (unit).

    `firmness` is the concentration of a von Mises-Fisher distribution on the sphere: about
    3,300 divided by the square of the spread in degrees.
    """

    pose: str
    share: float
    up: tuple[float, float, float]
    firmness: float

    def __post_init__(self) -> None:
        if self.pose not in POSE_CLASSES or self.pose == OTHER:
            raise ModelError(f"a stance is of a pose of the game, got {self.pose!r}")
        length = float(np.linalg.norm(self.up))
        if not 0 < self.share <= 1 or self.firmness < 1 or abs(length - 1) > 0.01:
            raise ModelError(
                f"a stance has a share in 0 to 1, a firmness of 1 or more and a unit vector, got "
                f"{self.share}, {self.firmness} and {self.up}"
            )


def densities(stances: tuple[Stance, ...], ups: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the densities [..., 7] of up vectors [..., 3] under each of `POSE_CLASSES`."""
    table = _table(stances)
    return np.asarray(table.each(ups) @ table.belongs + table.anywhere, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Stances as arrays: density = height exp(firmness (up . x - 1)), summed where it belongs.

    `anywhere` [7] is added: all there is for a pig in no pose, and what strays of any pose.
    """

    ups: NDArray[np.float64]
    firmness: NDArray[np.float64]
    height: NDArray[np.float64]
    belongs: NDArray[np.float64]
    anywhere: NDArray[np.float64]

    def each(self, ups: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the density [..., S] of up vectors [..., 3] under each stance."""
        return np.asarray(
            self.height * np.exp(self.firmness * (ups @ self.ups.T - 1.0)), np.float64
        )


@cache
def _table(stances: tuple[Stance, ...]) -> _Table:
    """Fisher (1953): exp(k m.x) k / (4 pi sinh k), in a form that does not overflow."""
    k = np.array([s.firmness for s in stances])
    shares = np.array([s.share for s in stances]) * (1 - STRAY)
    belongs = np.array([[s.pose == pose for pose in POSE_CLASSES] for s in stances], np.float64)
    anywhere = np.where(belongs.any(axis=0), STRAY, 1.0) * ANYWHERE
    height = shares * k / (2 * np.pi) / -np.expm1(-2 * k)
    return _Table(np.array([s.up for s in stances]), k, height, belongs, anywhere)


def fit_stances(
    ups: NDArray[np.float64], poses: Sequence[str], most: int = 4, rounds: int = 60
) -> tuple[Stance, ...]:
    """Fit stances to up vectors [N, 3] of pigs in known poses: EM, as many ways as pay (BIC)."""
    found: list[Stance] = []
    named = np.array(poses)
    for pose in POSE_CLASSES[:-1]:
        own = ups[named == pose]
        if len(own) < FEWEST:
            raise ModelError(f"{len(own)} pigs in the pose {pose}: too few to learn how they lie")
        fitted = [_fit(pose, own, ways, rounds) for ways in range(1, most + 1)]
        bics = [_bic(stances, own) for stances in fitted]
        found += fitted[int(np.argmin(bics))]
    return tuple(found)


def _fit(pose: str, ups: NDArray[np.float64], ways: int, rounds: int) -> list[Stance]:
    centres = _apart(ups, ways)
    stances = [Stance(pose, 1 / ways, _rounded(c), 20.0) for c in centres]
    for _ in range(rounds):
        lies = _table(tuple(stances)).each(ups)
        shares = (lies / (lies.sum(axis=1, keepdims=True) + STRAY * ANYWHERE)).T
        stances = [_moved(pose, ups, w, float(shares.sum())) for w in shares]
    return stances


def _moved(
    pose: str, ups: NDArray[np.float64], weights: NDArray[np.float64], total: float
) -> Stance:
    """Give the stance of weighted ups; its firmness as Banerjee et al. (2005) approximate it."""
    count = max(float(weights.sum()), 1e-6)
    mean = weights @ ups / count
    length = float(np.clip(np.linalg.norm(mean), 1e-3, 0.9995))
    firmness = length * (3 - length**2) / (1 - length**2)
    share = float(np.clip(count / max(total, 1e-6), 1e-4, 1.0))
    return Stance(pose, round(share, 4), _rounded(mean), round(max(firmness, 1.0), 1))


def _apart(ups: NDArray[np.float64], ways: int) -> list[NDArray[np.float64]]:
    """Choose starting points: the mean, then each time the up farthest from all chosen."""
    chosen = [ups.mean(axis=0)]
    while len(chosen) < ways:
        near = np.max([ups @ (c / np.linalg.norm(c)) for c in chosen], axis=0)
        chosen.append(ups[int(np.argsort(near)[len(near) // 50])])  # not the oddest: a stray
    return chosen


def _bic(stances: Sequence[Stance], ups: NDArray[np.float64]) -> float:
    number = POSE_CLASSES.index(stances[0].pose)
    fit = float(np.log(densities(tuple(stances), ups)[:, number]).sum())
    return 4 * len(stances) * float(np.log(len(ups))) - 2 * fit


def _rounded(vector: NDArray[np.float64]) -> tuple[float, float, float]:
    x, y, z = (round(float(v), 4) for v in vector / np.linalg.norm(vector))
    return x, y, z
