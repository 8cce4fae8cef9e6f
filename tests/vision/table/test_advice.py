"""What is wrong with a picture is found, and said in words that tell what to do."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.capture.frame import Frame
from vision.recognize.reading import POSE_CLASSES, PigDetection
from vision.table.advice import WORDS, Problem, advise

Picture = NDArray[np.uint8]
SURE = {c: float(c == "trotter") for c in POSE_CLASSES}


def good(level: float = 120.0) -> Picture:
    """A grainy table with two crisp pigs of 60 pixels."""
    rng = np.random.default_rng(0)
    grain = rng.normal(level, 10, (45, 80, 3)).clip(0, 255).astype(np.uint8)
    image = np.asarray(cv2.resize(grain, (1280, 720), interpolation=cv2.INTER_CUBIC), np.uint8)
    for x in (400, 800):
        skin = (min(255.0, level * 1.7), level * 1.1, level)
        cv2.ellipse(image, ((x, 360), (60, 38), 20), skin, -1)
        cv2.circle(image, (x + 8, 355), 5, (level / 8,) * 3, -1)
        cv2.line(image, (x - 20, 375), (x - 10, 365), (level / 3,) * 3, 2)
    return image


def pigs(length: float = 60.0) -> list[PigDetection]:
    half = length / 2
    return [
        PigDetection((x - half, 360 - half, x + half, 360 + half), 0.9, SURE) for x in (400, 800)
    ]


def blurred() -> Picture:
    return np.asarray(cv2.GaussianBlur(good(), (0, 0), 7.0), np.uint8)


def mirrored_lamp() -> Picture:
    image = good()
    cv2.circle(image, (640, 200), 130, (255.0, 255.0, 255.0), -1)
    return image


@pytest.mark.parametrize(
    ("make", "problems"),
    [
        (good, []),
        (lambda: good(28.0), [Problem.DARK]),
        (lambda: np.full((720, 1280, 3), 245, np.uint8), [Problem.BRIGHT]),
        (mirrored_lamp, [Problem.GLARE]),
    ],
    ids=["good", "dark", "bright", "glare"],
)
def test_the_picture_is_judged(make: Callable[[], Picture], problems: list[Problem]) -> None:
    assert [a.problem for a in advise(Frame(make(), 0, 0.0, "t"))] == problems


@pytest.mark.parametrize(
    ("make", "length", "tilt", "problems"),
    [
        (good, 60.0, 20.0, []),
        (blurred, 60.0, None, [Problem.BLURRED]),
        (good, 30.0, None, [Problem.FAR]),
        (good, 60.0, 55.0, [Problem.TILTED]),
    ],
    ids=["good", "blurred", "far", "tilted"],
)
def test_the_pigs_are_judged(
    make: Callable[[], Picture], length: float, tilt: float | None, problems: list[Problem]
) -> None:
    found = advise(Frame(make(), 0, 0.0, "t"), pigs(length), tilt)
    assert [a.problem for a in found] == problems


def test_every_problem_has_words_that_tell_what_to_do() -> None:
    assert set(WORDS) == set(Problem)
    assert all(": " in words and words.endswith(".") for words in WORDS.values())
