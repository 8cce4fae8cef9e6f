"""Making a classifier's probabilities mean what they say: its temperature, from labelled crops."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.learn.evaluate import read_crop
from vision.learn.evaluate_rates import fit_temperature, reliability
from vision.learn.evaluate_sets import SetError, load_set
from vision.learn.shelf import set_fields
from vision.recognize.manifest import Role, load_manifest
from vision.recognize.pose import Classifier, calibrate
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.runtime import open_network


@dataclass(frozen=True, slots=True)
class Calibration:
    """A temperature, and the calibration error (ECE) on the same crops without and with it."""

    temperature: float
    error_before: float
    error_after: float
    count: int


def calibrate_pose(folder: Path, crops: Path) -> Calibration:
    """Fit the pose model's temperature on crops it was not trained on, and write it down.

    The frozen test sets are not for this: what is fitted on them is not measured by them.
    """
    manifest = load_manifest(folder)
    entry = manifest.need(Role.POSE)
    plain = replace(entry, temperature=1.0)
    classifier = Classifier(open_network(manifest, entry), plain)
    pictures = [p for p in load_set(crops).pictures if p.crop and p.pigs[0].pose in POSE_CLASSES]
    if not pictures:
        raise SetError(f"{crops} has no crops of one pig, in a folder a pose")
    logs = np.stack([classifier([read_crop(p, classifier.size)])[0] for p in pictures])
    truth = np.array([POSE_CLASSES.index(str(p.pigs[0].pose)) for p in pictures])
    temperature = round(fit_temperature(logs, truth), 3)
    hits = (logs.argmax(axis=1) == truth).astype(np.float64)
    before, after = (
        reliability(np.exp(calibrate(logs, t)).max(axis=1), hits)[1] for t in (1.0, temperature)
    )
    set_fields(folder, Role.POSE, temperature=temperature)
    return Calibration(temperature, before, after, len(truth))
