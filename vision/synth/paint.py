"""Colours of pigs: the common pink, its worn and tanned sisters, and other editions."""

from __future__ import annotations

import colorsys
from dataclasses import replace

import numpy as np

from vision.synth.scene import Colour, Paint


def _linear(r: float, g: float, b: float) -> Colour:
    return (float(r**2.2), float(g**2.2), float(b**2.2))


def hsv(h: float, s: float, v: float) -> Colour:
    """Give the linear colour of an sRGB hue, saturation and value (hue wraps around)."""
    return _linear(*colorsys.hsv_to_rgb(h % 1.0, float(np.clip(s, 0, 1)), float(np.clip(v, 0, 1))))


def sample_paint(rng: np.random.Generator) -> Paint:
    """Draw one pig's colours: four in five are flesh to pink, half have lost some paint."""
    edition = rng.random()
    dot = hsv(rng.random(), rng.uniform(0, 0.4), rng.uniform(0.04, 0.2))
    if edition < 0.82:  # flesh, pink, tan, worn pale
        skin = hsv(rng.normal(0.035, 0.02), rng.uniform(0.18, 0.52), rng.uniform(0.68, 0.99))
    elif edition < 0.9:  # chocolate, grey, black; their dots are painted lighter or darker
        skin = hsv(rng.uniform(0.0, 0.12), rng.uniform(0.0, 0.6), rng.uniform(0.2, 0.55))
        if rng.random() < 0.5:
            dot = hsv(rng.random(), 0.1, rng.uniform(0.75, 1.0))
    else:  # white, gold, green, blue and the rest of the rainbow
        skin = hsv(rng.random(), rng.uniform(0.0, 0.7), rng.uniform(0.5, 1.0))
    hoof = hsv(rng.normal(0.88, 0.04), rng.uniform(0.5, 0.95), rng.uniform(0.35, 0.85))
    if rng.random() < 0.12:
        hoof = hsv(rng.random(), rng.uniform(0.2, 0.9), rng.uniform(0.15, 0.9))
    bare = rng.random() < 0.35
    return Paint(
        skin=skin,
        hoof=hoof,
        hoof_wear=1.1 if bare else float(rng.beta(1.2, 2.2)),
        snout_wear=1.1 if rng.random() < 0.4 else float(rng.beta(1.3, 1.6)),
        eye_wear=1.1 if rng.random() < 0.15 else float(rng.beta(1, 4)),
        dot=dot,
        dot_wear=float(rng.beta(1, 12)),
        hoof_reach=float(rng.uniform(1.2, 3.4)),
        gloss=float(rng.beta(1.6, 3.0)),
        mottle=float(rng.uniform(0.02, 0.14)),
        translucency=float(rng.uniform(0.05, 0.55)),
        seed=float(rng.uniform(0, 1000)),
    )


def sister_paint(rng: np.random.Generator, paint: Paint) -> Paint:
    """Paint for the other pig of the same box: the same colours, other wear."""
    other = sample_paint(rng)
    factor = rng.normal(1.0, 0.04)
    skin = tuple(float(np.clip(c * factor, 0, 1)) for c in paint.skin)
    return replace(
        other, skin=(skin[0], skin[1], skin[2]), hoof=paint.hoof, dot=paint.dot,
        hoof_reach=paint.hoof_reach, gloss=paint.gloss, translucency=paint.translucency,
        hoof_wear=float(np.clip(paint.hoof_wear + rng.normal(0, 0.1), 0, 1.1)),
    )  # fmt: skip
