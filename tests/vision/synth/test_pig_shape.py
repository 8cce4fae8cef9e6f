"""The pig: its measures, its surface, and the ways it can lie."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.throw import Pose
from vision.synth.pig import Pig, make_pig
from vision.synth.pool import PigPool
from vision.synth.rest import name_rest
from vision.synth.shape import SPREAD, PigShape, PigSolid, sample_shape


def test_it_has_the_measures_of_the_real_one(common_pig: Pig) -> None:
    low, high = common_pig.mesh.vertices.min(axis=0), common_pig.mesh.vertices.max(axis=0)
    length, width, height = high - low
    assert 26 <= length <= 30, "nose to tail, mm"
    assert 16 <= width <= 21, "ear to ear, mm"
    assert 18 <= height <= 22, "hoof to tail, mm"


def test_its_surface_is_closed_and_faces_outward(common_pig: Pig) -> None:
    mesh = common_pig.mesh
    a, b, c = (mesh.vertices[mesh.faces[:, i]].astype(float) for i in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert 1000 < volume < 3500, "cubic millimetres; negative would be inside out"
    edges = np.sort(
        np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]])
    )
    _, counts = np.unique(edges, axis=0, return_counts=True)
    assert (counts == 2).mean() > 0.999, "every edge belongs to two triangles"
    facing = np.einsum("ij,ij->i", np.cross(b - a, c - a), mesh.normals[mesh.faces[:, 0]])
    assert (facing > 0).mean() > 0.94


def test_the_dot_is_on_the_right_flank(common_pig: Pig) -> None:
    x, y, z = common_pig.anchors.dot
    assert y < -4.5, "the right flank is y < 0"
    assert abs(x) < 3
    assert abs(z) < 3


def test_it_lies_in_the_poses_of_the_game(common_pig: Pig) -> None:
    shares = {p: sum(r.share for r in common_pig.rests if r.pose is p) for p in Pose}
    for pose in (Pose.DOT_UP, Pose.DOT_DOWN, Pose.RAZORBACK, Pose.TROTTER, Pose.SNOUTER):
        assert shares[pose] > 0.01, f"no stable way to lie as {pose}"
    assert shares[Pose.DOT_UP] + shares[Pose.DOT_DOWN] > 0.5
    assert shares[Pose.RAZORBACK] > shares[Pose.TROTTER] > shares[Pose.SNOUTER]


@pytest.mark.parametrize(
    ("up", "touching", "pose", "mirrored"),
    [
        ((0, 0, 1), {"front_left", "front_right", "hind_left"}, Pose.TROTTER, False),
        ((0.05, 0, -1), {"body", "ear_left"}, Pose.RAZORBACK, False),
        ((0.2, -0.97, 0), {"body", "ear_left"}, Pose.DOT_UP, False),
        ((0.2, 0.97, 0), {"body", "ear_right"}, Pose.DOT_DOWN, False),
        ((-0.78, 0, 0.62), {"snout", "front_left", "front_right"}, Pose.SNOUTER, False),
        ((-0.75, -0.55, 0.35), {"snout", "ear_left", "front_left"}, Pose.LEANING_JOWLER, False),
        ((-0.75, 0.55, 0.35), {"snout", "ear_right", "front_right"}, Pose.LEANING_JOWLER, True),
        ((1, 0, 0), {"hind_left", "hind_right", "tail"}, None, False),
    ],
)
def test_a_way_to_lie_is_named_by_what_carries_it(
    up: tuple[float, float, float], touching: set[str], pose: Pose | None, mirrored: bool
) -> None:
    v = np.array(up, float)
    assert name_rest(v / np.linalg.norm(v), frozenset(touching)) == (pose, mirrored)


def test_every_pig_differs_and_the_same_seed_gives_the_same() -> None:
    one, two = (sample_shape(np.random.default_rng(s)) for s in (1, 2))
    assert one != two
    assert one == sample_shape(np.random.default_rng(1))
    base = PigShape()
    for name, sd in SPREAD.items():
        assert abs(getattr(one, name) - getattr(base, name)) <= 2 * sd + 1e-9


def test_a_measure_must_be_a_number() -> None:
    with pytest.raises(ValueError, match="body_length"):
        PigSolid(PigShape(body_length=float("nan")))


def test_a_pool_keeps_its_pigs_on_disk(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    first = PigPool(5, 2, cache=folder)[1]
    again = PigPool(5, 2, cache=folder)[1]
    other = PigPool(6, 2, cache=folder)[1]
    np.testing.assert_array_equal(first.mesh.vertices, again.mesh.vertices)
    assert first.shape != other.shape, "pools of different seeds share no pig"
    broken = next(folder.rglob("1.pickle"))
    broken.write_bytes(b"")
    assert PigPool(5, 2, cache=folder)[1].shape == first.shape, "a broken cache is made again"
    with pytest.raises(IndexError):
        PigPool(5, 2, cache=folder)[2]


def test_a_leaning_pool_moves_its_measures_and_keeps_the_draw(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    plain = PigPool(5, 1, cache=folder)[0]
    leaning = PigPool(5, 1, cache=folder, lean={"ear_length": 1.0, "hoof_z": -0.5})[0]
    assert leaning.shape.ear_length == pytest.approx(plain.shape.ear_length + SPREAD["ear_length"])
    assert leaning.shape.hoof_z == pytest.approx(plain.shape.hoof_z - 0.5 * SPREAD["hoof_z"])
    assert leaning.shape.body_length == plain.shape.body_length
    assert PigPool(5, 1, cache=folder)[0].shape == plain.shape, "one cache does not serve the other"
    with pytest.raises(ValueError, match="ear_lenght"):
        PigPool(5, 1, cache=folder, lean={"ear_lenght": 1.0})


def test_few_triangles_still_measure_the_same() -> None:
    fine = make_pig(PigShape(), faces=12000).mesh.vertices
    coarse = make_pig(PigShape(), faces=2500).mesh.vertices
    np.testing.assert_allclose(fine.max(axis=0), coarse.max(axis=0), atol=0.25)
