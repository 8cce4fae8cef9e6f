"""Where the table's normal points in a pig's own frame, pose by pose.

A pig on its feet has its back up; a leaning jowler has its tail, its right flank and a little of
its back up. Fitted to crops that the network did not learn from, so that a stance spreads as far
as pigs differ and as the network errs about how they are turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.recognize.reading import OTHER, POSE_CLASSES

ANYWHERE = -float(np.log(4 * np.pi))
"""Log-density of a pig in no pose: its up may point anywhere."""

STRAY = 0.02
"""The share of any pose's pigs whose attitude is misread: their up points anywhere."""


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


def log_densities(stances: Sequence[Stance], ups: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the log-densities [..., 7] of up vectors [..., 3] under each of `POSE_CLASSES`."""
    found = np.full((*ups.shape[:-1], len(POSE_CLASSES)), ANYWHERE)
    for number, pose in enumerate(POSE_CLASSES):
        own = [s for s in stances if s.pose == pose]
        if own:
            parts = [np.log(s.share) + _von_mises_fisher(s, ups) for s in own]
            lies = np.logaddexp.reduce(parts, axis=0)
            found[..., number] = np.logaddexp(np.log1p(-STRAY) + lies, np.log(STRAY) + ANYWHERE)
    return found


def _von_mises_fisher(stance: Stance, ups: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fisher (1953): exp(k m.x) k / (4 pi sinh k), in a form that does not overflow."""
    k = stance.firmness
    scale = np.log(k / (2 * np.pi)) - np.log1p(-np.exp(-2 * k))
    return np.asarray(scale + k * (ups @ np.array(stance.up) - 1.0), np.float64)


def fit_stances(
    ups: NDArray[np.float64], poses: Sequence[str], most: int = 4, rounds: int = 60
) -> tuple[Stance, ...]:
    """Fit stances to up vectors [N, 3] of pigs in known poses: EM, as many ways as pay (BIC)."""
    found: list[Stance] = []
    named = np.array(poses)
    for pose in POSE_CLASSES[:-1]:
        own = ups[named == pose]
        if len(own) < 10:
            raise ModelError(f"{len(own)} pigs in the pose {pose}: too few to learn how they lie")
        fitted = [_fit(pose, own, ways, rounds) for ways in range(1, most + 1)]
        bics = [_bic(stances, own) for stances in fitted]
        found += fitted[int(np.argmin(bics))]
    return tuple(found)


def _fit(pose: str, ups: NDArray[np.float64], ways: int, rounds: int) -> list[Stance]:
    centres = _apart(ups, ways)
    stances = [Stance(pose, 1 / ways, _rounded(c), 20.0) for c in centres]
    for _ in range(rounds):
        logs = np.stack([np.log(s.share) + _von_mises_fisher(s, ups) for s in stances])
        stray = np.full((1, len(ups)), np.log(STRAY) + ANYWHERE)
        logs = np.concatenate([np.log1p(-STRAY) + logs, stray])
        shares = np.exp(logs - np.logaddexp.reduce(logs, axis=0))[:-1]
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
    fit = float(log_densities(stances, ups)[:, number].sum())
    return 4 * len(stances) * float(np.log(len(ups))) - 2 * fit


def _rounded(vector: NDArray[np.float64]) -> tuple[float, float, float]:
    x, y, z = (round(float(v), 4) for v in vector / np.linalg.norm(vector))
    return x, y, z
