"""Words and throws are two forms of one thing."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest

from scoring.errors import CallError, ScoringError
from scoring.hogcall import Call
from scoring.notation import format_call, format_throw, parse_call, parse_throw
from scoring.throw import AnyThrow, Contact, DiceThrow, Mishap, MishapKind, Pose, Throw, ThrowError

THROWS: list[AnyThrow] = [
    *(Throw(p, c) for p, c in product(combinations_with_replacement(Pose, 2), Contact)),
    *(DiceThrow((f,)) for f in range(1, 7)),
    *(DiceThrow(f) for f in combinations_with_replacement(range(1, 7), 2)),
    *(Mishap(k) for k in MishapKind),
]


@pytest.mark.parametrize("throw", THROWS, ids=format_throw)
def test_every_throw_is_read_as_written(throw: AnyThrow) -> None:
    assert parse_throw(format_throw(throw)) == throw


@pytest.mark.parametrize(
    ("text", "throw"),
    [
        ("Snouter, Trotter", Throw((Pose.TROTTER, Pose.SNOUTER))),
        (
            "leaning-jowler dot-up touching",
            Throw((Pose.DOT_UP, Pose.LEANING_JOWLER), Contact.TOUCHING),
        ),
        ("trotter trotter apart", Throw((Pose.TROTTER, Pose.TROTTER))),
        ("off-table", Mishap(MishapKind.OFF_TABLE)),
    ],
)
def test_people_write_it_their_way(text: str, throw: AnyThrow) -> None:
    assert parse_throw(text) == throw


@pytest.mark.parametrize("text", ["", "trotter", "touching", "trotter cow", "late late", "a b c d"])
def test_what_is_no_throw_is_refused_with_the_choices(text: str) -> None:
    with pytest.raises(ThrowError, match=r"a throw is two of dot_up, .*; got"):
        parse_throw(text)


@pytest.mark.parametrize("text", ["7", "1 2 3", "0"])
def test_impossible_dice_are_refused(text: str) -> None:
    with pytest.raises(ThrowError):
        parse_throw(text)


@pytest.mark.parametrize(
    "call",
    [
        Call(points=15),
        Call(poses=(Pose.TROTTER, Pose.SNOUTER)),
        Call(poses=(Pose.DOT_UP, Pose.DOT_UP)),
    ],
)
def test_every_call_is_read_as_written(call: Call) -> None:
    assert parse_call(format_call(call)) == call


def test_a_bare_number_is_points() -> None:
    assert parse_call("20") == Call(points=20)


@pytest.mark.parametrize(
    "text", ["trotter snouter touching", "late", "3 4", "0", "dot_up dot_down", "points", "15 pigs"]
)
def test_what_is_no_call_is_refused(text: str) -> None:
    with pytest.raises(ScoringError) as caught:
        parse_call(text)
    assert isinstance(caught.value, CallError | ThrowError)
