"""Pigs as rigid bodies: pieces that carry exactly as the mesh does, falls, contacts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scoring.throw import Contact, Pose
from vision.synth.landings import RUBBER, STEP_MS
from vision.synth.physics import Material, Motion, World, pig_body
from vision.synth.pig import Pig
from vision.synth.placing import drop_to_table, stand
from vision.synth.throws import contact_of, lying, run_to_rest

UP = np.array([0.0, 0.0, 1.0])


def lying_still(pig: Pig, up: np.ndarray, at: tuple[float, float] = (0.0, 0.0)) -> Motion:
    rotation = stand(up, 0.3)
    return Motion(drop_to_table(pig, rotation, at), rotation, np.zeros(3), np.zeros(3))


def falling(height: float, rotation: np.ndarray | None = None) -> Motion:
    turned = np.eye(3) if rotation is None else rotation
    return Motion(np.array([0.0, 0.0, height]), turned, np.zeros(3), np.zeros(3))


def test_the_pieces_reach_as_far_as_the_mesh_in_every_direction(common_pig: Pig) -> None:
    body = pig_body(common_pig)
    ways = np.random.default_rng(0).normal(size=(500, 3))
    mesh = (common_pig.mesh.vertices @ ways.T).max(axis=0)
    pieces = np.max([(piece @ ways.T).max(axis=0) for piece in body.pieces], axis=0)
    np.testing.assert_allclose(pieces, mesh, atol=1e-6)
    assert len(body.pieces) >= 10, "a piece a part: the ears and legs are their own"


def test_it_weighs_what_rubber_of_its_size_does(common_pig: Pig) -> None:
    body = pig_body(common_pig)
    assert 2.0 < body.mass_g < 5.0
    moments = np.linalg.eigvalsh(body.inertia)
    assert (moments > 0).all()
    assert moments[0] + moments[1] > moments[2], "no rigid body has other moments"
    assert abs(body.centre[1]) < 0.2, "left and right weigh the same"


def test_a_free_fall_takes_as_long_as_it_must(common_pig: Pig) -> None:
    world = World((pig_body(common_pig),))
    world.start((falling(120.0),))
    world.run(0.1)
    fallen = 120.0 - world.motion(0).position[2]
    assert fallen == pytest.approx(0.5 * 9810 * 0.1**2, rel=0.01)
    assert world.motion(0).velocity[2] == pytest.approx(-981.0, rel=0.01)


def test_spin_is_about_the_worlds_axes(common_pig: Pig) -> None:
    rotation = stand(np.array([0.3, -0.9, 0.1]), 1.1)
    world = World((pig_body(common_pig),))
    start = Motion(np.array([0.0, 0.0, 200.0]), rotation, np.zeros(3), np.array([0.0, 0.0, 2.0]))
    world.start((start,))
    np.testing.assert_allclose(world.motion(0).spin, [0.0, 0.0, 2.0], atol=1e-9)
    np.testing.assert_allclose(world.motion(0).rotation, rotation, atol=1e-9)


@pytest.mark.parametrize(("material", "step_ms"), [(Material(), 0.25), (RUBBER, STEP_MS)])
def test_a_pig_laid_as_it_lies_stays(common_pig: Pig, material: Material, step_ms: float) -> None:
    for rest in common_pig.rests:
        if rest.share < 0.02:
            continue
        world = World((pig_body(common_pig),), material, step_ms)
        start = lying_still(common_pig, rest.up)
        world.start((start,))
        assert run_to_rest(world).rest_s is not None
        now = world.motion(0)
        assert now.up @ rest.up > np.cos(np.radians(6)), rest.pose
        assert lying(common_pig, now).pose is rest.pose
        lowest = (common_pig.mesh.vertices @ now.rotation.T + now.position)[:, 2].min()
        assert lowest == pytest.approx(0.0, abs=0.06), "mm: it neither sinks in nor floats"


def test_a_bouncier_pig_bounces_higher(common_pig: Pig) -> None:
    def rebound(restitution: float) -> float:
        world = World((pig_body(common_pig),), Material(restitution=restitution))
        world.start((falling(80.0, stand(-UP, 0.0)),))
        heights = []
        for _ in range(60):
            world.run(0.005)
            heights.append(world.motion(0).position[2])
        return float(max(heights[int(np.argmin(heights)) :]))

    assert rebound(0.6) > rebound(0.2) + 2.0


def test_the_same_start_gives_the_same_course(common_pig: Pig) -> None:
    body = pig_body(common_pig)
    start = Motion(
        np.array([0.0, 0.0, 90.0]), stand(np.array([0.5, 0.5, 0.7]), 0.4),
        np.array([300.0, 0.0, 0.0]), np.array([9.0, -4.0, 2.0]),
    )  # fmt: skip
    ends = []
    for _ in range(2):
        world = World((body,))
        world.start((start,))
        world.run(0.8)
        ends.append(world.motion(0))
    np.testing.assert_array_equal(ends[0].position, ends[1].position)
    np.testing.assert_array_equal(ends[0].rotation, ends[1].rotation)


def test_contact_tells_apart_touching_and_stacked(common_pig: Pig) -> None:
    body = pig_body(common_pig)
    world = World((body, body), Material(friction=1.0, restitution=0.05, roll_mm=0.3))
    trotter = next(r for r in common_pig.rests if r.pose is Pose.TROTTER)
    one = lying_still(common_pig, trotter.up)
    far = lying_still(common_pig, trotter.up, (60.0, 0.0))
    world.start((one, far))
    assert contact_of(world) == (Contact.APART, (True, True))

    back = float((common_pig.mesh.vertices @ one.rotation[2]).max() + one.position[2])
    razorback = next(r for r in common_pig.rests if r.pose is Pose.DOT_UP)
    rotation = stand(razorback.up, 0.3)
    low = float((common_pig.mesh.vertices @ rotation[2]).min())
    over = Motion(np.array([0.0, 0.0, back - low + 0.05]), rotation, np.zeros(3), np.zeros(3))
    world.start((one, over))
    world.run(0.02)
    contact, on_table = contact_of(world, 0.01)
    assert (contact, on_table) == (Contact.STACKED, (True, False))


def test_a_block_stops_a_pig(common_pig: Pig) -> None:
    corners = np.array(
        [[x, y, z] for x in (40.0, 60.0) for y in (-50.0, 50.0) for z in (0.0, 40.0)]
    )
    side = next(r for r in common_pig.rests if r.pose is Pose.DOT_UP)
    start = lying_still(common_pig, side.up)
    sliding = Motion(start.position, start.rotation, np.array([900.0, 0.0, 0.0]), np.zeros(3))
    reached = []
    for blocks in ((), (corners,)):
        world = World((pig_body(common_pig),), Material(friction=0.05), blocks=blocks)
        world.start((sliding,))
        world.run(0.3)
        reached.append(world.motion(0).position[0])
    assert reached[0] > 100.0
    assert reached[1] < 45.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"friction": -0.1}, "friction"),
        ({"restitution": 1.0}, "restitution"),
        ({"give_mm": 0.0}, "give_mm"),
        ({"roll_mm": -1.0}, "roll_mm"),
    ],
)
def test_an_impossible_material_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Material(**changes)


def test_a_world_wants_a_motion_a_pig(common_pig: Pig) -> None:
    world = World((pig_body(common_pig),))
    with pytest.raises(ValueError, match="1 pigs need as many motions, got 2"):
        world.start((falling(50.0), falling(90.0)))
