"""How a taught network looks at a crop: pigs recoloured to what it knows, from several views.

A network that learnt on flesh-coloured pigs reads a blue one badly, however well its shape is
seen. Shown a user's pigs, their colour is known, so it can be shifted to the colour the network
learnt on. And several views of one crop, slightly turned or scaled, read together are steadier
than one. Nothing is ever mirrored: the dot is on one flank only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image

Lab = tuple[float, float, float]
"""A colour in CIE Lab: lightness 0 to 100, a and b about -128 to 127."""

FLESH: Lab = (75.0, 19.0, 24.0)
"""The commonest colour of pigs in training (sRGB 232, 170, 140)."""

View = tuple[float, float]
"""(turn in degrees, scale) of a look at a crop."""

STRAIGHT: tuple[View, ...] = ((0.0, 1.0),)
AROUND: tuple[View, ...] = ((0.0, 1.0), (90.0, 1.0), (180.0, 1.0), (270.0, 1.0))
LEANED: tuple[View, ...] = ((0.0, 1.0), (12.0, 1.0), (-12.0, 1.0), (24.0, 1.0), (-24.0, 1.0))
NEAR: tuple[View, ...] = ((0.0, 1.0), (10.0, 1.0), (-10.0, 1.0), (0.0, 0.92), (0.0, 1.1))

VIEWS: Mapping[str, tuple[View, ...]] = MappingProxyType(
    {"straight": STRAIGHT, "leaned": LEANED, "near": NEAR, "around": AROUND}
)
"""Ways to look. `around` suits a camera that looks straight down; seen at a slant, up matters."""

SPARE = 4 / 3
"""Crops are taken so many times larger than the network's input, so that views stay sharp."""

_LIGHTNESS_SHARE = 0.1  # of the distance in colour: shading is no other colour


@dataclass(frozen=True, slots=True)
class Recolour:
    """Shifts what has the pigs' colour towards `FLESH`.

    `pig` is their colour; `reach` how far from it, in Lab units, a pixel still counts mostly as
    pig; `lightness` 0 to 1 how much of the lightness is shifted as well.
    """

    pig: Lab
    reach: float
    lightness: float

    def __call__(self, image: Image) -> Image:
        """Give the image, uint8[H, W, 3] RGB, recoloured."""
        lab = _to_lab(image)
        away = lab - np.array(self.pig, np.float32)
        squared = (away[..., 1:] ** 2).sum(axis=-1) + _LIGHTNESS_SHARE * away[..., 0] ** 2
        share = np.exp(-squared / (2 * self.reach**2))[..., None]
        shift = np.array(FLESH, np.float32) - np.array(self.pig, np.float32)
        return _to_rgb(lab + share * shift * np.array([self.lightness, 1, 1], np.float32))


@dataclass(frozen=True, slots=True)
class Gaze:
    """How crops are looked at: `recolour` None leaves colours alone; `views` names of `VIEWS`."""

    recolour: Recolour | None = None
    views: str = "straight"

    def __post_init__(self) -> None:
        if self.views not in VIEWS:
            raise ValueError(f"expected views of {', '.join(VIEWS)}, got {self.views!r}")

    def __call__(self, crop: Image, size: int) -> list[Image]:
        """Give the looks at one crop, uint8[size, size, 3] each, one a view."""
        shown = crop if self.recolour is None else self.recolour(crop)
        return [look(shown, view, size) for view in VIEWS[self.views]]


PLAIN = Gaze(None, "leaned")
"""How the shipped reader looks, without any profile."""


def look(crop: Image, view: View, size: int) -> Image:
    """Turn and scale a square crop about its middle, and make it `size` pixels."""
    import cv2

    side = crop.shape[0]
    turn, scale = view
    quarters, rest = divmod(turn, 90.0)
    turned = np.ascontiguousarray(np.rot90(crop, int(quarters)))
    if rest == 0.0 and scale == 1.0:
        how = cv2.INTER_AREA if side > size else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(turned, (size, size), interpolation=how), np.uint8)
    middle = (side - 1) / 2
    matrix = cv2.getRotationMatrix2D((middle, middle), rest, scale * size / side)
    matrix[:, 2] += (size - side) / 2
    looked = cv2.warpAffine(
        turned, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(looked, np.uint8)


def pig_colour(crops: Sequence[Image]) -> Lab:
    """Give the colour that most of the middles of these crops have."""
    middles = []
    for crop in crops:
        edge = crop.shape[0] * 3 // 8
        middles.append(_to_lab(crop[edge:-edge, edge:-edge]).reshape(-1, 3))
    level, a, b = (float(v) for v in np.median(np.concatenate(middles), axis=0))
    return level, a, b


def _to_lab(image: Image) -> NDArray[np.float32]:
    import cv2

    scaled = np.ascontiguousarray(image, np.float32) / np.float32(255)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_RGB2LAB), np.float32)


def _to_rgb(lab: NDArray[np.float32]) -> Image:
    import cv2

    rgb = np.asarray(cv2.cvtColor(np.asarray(lab, np.float32), cv2.COLOR_LAB2RGB))
    return np.asarray(np.clip(rgb * 255 + 0.5, 0, 255), np.uint8)
