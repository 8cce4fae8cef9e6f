"""Many pigs, made once each and kept: picture number i always gets the same pig."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.synth import mesh, pig, rest, sdf, shape
from vision.synth.kept import kept
from vision.synth.pig import Pig, make_pig
from vision.synth.shape import SPREAD, PigShape, sample_shape


def _code_digest() -> str:
    """Digest of the code that makes a pig: another code, another cache."""
    modules = (mesh, pig, rest, sdf, shape)
    sources = b"".join(Path(str(m.__file__)).read_bytes() for m in modules)
    return hashlib.sha256(sources).hexdigest()[:12]


def _lean_digest(lean: Mapping[str, float]) -> str:
    """Digest of what sets a pool's pigs apart from all pigs; empty for all pigs."""
    if not lean:
        return ""
    return "-" + hashlib.sha256(repr(sorted(lean.items())).encode()).hexdigest()[:8]


class PigPool:
    """Pig number i of a pool seeded `seed`, built when first asked for and cached on disk.

    Pools of different seeds share no pig: train and test sets differ by seed, never by picture.
    `lean` moves the middle of some measures, each by so many deviations of its `SPREAD`.
    """

    def __init__(
        self,
        seed: int,
        count: int,
        spread: float = 1.0,
        cache: Path | None = None,
        lean: Mapping[str, float] | None = None,
    ) -> None:
        import platformdirs

        if count < 1:
            raise ValueError(f"a pool holds at least one pig, got {count}")
        self.seed = seed
        self.count = count
        self.spread = spread
        self.lean = dict(lean or {})
        for name in self.lean.keys() - SPREAD.keys():
            raise ValueError(f"no measure of a pig is called {name!r}")
        root = cache or Path(platformdirs.user_cache_dir("sooee")) / "pigs"
        self.folder = root / f"{_code_digest()}-{seed}-{spread:g}{_lean_digest(self.lean)}"
        self._pigs: dict[int, Pig] = {}

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> Pig:
        if not 0 <= index < self.count:
            raise IndexError(f"this pool holds pigs 0 to {self.count - 1}, not {index}")
        if index not in self._pigs:
            path = self.folder / f"{index}.pickle"
            self._pigs[index] = kept(path, Pig, lambda: make_pig(self._shape(index)))
        return self._pigs[index]

    def pick(self, rng: np.random.Generator) -> Pig:
        """Draw a pig."""
        return self[int(rng.integers(self.count))]

    def _shape(self, index: int) -> PigShape:
        drawn = sample_shape(np.random.default_rng([self.seed, index]), self.spread)
        moved = {name: getattr(drawn, name) + by * SPREAD[name] for name, by in self.lean.items()}
        return replace(drawn, **moved)
