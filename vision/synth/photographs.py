"""Photographs as table tops, and cut-outs of photographed things strewn over table tops.

Printed cloths, magazines, trays of clutter: what a locator takes for pigs lies on real tables, not
in formulas. The pictures are fetched once (`scripts/fetch_photographs.py`) and not shipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.errors import RenderError

TABLES, STAMPS = "tables", "stamps"
"""Folders of photographs: whole ones, and cut-outs whose surroundings are transparent."""

PINK = 0.25
"""Share of the cut-outs that are dyed as a pig's skin: colour alone must not make a pig."""


def photograph_folder() -> Path:
    """Folder where photographs are looked for."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("sooee")) / "photographs"


@dataclass(frozen=True, slots=True)
class Photographs:
    """Files of photographs, in the order that a seed draws from."""

    tables: tuple[Path, ...]
    stamps: tuple[Path, ...]

    def patch(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Cut a square of a photograph, turned by quarters and tinted: float64[size, size, 3]."""
        import cv2

        picture = _read(self.tables[int(rng.integers(len(self.tables)))])
        height, width = picture.shape[:2]
        side = int(min(height, width) * rng.uniform(0.3, 1.0))
        y, x = int(rng.integers(height - side + 1)), int(rng.integers(width - side + 1))
        patch = cv2.resize(
            picture[y : y + side, x : x + side, :3], (size, size), interpolation=cv2.INTER_AREA
        )
        tinted = patch * rng.uniform(0.7, 1.2) * (1 + rng.normal(0, 0.06, 3))
        return np.asarray(np.rot90(tinted, int(rng.integers(4))), np.float64)

    def strew(self, rng: np.random.Generator, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Lay 3 to 24 cut-outs on a table top float64[S, S, 3], turned and sized anyhow.

        They may hide each other and are cut at the edge, as a print is.
        """
        strewn = table.copy()
        largest = rng.uniform(0.12, 0.5)
        for _ in range(int(rng.integers(3, 25))):
            stamp = _read(self.stamps[int(rng.integers(len(self.stamps)))])
            side = len(table) * largest * float(np.exp(rng.uniform(np.log(0.25), 0.0)))
            at = rng.uniform(0, len(table), 2)
            if rng.random() < PINK:
                stamp = _as_skin(rng, stamp)
            _lay(strewn, stamp, at, side, rng.uniform(0, 360), rng.uniform(0.75, 1.1))
        return strewn


def find_photographs(folder: Path | None = None) -> Photographs:
    """List the photographs of a folder; raises `RenderError` when there are none."""
    root = folder or photograph_folder()
    found = Photographs(
        tuple(sorted((root / TABLES).glob("*.*"))), tuple(sorted((root / STAMPS).glob("*.png")))
    )
    if not found.tables or not found.stamps:
        raise RenderError(f"no photographs in {root}: run scripts/fetch_photographs.py first")
    return found


def _read(path: Path) -> NDArray[np.uint8]:
    """Read a picture as RGB, or as RGB and alpha where it has one."""
    import cv2

    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise RenderError(f"photograph {path.name} cannot be read: fetch the photographs again")
    if picture.ndim == 2:
        picture = np.repeat(picture[..., None], 3, axis=2)
    return np.asarray(np.concatenate([picture[..., 2::-1], picture[..., 3:]], axis=2), np.uint8)


def _as_skin(rng: np.random.Generator, stamp: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Dye a cut-out pink: its grey, stretched, times a colour of skin."""
    grey = stamp[..., :3].mean(axis=2, keepdims=True)
    light = 0.45 + 0.55 * (grey - grey.min()) / max(float(np.ptp(grey)), 1.0)
    skin = np.clip(np.array([235, 150, 135]) + rng.normal(0, 18, 3), 60, 255)
    return np.concatenate([light * skin, stamp[..., 3:]], axis=2).astype(np.uint8)


def _lay(
    table: NDArray[np.float64], stamp: NDArray[np.uint8], at: NDArray[np.float64],
    side: float, turn_deg: float, level: float,
) -> None:  # fmt: skip
    """Blend a cut-out, `side` pixels on its longer side, into a table top around `at` (x, y)."""
    import cv2

    height, width = stamp.shape[:2]
    factor = side / max(height, width)
    if factor < 0.5:  # shrinks without the aliases that a plain warp would leave
        to = (max(2, round(2 * factor * width)), max(2, round(2 * factor * height)))
        stamp = np.asarray(cv2.resize(stamp, to, interpolation=cv2.INTER_AREA), np.uint8)
        height, width = stamp.shape[:2]
        factor = side / max(height, width)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, factor)
    turn[:, 2] += at - np.array([width / 2, height / 2])
    rgba = stamp if stamp.shape[2] == 4 else np.dstack([stamp, np.full((height, width), 255)])
    laid = cv2.warpAffine(
        rgba.astype(np.float32), turn, (table.shape[1], table.shape[0]), flags=cv2.INTER_LINEAR
    )
    cover = laid[..., 3:] / 255
    table += cover * (laid[..., :3] * level - table)
