"""YOLO classification: `SPLIT/0_dot_up/x.png`, one square crop a pig, as Ultralytics reads.

The crops are cut as the recognizer cuts them, at the picture's own resolution. Where each pig
lies in its crop is kept in `sooee.json`; without that file the middle of the crop is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.photos.formats.exchange import (
    SPLITS,
    FormatError,
    Incoming,
    Outgoing,
    Reader,
    completed,
    pictures_in,
    read_extras,
    write_extras,
)
from vision.photos.intake import upright_size
from vision.photos.labels import Box, Labels, PigLabel
from vision.recognize.crop import POSE_MARGIN, window
from vision.recognize.reading import POSE_CLASSES


def write(photos: Sequence[Outgoing], folder: Path) -> None:
    """Write every pig's crop."""
    from PIL import Image

    notes = []
    for split in {p.split for p in photos}:
        for pose in POSE_CLASSES:
            # Readers number the folders they find, by name: all are there, in our order.
            (folder / split / class_folder(pose)).mkdir(parents=True)
    for photo in photos:
        with Image.open(photo.file) as opened:
            image = np.asarray(opened.convert("RGB"))
        for number, pig in enumerate(photo.labels.pigs):
            if pig.pose is None:
                raise FormatError(f"{photo.name}: a pig without a pose")
            left, top, side = crop_square(pig.box)
            inside = f"{photo.split}/{class_folder(pig.pose)}/{photo.stem}-{number}.png"
            Image.fromarray(window(image, left, top, side, side)).save(folder / inside)
            x0, y0, x1, y1 = pig.box
            moved = replace(pig, box=(x0 - left, y0 - top, x1 - left, y1 - top))
            labels = replace(photo.labels, pigs=(moved,), contact=None)
            crop = replace(photo, name=f"{photo.stem}-{number}.png")
            notes.append((inside, crop, labels))
    write_extras(folder, notes)


def class_folder(pose: str) -> str:
    """Give the name of a pose's folder: `0_dot_up`, as the renderer writes them."""
    return f"{POSE_CLASSES.index(pose)}_{pose}"


def crop_square(box: Box) -> tuple[int, int, int]:
    """Give left, top and side in pixels of the square that `pose_crop` cuts."""
    x0, y0, x1, y1 = box
    side = max(2, round(max(x1 - x0, y1 - y0) * (1.0 + POSE_MARGIN)))
    return round((x0 + x1 - side) / 2), round((y0 + y1 - side) / 2), side


def read(folder: Path, reader: Reader) -> Iterator[Incoming]:
    """Read a folder of folders: the last folder's name is the class."""
    extras = read_extras(folder)
    for file in pictures_in(folder):
        inside = file.relative_to(folder)
        if len(inside.parts) < 2:
            reader.problems.append(f"{inside}: lies in no class's folder")
            continue
        pose = reader.pose(inside.parts[-2])
        if pose is None:
            continue
        width, height = upright_size(file)
        edge = (1 - 1 / (1 + POSE_MARGIN)) / 2
        box = (width * edge, height * edge, width * (1 - edge), height * (1 - edge))
        known = extras.get(inside.as_posix())
        if known is not None:
            box = _known_box(known, box)
        incoming = Incoming(
            file,
            Labels((PigLabel(box, pose),)),
            name=file.name,
            split=next((p for p in inside.parts if p in SPLITS), ""),
            size=(width, height),
        )
        yield completed(incoming, known)


def _known_box(known: object, otherwise: Box) -> Box:
    try:
        x0, y0, x1, y1 = known["labels"]["pigs"][0]["box"]  # type: ignore[index]
        return float(x0), float(y0), float(x1), float(y1)
    except (KeyError, TypeError, ValueError, IndexError):
        return otherwise
