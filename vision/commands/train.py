"""`sooee train`: train a model on renders and export it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from vision.learn.training import Training

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(epilog="Example: sooee train pose --renders renders/crops --out runs/pose")
@click.argument("training")
@click.option("--renders", type=_FOLDER, required=True, help="Folder with train/ and val/.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option(
    "--weights",
    type=_FILE,
    help="What to start from: a checkpoint (.pt), also another model's, or a shipped .onnx. "
    "With --photos the model in use, if nothing else is named.",
)
@click.option(
    "--photos", type=_FOLDER, help="A photo set to train on too, beside the renders, never alone."
)
@click.option("--freeze", is_flag=True, help="Train the last layers only.")
@click.option("--resume", is_flag=True, help="Go on after the last epoch in --out.")
@click.option(
    "--threads", type=click.IntRange(1), help="Threads for torch; all cores but one if not given."
)
def command(
    training: str,
    renders: Path,
    out: Path,
    weights: Path | None,
    photos: Path | None,
    freeze: bool,
    resume: bool,
    threads: int | None,
) -> None:
    """Train TRAINING (pose, locator, contact, or a TOML file) and export it to ONNX.

    Needs the train extra: python -m pip install 'sooee[train]'.
    """
    from vision.learn.train import export, trained_with
    from vision.learn.train_run import best_of, check_free
    from vision.learn.training import load_training

    settings = load_training(training)
    if photos is not None and weights is None:
        weights = _in_use(settings.role)
    if freeze and weights is None:
        raise click.UsageError("--freeze keeps the layers of --weights; name a checkpoint")
    if not resume:
        check_free(out)
    pictures = renders
    if photos is not None:
        pictures = _pictures_of(out) if resume else _mixed(renders, photos, out, settings.role)
    candidate = out / "models"
    if resume and _only_export_left(out, candidate if photos is not None else None):
        best = best_of(out)
    else:
        best = _trained(
            settings, pictures, out, start=weights, resume=resume, threads=threads, freeze=freeze
        )
    click.echo(f"trained: {best}")
    onnx = export(best, settings)
    click.echo(f"exported: {onnx}")
    if photos is not None:
        from vision.learn.candidate import make_candidate

        make_candidate(
            onnx,
            settings,
            pictures,
            candidate,
            recipe=f"{renders.name} and {photos.resolve().name}",
            trained_with=trained_with(),
        )
        click.echo(f"compare, and take into use: sooee models use {candidate} --photos {photos}")


def _trained(settings: Training, pictures: Path, out: Path, **how: Any) -> Path:
    from vision.learn.train import train
    from vision.learn.train_run import stopped

    try:
        return train(settings, pictures, out, tell=click.echo, **how)
    except KeyboardInterrupt:
        click.echo(f"\n{stopped(out)}", err=True)
        raise


def _only_export_left(out: Path, candidate: Path | None) -> bool:
    """Whether a run was stopped between its last epoch and the files that are made of it."""
    from vision.learn.train import is_over
    from vision.learn.train_run import best_of

    made = [best_of(out).with_suffix(".onnx"), *([candidate] if candidate else [])]
    return not all(p.exists() for p in made) and is_over(out)


def _in_use(role: str) -> Path | None:
    """Give the file of the model in use, None where there is none of this role."""
    from vision.recognize.installed import models_in_use
    from vision.recognize.manifest import load_manifest

    found = [m for m in load_manifest(models_in_use()).models if m.role.value == role]
    return models_in_use() / found[0].file if found else None


def _pictures_of(out: Path) -> Path:
    return out.with_name(f"{out.name}-pictures")


def _mixed(renders: Path, photos: Path, out: Path, role: str) -> Path:
    from vision.learn.mix import mix
    from vision.photos.photo_set import PhotoSet

    with PhotoSet.open(photos) as opened:
        made = mix(renders, opened, _pictures_of(out), role)
    click.echo(
        f"{made.folder}: {made.renders} renders, {made.photos} from photographs, "
        f"each of these {made.repeats} times"
    )
    return made.folder
