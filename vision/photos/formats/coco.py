"""COCO detection: `images/SPLIT/x.jpg` and `annotations/instances_SPLIT.json`.

A box is `[x, y, width, height]` in pixels; categories are matched by name.
"""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from vision.photos.formats.exchange import (
    SPLITS,
    FormatError,
    Incoming,
    Outgoing,
    Reader,
    completed,
    read_extras,
    read_json,
    write_extras,
)
from vision.photos.labels import Box, LabelError, Labels, PigLabel, Source
from vision.recognize.reading import POSE_CLASSES


def write(photos: Sequence[Outgoing], folder: Path) -> None:
    """Write photographs; category ids are 1 to 7 in the order of `POSE_CLASSES`."""
    (folder / "annotations").mkdir()
    notes = []
    for split in sorted({p.split for p in photos}):
        (folder / "images" / split).mkdir(parents=True)
        images: list[dict[str, Any]] = []
        annotations: list[dict[str, Any]] = []
        of_split = [p for p in photos if p.split == split]
        for number, photo in enumerate(of_split, start=1):
            shutil.copyfile(photo.file, folder / "images" / split / photo.file_name)
            notes.append((f"images/{split}/{photo.file_name}", photo, photo.labels))
            images.append(
                {
                    "id": number,
                    "file_name": photo.file_name,
                    "width": photo.width,
                    "height": photo.height,
                }
            )
            for pig in photo.labels.pigs:
                annotations.append(_annotation(pig, number, len(annotations) + 1, photo))
        document = {
            "info": {"description": "Thrown pigs, by sooee"},
            "licenses": [],
            "categories": [
                {"id": number, "name": name, "supercategory": "pig"}
                for number, name in enumerate(POSE_CLASSES, start=1)
            ],
            "images": images,
            "annotations": annotations,
        }
        path = folder / "annotations" / f"instances_{split}.json"
        path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    write_extras(folder, notes)


def _annotation(pig: PigLabel, image: int, number: int, photo: Outgoing) -> dict[str, Any]:
    if pig.pose is None:
        raise FormatError(f"{photo.name}: a pig without a pose")
    x0, y0, x1, y1 = pig.box
    contact = photo.labels.contact
    return {
        "id": number,
        "image_id": image,
        "category_id": POSE_CLASSES.index(pig.pose) + 1,
        "bbox": [x0, y0, x1 - x0, y1 - y0],
        "area": pig.area,
        "segmentation": [],
        "iscrowd": 0,
        "attributes": {
            "source": pig.source.value,
            "contact": "" if contact is None else contact.value,
        },
    }


def read(path: Path, reader: Reader) -> Iterator[Incoming]:
    """Read one annotation file, or every one of an exported folder."""
    files = [path] if path.is_file() else sorted((path / "annotations").glob("*.json"))
    if not files:
        raise FormatError(f"{path}: neither a COCO file nor a folder with annotations/*.json")
    for file in files:
        yield from _read(file, path if path.is_dir() else path.parent, reader)


def _read(file: Path, folder: Path, reader: Reader) -> Iterator[Incoming]:
    document = read_json(file)
    extras = read_extras(folder) or read_extras(folder.parent)
    split = next((s for s in SPLITS if s in file.stem), "")
    try:
        names = {c["id"]: str(c["name"]) for c in document["categories"]}
        boxes: dict[Any, list[PigLabel]] = defaultdict(list)
        contacts: dict[Any, set[str]] = defaultdict(set)
        for annotation in document["annotations"]:
            pig = _pig(annotation, names, reader)
            if pig is not None:
                boxes[annotation["image_id"]].append(pig)
                said = (annotation.get("attributes") or {}).get("contact") or ""
                contacts[annotation["image_id"]].add(str(said))
        images = list(document["images"])
    except (KeyError, TypeError, ValueError, LabelError) as error:
        raise FormatError(f"{file}: not a COCO file of boxes: {error!r}") from error
    places = (
        *(folder.joinpath(*p) for p in (("images", split), ("images",), (split,), ())),
        *(folder.parent.joinpath(*p) for p in (("images", split), ("images",))),
    )
    for image in images:
        name = str(image["file_name"])
        picture = reader.find(name, *places)
        if picture is None:
            continue
        pigs = tuple(boxes[image["id"]])
        said = contacts[image["id"]] - {""}
        contact = said.pop() if len(said) == 1 and len(pigs) == 2 else None
        incoming = Incoming(
            picture,
            _labels(pigs, contact),
            name=Path(name).name,
            split=split,
            size=(int(image["width"]), int(image["height"])),
        )
        yield completed(incoming, extras.get(f"images/{split}/{picture.name}"))


def _labels(pigs: tuple[PigLabel, ...], contact: str | None) -> Labels:
    base = Labels(pigs)
    return base if contact is None else Labels.from_json(base.to_json() | {"contact": contact})


def _pig(annotation: dict[str, Any], names: dict[Any, str], reader: Reader) -> PigLabel | None:
    pose = reader.pose(names[annotation["category_id"]])
    if pose is None:
        return None
    if annotation.get("iscrowd"):
        reader.problems.append(f"annotation {annotation.get('id')}: a crowd, left out")
        return None
    x, y, width, height = (float(v) for v in annotation["bbox"])
    box: Box = (x, y, x + width, y + height)
    said = (annotation.get("attributes") or {}).get("source")
    source = next((s for s in Source if s.value == said), Source.HAND)
    return PigLabel(box, pose, source)
