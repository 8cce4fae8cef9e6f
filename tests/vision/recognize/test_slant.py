"""Where up is: a belief over directions, and what it says of a pig's pose."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from vision.recognize.reading import POSE_CLASSES
from vision.recognize.slant import Slant, directions, hear, sights
from vision.recognize.stances import Stance

STANCES = (
    Stance("dot_up", 1.0, (0.2, -0.98, 0.0), 60.0),
    Stance("dot_down", 1.0, (0.2, 0.98, 0.0), 60.0),
    Stance("razorback", 1.0, (0.0, 0.0, -1.0), 60.0),
    Stance("trotter", 1.0, (0.0, 0.0, 1.0), 60.0),
    Stance("snouter", 1.0, (-0.8, 0.0, 0.6), 60.0),
    Stance("leaning_jowler", 1.0, (-0.8, -0.48, 0.36), 60.0),
)
SIZE = (1280, 720)
MIDDLE = (600.0, 320.0, 680.0, 400.0)
ASIDE = (300.0, 320.0, 380.0, 400.0)


def tilted(tilt_deg: float, roll_deg: float = 0.0) -> np.ndarray:
    """The table's normal before a camera tilted so, in the camera's axes."""
    t, r = np.radians([tilt_deg, roll_deg])
    return np.array([np.sin(t) * np.sin(r), -np.sin(t) * np.cos(r), -np.cos(t)])


def lying(pose: str, normal: np.ndarray, box: tuple[float, ...], yaw_deg: float) -> np.ndarray:
    """The attitude [2, 3] of a pig in this pose on a table with this normal (camera's axes)."""
    up = np.array(next(s.up for s in STANCES if s.pose == pose))
    up /= np.linalg.norm(up)
    seen = sights([box], SIZE)[0] @ normal  # type: ignore[list-item]

    def frame(z: np.ndarray, turn: float) -> np.ndarray:
        x = np.cross([0.3, 0.9, 0.1], z)
        x /= np.linalg.norm(x)
        y = np.cross(z, x)
        c, s = np.cos(turn), np.sin(turn)
        return np.stack([c * x + s * y, -s * x + c * y, z], axis=1)

    turned = frame(seen, np.radians(yaw_deg)) @ frame(up, 0.0).T
    return np.asarray(turned[:, [0, 2]].T)


def logs(**shares: float) -> np.ndarray:
    """Log-probabilities [7]; what is not named shares one per cent."""
    rest = (1 - sum(shares.values())) / (len(POSE_CLASSES) - len(shares))
    return np.log([max(shares.get(name, rest), 1e-4) for name in POSE_CLASSES])


def chance(found: np.ndarray, pose: str) -> float:
    return float(np.exp(found[POSE_CLASSES.index(pose)]))


def heard_before(normal: np.ndarray, yaws: Iterable[float]) -> Slant:
    """What is believed after a throw of two plain pigs for each of these yaws."""
    slant = Slant.unknown()
    for yaw in yaws:
        attitudes = np.stack([lying("dot_up", normal, b, yaw) for b in (ASIDE, MIDDLE)])
        given = np.stack([logs(dot_up=0.98)] * 2)
        slant = slant.hearing(hear(given, attitudes, [ASIDE, MIDDLE], SIZE, slant, STANCES).words)
    return slant


def test_beliefs_are_shares_of_directions_that_face_the_camera() -> None:
    unknown = Slant.unknown()
    assert np.exp(unknown.logs).sum() == pytest.approx(1.0)
    assert np.linalg.norm(directions(), axis=1) == pytest.approx(np.ones(len(directions())))
    assert directions()[:, 2].max() < 0
    assert unknown.spread_deg > 30


@pytest.mark.parametrize("tilt", [10.0, 35.0, 55.0])
@pytest.mark.parametrize("pose", ["snouter", "leaning_jowler"])
def test_a_sure_pig_tells_where_up_is_and_the_doubtful_one_is_read_by_it(
    tilt: float, pose: str
) -> None:
    normal = tilted(tilt)
    doubtful = logs(snouter=0.49, leaning_jowler=0.49)
    attitudes = np.stack(
        [lying("trotter", normal, ASIDE, 40.0), lying(pose, normal, MIDDLE, 100.0)]
    )
    heard = hear(
        np.stack([logs(trotter=0.99), doubtful]), attitudes, [ASIDE, MIDDLE], SIZE,
        Slant.unknown(), STANCES,
    )  # fmt: skip
    assert chance(heard.log_poses[1], pose) > 0.85
    assert chance(heard.log_poses[0], "trotter") > 0.98


def test_alone_before_an_unknown_camera_a_pig_is_read_as_the_network_says() -> None:
    given = logs(snouter=0.7, leaning_jowler=0.29)
    attitude = lying("snouter", tilted(30.0), MIDDLE, 10.0)[None]
    heard = hear(given[None], attitude, [MIDDLE], SIZE, Slant.unknown(), STANCES)
    assert np.exp(heard.log_poses[0]) == pytest.approx(
        np.exp(given) / np.exp(given).sum(), abs=1e-6
    )


def test_lays_make_a_belief_firm_and_right_and_time_makes_it_looser() -> None:
    normal = tilted(40.0, 8.0)
    slant = heard_before(normal, np.random.default_rng(2).uniform(0, 360, 8))
    share = np.exp(slant.logs)
    mean = share @ directions()
    assert np.degrees(np.arccos(mean @ normal / np.linalg.norm(mean))) < 4
    firm = slant.spread_deg
    assert firm < 6
    for _ in range(60):
        slant = slant.later()
    assert slant.spread_deg > firm


def test_a_pig_in_no_pose_is_seen_once_up_is_known() -> None:
    slant = heard_before(tilted(40.0), range(0, 360, 45))
    leaning = tilted(75.0)  # on its feet on something steep
    attitude = lying("trotter", leaning, MIDDLE, 20.0)[None]
    given = logs(trotter=0.9, other=0.09)[None]
    found = hear(given, attitude, [MIDDLE], SIZE, slant, STANCES).log_poses[0]
    assert chance(found, "other") > 0.7


def test_no_pigs_say_nothing() -> None:
    heard = hear(np.empty((0, 7)), np.empty((0, 2, 3)), [], SIZE, Slant.unknown(), STANCES)
    assert heard.log_poses.shape == (0, 7)
    assert heard.words.shape == (0, len(directions()))


def test_a_belief_that_may_be_of_another_camera_forbids_nothing() -> None:
    normal = tilted(40.0)
    doubted = heard_before(normal, range(0, 360, 30)).doubted()
    assert np.exp(doubted.logs).sum() == pytest.approx(1.0)
    jowler = lying("leaning_jowler", normal, MIDDLE, 70.0)[None]
    given = logs(snouter=0.49, leaning_jowler=0.49)[None]
    here = hear(given, jowler, [MIDDLE], SIZE, doubted, STANCES).log_poses[0]
    assert chance(here, "leaning_jowler") > 0.85
    # The same pig before a camera that was moved: the one that looks down on it sees a snouter.
    moved = lying("snouter", tilted(15.0), MIDDLE, 70.0)[None]
    sure = logs(snouter=0.97)[None]
    elsewhere = hear(sure, moved, [MIDDLE], SIZE, doubted, STANCES).log_poses[0]
    assert chance(elsewhere, "snouter") > 0.6
