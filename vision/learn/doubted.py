"""What a locator wrongly takes for pigs, cut out of rendered frames: hard crops of class `other`.

A pose model that has seen them tells a table's pictures of animals from pigs, which the locator
alone cannot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from vision.capture.frame import Image
from vision.recognize.among import shared
from vision.recognize.crop import Box, pose_crop
from vision.recognize.locate import Locator, distinct
from vision.recognize.picture import open_picture
from vision.recognize.reading import OTHER
from vision.synth.dataset import class_folder, save

CROP_PX = 128
MOST_SHARED = 0.1
"""A box that shares more of itself with a pig's box may show the pig."""


def cut_doubted(locator: Locator, frames: Path, crops: Path, most: int = 4) -> Iterator[int]:
    """Cut false pigs out of a set of frames into a set of crops; yields how many of each frame.

    `frames` holds `images/NAME.jpg` with their sidecars; of each at most `most` boxes are cut, the
    surest first. The same frames give the same files.
    """
    for path in sorted((frames / "images").glob("*.jpg")):
        image = open_picture(path)
        pigs = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["pigs"]
        wrong = false_pigs(locator, image, [tuple(p["box"]) for p in pigs])[:most]
        for number, box in enumerate(wrong):
            name = f"doubted-{path.stem}-{number}.jpg"
            save(crops / class_folder(OTHER) / name, pose_crop(image, box, CROP_PX))
        yield len(wrong)


def false_pigs(locator: Locator, image: Image, pigs: Sequence[Box]) -> list[Box]:
    """Give the boxes without a pig of all looks at a picture, each once, the surest first."""
    looks = [locator.look(image, scale) for scale in locator.scales(image)]
    found = distinct([located for look in looks for located in look])
    return [f.box for f in found if all(shared(f.box, pig) < MOST_SHARED for pig in pigs)]
