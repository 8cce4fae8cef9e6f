"""A tape is a tuple that grows cheaply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.tape import Tape


@given(st.lists(st.integers(), max_size=40), st.integers(0, 700), st.lists(st.integers()))
def test_a_tape_is_what_was_put_on_it(start: list[int], more: int, last: list[int]) -> None:
    tape = Tape(start)
    expected = [*start, *range(more), *last]
    for item in expected[len(start) :]:
        tape = tape.plus(item)
    assert list(tape) == expected
    assert len(tape) == len(expected)
    assert tape == Tape(expected)
    assert hash(tape) == hash(Tape(expected))
    assert tape[:] == tuple(expected)
    assert tape[-3:] == tuple(expected[-3:])
    for place in range(-len(expected), len(expected)):
        assert tape[place] == expected[place]


def test_the_shorter_tape_stays() -> None:
    short = Tape(range(256))
    assert short.plus(1) != short.plus(2)
    assert len(short) == 256
    assert short != tuple(range(256))
    assert repr(Tape([1, 2])) == "Tape([1, 2])"


@pytest.mark.parametrize("index", [-3, 2, 700])
def test_an_index_beyond_the_end(index: int) -> None:
    with pytest.raises(IndexError, match=f"expected an index below 2, got {index}"):
        Tape([1, 2])[index]
