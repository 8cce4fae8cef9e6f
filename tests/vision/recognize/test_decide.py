"""A reading is accepted only where being wrong is unlikely and cheap; the reason says why not."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.recognize.decide import NATURAL, NO_POSE, PRIOR_CAP, Policy, decide, risk, weigh
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
)

LEFT, RIGHT, BELOW = (0.0, 0.0, 10.0, 10.0), (30.0, 0.0, 40.0, 10.0), (0.0, 30.0, 10.0, 40.0)


def pig(pose: str, p: float = 1.0, rival: str = "other", **changes: Any) -> PigDetection:
    shares = dict.fromkeys(POSE_CLASSES, 0.0) | {rival: 1.0 - p}
    shares[pose] += p
    fields: dict[str, Any] = {"box": LEFT, "confidence": 0.9, "probabilities": shares}
    return PigDetection(**(fields | changes))


def touch(apart: float = 0.999, stacked: float = 0.0, gap: float | None = 9.0) -> ContactEvidence:
    shares = (apart, 1.0 - apart - stacked, stacked)
    return ContactEvidence(dict(zip(CONTACT_CLASSES, shares, strict=True)), gap)


CLEAR = (pig("trotter"), pig("snouter", box=RIGHT))


def test_two_clear_pigs_with_table_between_them_are_accepted() -> None:
    decision, reason = decide(CLEAR, touch(), Policy())
    assert decision is Decision.ACCEPT
    assert reason == "Both pigs are read clearly, with table visible between them."


@pytest.mark.parametrize(
    ("pigs", "contact", "reason"),
    [
        ((), None, "No pig is in sight."),
        (CLEAR[:1], None, "Only one pig is in sight"),
        ((*CLEAR, pig("dot_up")), None, "3 things look like pigs"),
        ((pig("other"), CLEAR[1]), touch(), "The pig on the left leans on something"),
        ((CLEAR[1], pig("other", box=BELOW)), touch(), "The pig on the left leans"),
        ((CLEAR[0], pig("other", box=BELOW)), touch(), "The lower pig leans"),
        ((CLEAR[0], pig("snouter", box=RIGHT, confidence=0.3)), touch(), "right is hard to make"),
        (CLEAR, touch(0.6, gap=0.0), "No table is visible between the pigs: they may touch."),
        (CLEAR, touch(0.9, gap=0.8), r"very close \(0.8 mm\): they may touch"),
        (CLEAR, touch(0.2, 0.7, gap=0.0), "One pig may lie on the other."),
        (
            (CLEAR[0], pig("snouter", 0.6, "leaning_jowler", box=RIGHT)),
            touch(),
            r"The pig on the right is a snouter \(60%\) or a leaning jowler \(40%\)",
        ),
    ],
)
def test_a_doubt_is_asked_about_in_words(pigs: Any, contact: Any, reason: str) -> None:
    decision, said = decide(pigs, contact, Policy())
    assert decision is Decision.ASK
    assert re.search(reason, said), said
    assert said.endswith(".")


def test_frames_that_do_not_agree_are_asked_about() -> None:
    decision, reason = decide(CLEAR, touch(), Policy(), agreement=0.5)
    assert decision is Decision.ASK
    assert "do not agree" in reason


def test_a_cheap_doubt_is_accepted_where_a_dear_one_is_not() -> None:
    """Trotter or razorback beside a sider gives 5 either way; the side decides a pig out."""
    other = pig("snouter", box=RIGHT)
    cheap = (pig("trotter", 0.95, "razorback"), other)
    dear = (pig("dot_up", 0.95, "dot_down"), pig("dot_up", box=RIGHT))
    policy = Policy(most_loss=0.4)
    assert decide(cheap, touch(), policy)[0] is Decision.ACCEPT
    assert decide(dear, touch(), policy)[0] is Decision.ASK


def test_contact_is_accepted_only_when_set_to_automatic() -> None:
    touching = touch(0.001, gap=0.0)
    assert decide(CLEAR, touching, Policy())[0] is Decision.ASK
    decision, reason = decide(CLEAR, touching, Policy(contact_automatic=True))
    assert decision is Decision.ACCEPT
    assert "touching" in reason


@pytest.mark.parametrize(
    ("first", "second", "right", "loss"),
    [
        (pig("trotter"), pig("snouter"), 0.999, 0.001 * 65),
        # Half trotter, half razorback beside a sider: 5 points either way.
        (pig("trotter", 0.5, "razorback"), pig("dot_up"), 0.4995, 0.001 * 55),
        # Two siders that may be a pig out: 1 point against losing the turn (10).
        (pig("dot_up", 0.9, "dot_down"), pig("dot_up"), 0.8991, 0.999 * 0.1 * 11 + 0.001 * 51),
    ],
)
def test_risk_is_in_points(
    first: PigDetection, second: PigDetection, right: float, loss: float
) -> None:
    got_right, got_loss = risk((first, second), touch())
    assert got_right == pytest.approx(right)
    assert got_loss == pytest.approx(loss, rel=1e-6)


def test_two_pigs_that_may_be_swapped_are_the_same_throw() -> None:
    pigs = (pig("trotter", 0.6, "snouter"), pig("snouter", 0.6, "trotter"))
    right, _ = risk(pigs, touch(1.0))
    assert right == pytest.approx(0.6 * 0.6 + 0.4 * 0.4)


shares = st.lists(st.floats(0.001, 1), min_size=7, max_size=7)


@given(shares, shares, st.floats(0, 1))
def test_risk_is_a_probability_and_a_loss(
    first: list[float], second: list[float], apart: float
) -> None:
    pigs = [
        pig("trotter", probabilities=dict(zip(POSE_CLASSES, np.array(p) / sum(p), strict=True)))
        for p in (first, second)
    ]
    right, loss = risk(pigs, touch(apart))
    assert 0.0 <= right <= 1.0 + 1e-9
    assert 0.0 <= loss <= 160.0


@given(shares)
def test_the_prior_is_weak(values: list[float]) -> None:
    logs = np.log(np.array([values]) / sum(values))
    weighed = weigh(logs)
    assert np.exp(weighed).sum() == pytest.approx(1.0)
    shift = (weighed - logs)[0]
    assert np.ptp(shift[:6]) <= PRIOR_CAP + 1e-9


@given(shares)
def test_no_pose_is_as_rare_as_it_is_said_to_be(values: list[float]) -> None:
    """Among pigs of every pose alike, before a pose has been seen."""
    logs = np.log(np.array([values]) / sum(values))
    shift = (weigh(logs) - logs)[0]
    odds = np.exp(shift[6] - shift[:6].mean()) / 6
    assert odds == pytest.approx(NO_POSE / (1 - NO_POSE))


def test_a_tie_goes_to_the_pose_that_pigs_land_in_more_often() -> None:
    even = np.log(np.full((1, 7), 1 / 7))
    assert POSE_CLASSES[int(weigh(even).argmax())] == max(NATURAL, key=NATURAL.__getitem__)
    alike = weigh(even, cap=0.0)[0, :6]
    assert np.allclose(alike, alike[0])
