"""Composing pictures of two pigs that lie close: against, on, or a hair from each other."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoring.throw import Contact, Pose
from vision.recognize.crop import Box, union
from vision.synth import placing
from vision.synth.camera import sample_camera, view_tilt_deg
from vision.synth.compose import (
    SISTER_SHARES,
    Props,
    compose_scene,
    inside_share,
    near_things,
    projected_box,
)
from vision.synth.paint import sample_paint, sister_paint
from vision.synth.physics_gap import Surface, gap_between
from vision.synth.recipe import Recipe
from vision.synth.scene import Paint, Placed, Scene

TOUCH_MM = 0.08
"""Surfaces this near touch: pairs laid by physics are closed to within 0.06 mm."""

LIFTED_MM = 0.5
"""A pig this far off the table is carried by the other one."""

LAID_CLOSE = 0.45
"""The share of apart pairs that physics slid to a gap below 5 mm; the others lie anywhere near."""


@dataclass(frozen=True, slots=True, eq=False)
class ComposedPair:
    """A scene with two pigs, their contact, and the box around both in full-picture pixels."""

    scene: Scene
    contact: Contact
    box: Box
    gap_mm: float
    tilt_deg: float
    pig_px: float


def compose_pair(
    rng: np.random.Generator, recipe: Recipe, props: Props, contact: Contact
) -> ComposedPair:
    """Compose two pigs near each other, with this contact."""
    while True:
        pig_px = float(np.exp(rng.uniform(np.log(recipe.pig_px[0]), np.log(recipe.pig_px[1]))))
        target = np.array([0.0, 0.0, 6.0])
        camera = sample_camera(rng, target, pig_px, recipe.tilt_deg)
        pigs, gap = draw_pair(rng, recipe, props, contact)
        things = near_things(rng, recipe, props, camera, pigs, touching=False)
        scene = compose_scene(rng, recipe, props, camera, pigs, things, radius=64.0)
        boxes = [projected_box(camera, p) for p in pigs]
        if all(inside_share(box, camera.full) > 0.95 for box in boxes):
            tilt = view_tilt_deg(camera, target)
            return ComposedPair(scene, contact, union(*boxes), gap, tilt, pig_px)


def draw_pair(
    rng: np.random.Generator, recipe: Recipe, props: Props, contact: Contact
) -> tuple[tuple[Placed, Placed], float]:
    """Draw two pigs with this contact, and give their gap in mm."""
    paint = sample_paint(rng)
    paints = (paint, sister_paint(rng, paint))
    if contact is Contact.APART and rng.random() >= LAID_CLOSE:
        return _side_by_side(rng, recipe, props, paints)
    while True:
        rest = props.pairs.pick(rng, contact)
        if rest.contact is not Contact.APART or rest.gap_mm >= recipe.least_gap:
            break
    yaw = rng.uniform(-np.pi, np.pi)
    one, two = (placing.moved(p, yaw, np.zeros(3)) for p in rest.place(props.pigs, paints))
    return (one, two), rest.gap_mm


def _side_by_side(
    rng: np.random.Generator, recipe: Recipe, props: Props, paints: tuple[Paint, Paint]
) -> tuple[tuple[Placed, Placed], float]:
    """Lay two pigs a few millimetres apart: the nearer the oftener."""
    gap = recipe.least_gap + float(
        rng.exponential(4.0) if rng.random() < 0.7 else rng.uniform(0, 14)
    )
    poses = [Pose(rng.choice(list(Pose), p=SISTER_SHARES)) for _ in paints]
    fixed, moved = (
        placing.lie(props.pigs.pick(rng), pose, paint, (0.0, 0.0), rng)
        for pose, paint in zip(poses, paints, strict=True)
    )
    moved = placing.move_beside(fixed, moved, gap, rng.uniform(-np.pi, np.pi))
    middle = (fixed.position + moved.position) / 2 * [1.0, 1.0, 0.0]
    one, two = (replace(p, position=p.position - middle) for p in (fixed, moved))
    return (one, two), gap


def contact_between(one: Placed, two: Placed) -> tuple[Contact, float]:
    """Say how two pigs lie to each other, and the gap between their surfaces in millimetres."""
    a, b = (Surface.of(p.pig.mesh, p.rotation, p.position) for p in (one, two))
    gap = gap_between(a, b)
    if gap > TOUCH_MM:
        return Contact.APART, gap
    lifted = max(float(s.corners[:, 2].min()) for s in (a, b)) > LIFTED_MM
    return (Contact.STACKED if lifted else Contact.TOUCHING), 0.0
