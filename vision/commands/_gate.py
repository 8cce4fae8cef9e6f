"""What `sooee models use` does, apart from words: load, compare, install."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vision.artefacts import artefact_dir
from vision.learn.evaluate_sets import load_set
from vision.learn.gate import Verdict, compare, held_out_photos
from vision.photos.photo_set import PhotoSet
from vision.recognize.installed import Installed, models_in_use
from vision.recognize.recognizer import Recognizer

FROZEN = ("frames",)
"""The frozen sets of throws as they fall; other sets may be named in their place."""

PAIRS = ("contacts",)
"""The frozen sets of pairs that touch, are stacked or nearly touch: always read."""


def run_gate(
    candidate: Path, sets: Sequence[Path], photo_sets: Sequence[Path]
) -> tuple[Verdict, str | None]:
    """Compare a candidate with the models in use, and install it if it may; gives its name."""
    new = Recognizer.load(candidate)
    old = Recognizer.load(models_in_use())
    datasets = artefact_dir("datasets")
    throws = sets or [datasets / name for name in FROZEN]
    chosen = [load_set(p) for p in (*throws, *(datasets / name for name in PAIRS))]
    for folder in photo_sets:
        with PhotoSet.open(folder) as photos:
            chosen.append(held_out_photos(photos))
    verdict = compare(old, new, chosen)
    return verdict, Installed().install(candidate) if verdict.accepted else None
