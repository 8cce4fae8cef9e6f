"""YOLO detection: `images/SPLIT/x.jpg`, `labels/SPLIT/x.txt`, `data.yaml`, as Ultralytics reads.

A line of a label file is `class x y width height`, the box's middle and size as shares of the
picture. Class numbers are read through the file's own list of names, never by trust.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from vision.photos.formats.exchange import (
    SPLITS,
    FormatError,
    Incoming,
    Outgoing,
    Reader,
    clip,
    completed,
    pictures_in,
    read_extras,
    write_extras,
)
from vision.photos.intake import upright_size
from vision.photos.labels import Box, LabelError, Labels, PigLabel
from vision.recognize.reading import POSE_CLASSES


def write(photos: Sequence[Outgoing], folder: Path) -> None:
    """Write photographs; boxes end at the picture's edge, since readers refuse others."""
    notes = []
    for photo in photos:
        images, labels = folder / "images" / photo.split, folder / "labels" / photo.split
        images.mkdir(parents=True, exist_ok=True)
        labels.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(photo.file, images / photo.file_name)
        (labels / f"{photo.stem}.txt").write_text("".join(_lines(photo)), encoding="utf-8")
        notes.append((f"images/{photo.split}/{photo.file_name}", photo, photo.labels))
    used = {p.split for p in photos}
    names = "".join(f"  {number}: {name}\n" for number, name in enumerate(POSE_CLASSES))
    splits = "".join(f"{s}: images/{s}\n" for s in SPLITS if s in used)
    if "val" not in used:
        # Ultralytics wants one; a figure on training pictures says nothing about others.
        splits += f"val: images/{next(s for s in SPLITS if s in used)}\n"
    (folder / "data.yaml").write_text(f"{splits}names:\n{names}", encoding="utf-8")
    (folder / "classes.txt").write_text("\n".join(POSE_CLASSES) + "\n", encoding="utf-8")
    write_extras(folder, notes)


def _lines(photo: Outgoing) -> Iterator[str]:
    for pig in photo.labels.pigs:
        box = clip(pig.box, photo.width, photo.height)
        if box is None or pig.pose is None:
            raise FormatError(f"{photo.name}: a pig without a pose or outside the picture")
        x0, y0, x1, y1 = box
        shares = (
            (x0 + x1) / 2 / photo.width,
            (y0 + y1) / 2 / photo.height,
            (x1 - x0) / photo.width,
            (y1 - y0) / photo.height,
        )
        yield f"{POSE_CLASSES.index(pig.pose)} " + " ".join(f"{s:.8f}" for s in shares) + "\n"


def read(folder: Path, reader: Reader) -> Iterator[Incoming]:
    """Read a folder with `data.yaml` or `classes.txt`, pictures and label files."""
    names = _names(folder)
    extras = read_extras(folder)
    for file in pictures_in(folder):
        inside = file.relative_to(folder)
        labels = _label_file(folder, inside)
        if not labels.is_file():
            # A picture without a label file shows no pig: that is what the format says.
            if not _is_picture_of_the_set(inside):
                continue
            text = ""
        else:
            text = labels.read_text(encoding="utf-8")
        width, height = upright_size(file)
        pigs = []
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                pig = _pig(line, names, reader, (width, height))
            except (ValueError, LabelError) as error:
                raise FormatError(f"{labels}, line {number}: {error}") from error
            if pig is not None:
                pigs.append(pig)
        split = next((p for p in inside.parts if p in SPLITS), "")
        incoming = Incoming(
            file, Labels(tuple(pigs)), name=file.name, split=split, size=(width, height)
        )
        yield completed(incoming, extras.get(inside.as_posix()))


def _pig(
    line: str, names: dict[int, str], reader: Reader, size: tuple[int, int]
) -> PigLabel | None:
    words = line.split()
    if not words:
        return None
    if len(words) not in (5, 6):  # the sixth is a model's confidence
        raise ValueError(f"expected `class x y width height`, got {line.strip()!r:.80}")
    number = int(words[0])
    if number not in names:
        raise ValueError(f"class {number} has no name in data.yaml or classes.txt")
    pose = reader.pose(names[number])
    if pose is None:
        return None
    x, y, w, h = (float(word) for word in words[1:5])
    if max(abs(v) for v in (x, y, w, h)) > 2:
        raise ValueError(f"shares of the picture lie in 0 to 1, got {line.strip()!r:.80}")
    width, height = size
    box: Box = (
        (x - w / 2) * width,
        (y - h / 2) * height,
        (x + w / 2) * width,
        (y + h / 2) * height,
    )
    return PigLabel(box, pose)


def _names(folder: Path) -> dict[int, str]:
    """Give the names of the class numbers, as the files themselves say them."""
    import yaml

    for path in (folder / "data.yaml", *sorted(folder.glob("*.yaml"))):
        if not path.is_file():
            continue
        try:
            document = yaml.safe_load(path.read_text(encoding="utf-8"))
            names = document["names"]
            return dict(enumerate(names)) if isinstance(names, list) else dict(names)
        except (yaml.YAMLError, KeyError, TypeError, ValueError) as error:
            raise FormatError(f"{path}: has no list of class names ({error})") from error
    for path in (folder / "classes.txt", folder / "labels" / "classes.txt"):
        if path.is_file():
            lines = path.read_text(encoding="utf-8").split("\n")
            return {n: line.strip() for n, line in enumerate(lines) if line.strip()}
    raise FormatError(f"{folder}: neither data.yaml nor classes.txt says what the classes are")


def _label_file(folder: Path, inside: Path) -> Path:
    """Give the label file of a picture: `images` becomes `labels`, or it lies beside it."""
    parts = list(inside.parts)
    for at in range(len(parts) - 2, -1, -1):
        if parts[at] == "images":
            parts[at] = "labels"
            break
    return folder.joinpath(*parts).with_suffix(".txt")


def _is_picture_of_the_set(inside: Path) -> bool:
    return "images" in inside.parts[:-1]
