"""Cut what a locator wrongly takes for pigs out of rendered frames: hard crops of class `other`.

    sooee render --recipe frames-doubted --count 3000 --seed 72 --out FRAMES
    python scripts/cut_doubted.py FRAMES CROPS

FRAMES is a set of frames with its sidecars, CROPS a set of crops (`train` of the pose model): each
box of the locator that holds no pig, at any of its looks, becomes a crop there. A pose model that
has seen them tells the table's pictures of animals from pigs, which the locator alone cannot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
import cv2
from tqdm import tqdm

from vision.capture.frame import Image
from vision.recognize.crop import Box, pose_crop
from vision.recognize.locate import Locator, distinct
from vision.recognize.manifest import Role, load_manifest
from vision.recognize.picture import open_picture
from vision.recognize.reading import OTHER
from vision.recognize.runtime import open_network
from vision.synth.dataset import class_folder

CROP_PX = 128
MOST_SHARED = 0.1
"""A box that shares more of itself with a pig's box may show the pig."""


@click.command()
@click.argument("frames", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("crops", type=click.Path(path_type=Path))
@click.option("--least", default=0.04, help="Least confidence of the boxes that are cut.")
@click.option("--most", default=4, help="Most crops of one frame, the surest.")
@click.option("--models", type=click.Path(path_type=Path), help="Other models than the shipped.")
def main(frames: Path, crops: Path, least: float, most: int, models: Path | None) -> None:
    """Cut the locator's false pigs out of FRAMES into CROPS."""
    manifest = load_manifest(models)
    entry = replace(manifest.need(Role.LOCATOR), threshold=least)
    locator = Locator(open_network(manifest, entry), entry)
    out = crops / class_folder(OTHER)
    out.mkdir(parents=True, exist_ok=True)
    count = 0
    for path in tqdm(sorted((frames / "images").glob("*.jpg"))):
        image = open_picture(path)
        pigs = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["pigs"]
        wrong = list(false_pigs(locator, image, [tuple(p["box"]) for p in pigs]))[:most]
        for number, box in enumerate(wrong):
            name = out / f"doubted-{path.stem}-{number}.jpg"
            crop = pose_crop(image, box, CROP_PX)
            cv2.imwrite(str(name), crop[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 94])
        count += len(wrong)
    click.echo(f"{count} crops in {out}")


def false_pigs(locator: Locator, image: Image, pigs: list[Box]) -> Iterator[Box]:
    """Give the boxes without a pig of all looks at a picture, each once, the surest first."""
    looks = [locator.look(image, scale) for scale in locator.scales(image)]
    for found in distinct([found for look in looks for found in look]):
        if all(shared(found.box, pig) < MOST_SHARED for pig in pigs):
            yield found.box


def shared(box: Box, pig: Box) -> float:
    """Give the share of the smaller of both boxes that lies in the other, 0 to 1."""
    width = min(box[2], pig[2]) - max(box[0], pig[0])
    height = min(box[3], pig[3]) - max(box[1], pig[1])
    areas = ((b[2] - b[0]) * (b[3] - b[1]) for b in (box, pig))
    return max(0.0, width) * max(0.0, height) / max(1.0, min(areas))


if __name__ == "__main__":
    main()
