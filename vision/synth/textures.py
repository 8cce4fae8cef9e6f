"""Table tops: procedural surfaces and a few photographs that packages ship."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.synth.photographs import Photographs, find_photographs

Texture = NDArray[np.uint8]
Grey = NDArray[np.float32]
Kind = Callable[[np.random.Generator, int], NDArray[np.float64]]
"""Draws one table top of a kind: float64[size, size, 3] sRGB, 0 to 255."""

SIZE = 512


def texture_stack(
    seed: int, count: int = 48, size: int = SIZE,
    photographed: float = 0.0, photographs: Photographs | None = None,
) -> Texture:  # fmt: skip
    """Make `count` tileable-enough table tops: uint8[count, size, size, 3] sRGB.

    The same seed gives the same stack. Kinds take turns, so that every stack has each of them; a
    share `photographed` of them is made of `photographs` (the fetched ones when left out): patches
    of one, cut-outs strewn over another kind, and both.
    """
    rng = np.random.default_rng([seed, 0x7AB1E])
    if photographed and photographs is None:
        photographs = find_photographs()
    stack = np.empty((count, size, size, 3), np.uint8)
    for i in range(count):
        table = _KINDS[i % len(_KINDS)]
        if photographed and photographs and rng.random() < photographed:
            top = _photographed(rng, size, table, photographs)
        else:
            top = table(rng, size)
        stack[i] = np.clip(top, 0, 255).astype(np.uint8)
    return stack


def _photographed(
    rng: np.random.Generator, size: int, table: Kind, photographs: Photographs
) -> NDArray[np.float64]:
    patch, strewn = rng.random(2) < (0.6, 0.55)
    if not (patch or strewn):
        patch = True
    top = photographs.patch(rng, size) if patch else table(rng, size)
    return photographs.strew(rng, top) if strewn else top


def _noise(rng: np.random.Generator, size: int, cells_x: int, cells_y: int) -> Grey:
    """Smooth noise in 0 to 1 that repeats at the edges."""
    import cv2

    grid = rng.random((cells_y, cells_x)).astype(np.float32)
    grid = np.pad(grid, 2, mode="wrap")
    per_x, per_y = size / cells_x, size / cells_y
    big = cv2.resize(
        grid, (round(per_x * (cells_x + 4)), round(per_y * (cells_y + 4))),
        interpolation=cv2.INTER_CUBIC,
    )  # fmt: skip
    x, y = round(2 * per_x), round(2 * per_y)
    return np.asarray(big[y : y + size, x : x + size], np.float32)


def _fractal(rng: np.random.Generator, size: int, first: int = 4, octaves: int = 5) -> Grey:
    total = np.zeros((size, size), np.float32)
    weight = 1.0
    for octave in range(octaves):
        cells = min(first * 2**octave, size)
        total += weight * _noise(rng, size, cells, cells)
        weight *= 0.55
    return _stretch(total)


def _stretch(grey: Grey) -> Grey:
    return np.asarray((grey - grey.min()) / max(float(np.ptp(grey)), 1e-6), np.float32)


def _mix(grey: Grey, dark: NDArray[np.float64], light: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(dark + (light - dark) * grey[..., None], np.float64)


def _two_tones(
    rng: np.random.Generator, low: int = 40, high: int = 230, near: float = 60
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    base = rng.uniform(low, high) + rng.normal(0, 22, 3)
    other = base + rng.uniform(0.3, 1.0) * near + rng.normal(0, 8, 3)
    return np.clip(base, 5, 250), np.clip(other, 5, 250)


_WOODS = ((96, 60, 36), (140, 94, 58), (186, 140, 92), (70, 44, 30), (205, 170, 125), (120, 70, 50))


def _wood(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    yy = np.linspace(0, 1, size, dtype=np.float32)[:, None]
    warp = _noise(rng, size, 3, 6) * rng.uniform(0.02, 0.2)
    rings = np.sin((yy + warp) * 2 * np.pi * int(rng.integers(5, 22)))
    fibre = _noise(rng, size, 6, size // 2)
    grey = _stretch(0.5 * rings.astype(np.float32) + rng.uniform(0.4, 1.6) * fibre)
    base = np.array(_WOODS[rng.integers(len(_WOODS))], float) * rng.uniform(0.75, 1.2)
    wood = _mix(grey, base * 0.72, base * 1.22)
    if rng.random() < 0.5:  # boards
        for edge in np.arange(0, size, size // int(rng.integers(2, 6))):
            wood[edge : edge + 2] *= 0.45
    return wood


def _felt(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    base = np.array([rng.uniform(20, 200) for _ in range(3)])
    fine = rng.normal(0, 1, (size, size)).astype(np.float32)
    grey = _stretch(0.35 * fine + 2.0 * _fractal(rng, size, 8, 4))
    return _mix(grey, base * 0.85, np.minimum(base * 1.15, 250))


def _weave(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    n = int(rng.integers(40, 130))
    t = np.arange(size) * n * np.pi / size
    a = np.abs(np.sin(t))[:, None] * (np.sin(t / 2)[None, :] > 0)
    b = np.abs(np.sin(t))[None, :] * (np.sin(t / 2)[:, None] <= 0)
    grey = _stretch((a + b).astype(np.float32) + 0.5 * _fractal(rng, size, 16, 3))
    return _mix(grey, *_two_tones(rng))


def _checks(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    n = int(rng.integers(3, 14))
    stripe = (np.arange(size) * n // size % 2).astype(np.float32)
    weight = rng.uniform(0.3, 1.0)
    grey = _stretch(stripe[:, None] + stripe[None, :] * weight)
    grey = _stretch(grey + 0.15 * _fractal(rng, size, 32, 3))
    tones = rng.uniform(10, 250, (2, 3))
    return _mix(grey, tones[0], tones[1])


def _stone(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    veins = np.abs(_fractal(rng, size, 3, 6) - 0.5) * 2
    grey = np.clip(veins ** rng.uniform(0.3, 1.0), 0, 1).astype(np.float32)
    speck = rng.random((size, size)).astype(np.float32) < rng.uniform(0, 0.08)
    return _mix(np.where(speck, 1 - grey, grey).astype(np.float32), *_two_tones(rng, 20, 220, 90))


def _print(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Make a printed page: lines of words and a grey picture."""
    page = np.full((size, size, 3), rng.uniform(190, 250), float) + rng.normal(0, 5, 3)
    pitch = int(rng.integers(9, 26))
    ink = rng.uniform(10, 90)
    for y in range(4, size - pitch, pitch):
        x = 6
        while x < size - 10:
            word = int(rng.integers(8, 60))
            page[y : y + pitch // 2, x : x + word][
                rng.random((pitch // 2, min(word, size - x))) < 0.55
            ] = ink
            x += word + int(rng.integers(4, 12))
    for _ in range(int(rng.integers(0, 4))):
        x, y = (int(v) for v in rng.integers(0, size - 100, 2))
        w, h = (int(v) for v in rng.integers(50, 200, 2))
        page[y : y + h, x : x + w] = rng.uniform(20, 240, 3)
    return page


def _plain(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    base = np.clip(rng.uniform(15, 250) + rng.normal(0, 18, 3), 3, 252)
    return _mix(_fractal(rng, size, 4, 3), base * 0.95, np.minimum(base * 1.04, 255))


def _shapes(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Make a patterned cloth or oilcloth: blots of colour, some pink."""
    import cv2

    cloth = np.full((size, size, 3), rng.uniform(20, 245, 3), np.uint8)
    for _ in range(int(rng.integers(10, 70))):
        x, y = (int(v) for v in rng.integers(0, size, 2))
        colour = rng.uniform(10, 250, 3)
        if rng.random() < 0.3:
            colour = np.array([rng.uniform(190, 250), rng.uniform(110, 180), rng.uniform(110, 180)])
        r = int(rng.integers(6, 60))
        if rng.random() < 0.5:
            cv2.circle(cloth, (x, y), r, colour.tolist(), -1, cv2.LINE_AA)
        else:
            axes = (r, max(2, int(r * rng.uniform(0.2, 1.0))))
            cv2.ellipse(
                cloth, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, colour.tolist(), -1
            )
    return cloth.astype(float)


def _photograph(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Take a patch of a photograph from scikit-image's or SciPy's own wheel."""
    import cv2
    from skimage import data

    name = str(
        rng.choice(["astronaut", "brick", "coffee", "grass", "gravel", "cat", "rocket", "coins"])
    )
    picture = getattr(data, name)()
    if picture.ndim == 2:
        picture = np.repeat(picture[..., None], 3, axis=2)
    side = int(min(picture.shape[:2]) * rng.uniform(0.4, 1.0))
    y = int(rng.integers(0, picture.shape[0] - side + 1))
    x = int(rng.integers(0, picture.shape[1] - side + 1))
    patch = cv2.resize(picture[y : y + side, x : x + side, :3], (size, size))
    tint = rng.uniform(0.6, 1.25, 3)
    return np.asarray(np.rot90(patch, int(rng.integers(4))) * tint, float)


_KINDS: tuple[Kind, ...] = (
    _wood, _plain, _felt, _weave, _wood, _stone, _plain, _checks, _print, _photograph, _shapes,
    _wood,
)  # fmt: skip
