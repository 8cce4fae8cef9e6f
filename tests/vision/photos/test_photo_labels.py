"""Labels say what can be, and say it again after a trip through JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.throw import Contact
from vision.photos.labels import LabelError, Labels, PigLabel, Source, overlap
from vision.recognize.reading import POSE_CLASSES

PIG = {"box": [0, 0, 4, 4], "pose": "snouter"}

number = st.floats(-5000, 5000, allow_nan=False)
boxes = st.tuples(number, number, st.floats(0.5, 900), st.floats(0.5, 900)).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)
pigs = st.builds(PigLabel, boxes, st.sampled_from(POSE_CLASSES), st.sampled_from(list(Source)))


@st.composite
def any_labels(draw: st.DrawFn) -> Labels:
    some = tuple(draw(st.lists(pigs, max_size=4)))
    contact = draw(st.sampled_from([None, *Contact])) if len(some) == 2 else None
    return Labels(
        some, contact, draw(st.booleans()), draw(st.text(max_size=80)), draw(st.booleans())
    )


def test_class_ids_never_change() -> None:
    # Files outside this program hold these numbers; see labelImg#465, #707, #738, #981.
    assert POSE_CLASSES == (
        "dot_up",
        "dot_down",
        "razorback",
        "trotter",
        "snouter",
        "leaning_jowler",
        "other",
    )


@given(any_labels())
def test_json_gives_the_same_labels_back(labels: Labels) -> None:
    assert Labels.from_json(json.loads(json.dumps(labels.to_json()))) == labels


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "labels are an object"),
        ({"pigs": {}}, "`pigs` is a list"),
        ({"pigs": [{"box": [0, 0, 4, 4]}]}, "a box and a pose"),
        ({"pigs": [PIG | {"colour": "pink"}]}, "unknown fields of a pig: colour"),
        ({"pigs": [PIG | {"box": [0, 0, 4]}]}, "four numbers"),
        ({"pigs": [PIG | {"box": "abcd"}]}, "four numbers"),
        ({"pigs": [PIG | {"box": [0, 0, True, 4]}]}, "four numbers"),
        ({"pigs": [PIG | {"box": [4, 0, 0, 4]}]}, "x0 < x1"),
        ({"pigs": [PIG | {"box": [0, 0, math.inf, 4]}]}, "four numbers"),
        ({"pigs": [PIG | {"box": [0, 0, 1e9, 4]}]}, "million"),
        ({"pigs": [PIG | {"pose": "flying"}]}, "flying"),
        ({"pigs": [PIG | {"pose": 3}]}, "a pose is a word"),
        ({"pigs": [PIG | {"source": "rumour"}]}, "rumour"),
        ({"pigs": [PIG] * 101}, "at most 100 pigs"),
        ({"pigs": [PIG], "contact": "apart"}, "exactly two pigs"),
        ({"pigs": [PIG, PIG], "contact": "kissing"}, "kissing"),
        ({"pigs": [PIG | {"pose": None}], "reviewed": True}, "without a pose"),
        ({"reviewed": 1}, "true or false"),
        ({"reviewed_by": "x" * 81}, "80 characters"),
        ({"colour": "pink"}, "unknown fields of labels: colour"),
    ],
)
def test_what_cannot_be_is_refused(data: Any, message: str) -> None:
    with pytest.raises(LabelError, match=message):
        Labels.from_json(data)


def test_contact_goes_when_a_pig_goes() -> None:
    two = Labels(
        (PigLabel((0, 0, 1, 1), "trotter"), PigLabel((2, 2, 3, 3), "snouter")), Contact.APART
    )
    assert two.with_pigs(two.pigs[:1]).contact is None


@pytest.mark.parametrize(
    ("flags", "confirmed"),
    [
        ({"reviewed": True}, True),
        ({}, False),
        ({"reviewed": True, "unsure": True}, False),
        ({"reviewed": True, "left_out": True}, False),
    ],
)
def test_only_sure_reviewed_labels_are_trained_on(flags: dict[str, bool], confirmed: bool) -> None:
    assert Labels(**flags).confirmed is confirmed  # type: ignore[arg-type]


@given(boxes, boxes)
def test_overlap_is_symmetric_and_between_0_and_1(
    a: tuple[float, float, float, float], b: tuple[float, float, float, float]
) -> None:
    assert overlap(a, b) == overlap(b, a)
    assert 0 <= overlap(a, b) <= 1 + 1e-9
    assert overlap(a, a) == pytest.approx(1)
