"""The picture that a bench reads, at the size asked for: a given one, or a frozen render."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from vision.artefacts import artefact_dir
from vision.capture.frame import Image
from vision.errors import PictureError
from vision.recognize.picture import open_picture


def frozen_picture() -> Path | None:
    """Give the first frozen frame, which shows two pigs; None where there are none."""
    pictures = artefact_dir("datasets") / "frames"
    return min(pictures.glob("*.jpg"), default=None)


def picture_of_size(path: Path | None, size: str) -> Image:
    """Give uint8[H, W, 3] of `size`, like "1920x1080"; without a path a plain table.

    `PictureError` for a faulty size or picture.
    """
    import cv2

    parts = re.fullmatch(r"(\d{2,4})x(\d{2,4})", size)
    if parts is None:
        raise PictureError(f"expected a size like 1920x1080, got {size!r}")
    width, height = int(parts[1]), int(parts[2])
    if path is not None:
        resized = cv2.resize(open_picture(path), (width, height), interpolation=cv2.INTER_AREA)
        return np.asarray(resized, np.uint8)
    grain = np.random.default_rng(0).normal(0, 6, (height, width, 1))
    return np.clip(np.array([150.0, 110.0, 80.0]) + grain, 0, 255).astype(np.uint8)
