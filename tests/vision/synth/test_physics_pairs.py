"""Gaps between surfaces, and pairs of pigs at rest, made, kept and read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scoring.throw import Contact
from vision.errors import RenderError
from vision.recognize.reading import OTHER, POSE_CLASSES
from vision.synth.mesh import Mesh
from vision.synth.pair_making import PairMaker, make_pairs
from vision.synth.pairs import PairPool, PairRest, load_pairs, save_pairs
from vision.synth.physics_gap import Surface, gap_between, slide_to_gap
from vision.synth.pool import PigPool
from vision.synth.scene import Paint


def ball(radius: float, step: float = 0.5) -> Mesh:
    from vision.synth.mesh import mesh_solid

    r = radius + 2
    low, reach = (-r, -r, -r), (r, r, r)
    return mesh_solid(
        lambda p: np.linalg.norm(p, axis=1) - radius, low, reach, step, faces=(4000,)
    )[0]


def box_corner(at: float) -> Surface:
    """One large triangle in the plane x = at."""
    corners = np.array([[at, -40.0, -40.0], [at, 40.0, -40.0], [at, 0.0, 60.0]])
    mesh = Mesh(
        corners.astype(np.float32), np.ones((3, 3), np.float32),
        np.array([[0, 1, 2]], np.int32), np.ones(3, np.float32),
    )  # fmt: skip
    return Surface.of(mesh, np.eye(3), np.zeros(3))


@pytest.mark.parametrize("gap", [0.05, 0.4, 2.0, 7.0])
def test_the_gap_of_two_balls_is_known(gap: float) -> None:
    mesh = ball(6.0)
    way = np.array([0.6, 0.0, 0.8])
    one = Surface.of(mesh, np.eye(3), np.zeros(3))
    two = Surface.of(mesh, np.eye(3), (12.0 + gap) * way)
    assert gap_between(one, two) == pytest.approx(gap, abs=0.04)
    assert gap_between(two, one) == pytest.approx(gap, abs=0.04)


def test_a_slide_ends_at_the_gap_asked_for() -> None:
    mesh = ball(5.0)
    one = Surface.of(mesh, np.eye(3), np.zeros(3))
    two = Surface.of(mesh, np.eye(3), np.array([3.0, 2.0, 0.0]))
    way = np.array([1.0, 0.0, 0.0])
    for gap in (0.03, 1.0, 4.0):
        shift = slide_to_gap(one, two, way, gap)
        assert gap_between(one, two, shift) == pytest.approx(gap, abs=0.03)
        expected = np.sqrt((10.0 + gap) ** 2 - 2.0**2) - 3.0
        assert shift[0] == pytest.approx(expected, abs=0.06)
        np.testing.assert_allclose(shift[1:], 0.0)


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> PigPool:
    return PigPool(7, 2, cache=tmp_path_factory.mktemp("pigs"))


@pytest.fixture(scope="module")
def pairs(pool: PigPool) -> list[PairRest]:
    return list(make_pairs(pool, 24, seed=3))


def test_pairs_are_what_they_say(pool: PigPool, pairs: list[PairRest]) -> None:
    for pair in pairs:
        one, two = pair.place(pool, (Paint(), Paint()))
        a = Surface.of(one.pig.mesh, one.rotation, one.position)
        b = Surface.of(two.pig.mesh, two.rotation, two.position)
        gap = gap_between(a, b)
        if pair.contact is Contact.APART:
            assert gap == pytest.approx(pair.gap_mm, abs=0.05)
            assert 0.05 < gap <= 5.05
        else:
            assert gap < 0.1
        assert a.corners[:, 2].min() == pytest.approx(0.0, abs=0.1), "the first lies on the table"
        second = b.corners[:, 2].min()
        if pair.contact is Contact.STACKED:
            assert second > 0.3, "the upper pig touches no table"
        else:
            assert second == pytest.approx(0.0, abs=0.15)
        np.testing.assert_allclose(pair.positions[:, :2].mean(axis=0), 0.0, atol=1e-9)
        assert set(pair.labels) <= set(POSE_CLASSES)


def test_there_are_pairs_of_every_kind(pairs: list[PairRest]) -> None:
    kinds = {pair.contact for pair in pairs}
    assert {Contact.APART, Contact.TOUCHING} <= kinds
    assert any(pair.gap_mm > 0 for pair in pairs)


def test_pair_number_i_depends_on_seed_and_i_alone(pool: PigPool, pairs: list[PairRest]) -> None:
    again = PairMaker(pool).make(np.random.default_rng([3, 5]))
    np.testing.assert_array_equal(again.positions, pairs[5].positions)
    assert (again.pigs, again.labels, again.contact) == (
        pairs[5].pigs, pairs[5].labels, pairs[5].contact
    )  # fmt: skip


def test_pairs_survive_the_disk(pool: PigPool, pairs: list[PairRest], tmp_path: Path) -> None:
    path = tmp_path / "pairs.npz"
    save_pairs(PairPool.of(pool, pairs), path)
    kept = load_pairs(path)
    kept.check(pool)
    assert (kept.seed, kept.count, kept.spread) == (7, 2, 1.0)
    for a, b in zip(kept.pairs, pairs, strict=True):
        assert (a.pigs, a.labels, a.contact, a.gap_mm) == (b.pigs, b.labels, b.contact, b.gap_mm)
        np.testing.assert_array_equal(a.rotations, b.rotations)
    assert list(tmp_path.iterdir()) == [path], "nothing half written is left"


def test_pairs_of_other_pigs_are_refused(pool: PigPool, pairs: list[PairRest]) -> None:
    kept = PairPool.of(pool, pairs[:1])
    for other in (replace(kept, seed=8), replace(kept, probe=kept.probe + 0.5)):
        with pytest.raises(RenderError, match="make them again"):
            other.check(pool)


@pytest.mark.parametrize("content", [b"", b"nothing of the kind", None])
def test_a_file_without_pairs_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "pairs.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RenderError, match="holds no pairs"):
        load_pairs(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"labels": ("trotter", "cow")}, "cow"),
        ({"gap_mm": -0.1}, "gap"),
        ({"contact": Contact.TOUCHING, "gap_mm": 0.5}, "gap"),
        ({"rotations": np.eye(3)}, "rotations"),
    ],
)
def test_an_impossible_pair_is_refused(changes: dict[str, object], message: str) -> None:
    good = PairRest(
        (0, 1), np.stack([np.eye(3)] * 2), np.zeros((2, 3)), ("trotter", OTHER), Contact.APART, 1.0
    )
    with pytest.raises(ValueError, match=message):
        replace(good, **changes)  # type: ignore[arg-type]
