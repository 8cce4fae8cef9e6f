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

FROZEN = ("frames", "throws")
"""The frozen sets of whole pictures."""


def run_gate(
    candidate: Path, sets: Sequence[Path], photo_sets: Sequence[Path]
) -> tuple[Verdict, str | None]:
    """Compare a candidate with the models in use, and install it if it may; gives its name."""
    new = Recognizer.load(candidate)
    old = Recognizer.load(models_in_use())
    frozen = [p for p in (artefact_dir("datasets") / n for n in FROZEN) if p.is_dir()]
    chosen = [load_set(p) for p in (sets or frozen)]
    for folder in photo_sets:
        with PhotoSet.open(folder) as photos:
            chosen.append(held_out_photos(photos))
    verdict = compare(old, new, chosen)
    return verdict, Installed().install(candidate) if verdict.accepted else None
