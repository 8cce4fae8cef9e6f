"""Stances: densities that are densities, and a fit that finds what was drawn."""

from __future__ import annotations

import numpy as np
import pytest

from vision.errors import ModelError
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.slant import directions
from vision.recognize.stances import Stance, densities, fit_stances

SNOUTER = Stance("snouter", 1.0, (-0.8, 0.0, 0.6), 40.0)
JOWLERS = (
    Stance("leaning_jowler", 0.8, (-0.8, -0.48, 0.36), 40.0),
    Stance("leaning_jowler", 0.2, (-0.8, 0.48, 0.36), 40.0),
)


def drawn(stance: Stance, count: int, rng: np.random.Generator) -> np.ndarray:
    """Draw ups of a stance: for a firm one a normal spread across its direction is the same."""
    ups = np.array(stance.up) + rng.normal(0, stance.firmness**-0.5, (count, 3))
    return np.asarray(ups / np.linalg.norm(ups, axis=1, keepdims=True))


def test_every_pose_has_a_density_over_the_whole_sphere() -> None:
    sphere = np.concatenate([directions(), -directions()])
    found = densities((SNOUTER, *JOWLERS), sphere)
    assert found.mean(axis=0) * 4 * np.pi == pytest.approx(np.ones(7), abs=0.02)


def test_a_pig_is_likeliest_in_the_pose_whose_up_it_shows() -> None:
    found = densities((SNOUTER, *JOWLERS), np.array([SNOUTER.up, JOWLERS[1].up, (0, 0, -1.0)]))
    names = [POSE_CLASSES[i] for i in found.argmax(axis=1)]
    assert names[:2] == ["snouter", "leaning_jowler"]
    assert found[2, POSE_CLASSES.index("other")] > found[2, POSE_CLASSES.index("snouter")]


def test_a_fit_finds_the_ways_that_were_drawn() -> None:
    rng = np.random.default_rng(5)
    ups, poses = [], []
    for pose in POSE_CLASSES[:-1]:
        own = JOWLERS if pose == "leaning_jowler" else (Stance(pose, 1.0, SNOUTER.up, 40.0),)
        for stance in own:
            count = round(400 * stance.share)
            ups.append(drawn(stance, count, rng))
            poses += [pose] * count
    found = fit_stances(np.concatenate(ups), poses)
    jowlers = sorted((s for s in found if s.pose == "leaning_jowler"), key=lambda s: -s.share)
    assert len(jowlers) == 2
    for got, true in zip(jowlers, JOWLERS, strict=True):
        assert got.up == pytest.approx(true.up, abs=0.03)
        assert got.share == pytest.approx(true.share, abs=0.03)
        assert got.firmness == pytest.approx(true.firmness, rel=0.25)
    assert [s.share for s in found if s.pose == "snouter"] == [pytest.approx(1.0, abs=0.02)]


def test_too_few_pigs_are_refused() -> None:
    with pytest.raises(ModelError, match="3 pigs in the pose dot_up: too few"):
        fit_stances(np.eye(3), ["dot_up"] * 3)


@pytest.mark.parametrize(
    "fields",
    [
        ("other", 1.0, (0.0, 0.0, 1.0), 40.0),
        ("sideways", 1.0, (0.0, 0.0, 1.0), 40.0),
        ("snouter", 0.0, (0.0, 0.0, 1.0), 40.0),
        ("snouter", 1.0, (0.0, 0.0, 0.5), 40.0),
        ("snouter", 1.0, (0.0, 0.0, 1.0), 0.0),
    ],
)
def test_a_faulty_stance_is_refused(
    fields: tuple[str, float, tuple[float, float, float], float],
) -> None:
    with pytest.raises(ModelError):
        Stance(*fields)
