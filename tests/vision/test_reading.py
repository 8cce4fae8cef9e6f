"""The boundary types refuse what contradicts itself, and say why."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.throw import Contact, Pose, Throw
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
    ReadingError,
)


def sure(label: str, classes: tuple[str, ...]) -> dict[str, float]:
    return {c: float(c == label) for c in classes}


def pig(pose: str = "trotter", **changes: Any) -> PigDetection:
    fields: dict[str, Any] = {
        "box": (0.0, 0.0, 10.0, 10.0),
        "confidence": 0.9,
        "probabilities": sure(pose, POSE_CLASSES),
    }
    return PigDetection(**(fields | changes))


APART = ContactEvidence(sure("apart", CONTACT_CLASSES), gap_mm=4.0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"box": (5.0, 0.0, 5.0, 9.0)}, "x0 < x1"),
        ({"confidence": 1.2}, "lies in 0 to 1"),
        ({"probabilities": {"trotter": 1.0}}, "expected probabilities"),
        ({"probabilities": dict.fromkeys(POSE_CLASSES, 0.5)}, "sum to 1"),
    ],
)
def test_a_pig_is_checked_when_made(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ReadingError, match=message):
        pig(**changes)


def test_contact_goes_with_exactly_two_pigs() -> None:
    with pytest.raises(ReadingError, match="exactly two pigs"):
        Reading((pig(),), APART, Decision.ASK, "one pig")


def test_other_is_never_accepted() -> None:
    with pytest.raises(ReadingError, match="accepted"):
        Reading((pig("other"), pig()), APART, Decision.ACCEPT, "fine")


def test_a_reading_becomes_an_unordered_throw() -> None:
    pigs = (pig("snouter"), pig("dot_up"))
    reading = Reading(pigs, APART, Decision.ACCEPT, "clear")
    assert reading.throw == Throw((Pose.DOT_UP, Pose.SNOUTER), Contact.APART)
