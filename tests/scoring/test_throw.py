"""Throws refuse what cannot lie on a table, and keep no order."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.throw import Contact, DiceThrow, Mishap, MishapKind, Pose, Throw, ThrowError


@pytest.mark.parametrize(
    ("poses", "contact", "message"),
    [
        (("dot_up_trotter", "trotter"), "apart", "not a pose or contact of the game"),
        (("trotter",), "apart", "a throw is two pigs, got 1"),
        (("trotter", "trotter", "snouter"), "apart", "a throw is two pigs, got 3"),
        (("trotter", "snouter"), "kissing", "not a pose or contact of the game"),
        ((None, "snouter"), "apart", "not a pose or contact of the game"),
    ],
)
def test_impossible_pigs(poses: Any, contact: Any, message: str) -> None:
    with pytest.raises(ThrowError, match=message):
        Throw(poses, contact)


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        ((7,), "a die shows 1 to 6, got 7"),
        ((0, 3), "a die shows 1 to 6, got 0"),
        ((3, 7), "a die shows 1 to 6, got 7"),
        ((2.0,), "a die shows 1 to 6, got 2.0"),
        ((True,), "a die shows 1 to 6, got True"),
        ((), "one or two dice, got 0"),
        ((1, 2, 3), "one or two dice, got 3"),
    ],
)
def test_impossible_dice(faces: Any, message: str) -> None:
    with pytest.raises(ThrowError, match=message):
        DiceThrow(faces)


def test_unknown_mishap() -> None:
    with pytest.raises(ThrowError, match="one of off_table, leaning, late, got 'eaten'"):
        Mishap("eaten")  # type: ignore[arg-type]


def test_names_become_the_types() -> None:
    throw = Throw(("snouter", "dot_up"), "touching")  # type: ignore[arg-type]
    assert throw.poses == (Pose.DOT_UP, Pose.SNOUTER)
    assert throw.contact is Contact.TOUCHING
    assert Mishap("late").kind is MishapKind.LATE  # type: ignore[arg-type]
    assert DiceThrow((5, 2)).faces == (2, 5)
    assert DiceThrow((1, 6)) == DiceThrow((6, 1))


def test_a_side_is_a_side() -> None:
    assert [p.is_side for p in Pose] == [True, True, False, False, False, False]
