"""A folder of models to compare with those in use: theirs, with one just trained in its place."""

from __future__ import annotations

import shutil
from pathlib import Path

from vision.learn.calibrate import calibrate_model
from vision.learn.shelf import put_model
from vision.learn.training import Training
from vision.recognize.installed import models_in_use
from vision.recognize.manifest import Role, load_manifest


def make_candidate(
    onnx: Path,
    training: Training,
    pictures: Path,
    into: Path,
    *,
    recipe: str,
    trained_with: str,
) -> Path:
    """Lay a trained model and the others in use into the folder `into`; gives it.

    `pictures` is what it was trained on; the temperature of a classifier is fitted on their
    `val` part, and where up is for pigs in each pose, if their notes know; else it stays as the
    model in use has it. `recipe` and `trained_with` are told in its card. What lay in `into`
    before goes.
    """
    used = models_in_use()
    role = Role(training.role)
    known = next((m for m in load_manifest(used).models if m.role is role), None)
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(used, into)
    (into / f"{role}.md").unlink(missing_ok=True)  # its notes are on the model before
    put_model(
        into,
        role,
        onnx,
        recipe=recipe,
        seed=training.seed,
        trained_with=trained_with,
        input_px=training.image_px if known is None else known.input_px,
        threshold=0.25 if known is None else known.threshold,
        stances=() if known is None else known.stances,
    )
    if role is not Role.LOCATOR:
        calibrate_model(into, pictures / "val", role)
    return into
