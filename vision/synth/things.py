"""What else lies on a table: cups, dice, coins, pens, cards, fruit, toys, fingers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.synth import sdf
from vision.synth.mesh import Mesh, mesh_solid
from vision.synth.paint import hsv
from vision.synth.scene import Colour
from vision.synth.sdf import Distances, Points


def make_things(seed: int, count: int = 60) -> list[Mesh]:
    """Make `count` meshes standing on z = 0 around the origin; kinds take turns."""
    rng = np.random.default_rng([seed, 0x7A1465])
    kinds = (_cup, _die, _coin, _rod, _card, _creature, _finger, _bowl, _creature, _block)
    return [_made(kinds[i % len(kinds)], rng) for i in range(count)]


def _made(kind: Callable[[np.random.Generator], Mesh], rng: np.random.Generator) -> Mesh:
    while True:
        try:
            return kind(rng)
        except ValueError:  # blobs drawn wholly below the table: draw another
            continue


def sample_colour(rng: np.random.Generator) -> Colour:
    """Draw any colour, pinks and fleshes more often than chance would."""
    if rng.random() < 0.35:
        return hsv(rng.normal(0.02, 0.03), rng.uniform(0.15, 0.6), rng.uniform(0.5, 1.0))
    return hsv(rng.random(), rng.uniform(0, 0.95), rng.uniform(0.05, 1.0))


def _mesh(solid: object, r: float, h: float, step: float, faces: int = 1400) -> Mesh:
    low, high = (-r - 2, -r - 2, -2.0), (r + 2, r + 2, h + 2)
    return mesh_solid(solid, low, high, step, faces=(faces,))[0]  # type: ignore[arg-type]


def _box(p: Points, half: Points, rounding: float) -> Distances:
    q = np.abs(p - np.array([0, 0, half[2]])) - half + rounding
    inside = np.minimum(q.max(axis=1), 0.0)
    return np.asarray(np.linalg.norm(np.maximum(q, 0), axis=1) + inside - rounding)


_UP = np.array([0.0, 0.0, 1.0])


def _cup(rng: np.random.Generator) -> Mesh:
    r, h = rng.uniform(15, 38), rng.uniform(20, 80)
    mid = np.array([0, 0, h / 2])

    def solid(p: Points) -> Distances:
        outer = sdf.disc(p, mid, _UP, r, h / 2, 1.0)
        inner = sdf.disc(p, mid + np.array([0, 0, 3.0]), _UP, r - 3.0, h / 2, 1.0)
        return np.maximum(outer, -inner)

    return _mesh(solid, r, h, max(r, h) / 22)


def _bowl(rng: np.random.Generator) -> Mesh:
    r = rng.uniform(20, 50)

    def solid(p: Points) -> Distances:
        d = np.linalg.norm(p - np.array([0, 0, r]), axis=1)
        return np.asarray(np.maximum(np.maximum(d - r, r - 3.5 - d), p[:, 2] - r * 0.8))

    return _mesh(solid, r, r, r / 16)


def _die(rng: np.random.Generator) -> Mesh:
    a = rng.uniform(5, 11)
    return _mesh(lambda p: _box(p, np.array([a, a, a]), a * 0.25), a * 1.1, 2 * a, a / 9)


def _block(rng: np.random.Generator) -> Mesh:
    half = rng.uniform([5, 3, 2], [40, 25, 20])
    return _mesh(
        lambda p: _box(p, half, 1.2), float(half.max()), 2 * half[2], float(half.max()) / 20
    )


def _coin(rng: np.random.Generator) -> Mesh:
    r, h = rng.uniform(8, 16), rng.uniform(1.2, 3.5)
    return _mesh(lambda p: sdf.disc(p, np.array([0, 0, h / 2]), _UP, r, h / 2, 0.4), r, h, r / 18)


def _card(rng: np.random.Generator) -> Mesh:
    half = np.array([rng.uniform(28, 80), rng.uniform(20, 45), rng.uniform(0.5, 4.5)])
    return _mesh(lambda p: _box(p, half, 0.4), float(half.max()), 2 * half[2], 1.6, 600)


def _rod(rng: np.random.Generator) -> Mesh:
    length, r = rng.uniform(20, 75), rng.uniform(2.0, 7)
    a, b = np.array([-length, 0, r]), np.array([length, 0, r])
    return _mesh(lambda p: sdf.round_cone(p, a, b, r, r * 0.8), length + r, 2 * r, r / 3, 700)


def _finger(rng: np.random.Generator) -> Mesh:
    """Two or three fingers reaching in."""
    r = rng.uniform(6.5, 9.5)
    count = int(rng.integers(1, 4))

    def solid(p: Points) -> Distances:
        d = np.full(len(p), np.inf)
        for i in range(count):
            y = (i - (count - 1) / 2) * r * 2.1
            tip, knuckle = np.array([0, y * 0.8, r * 0.9]), np.array([38, y, r * 2.2])
            hand = np.array([70, y * 0.9, r * 2.0])
            one = sdf.smooth_union(
                sdf.round_cone(p, tip, knuckle, r * 0.85, r),
                sdf.round_cone(p, knuckle, hand, r, r * 1.3), 2.0,
            )  # fmt: skip
            d = sdf.smooth_union(d, one, 2.0)
        return d

    return _mesh(solid, 82, r * 4, 1.8, 1800)


def _creature(rng: np.random.Generator) -> Mesh:
    """Something of a toy's or a fruit's shape that is no pig: the hardest kind of neighbour."""
    size = rng.uniform(5, 14)
    blobs = [
        (
            rng.normal(0, size * 0.55, 3) * [1, 1, 0.5] + [0, 0, size * 0.8],
            rng.uniform(0.25, 0.8, 3) * size,
        )
        for _ in range(int(rng.integers(1, 7)))
    ]

    def solid(p: Points) -> Distances:
        d = np.full(len(p), 1e6)
        for centre, radii in blobs:
            d = sdf.smooth_union(d, sdf.ellipsoid(p, centre, radii), size * 0.25)
        return np.asarray(np.maximum(d, -p[:, 2]))

    return _mesh(solid, size * 2.6, size * 3, size / 8, 1800)
