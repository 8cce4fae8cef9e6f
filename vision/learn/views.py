"""A beginning that a network can learn from nothing: poses told apart by where the nose points.

A pose looks different from every side, and a network with random weights finds nothing common in
them: it stays at chance for tens of thousands of crops. Told apart by heading as well, each class
looks like itself, and the features found that way carry over to the poses.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from vision.learn.training import TrainingError
from vision.recognize.reading import OTHER

SECTORS = 8
"""Headings in the picture's plane; towards the camera and away from it are two more."""

END_ON = 0.8
"""Share of the nose's direction along the line of sight from which a pig counts as end-on."""


def view_class(label: str, nose: tuple[float, float, float] | None) -> str:
    """Name the view of a pig: its pose and where its nose points.

    `nose` is a unit vector in the camera's frame (x right, y down, z away from the camera), as in
    a crop's sidecar. What is no pig at rest is `other`, whichever way it points.
    """
    if nose is None or label == OTHER:
        return OTHER
    x, y, z = nose
    if abs(z) > END_ON:
        return f"{label}-{'away' if z > 0 else 'towards'}"
    sector = round(float(np.arctan2(y, x)) / (2 * np.pi) * SECTORS) % SECTORS
    return f"{label}-{sector}"


def link_views(crops: Path, out: Path) -> int:
    """Lay a set of crops out anew by view, as hard links; gives how many pictures it holds.

    `crops` is a folder made by `sooee render` with its sidecars beside it; raises `TrainingError`
    when these are missing.
    """
    count = 0
    for line in _sidecars(crops):
        nose = line["nose"]
        name = view_class(str(line["label"]), None if nose is None else (nose[0], nose[1], nose[2]))
        source = crops / str(line["image"])
        target = out / name / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            os.link(source, target)
        count += 1
    if not count:
        raise TrainingError(f"no sidecars beside {crops}: render the crops with sooee render")
    return count


def _sidecars(crops: Path) -> Iterator[dict[str, Any]]:
    for block in sorted((crops.parent / f"{crops.name}.blocks").glob("*.jsonl")):
        for line in block.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)
