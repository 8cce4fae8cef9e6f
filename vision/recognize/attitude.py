"""How a pig is turned as the camera sees it: its nose and its back, in the axes of sight.

The axes of the line of sight to the pig: x to the right of the picture, y down it, z away from
the camera. The pose network gives both as three numbers each, for each look at a crop.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.recognize.gaze import View

Attitudes = NDArray[np.float64]
"""float64[N, 2, 3]: nose and back of N pigs; shorter than 1 where the looks disagree."""


def together(raw: NDArray[np.float64], views: Sequence[View]) -> Attitudes:
    """Average the attitudes [N, views, 6] that looks at N crops gave, each turned back first."""
    turns = np.radians([turn for turn, _ in views])
    c, s = np.cos(turns), np.sin(turns)
    parts = raw.reshape(len(raw), len(views), 2, 3)
    # A look turns the picture against the clock (y down): x' = cx + sy, y' = cy - sx.
    x, y, z = np.moveaxis(parts, -1, 0)
    cs, ss = c[None, :, None], s[None, :, None]
    turned = np.stack([cs * x - ss * y, ss * x + cs * y, z], axis=-1)
    return np.asarray(turned.mean(axis=1), np.float64)


def rotations(attitudes: Attitudes) -> NDArray[np.float64]:
    """Give the rotations [N, 3, 3] from the pigs' frames (x nose, y left, z back) to the sight's.

    The nose and the back are made square to each other, each giving way as much.
    """
    nose, back = (unit(attitudes[:, i]) for i in (0, 1))
    middle, across = unit(nose + back), unit(nose - back)
    nose, back = (middle + across) / np.sqrt(2), (middle - across) / np.sqrt(2)
    return np.stack([nose, np.cross(back, nose), back], axis=2)


def unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give vectors [..., 3] the length 1."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-9), np.float64)
