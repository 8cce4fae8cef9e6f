"""Make checkpoints that compute what the shipped models do, for Ultralytics to run in torch.

    python scripts/thaw_models.py PICTURES OUT
    sooee bench --checkpoints OUT/locator.pt OUT/pose.pt

It needs the `train` extra. PICTURES holds renders or photographs of pigs, a hundred or more.
"""

from __future__ import annotations

from pathlib import Path

import click

from vision.learn.thaw import pictures_for, thaw
from vision.learn.training import load_training
from vision.recognize.manifest import Role, load_manifest


@click.command()
@click.argument("pictures", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--models", type=click.Path(path_type=Path), help="Other models than the shipped.")
def main(pictures: Path, out: Path, models: Path | None) -> None:
    """Write a checkpoint of the locator and of the pose model into OUT."""
    manifest = load_manifest(models)
    for role in (Role.LOCATOR, Role.POSE):
        training = load_training(role)
        seen = pictures_for(pictures, training.image_px)
        click.echo(
            thaw(manifest.folder / manifest.need(role).file, training, seen, out / f"{role}.pt")
        )


if __name__ == "__main__":
    main()
