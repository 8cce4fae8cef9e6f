"""What every format gives and takes, and what none of them can say.

No format knows sessions, cameras, who reviewed, or all three contacts; `sooee.json` beside an
export carries these, and an import takes them from it where the picture's own labels still are
what was exported. Other tools ignore the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from vision.errors import VisionError
from vision.photos.intake import CONVERTED, SUFFIXES
from vision.photos.labels import Box, LabelError, Labels, PigLabel
from vision.recognize.reading import POSE_CLASSES

EXTRAS = "sooee.json"
SPLITS = ("train", "val", "test")
SAME_BOX = 0.5
"""Boxes whose corners differ by at most this many pixels are the same, rounded by a format."""


class FormatError(VisionError):
    """Files that are not what their format says; the message names the file."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One photograph on its way out.

    `stem` is a name for its files, unique among all that go; `split` one of `SPLITS`.
    """

    file: Path
    stem: str
    width: int
    height: int
    labels: Labels
    split: str = "train"
    name: str = ""
    session: str = ""
    camera: str = ""

    @property
    def file_name(self) -> str:
        """The picture's name in the export."""
        return f"{self.stem}{self.file.suffix.lower()}"


@dataclass(frozen=True, slots=True)
class Incoming:
    """One picture on its way in; `size` is the width and height its boxes are meant for."""

    file: Path
    labels: Labels
    name: str = ""
    session: str = ""
    camera: str = ""
    split: str = ""
    size: tuple[int, int] | None = None


@dataclass(slots=True)
class Reader:
    """What a `read` needs to know, and where it leaves what it could not take.

    `renamed` maps the names of a file's classes to poses, or to "-" for a class to leave out.
    """

    renamed: Mapping[str, str] = field(default_factory=dict)
    pictures: Path | None = None
    problems: list[str] = field(default_factory=list)

    def pose(self, name: str) -> str | None:
        """Give the pose that a class name means; None to leave it out."""
        wanted = self.renamed.get(name, name)
        if wanted == "-":
            return None
        plain = wanted.strip().lower().replace(" ", "_").replace("-", "_")
        plain = re.sub(r"^\d+_", "", plain)  # folders are numbered to keep their order
        if plain not in POSE_CLASSES:
            raise FormatError(
                f"unknown class {name!r}; expected {', '.join(POSE_CLASSES)}: say what it means "
                f"with --map '{name}=POSE', or leave it out with --map '{name}=-'"
            )
        return plain

    def find(self, name: str, *places: Path) -> Path | None:
        """Find a picture by the name a file gives it, in the folders named; notes if it is not."""
        parts = [p for p in name.replace("\\", "/").split("/") if p not in ("", ".", "..")]
        folders = [self.pictures] if self.pictures is not None else []
        for place in (*folders, *places):
            for begin in range(len(parts)):
                path = place.joinpath(*parts[begin:])
                if path.is_file():
                    return path
        self.problems.append(f"{name}: no such picture (say where with --pictures)")
        return None


def pictures_in(folder: Path) -> list[Path]:
    """Give every picture under a folder, by name."""
    known = {*SUFFIXES, *CONVERTED}
    return sorted(p for p in folder.rglob("*") if p.suffix.lower() in known and p.is_file())


def clip(box: Box, width: int, height: int) -> Box | None:
    """Give the part of a box that is in the picture; None if there is none."""
    x0, y0 = max(0.0, box[0]), max(0.0, box[1])
    x1, y1 = min(float(width), box[2]), min(float(height), box[3])
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def same_box(a: Box, b: Box) -> bool:
    """Whether two boxes differ by no more than formats round."""
    return max(abs(p - q) for p, q in zip(a, b, strict=True)) <= SAME_BOX


def write_extras(folder: Path, photos: Iterable[tuple[str, Outgoing, Labels]]) -> None:
    """Write `sooee.json`: for each picture, by its path in the export, what was exported."""
    document = {
        "version": 1,
        "photos": {
            path: {
                "name": photo.name,
                "session": photo.session,
                "camera": photo.camera,
                "split": photo.split,
                "labels": labels.to_json(),
            }
            for path, photo, labels in photos
        },
    }
    text = json.dumps(document, ensure_ascii=False, indent=1)
    (folder / EXTRAS).write_text(text, encoding="utf-8")


def read_extras(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """Read `sooee.json`, empty where there is none."""
    path = folder / EXTRAS
    if not path.is_file():
        return {}
    document = read_json(path)
    photos = document.get("photos") if isinstance(document, dict) else None
    if not isinstance(photos, dict) or document.get("version") != 1:
        raise FormatError(f"{path}: not an export's notes of version 1; move it away to go on")
    return photos


def read_json(path: Path) -> Any:
    """Read a JSON file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise FormatError(f"{path}: cannot be read as JSON: {error}") from error


def completed(incoming: Incoming, extras: Mapping[str, Any] | None) -> Incoming:
    """Add what `sooee.json` says to what the format says; the format wins where they differ."""
    if extras is None:
        return incoming
    try:
        known = Labels.from_json(extras["labels"])
        name, session, camera, split = (
            str(extras[k]) for k in ("name", "session", "camera", "split")
        )
    except (KeyError, TypeError, LabelError) as error:
        raise FormatError(f"{EXTRAS}: {incoming.file.name}: {error}") from error
    return replace(
        incoming,
        labels=_restored(incoming, known),
        name=name,
        session=session,
        camera=camera,
        split=split if split in SPLITS else "",
    )


def _restored(incoming: Incoming, known: Labels) -> Labels:
    """Give the labels as exported if nobody changed them, else what came, as a hand's work."""
    came = incoming.labels
    if len(came.pigs) != len(known.pigs):
        return came
    pigs: list[PigLabel] = []
    left = list(known.pigs)
    for pig in came.pigs:
        match = next((k for k in left if k.pose == pig.pose and _meant(incoming, k, pig)), None)
        if match is None:
            return came
        left.remove(match)
        pigs.append(match)
    if came.contact is not None and came.contact is not known.contact:
        return came
    ordered = tuple(sorted(pigs, key=known.pigs.index))
    return replace(known, pigs=ordered)


def _meant(incoming: Incoming, known: PigLabel, came: PigLabel) -> bool:
    if same_box(known.box, came.box):
        return True
    if incoming.size is None:
        return False
    clipped = clip(known.box, *incoming.size)
    return clipped is not None and same_box(clipped, came.box)


def unique_stems(names: Sequence[str]) -> list[str]:
    """Give each photograph a file name of its own without folders and endings.

    Two pictures `a.jpg` and `a.png` would share one label file, and a folder called `images`
    would lead some readers astray.
    """
    taken: set[str] = set()
    stems = []
    for name in names:
        stem = wanted = name.rsplit(".", 1)[0].replace("/", "__")
        number = 1
        while stem.lower() in taken:
            number += 1
            stem = f"{wanted}-{number}"
        taken.add(stem.lower())
        stems.append(stem)
    return stems
