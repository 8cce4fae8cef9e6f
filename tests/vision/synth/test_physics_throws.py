"""Throws: random starts, the course to rest, and what it is counted as."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.throw import Contact, Pose
from vision.synth.landings import (
    THROWN,
    Landings,
    compare,
    interval,
    kern_share,
    throw_many,
)
from vision.synth.pig import Pig
from vision.synth.pool import PigPool
from vision.synth.throws import (
    HandThrow,
    Lying,
    Thrower,
    Thrown,
    Track,
    random_rotation,
    throw_start,
)


@pytest.fixture(scope="module")
def thrower(common_pig: Pig) -> Thrower:
    return Thrower((common_pig, common_pig))


def test_a_throw_comes_to_rest_on_the_table(thrower: Thrower, common_pig: Pig) -> None:
    for seed in range(5):
        thrown = thrower.throw(np.random.default_rng(seed))
        assert thrown.settled
        assert thrown.track.rest_s is not None
        assert 0.2 < thrown.track.rest_s < 4.0
        assert thrown.track.positions[0, :, 2].max() > 60.0
        for pig in thrown.lying:
            corners = common_pig.mesh.vertices @ pig.rotation.T + pig.position
            assert corners[:, 2].min() > -0.1
            if thrown.contact is Contact.APART:
                assert pig.on_table
                assert corners[:, 2].min() < 0.1


def test_the_same_seed_throws_the_same(thrower: Thrower) -> None:
    one, two = (thrower.throw(np.random.default_rng(12)) for _ in range(2))
    np.testing.assert_array_equal(one.track.positions, two.track.positions)
    other = thrower.throw(np.random.default_rng(13))
    assert not np.array_equal(one.lying[0].position, other.lying[0].position)


def test_the_gap_agrees_with_the_contact(thrower: Thrower) -> None:
    for seed in range(8):
        thrown = thrower.throw(np.random.default_rng(100 + seed))
        assert thrown.gap_mm >= 0
        if thrown.contact is Contact.APART:
            assert thrown.gap_mm > 0.0
        else:
            assert thrown.gap_mm < 0.6, "mm; convex pieces bridge a hollow of so much at most"


def test_a_start_is_within_the_hands_ranges() -> None:
    hand = HandThrow(height=(100.0, 110.0), apart=(30.0, 30.0), speed=(500.0, 500.0))
    for seed in range(20):
        one, two = throw_start(hand, np.random.default_rng(seed), towards_deg=90.0)
        middle = (one.position + two.position) / 2
        assert 100.0 <= middle[2] <= 110.0
        assert np.linalg.norm(one.position - two.position) == pytest.approx(30.0)
        assert (one.velocity + two.velocity)[1] / 2 > 200.0, "thrown along +y"


def test_rotations_are_rotations_and_everywhere() -> None:
    rng = np.random.default_rng(4)
    ups = []
    for _ in range(400):
        r = random_rotation(rng)
        np.testing.assert_allclose(r @ r.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(r) == pytest.approx(1.0)
        ups.append(r.T @ [0, 0, 1.0])
    assert np.abs(np.mean(ups, axis=0)).max() < 0.12, "no way is likelier than another"


def made(
    poses: tuple[Pose | None, Pose | None], contact: Contact, *, settled: bool = True
) -> Thrown:
    track = Track(np.zeros(1), np.zeros((1, 2, 3)), np.zeros((1, 2, 3, 3)), 1.0)
    one, two = (
        Lying(np.zeros(3), np.eye(3), frozenset(), pose, mirrored=False, on_table=True)
        for pose in poses
    )
    return Thrown(track, (one, two), contact, 3.0, settled)


def test_only_pigs_that_lie_apart_are_counted_by_pose() -> None:
    tally = Landings()
    tally.add(made((Pose.DOT_UP, Pose.TROTTER), Contact.APART))
    tally.add(made((Pose.DOT_UP, None), Contact.APART))
    tally.add(made((Pose.SNOUTER, Pose.SNOUTER), Contact.TOUCHING))
    tally.add(made((Pose.SNOUTER, Pose.SNOUTER), Contact.APART, settled=False))
    assert (tally.throws, tally.pigs, tally.unnamed, tally.unsettled) == (4, 4, 1, 1)
    assert tally.poses == {Pose.DOT_UP: 2, Pose.TROTTER: 1}
    assert tally.contacts == {Contact.APART: 2, Contact.TOUCHING: 1}


def test_kerns_shares_are_those_published() -> None:
    published = {
        Pose.DOT_UP: 0.30174, Pose.DOT_DOWN: 0.34967, Pose.TROTTER: 0.08842,
        Pose.RAZORBACK: 0.22369, Pose.SNOUTER: 0.03037, Pose.LEANING_JOWLER: 0.00611,
    }  # fmt: skip
    for pose, share in published.items():
        assert kern_share(pose) == pytest.approx(share, abs=5e-6)


@pytest.mark.parametrize(
    ("pose", "count", "met"),
    [
        (Pose.TROTTER, 88, True),
        (Pose.TROTTER, 117, True),
        (Pose.TROTTER, 120, False),
        (Pose.RAZORBACK, 190, False),
        (Pose.SNOUTER, 21, True),
        (Pose.SNOUTER, 19, False),
        (Pose.SNOUTER, 46, False),
        (Pose.LEANING_JOWLER, 5, True),
        (Pose.LEANING_JOWLER, 4, False),
        (Pose.LEANING_JOWLER, 10, False),
    ],
)
def test_a_pose_is_met_within_points_or_a_factor(pose: Pose, count: int, met: bool) -> None:
    tally = Landings(throws=500)
    tally.poses[pose] = count
    tally.unnamed = 1000 - count
    line = next(x for x in compare(tally) if x.name == pose)
    assert (line.count, line.met) == (count, met)
    assert line.low < line.share < line.high


@given(st.integers(0, 400), st.integers(1, 400))
def test_an_interval_holds_its_share(count: int, more: int) -> None:
    of = max(count, more)
    low, high = interval(count, of)
    assert 0.0 <= low <= count / of <= high <= 1.0


def test_more_throws_are_surer() -> None:
    few, many = interval(3, 10), interval(300, 1000)
    assert many[1] - many[0] < few[1] - few[0]


def test_many_throws_are_shared_out_among_the_pigs(tmp_path: object) -> None:
    from pathlib import Path

    pool = PigPool(5, 2, cache=Path(str(tmp_path)), lean=THROWN)
    tallies = [t.throws for t in throw_many(pool, 5, seed=1)]
    assert tallies[-1] == 5
    assert len(tallies) == 2
