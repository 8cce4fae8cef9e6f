"""How often somebody may ask: buckets that fill again with time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable


class Buckets:
    """One bucket a key: `size` tries at once, `per_s` more each second. Old keys are forgotten."""

    def __init__(
        self,
        size: float,
        per_s: float,
        *,
        keys: int = 1024,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._size, self._per_s, self._keys, self._clock = size, per_s, keys, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> bool:
        """Take one try; False when the bucket is empty."""
        now = self._clock()
        left, then = self._left.pop(key, (self._size, now))
        left = min(self._size, left + (now - then) * self._per_s)
        taken = left >= 1.0
        self._left[key] = (left - 1.0 if taken else left, now)
        while len(self._left) > self._keys:
            self._left.popitem(last=False)
        return taken
