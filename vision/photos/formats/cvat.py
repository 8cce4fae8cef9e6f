"""CVAT for images 1.1: `annotations.xml` and `images/`.

A box is `xtl ytl xbr ybr` in pixels; the pair's contact is a tag of the image.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vision.photos.formats.exchange import (
    FormatError,
    Incoming,
    Outgoing,
    Reader,
    completed,
    read_extras,
    write_extras,
)
from vision.photos.labels import Box, LabelError, Labels, PigLabel, Source
from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def write(photos: Sequence[Outgoing], folder: Path) -> None:
    """Write photographs as one task's images."""
    from xml.etree import ElementTree as Tree

    (folder / "images").mkdir()
    root = Tree.Element("annotations")
    Tree.SubElement(root, "version").text = "1.1"
    task = Tree.SubElement(Tree.SubElement(root, "meta"), "task")
    for tag, text in (("name", "sooee"), ("size", str(len(photos))), ("mode", "annotation")):
        Tree.SubElement(task, tag).text = text
    labels = Tree.SubElement(task, "labels")
    kinds = [*((p, "rectangle") for p in POSE_CLASSES), *((c, "tag") for c in CONTACT_CLASSES)]
    for name, kind in kinds:
        label = Tree.SubElement(labels, "label")
        Tree.SubElement(label, "name").text = name
        Tree.SubElement(label, "type").text = kind
        Tree.SubElement(label, "attributes")
    notes = []
    for number, photo in enumerate(photos):
        shutil.copyfile(photo.file, folder / "images" / photo.file_name)
        notes.append((f"images/{photo.file_name}", photo, photo.labels))
        image = Tree.SubElement(
            root,
            "image",
            id=str(number),
            name=photo.file_name,
            width=str(photo.width),
            height=str(photo.height),
        )
        for pig in photo.labels.pigs:
            _add_box(image, pig, photo)
        if photo.labels.contact is not None:
            Tree.SubElement(image, "tag", label=photo.labels.contact.value, source="manual")
    Tree.indent(root)
    Tree.ElementTree(root).write(folder / "annotations.xml", encoding="utf-8", xml_declaration=True)
    write_extras(folder, notes)


def _add_box(image: Element, pig: PigLabel, photo: Outgoing) -> None:
    from xml.etree import ElementTree as Tree

    if pig.pose is None:
        raise FormatError(f"{photo.name}: a pig without a pose")
    x0, y0, x1, y1 = (f"{v:.3f}" for v in pig.box)
    source = "auto" if pig.source is Source.MODEL else "manual"
    box = {"label": pig.pose, "occluded": "0", "source": source, "z_order": "0"}
    Tree.SubElement(image, "box", box | {"xtl": x0, "ytl": y0, "xbr": x1, "ybr": y1})


def read(path: Path, reader: Reader) -> Iterator[Incoming]:
    """Read an `annotations.xml`, or the folder or dump that holds one."""
    file = path
    if path.is_dir():
        found = sorted(path.glob("annotations.xml")) or sorted(path.glob("*.xml"))
        if not found:
            raise FormatError(f"{path}: holds no annotations.xml (export as CVAT for images 1.1)")
        file = found[0]
    root = _parse(file)
    if root.find("track") is not None:
        raise FormatError(f"{file}: CVAT for video; export as 'CVAT for images 1.1'")
    extras = read_extras(file.parent)
    for image in root.iter("image"):
        name = image.get("name", "")
        try:
            labels = _labels(image, reader)
            size = int(image.attrib["width"]), int(image.attrib["height"])
        except (KeyError, ValueError, LabelError) as error:
            raise FormatError(f"{file}: image {name!r}: {error!r}") from error
        picture = reader.find(name, file.parent / "images", file.parent)
        if picture is not None:
            incoming = Incoming(picture, labels, name=picture.name, size=size)
            yield completed(incoming, extras.get(f"images/{picture.name}"))


def _parse(file: Path) -> Element:
    from xml.etree import ElementTree as Tree

    try:
        data = file.read_bytes()
        # Entities can make a small file unpack to gigabytes; no tool writes them here.
        if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
            raise FormatError(f"{file}: a document type is not expected in a CVAT file")
        root = Tree.fromstring(data)  # noqa: S314 -- document types are refused above
    except (OSError, Tree.ParseError) as error:
        raise FormatError(f"{file}: cannot be read as XML: {error}") from error
    if root.tag != "annotations":
        raise FormatError(f"{file}: expected CVAT's <annotations>, got <{root.tag}>")
    return root


def _labels(image: Element, reader: Reader) -> Labels:
    pigs: list[PigLabel] = []
    contact: str | None = None
    for element in image:
        label = element.get("label", "")
        if element.tag == "tag" and label in CONTACT_CLASSES:
            contact = label
        elif element.tag == "box":
            pose = reader.pose(label)
            if pose is not None:
                auto = element.get("source", "manual") in ("auto", "semi-auto")
                source = Source.MODEL if auto else Source.HAND
                pigs.append(PigLabel(_box(element, reader, image), pose, source))
        else:
            name = image.get("name")
            reader.problems.append(f"{name}: a {element.tag} {label!r} is no box, left out")
    labels = Labels(tuple(pigs)).to_json()
    if contact is not None and len(pigs) == 2:
        labels["contact"] = contact
    return Labels.from_json(labels)


def _box(element: Element, reader: Reader, image: Element) -> Box:
    """Give the upright box around a box, which CVAT may have turned about its middle."""
    x0, y0, x1, y1 = (float(element.attrib[k]) for k in ("xtl", "ytl", "xbr", "ybr"))
    angle = math.radians(float(element.get("rotation") or 0))
    if not angle:
        return x0, y0, x1, y1
    reader.problems.append(f"{image.get('name')}: a turned box became the upright one around it")
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    half_w = ((x1 - x0) * cos + (y1 - y0) * sin) / 2
    half_h = ((x1 - x0) * sin + (y1 - y0) * cos) / 2
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return x - half_w, y - half_h, x + half_w, y + half_h
