"""A sequence that never changes and still grows cheaply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

_T = TypeVar("_T")
_CHUNK = 256


class Tape(Sequence[_T], Generic[_T]):
    """An immutable sequence; `plus` returns a longer one and shares what lies before.

    Adding to a tape of n items copies about n/256 + 256 pointers, so that a game of a hundred
    thousand events is replayed in linear time for all practical purposes.
    """

    __slots__ = ("_chunks", "_length")

    def __init__(self, items: Iterable[_T] = ()) -> None:
        flat = tuple(items)
        self._chunks = tuple(flat[i : i + _CHUNK] for i in range(0, len(flat), _CHUNK))
        self._length = len(flat)

    def plus(self, item: _T) -> Tape[_T]:
        """Return this sequence with one more item at its end."""
        longer: Tape[_T] = Tape.__new__(Tape)
        if self._length % _CHUNK == 0:
            longer._chunks = (*self._chunks, (item,))
        else:
            longer._chunks = (*self._chunks[:-1], (*self._chunks[-1], item))
        longer._length = self._length + 1
        return longer

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[_T]:
        for chunk in self._chunks:
            yield from chunk

    @overload
    def __getitem__(self, index: int) -> _T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[_T, ...]: ...
    def __getitem__(self, index: int | slice) -> _T | tuple[_T, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        place = index + self._length if index < 0 else index
        if not 0 <= place < self._length:
            raise IndexError(f"expected an index below {self._length}, got {index}")
        return self._chunks[place // _CHUNK][place % _CHUNK]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tape):
            return NotImplemented
        return self._length == other._length and self._chunks == other._chunks

    def __hash__(self) -> int:
        return hash(self._chunks)

    def __repr__(self) -> str:
        return f"Tape({list(self)!r})"
