"""`sooee train`: train a model on renders and export it."""

from __future__ import annotations

from pathlib import Path

import click

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(epilog="Example: sooee train pose --renders renders/crops --out runs/pose")
@click.argument("training")
@click.option("--renders", type=_FOLDER, required=True, help="Folder with train/ and val/.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--weights", type=_FILE, help="Checkpoint to start from (.pt), also another model's.")
@click.option("--resume", is_flag=True, help="Go on with the last epoch in --out.")
@click.option(
    "--threads", type=click.IntRange(1), help="Threads for torch; all cores if not given."
)
def command(
    training: str, renders: Path, out: Path, weights: Path | None, resume: bool, threads: int | None
) -> None:
    """Train TRAINING (pose, locator, contact, or a TOML file) and export it to ONNX.

    Needs the train extra: python -m pip install 'sooee[train]'.
    """
    from vision.learn.train import export, train
    from vision.learn.training import load_training

    settings = load_training(training)
    best = train(settings, renders, out, start=weights, resume=resume, threads=threads)
    click.echo(f"trained: {best}")
    click.echo(f"exported: {export(best, settings)}")
