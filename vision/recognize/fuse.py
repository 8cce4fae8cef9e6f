"""Several frames of the same still table become one picture of it.

Frames of a still table are nearly the same photograph, so their probabilities are averaged (as
logarithms), never multiplied: thirty looks are not thirty witnesses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.recognize.attitude import Attitudes
from vision.recognize.locate import Located
from vision.recognize.pose import LEAST, calibrate
from vision.recognize.reading import CONTACT_CLASSES, ContactEvidence


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What one frame shows.

    `log_poses` is [N, 7], the log-probabilities of `pigs` in order; `attitudes` how they are
    turned, where the network says; `contact` goes with two pigs.
    """

    pigs: tuple[Located, ...]
    log_poses: NDArray[np.float64]
    contact: ContactEvidence | None = None
    attitudes: Attitudes | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Fused:
    """The looks as one, and the share of them, 0 to 1, that saw this number of pigs."""

    look: Look
    agreement: float


def fuse(looks: Sequence[Look]) -> Fused:
    """Fuse one or more looks, the last one the newest; those with another count are left out."""
    if not looks:
        raise ValueError("expected at least one look to fuse, got none")
    counts = Counter(len(look.pigs) for look in looks)
    most = max(counts.values())
    count = next(len(k.pigs) for k in reversed(looks) if counts[len(k.pigs)] == most)
    alike = [look for look in looks if len(look.pigs) == count]
    newest = alike[-1]
    orders = [_order(look, newest) for look in alike]
    log_poses = np.mean([look.log_poses[o] for look, o in zip(alike, orders, strict=True)], axis=0)
    pigs = tuple(
        _one_pig([look.pigs[o[i]] for look, o in zip(alike, orders, strict=True)])
        for i in range(count)
    )
    contacts = [look.contact for look in alike if look.contact is not None]
    contact = _one_contact(contacts) if contacts else None
    log_poses = calibrate(log_poses, 1.0) if count else log_poses
    attitudes = _one_attitude(alike, orders)
    return Fused(Look(pigs, log_poses, contact, attitudes), len(alike) / len(looks))


def _one_attitude(alike: Sequence[Look], orders: Sequence[list[int]]) -> Attitudes | None:
    turned = [look.attitudes[o] for look, o in zip(alike, orders, strict=True)
              if look.attitudes is not None]  # fmt: skip
    return np.mean(turned, axis=0) if turned else None


def _order(look: Look, like: Look) -> list[int]:
    """Say which pig of `look` is each pig of `like`, the nearest pairs first."""
    middle, goal = _middles(look), _middles(like)
    away = np.linalg.norm(goal[:, None] - middle[None], axis=2)
    order = [0] * len(goal)
    for _ in goal:
        at, of = np.unravel_index(int(away.argmin()), away.shape)
        order[int(at)] = int(of)
        away[at, :] = away[:, of] = np.inf
    return order


def _middles(look: Look) -> NDArray[np.float64]:
    boxes = np.array([p.box for p in look.pigs], np.float64).reshape(-1, 4)
    middles: NDArray[np.float64] = (boxes[:, :2] + boxes[:, 2:]) / 2
    return middles


def _one_pig(seen: Sequence[Located]) -> Located:
    x0, y0, x1, y1 = (float(v) for v in np.median([p.box for p in seen], axis=0))
    return Located((x0, y0, x1, y1), float(np.mean([p.confidence for p in seen])))


def _one_contact(seen: Sequence[ContactEvidence]) -> ContactEvidence:
    logs = np.log([[max(c.probabilities[k], LEAST) for k in CONTACT_CLASSES] for c in seen])
    mean = np.exp(calibrate(logs.mean(axis=0), 1.0))
    gaps = [c.gap_mm for c in seen if c.gap_mm is not None]
    shares = dict(zip(CONTACT_CLASSES, mean.tolist(), strict=True))
    return ContactEvidence(shares, float(np.median(gaps)) if gaps else None)
