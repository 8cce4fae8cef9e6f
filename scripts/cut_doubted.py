"""Cut what a locator wrongly takes for pigs out of rendered frames: hard crops of class `other`.

    sooee render --recipe frames-doubted --count 1600 --seed 72 --out FRAMES
    python scripts/cut_doubted.py FRAMES CROPS

FRAMES is a set of frames with its sidecars, CROPS a set of crops: `train` of the pose model.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
from tqdm import tqdm

from vision.learn.doubted import cut_doubted
from vision.recognize.locate import Locator
from vision.recognize.manifest import Role, load_manifest
from vision.recognize.runtime import open_network


@click.command()
@click.argument("frames", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("crops", type=click.Path(path_type=Path))
@click.option("--least", default=0.04, help="Least confidence of the boxes that are cut.")
@click.option("--models", type=click.Path(path_type=Path), help="Other models than the shipped.")
def main(frames: Path, crops: Path, least: float, models: Path | None) -> None:
    """Cut the locator's false pigs out of FRAMES into CROPS."""
    manifest = load_manifest(models)
    entry = replace(manifest.need(Role.LOCATOR), threshold=least)
    locator = Locator(open_network(manifest, entry), entry)
    click.echo(f"{sum(tqdm(cut_doubted(locator, frames, crops)))} crops in {crops}")


if __name__ == "__main__":
    main()
