"""Pairs of pigs at rest close to, against or on each other: kept once, rendered many times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scoring.throw import Contact
from vision.errors import RenderError
from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES
from vision.synth.pool import PigPool
from vision.synth.scene import Paint, Placed
from vision.synth.shape import PigSolid, sample_shape


@dataclass(frozen=True, slots=True, eq=False)
class PairRest:
    """Two pigs at rest.

    `pigs` are their numbers in the pool; `rotations` float64[2, 3, 3] pig to world, `positions`
    float64[2, 3] mm, the table at z = 0 and the pair's middle at the origin; `labels` two of
    `POSE_CLASSES`, `other` for a pig that leans or lies as no rule names; `gap_mm` the least
    distance of the surfaces, 0 when they touch. In `stacked` pairs the second is the upper one.
    """

    pigs: tuple[int, int]
    rotations: NDArray[np.float64]
    positions: NDArray[np.float64]
    labels: tuple[str, str]
    contact: Contact
    gap_mm: float

    def __post_init__(self) -> None:
        if self.rotations.shape != (2, 3, 3) or self.positions.shape != (2, 3):
            raise ValueError(
                "a pair has rotations [2, 3, 3] and positions [2, 3], "
                f"got {list(self.rotations.shape)} and {list(self.positions.shape)}"
            )
        unknown = set(self.labels) - set(POSE_CLASSES)
        if unknown:
            raise ValueError(f"labels are of {POSE_CLASSES}, got {sorted(unknown)}")
        if self.gap_mm < 0 or (self.contact is not Contact.APART and self.gap_mm > 0):
            raise ValueError(f"pigs {self.contact} have no gap of {self.gap_mm} mm")

    def place(self, pool: PigPool, paints: tuple[Paint, Paint]) -> tuple[Placed, Placed]:
        """Give the two pigs as a scene takes them."""
        one, two = (
            Placed(pool[i], rotation, position, paint, label)
            for i, rotation, position, paint, label in zip(
                self.pigs, self.rotations, self.positions, paints, self.labels, strict=True
            )
        )
        return one, two


@dataclass(frozen=True, slots=True, eq=False)
class PairPool:
    """Pairs of the pigs of one pool: its `seed`, `count` and `spread`.

    `probe` float64[N] are distances to its first pig's solid at fixed points: they tell another
    shape from the same one.
    """

    seed: int
    count: int
    spread: float
    probe: NDArray[np.float64]
    pairs: tuple[PairRest, ...]

    @classmethod
    def of(cls, pool: PigPool, pairs: Sequence[PairRest]) -> Self:
        """Keep pairs with the pool whose pigs they are."""
        return cls(pool.seed, pool.count, pool.spread, _probe(pool), tuple(pairs))

    def check(self, pool: PigPool) -> None:
        """Raise `RenderError` unless the pairs are of this very pool's pigs."""
        same = (self.seed, self.count, self.spread) == (pool.seed, pool.count, pool.spread)
        if not same or not np.allclose(self.probe, _probe(pool), atol=0.02):
            raise RenderError(
                "these pairs lie as other pigs do (another pool, or the pig's shape has changed); "
                "make them again with sooee drop --pairs"
            )


def _probe(pool: PigPool) -> NDArray[np.float64]:
    shape = sample_shape(np.random.default_rng([pool.seed, 0]), pool.spread)
    points = np.random.default_rng(0).uniform(-14.0, 14.0, (400, 3))
    return PigSolid(shape).distance(points)


def save_pairs(pool: PairPool, path: Path) -> None:
    """Write a pool of pairs as .npz, beside the place and then renamed over it."""
    pairs = pool.pairs
    draft = path.with_suffix(".part.npz")
    np.savez_compressed(
        draft,
        made=np.array([pool.seed, pool.count]),
        spread=np.array(pool.spread),
        probe=pool.probe,
        pigs=np.array([p.pigs for p in pairs], dtype=np.int32).reshape(-1, 2),
        rotations=np.array([p.rotations for p in pairs], dtype=np.float64).reshape(-1, 2, 3, 3),
        positions=np.array([p.positions for p in pairs], dtype=np.float64).reshape(-1, 2, 3),
        labels=np.array(
            [[POSE_CLASSES.index(x) for x in p.labels] for p in pairs], dtype=np.uint8
        ).reshape(-1, 2),
        contacts=np.array([CONTACT_CLASSES.index(p.contact) for p in pairs], dtype=np.uint8),
        gaps=np.array([p.gap_mm for p in pairs], dtype=np.float64),
    )
    draft.replace(path)


def load_pairs(path: Path) -> PairPool:
    """Read a pool of pairs; `RenderError` when there is none, or it is no such file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            data = {name: file[name] for name in file.files}
        seed, count = (int(v) for v in data["made"])
        pairs = tuple(
            PairRest(
                pigs=(int(pigs[0]), int(pigs[1])),
                rotations=rotations,
                positions=positions,
                labels=(POSE_CLASSES[labels[0]], POSE_CLASSES[labels[1]]),
                contact=Contact(CONTACT_CLASSES[contact]),
                gap_mm=float(gap),
            )
            for pigs, rotations, positions, labels, contact, gap in zip(
                data["pigs"], data["rotations"], data["positions"],
                data["labels"], data["contacts"], data["gaps"], strict=True,
            )
        )  # fmt: skip
        return PairPool(seed, count, float(data["spread"]), data["probe"], pairs)
    except (OSError, EOFError, KeyError, ValueError, IndexError) as error:
        raise RenderError(f"{path} holds no pairs of pigs: {error}") from error
