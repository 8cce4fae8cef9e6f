"""Throws seen that are not in the log yet, in the order in which they were thrown."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from vision.recognize.reading import Decision
from vision.table.state import ThrowSeen


@dataclass(frozen=True, slots=True)
class Waiting:
    """A throw seen that is not in the log yet.

    `sight` is the number of its pictures on the page, `key` that of those kept on the disk.
    """

    id: int
    seen: ThrowSeen
    sight: int
    key: str | None = None

    def unsure(self, *, key: str | None) -> Waiting:
        """Give the same throw as one that a person must name, its kept pictures under `key`."""
        reading = replace(self.seen.reading, decision=Decision.ASK)
        return replace(self, seen=replace(self.seen, reading=reading), key=key)


class Queue:
    """The throws that wait, the oldest first.

    `asking`: the first waits for a person, and those behind it for the first. Otherwise the
    first only waits to be written.
    """

    def __init__(self) -> None:
        self._throws: deque[Waiting] = deque()
        self.asking = False

    def __len__(self) -> int:
        return len(self._throws)

    def __iter__(self) -> Iterator[Waiting]:
        return iter(tuple(self._throws))

    @property
    def head(self) -> Waiting:
        """The oldest throw."""
        return self._throws[0]

    @property
    def question(self) -> Waiting | None:
        """The throw that a person is asked about."""
        return self.head if self.asking else None

    @property
    def behind(self) -> int:
        """How many wait that nobody is asked about yet."""
        return len(self) - self.asking

    def add(self, waiting: Waiting) -> None:
        """Put a throw behind all others."""
        self._throws.append(waiting)

    def ask_first(self, waiting: Waiting) -> None:
        """Ask about a throw again that was taken off before."""
        self._throws.appendleft(waiting)
        self.asking = True

    def take(self) -> Waiting:
        """Take the oldest throw off; nobody is asked about it any more."""
        self.asking = False
        return self._throws.popleft()

    def kept(self, waiting: Waiting, key: str | None) -> None:
        """Note where the pictures of a throw are kept, if it still waits."""
        if waiting in self._throws:
            self._throws[self._throws.index(waiting)] = replace(waiting, key=key)

    def clear(self) -> None:
        """Forget them all."""
        self._throws.clear()
        self.asking = False
