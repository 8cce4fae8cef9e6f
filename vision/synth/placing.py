"""Laying pigs on the table: in a pose, next to each other, leaning, or in mid-tumble."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoring.throw import Pose
from vision.synth.pig import Pig
from vision.synth.scene import Paint, Placed, Vec

USUAL_UP: dict[Pose, tuple[tuple[float, float, float], ...]] = {
    Pose.DOT_UP: ((0.2, -0.97, -0.05),),
    Pose.DOT_DOWN: ((0.2, 0.97, -0.05),),
    Pose.RAZORBACK: ((0.0, 0.0, -1.0),),
    Pose.TROTTER: ((0.0, 0.0, 1.0),),
    Pose.SNOUTER: ((-0.79, 0.0, 0.61),),
    Pose.LEANING_JOWLER: (
        (-0.75, -0.53, 0.37),
        (-0.84, -0.42, 0.33),
        (-0.87, -0.32, 0.36),
        (-0.80, -0.52, 0.28),
    ),
}
"""Up vectors for a pig whose hull has no such stable face (soft rubber gives, real pigs do)."""


def rotation_about(axis: Vec, angle_rad: float) -> Vec:
    """Rotation matrix float64[3, 3] about a unit axis (Rodrigues)."""
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle_rad) * k + (1 - np.cos(angle_rad)) * k @ k)


def stand(up: Vec, yaw_rad: float) -> Vec:
    """Rotation pig to world that turns `up` (pig frame) to the table's normal, then by `yaw`."""
    z = up / np.linalg.norm(up)
    helper = np.array([1.0, 0, 0]) if abs(z[0]) < 0.8 else np.array([0, 1.0, 0])
    x = helper - (helper @ z) * z
    x /= np.linalg.norm(x)
    upright = np.stack([x, np.cross(z, x), z])
    return np.asarray(rotation_about(np.array([0, 0, 1.0]), yaw_rad) @ upright)


def drop_to_table(pig: Pig, rotation: Vec, at: tuple[float, float]) -> Vec:
    """Position of a pig's origin so that it just touches z = 0."""
    low = float((pig.mesh.vertices @ rotation[2]).min())
    return np.array([at[0], at[1], -low])


def up_for(pig: Pig, pose: Pose, rng: np.random.Generator) -> Vec:
    """Draw one of a pig's own ways to lie in `pose`, the likelier the oftener."""
    own = [r for r in pig.rests if r.pose is pose]
    if not own or (pose is Pose.LEANING_JOWLER and rng.random() < 0.5):
        usual = USUAL_UP[pose]
        return np.array(usual[rng.integers(len(usual))])
    shares = np.array([r.share for r in own])
    if pose is Pose.LEANING_JOWLER:  # mirrored ones happen, but less than the hull says
        shares = shares * np.array([0.35 if r.mirrored else 1.0 for r in own])
    return own[int(rng.choice(len(own), p=shares / shares.sum()))].up


def lie(
    pig: Pig,
    pose: Pose,
    paint: Paint,
    at: tuple[float, float],
    rng: np.random.Generator,
    wobble_deg: float = 2.0,
) -> Placed:
    """Lay a pig at rest in a pose, turned any way; rubber and table are never quite even."""
    up = up_for(pig, pose, rng) + rng.normal(0, np.radians(wobble_deg), 3)
    rotation = stand(up, rng.uniform(-np.pi, np.pi))
    return Placed(pig, rotation, drop_to_table(pig, rotation, at), paint, pose.value)


def unsettled(pig: Pig, paint: Paint, at: tuple[float, float], rng: np.random.Generator) -> Placed:
    """Hold a pig 28 degrees or more from every way to lie: tumbling, held, or leaning."""
    ups = [r.up for r in pig.rests if r.pose] + [
        np.array(u) for us in USUAL_UP.values() for u in us
    ]
    known = np.stack([u / np.linalg.norm(u) for u in ups])
    for _ in range(100):
        up = rng.normal(size=3)
        up /= np.linalg.norm(up)
        if (known @ up).max() < np.cos(np.radians(28)):
            break
    rotation = stand(up, rng.uniform(-np.pi, np.pi))
    position = drop_to_table(pig, rotation, at)
    if rng.random() < 0.4:
        position[2] += rng.uniform(0, 18)
    return Placed(pig, rotation, position, paint, "other")


def moved(placed: Placed, yaw_rad: float, at: Vec) -> Placed:
    """Turn a pig about the world's vertical axis, then shift it by `at`, millimetres [3]."""
    turn = rotation_about(np.array([0.0, 0.0, 1.0]), yaw_rad)
    position = turn @ placed.position + at
    return replace(placed, rotation=turn @ placed.rotation, position=position)


def move_beside(fixed: Placed, moved: Placed, gap: float, direction_rad: float) -> Placed:
    """Slide `moved` along the table towards `fixed` until `gap` millimetres are between them."""
    from scipy.spatial import cKDTree

    tree = cKDTree(fixed.world(fixed.pig.shadow.vertices))
    way = np.array([np.cos(direction_rad), np.sin(direction_rad), 0.0])
    home = np.array([fixed.position[0], fixed.position[1], moved.position[2]])
    corners = moved.pig.shadow.vertices @ moved.rotation.T
    near, far = 4.0, 45.0 + gap
    for _ in range(9):
        middle = 0.5 * (near + far)
        found, _ = tree.query(corners + home + way * middle, distance_upper_bound=gap + 0.6)
        near, far = (middle, far) if float(found.min()) < gap + 0.6 else (near, middle)
    return Placed(moved.pig, moved.rotation, home + way * far, moved.paint, moved.label)
