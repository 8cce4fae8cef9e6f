"""Making a classifier's probabilities mean what they say: its temperature, from labelled crops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.learn.evaluate import read_crop
from vision.learn.evaluate_rates import fit_temperature, reliability
from vision.learn.evaluate_sets import SetError, class_folders, crop_notes, pictures_in
from vision.learn.shelf import set_fields
from vision.recognize.attitude import rotations
from vision.recognize.manifest import CLASSES, Role, load_manifest
from vision.recognize.pose import Classifier, Seen, calibrate
from vision.recognize.reading import OTHER, POSE_CLASSES
from vision.recognize.runtime import open_network
from vision.recognize.stances import FEWEST, Stance, fit_stances


@dataclass(frozen=True, slots=True)
class Calibration:
    """A temperature, and the calibration error (ECE) on the same crops without and with it.

    `stances` are those of a pose model that says how pigs are turned.
    """

    temperature: float
    error_before: float
    error_after: float
    count: int
    stances: tuple[Stance, ...] = ()


def calibrate_model(folder: Path, crops: Path, role: Role = Role.POSE) -> Calibration:
    """Fit a classifier's temperature on crops it was not trained on, and write it down.

    `crops` has a folder a class of the role, with or without a number in front. The frozen test
    sets are not for this: what is fitted on them is not measured by them. A pose model that says
    how pigs are turned learns its stances too, where the crops' notes know the table's normal and
    there are enough; else it keeps those that it has.
    """
    manifest = load_manifest(folder)
    entry = manifest.need(role)
    classifier = Classifier(open_network(manifest, entry), replace(entry, temperature=1.0))
    labelled = labelled_crops(crops, CLASSES[role])
    seen = [classifier.see([read_crop(path, classifier.size)]) for path, _ in labelled]
    logs = np.concatenate([s.logs for s in seen])
    truth = np.array([number for _, number in labelled])
    temperature = round(fit_temperature(logs, truth), 3)
    hits = (logs.argmax(axis=1) == truth).astype(np.float64)
    before, after = (
        reliability(np.exp(calibrate(logs, t)).max(axis=1), hits)[1] for t in (1.0, temperature)
    )
    stances = _stances(crops, [path for path, _ in labelled], seen) if role is Role.POSE else ()
    learnt = {"stances": stances} if stances else {}
    set_fields(folder, role, temperature=temperature, **learnt)
    return Calibration(temperature, before, after, len(truth), stances)


def _stances(crops: Path, paths: Sequence[Path], seen: Sequence[Seen]) -> tuple[Stance, ...]:
    """Fit where up is for pigs in each pose, as the network sees them turned."""
    notes = crop_notes(crops)
    ups, poses = [], []
    for path, one in zip(paths, seen, strict=True):
        note = notes.get(path.relative_to(crops).as_posix(), {})
        if one.attitudes is not None and note.get("normal") and note["label"] != OTHER:
            ups.append(rotations(one.attitudes)[0].T @ np.array(note["normal"]))
            poses.append(str(note["label"]))
    fewest = min(poses.count(pose) for pose in POSE_CLASSES if pose != OTHER)
    return fit_stances(np.array(ups), poses) if fewest >= FEWEST else ()


def labelled_crops(crops: Path, classes: Sequence[str]) -> list[tuple[Path, int]]:
    """Give the pictures of a folder a class, each with its class's number, in a fixed order."""
    if not crops.is_dir():
        raise SetError(f"there is no folder {crops}")
    found = [
        (path, list(classes).index(name))
        for place, name in class_folders(crops, classes).items()
        for path in pictures_in(place)
    ]
    if not found:
        raise SetError(
            f"{crops} has no pictures with labels: expected a folder for each of "
            f"{', '.join(classes)}"
        )
    return found
