"""Many pairs of pigs at rest, made by physics once each and kept: picture i gets the same pair."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from scoring.throw import Contact
from vision.synth import pair_making, pairs, physics, physics_gap, throws
from vision.synth.kept import kept
from vision.synth.pair_making import PairMaker
from vision.synth.pairs import PairRest
from vision.synth.pool import PigPool


def _code_digest() -> str:
    """Digest of the code that lays a pair: another code, another cache."""
    modules = (pair_making, pairs, physics, physics_gap, throws)
    sources = b"".join(Path(str(m.__file__)).read_bytes() for m in modules)
    return hashlib.sha256(sources).hexdigest()[:12]


class PairLibrary:
    """Pair number i of a pool's pigs, made when first asked for and cached on disk.

    A pair depends on the pool, `seed` and i alone. Making one takes about a tenth of a second.
    """

    def __init__(self, pool: PigPool, seed: int, count: int) -> None:
        if count < 1:
            raise ValueError(f"a library holds at least one pair, got {count}")
        self._pool = pool
        self._seed = seed
        self._count = count
        self._maker = PairMaker(pool)
        self._folder = pool.folder / f"pairs-{pool.count}-{_code_digest()}-{seed}"
        self._pairs: dict[int, PairRest] = {}

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> PairRest:
        if not 0 <= index < self._count:
            raise IndexError(f"this library holds pairs 0 to {self._count - 1}, not {index}")
        if index not in self._pairs:
            path = self._folder / f"{index}.pickle"
            rng = np.random.default_rng([self._seed, index])
            self._pairs[index] = kept(path, PairRest, lambda: self._maker.make(rng))
        return self._pairs[index]

    def pick(self, rng: np.random.Generator, contact: Contact | None = None) -> PairRest:
        """Draw a pair, of one contact if that is given."""
        start = int(rng.integers(self._count))
        for step in range(self._count):
            pair = self[(start + step) % self._count]
            if contact is None or pair.contact is contact:
                return pair
        raise LookupError(f"none of {self._count} pairs is {contact}")
