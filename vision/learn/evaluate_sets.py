"""Pictures with known truth, in every form they come in.

| form | how it is known |
|---|---|
| crops of one pig | a folder a class (`0_dot_up`), with notes (`*.jsonl`) where rendered |
| whole pictures | `NAME.json` beside `NAME.jpg`, as `sooee render` writes them |
| YOLO, COCO | as `sooee photos import` takes them |
| photographs | `labels.json`: a list of files with boxes in pixels |
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.errors import VisionError
from vision.recognize.crop import Box
from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES

SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})

SIDER = "sider"
"""A pig on its side whose dot cannot be seen: either side read is right."""


class SetError(VisionError):
    """A folder of pictures whose truth cannot be read; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class TruePig:
    """One pig as it really lies: `pose` one of `POSE_CLASSES`, `sider`, or None where unknown."""

    box: Box
    pose: str | None = None
    tilt_deg: float | None = None
    visible: float = 1.0

    def __post_init__(self) -> None:
        if self.pose is not None and self.pose not in (*POSE_CLASSES, SIDER):
            expected = ", ".join((*POSE_CLASSES, SIDER))
            raise SetError(f"expected a pose of {expected}, got {self.pose!r}")

    @property
    def size_px(self) -> float:
        """The box's longer side."""
        return max(self.box[2] - self.box[0], self.box[3] - self.box[1])

    def is_read_right(self, pose: str) -> bool:
        """Whether this is the pig's pose; either side counts for a `sider`."""
        return pose in ("dot_up", "dot_down") if self.pose == SIDER else pose == self.pose


@dataclass(frozen=True, slots=True)
class TruePicture:
    """One picture with its truth; a `crop` shows one pig, cut out already.

    `contact` and `gap_mm` go with two pigs, None where unknown; `lights` counts the light
    sources of a render. `located` says whether `pigs` are all the pigs there are.
    """

    path: Path
    pigs: tuple[TruePig, ...]
    contact: str | None = None
    gap_mm: float | None = None
    lights: int | None = None
    crop: bool = False
    located: bool = True

    def __post_init__(self) -> None:
        if self.contact is not None and self.contact not in CONTACT_CLASSES:
            expected = ", ".join(CONTACT_CLASSES)
            raise SetError(f"{self.path}: expected a contact of {expected}, got {self.contact!r}")


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """A named set of pictures, in a fixed order."""

    name: str
    pictures: tuple[TruePicture, ...]


def load_set(path: Path) -> EvaluationSet:
    """Read a set from a folder or a COCO file; `SetError` when it has no readable truth."""
    if not path.exists():
        raise SetError(f"there is no folder or COCO file {path}")
    forms = (_from_photographs, _from_crops, _from_sidecars, _from_yolo, _from_coco)
    for read in forms if path.is_dir() else (_from_coco,):
        pictures = read(path)
        if pictures:
            return EvaluationSet(path.resolve().name, pictures)
    raise SetError(
        f"{path} has no pictures with labels: expected NAME.json or NAME.txt beside each picture, "
        "a folder a class, or a COCO file"
    )


def _from_photographs(folder: Path) -> tuple[TruePicture, ...]:
    path = folder / "labels.json"
    rows = _json(path) if path.is_file() else None
    if not isinstance(rows, list):
        return ()

    def one(row: Mapping[str, Any]) -> TruePicture:
        pigs = tuple(TruePig(_box(p["box_xyxy"]), p.get("pose")) for p in row["pigs"])
        # A pair may be labelled by its contact alone: then nobody said where its pigs are.
        located = bool(pigs) or row.get("contact") is None
        return TruePicture(folder / row["file"], pigs, row.get("contact"), located=located)

    return _each(path, one, rows)


def _from_crops(folder: Path) -> tuple[TruePicture, ...]:
    """Read crops sorted into a folder a class, named as `POSE_CLASSES` with or without a number."""
    classes = class_folders(folder, POSE_CLASSES)
    if not classes:
        return ()
    notes = crop_notes(folder)
    pictures = []
    for place, pose in classes.items():
        for path in pictures_in(place):
            note = notes.get(path.relative_to(folder).as_posix(), {})
            size = float(note.get("pig_px") or 0.0)
            box = (0.0, 0.0, size or 1.0, size or 1.0)
            pig = TruePig(box, pose, note.get("tilt_deg"))
            pictures.append(TruePicture(path, (pig,), lights=note.get("lights"), crop=True))
    return tuple(pictures)


def crop_notes(folder: Path) -> dict[str, Mapping[str, Any]]:
    """Give what is noted of the crops in a folder, by their paths in it; empty where nothing is."""
    notes: dict[str, Mapping[str, Any]] = {}
    real = folder.resolve()
    beside = real.with_name(f"{real.name}.blocks")  # where `sooee render` leaves its notes
    for path in sorted([*folder.glob("**/*.jsonl"), *beside.glob("*.jsonl")]):
        for line in path.read_text(encoding="utf-8").splitlines():
            note = _parsed(line, path)
            notes[note.get("image", "")] = note
    return notes


def class_folders(folder: Path, classes: Sequence[str]) -> dict[Path, str]:
    """Give the folders named as a class, with or without a number in front, in a fixed order."""
    named = {p: re.sub(r"^\d+_", "", p.name) for p in sorted(folder.iterdir()) if p.is_dir()}
    return {place: name for place, name in named.items() if name in classes}


def _from_sidecars(folder: Path) -> tuple[TruePicture, ...]:
    described = [p for p in pictures_in(folder) if p.with_suffix(".json").is_file()]

    def one(path: Path) -> TruePicture:
        note = _json(path.with_suffix(".json"))
        tilt = note.get("camera", {}).get("tilt_deg")
        pigs = tuple(
            TruePig(
                _box(p["box"]),
                p.get("pose"),
                p.get("tilt_deg", tilt),
                float(p.get("visible", 1.0)),
            )
            for p in note["pigs"]
        )
        return TruePicture(
            path,
            pigs,
            note.get("contact"),
            note.get("gap_mm"),
            note.get("light", {}).get("count"),
        )

    return _each(folder, one, described)


def _from_yolo(folder: Path) -> tuple[TruePicture, ...]:
    named = [
        *folder.glob("*.yaml"),
        *folder.glob("classes.txt"),
        *folder.glob("labels/classes.txt"),
    ]
    return _imported("yolo_detect", folder) if named else ()


def _from_coco(path: Path) -> tuple[TruePicture, ...]:
    """Read a COCO file, or that of a folder: a JSON object with `annotations`."""
    for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
        data = _json(file)
        if isinstance(data, dict) and "annotations" in data:
            return _imported("coco", file)
    return ()


def _imported(form: str, path: Path) -> tuple[TruePicture, ...]:
    """Read with the reader that imports photographs; what it cannot take is an error here."""
    from vision.photos.formats.exchange import Reader

    reader = Reader()
    read = importlib.import_module(f"vision.photos.formats.{form}").read
    pictures = tuple(
        TruePicture(
            incoming.file,
            tuple(TruePig(pig.box, pig.pose) for pig in incoming.labels.pigs),
            incoming.labels.contact,
        )
        for incoming in read(path, reader)
    )
    if reader.problems:
        raise SetError(reader.problems[0])
    return pictures


def pictures_in(folder: Path) -> list[Path]:
    """Give all pictures below a folder, in a fixed order."""
    return sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())


def _each(
    where: Path, one: Callable[[Any], TruePicture], rows: Iterable[Any]
) -> tuple[TruePicture, ...]:
    try:
        return tuple(one(row) for row in rows)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SetError(f"{where} has a faulty label: {error!r}") from error


def _box(values: Any) -> Box:
    x0, y0, x1, y1 = (float(v) for v in values)
    return x0, y0, x1, y1


def _json(path: Path) -> Any:
    try:
        return _parsed(path.read_text(encoding="utf-8"), path)
    except (OSError, UnicodeDecodeError) as error:
        raise SetError(f"cannot read {path}: {error}") from error


def _parsed(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SetError(f"{path} is not JSON: {error}") from error
