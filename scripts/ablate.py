"""What each ingredient of the crops is worth: `python scripts/ablate.py OUT --start START.pt`.

Each arm is `crops-more` without one ingredient: as many crops are rendered, the pose model is
trained on them as long, and reads the same development crops, rendered with everything, and the
photographs of a folder. Arms that were read already are skipped, so a stopped run goes on; needs
the `train` extra. The table is written to OUT/ablations.json and told.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
import numpy as np
import tomli_w

from vision.artefacts import artefact_dir
from vision.learn.evaluate import PigRecord, read_set
from vision.learn.evaluate_rates import Rate, rate
from vision.learn.evaluate_sets import load_set
from vision.learn.shelf import put_model
from vision.learn.train import export, train, trained_with
from vision.learn.training import load_training
from vision.recognize.manifest import Role
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.recognizer import Recognizer

RECIPE, SEED = "crops-more", 91
HARD = ("snouter", "leaning_jowler")


@dataclass(frozen=True, slots=True)
class Arm:
    """One way to do without something: what differs in the recipe, and in the training."""

    recipe: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    start: bool = True


ARMS = {
    "everything": Arm(),
    "one pig's shape": Arm({"shapes": [1201, 1]}),
    "no photographs": Arm({"photographs": 0.0}),
    "plain tables only": Arm({"photographs": 0.0, "plain_table": 1.0}),
    "no things": Arm({"thing": 0.0, "others": [0.4, 0.0, 0.2, 0.4]}),
    "no second pig": Arm({"sister": 0.0}),
    "no shadows": Arm({"no_shadow": 1.0}),
    "a perfect camera": Arm({"imperfection": 0.0}),
    "tilt up to 40 degrees": Arm({"tilt_deg": [0.0, 40.0]}),
    "pigs of 60 px and more": Arm({"pig_px": [60, 180]}),
    "not varied when shown": Arm(training={"strain": 0.0}),
    "crops of 64 px": Arm(training={"image_px": 64}),
    "crops of 128 px": Arm(training={"image_px": 128}),
    "no weights to start from": Arm(start=False),
}


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--start", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--val", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--real", type=click.Path(path_type=Path, exists=True), help="Photographs.")
@click.option("--count", type=int, default=5000, help="Crops an arm.")
@click.option("--epochs", type=int, default=4)
@click.option("--workers", type=int, default=2, help="Processes that render.")
@click.option("--only", multiple=True, type=click.Choice(tuple(ARMS)), help="These arms.")
def main(
    out: Path, start: Path, val: Path, real: Path | None, count: int, epochs: int, workers: int,
    only: tuple[str, ...],
) -> None:  # fmt: skip
    """Render, train and read every arm that is not in OUT yet."""
    told = out / "ablations.json"
    out.mkdir(parents=True, exist_ok=True)
    done = json.loads(told.read_text(encoding="utf-8")) if told.exists() else {}
    for name, arm in ARMS.items():
        if only and name not in only:
            continue
        if name not in done:
            place = out / name.replace(" ", "-").replace("'", "")
            renders = _renders(out, place, arm, val, count, workers)
            models = _model(place, arm, renders, start, epochs)
            done[name] = _read(models, val, real)
            told.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
        click.echo(f"{name:<26} {_line(done[name])}")


def _renders(out: Path, place: Path, arm: Arm, val: Path, count: int, workers: int) -> Path:
    """Render an arm's crops; arms that differ in training alone share those of `everything`."""
    folder = place if arm.recipe else out / "everything"
    recipe = artefact_dir("datasets") / "recipes" / f"{RECIPE}.toml"
    if arm.recipe:
        raw = {**_fields(recipe), **arm.recipe}
        recipe = folder / "recipe.toml"
        folder.mkdir(parents=True, exist_ok=True)
        recipe.write_text(tomli_w.dumps(raw), encoding="utf-8")
    renders = folder / "renders"
    # In a program of its own: what draws and what trains do not bear each other in one.
    render = [sys.executable, "-c", "from vision.cli import main; main()", "render"]
    of = ["--recipe", str(recipe), "--seed", str(SEED), "--count", str(count)]
    to = ["--workers", str(workers), "--out", str(renders / "train")]
    subprocess.run([*render, *of, *to], check=True)  # noqa: S603
    if not (renders / "val").exists():
        (renders / "val").symlink_to(val.resolve())
    return renders


def _fields(recipe: Path) -> dict[str, Any]:
    return tomllib.loads(recipe.read_text(encoding="utf-8"))


def _model(place: Path, arm: Arm, renders: Path, start: Path, epochs: int) -> Path:
    """Train an arm's pose model; gives a folder with it and the shipped others."""
    changes = {"epochs": epochs, "seed": 1, "strain": 0.7, **arm.training}
    settings = replace(load_training("pose"), **changes)
    run = place / "run"
    if run.exists():  # stopped half way: a few minutes are lost
        shutil.rmtree(run)
    best = train(settings, renders, run, start=start if arm.start else None, threads=1)
    models = place / "models"
    shutil.copytree(artefact_dir("models"), models, dirs_exist_ok=True)
    put_model(
        models, Role.POSE, export(best, settings), recipe=RECIPE, seed=SEED,
        trained_with=trained_with(), input_px=settings.image_px,
    )  # fmt: skip
    return models


def _read(models: Path, val: Path, real: Path | None) -> dict[str, Any]:
    recognizer = Recognizer.load(models)
    pigs = read_set(recognizer, load_set(val)).pigs
    six = [p for p in pigs if p.truth.pose != "other"]
    said = {
        "six poses": six,
        "snouter and leaning jowler": [p for p in six if p.truth.pose in HARD],
        "other": [p for p in pigs if p.truth.pose == "other"],
    }
    if real is not None:
        pictures = read_set(recognizer, load_set(real)).pigs
        said["photographs"] = [p for p in pictures if p.truth.pose is not None]
    return {name: _figures(rate([_is_right(p) for p in of])) for name, of in said.items()}


def _is_right(pig: PigRecord) -> bool:
    """Whether the pose model alone, on the true box, says what is there."""
    return pig.truth.is_read_right(POSE_CLASSES[int(np.argmax(pig.given))])


def _figures(r: Rate) -> dict[str, float]:
    return {"value": r.value, "low": r.low, "high": r.high, "count": r.count}


def _line(figures: Mapping[str, Mapping[str, float]]) -> str:
    return "  ".join(
        f"{name} {100 * f['value']:.1f} % ({100 * f['low']:.1f} to {100 * f['high']:.1f}, "
        f"n = {f['count']:.0f})"
        for name, f in figures.items()
    )


if __name__ == "__main__":
    main()
