"""What was told is counted against what happened."""

from __future__ import annotations

import pytest

from scoring.throw import Pose, Throw
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)
from vision.table.state import StateChanged, TableState, ThrowSeen
from vision.table.tally import RealThrow, Tally, tally

TROTTERS = Throw((Pose.TROTTER, Pose.TROTTER))
REAL = [RealThrow(1.0, 2.0, 5.0, TROTTERS), RealThrow(8.0, 9.0, 12.0, TROTTERS)]


def told(time_s: float, pose: str = "trotter", decision: Decision = Decision.ACCEPT) -> ThrowSeen:
    sure = {c: float(c == pose) for c in POSE_CLASSES}
    pigs = tuple(PigDetection((x, 0.0, x + 9, 9.0), 0.9, sure) for x in (0.0, 50.0))
    apart = ContactEvidence({c: float(c == "apart") for c in CONTACT_CLASSES})
    return ThrowSeen(0, time_s, Reading(pigs, apart, decision, ""))


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([told(2.4), told(9.3)], {"once": 2}),
        ([told(2.4)], {"once": 1, "missed": 1}),
        ([told(2.4), told(3.0), told(9.3)], {"once": 1, "doubled": 1}),
        ([told(0.5), told(2.4), told(9.3), told(20.0)], {"once": 2, "phantoms": 2}),
        ([told(2.4), told(9.3, "snouter")], {"once": 2, "misread": 1}),
        ([told(2.4), told(9.3, decision=Decision.ASK)], {"once": 2, "asked": 1}),
        ([told(2.4), told(9.3, "snouter", Decision.ASK)], {"once": 2, "asked": 1}),
        ([], {"missed": 2}),
    ],
)
def test_throws_are_counted(events: list[ThrowSeen], expected: dict[str, int]) -> None:
    counted = tally(events, REAL)
    names = ("once", "asked", "missed", "doubled", "phantoms", "misread")
    assert {n: getattr(counted, n) for n in names if getattr(counted, n)} == expected
    assert counted.throws == 2


def test_what_no_rule_names_is_never_accepted() -> None:
    leaning = [RealThrow(1.0, 2.0, 5.0, None)]
    assert tally([told(2.4)], leaning).misread == 1
    assert tally([told(2.4, decision=Decision.ASK)], leaning).misread == 0


def test_waits_and_lags_are_measured() -> None:
    states = [
        StateChanged(0, 0.0, TableState.EMPTY),
        StateChanged(0, 1.1, TableState.MOVING),
        StateChanged(0, 2.4, TableState.STILL),
        StateChanged(0, 5.05, TableState.HAND),
    ]
    counted = tally([*states, told(2.4)], REAL[:1], begun_s=[1.0, 1.5, 5.0])
    assert counted.waits_s == pytest.approx([0.4])
    assert counted.lags_s == pytest.approx([0.1, 0.0, 0.05])


def test_tallies_add_up() -> None:
    total = Tally()
    for _ in range(2):
        total.add(tally([told(2.4)], REAL))
    assert (total.once, total.missed, len(total.waits_s)) == (2, 2, 2)
