"""Labelled pictures into a set and out of it, in the formats of other tools."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from vision.errors import PictureError, VisionError
from vision.photos import arrivals
from vision.photos.formats.exchange import (
    FormatError,
    Incoming,
    Outgoing,
    Reader,
    clip,
    unique_stems,
)
from vision.photos.intake import read_picture
from vision.photos.labels import Box, Labels
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.split import Split

FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "yolo": "yolo_detect",
        "yolo-classify": "yolo_classify",
        "coco": "coco",
        "label-studio": "label_studio",
        "cvat": "cvat",
    }
)
"""The formats' names on the command line, and their modules."""

IMPORTER = "import"
"""Whose changes an import's are."""


class TransferError(VisionError):
    """An import or export that cannot be done as asked."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote, and how many photographs stayed behind, by reason."""

    photos: int
    pigs: int
    left_out: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import took: new photographs, new labels on known ones, and what it could not."""

    added: int
    labelled: int
    unchanged: int
    problems: tuple[str, ...]


def export_set(
    photos: PhotoSet, target: Path, format_name: str, *, unreviewed: bool = False
) -> Exported:
    """Write the set's photographs to a new folder, all of it or nothing.

    Only reviewed, sure labels go, unless `unreviewed`; never a photograph that was left out or
    has a pig without a pose, since its files would say that there is none.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise TransferError(f"{target}: exists and is not empty; name a new folder")
    behind: Counter[str] = Counter()
    going: list[Photo] = []
    for photo in photos.photos():
        reason = _why_not(photo, unreviewed=unreviewed)
        if reason is None:
            going.append(photo)
        else:
            behind[reason] += 1
    if not going:
        why = ", ".join(f"{n} {reason}" for reason, n in behind.most_common()) or "the set is empty"
        raise TransferError(f"nothing to export: {why}")
    stems = unique_stems([p.name for p in going])
    outgoing = [_outgoing(photos, p, stem) for p, stem in zip(going, stems, strict=True)]
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".export-") as temporary:
        made = Path(temporary) / "export"
        made.mkdir()
        try:
            _module(format_name).write(outgoing, made)
        except OSError as error:
            raise TransferError(f"{target}: cannot be written: {error.strerror}") from error
        if target.exists():
            target.rmdir()
        shutil.move(made, target)
    return Exported(len(going), sum(len(p.labels.pigs) for p in outgoing), behind)


def import_set(
    photos: PhotoSet,
    source: Path,
    format_name: str,
    *,
    renamed: Mapping[str, str] | None = None,
    pictures: Path | None = None,
    session: str = "",
    camera: str = "",
    reviewed_by: str = "",
    replace_labels: bool = False,
    tell: Callable[[int], None] | None = None,
) -> Imported:
    """Take labelled pictures into the set.

    A photograph that has labels keeps them unless `replace_labels`. `reviewed_by` names the
    person who stands by labels that do not say so themselves. `tell(n)` is called after each.
    """
    if not source.exists():
        raise TransferError(f"{source}: no such file or folder")
    reader = Reader(renamed=renamed or {}, pictures=pictures)
    added = labelled = unchanged = 0
    for number, came in enumerate(_module(format_name).read(source, reader), start=1):
        incoming = replace(came, session=session or came.session, camera=camera or came.camera)
        try:
            new, changed = _take(photos, incoming, reviewed_by, replace_labels=replace_labels)
        except PictureError as error:
            reader.problems.append(str(error))
            continue
        added += new
        labelled += changed and not new
        unchanged += not changed and not new
        if tell is not None:
            tell(number)
    return Imported(added, labelled, unchanged, tuple(reader.problems))


def _why_not(photo: Photo, *, unreviewed: bool) -> str | None:
    labels = photo.labels
    reasons: list[tuple[bool, str]] = [
        (photo.missing, "whose file is gone"),
        (labels is not None and labels.left_out, "left out by hand"),
        (labels is None, "not labelled"),
        (labels is not None and any(p.pose is None for p in labels.pigs), "with a pig unnamed"),
        (
            labels is not None
            and any(clip(p.box, photo.width, photo.height) is None for p in labels.pigs),
            "with a box outside the picture",
        ),
        (not unreviewed and labels is not None and not labels.reviewed, "not reviewed"),
        (not unreviewed and labels is not None and labels.unsure, "marked unsure"),
    ]
    return next((reason for holds, reason in reasons if holds), None)


def _outgoing(photos: PhotoSet, photo: Photo, stem: str) -> Outgoing:
    return Outgoing(
        file=photos.path(photo),
        stem=stem,
        width=photo.width,
        height=photo.height,
        labels=photo.labels or Labels(),
        split=(photo.split or Split.TRAIN).value,
        name=photo.name,
        session=photo.session,
        camera=photo.camera,
    )


def _take(
    photos: PhotoSet, incoming: Incoming, reviewed_by: str, *, replace_labels: bool
) -> tuple[bool, bool]:
    """Take one picture; gives whether it is new, and whether its labels are."""
    data = incoming.file.read_bytes()
    picture = read_picture(data, incoming.file.name)
    labels = _upright(incoming, picture.orientation, (picture.width, picture.height))
    if reviewed_by and not labels.reviewed and all(p.pose is not None for p in labels.pigs):
        labels = replace(labels, reviewed=True, reviewed_by=reviewed_by)
    photo, new = arrivals.add(
        photos,
        data,
        incoming.name or incoming.file.name,
        session=incoming.session,
        camera=incoming.camera,
        origin=f"import {incoming.file.name}",
    )
    if photo.labels == labels or (photo.labels is not None and not replace_labels):
        return new, False
    photos.save(photo.id, labels, revision=photo.revision, client=IMPORTER, who=reviewed_by)
    if new and incoming.split:
        photos.set_split({photo.id: Split(incoming.split)})
    return new, True


def _upright(incoming: Incoming, orientation: int, size: tuple[int, int]) -> Labels:
    """Give the labels for the upright picture, whichever way the file's tool held it."""
    meant = incoming.size
    if meant is None or meant == size:
        return incoming.labels
    if orientation in (5, 6, 7, 8) and meant == (size[1], size[0]):
        turned = (replace(p, box=_turned(p.box, orientation, *meant)) for p in incoming.labels.pigs)
        return replace(incoming.labels, pigs=tuple(turned))
    raise PictureError(
        f"{incoming.file.name}: labelled at {meant[0]}x{meant[1]} pixels, but is "
        f"{size[0]}x{size[1]}"
    )


def _turned(box: Box, orientation: int, width: int, height: int) -> Box:
    """Turn a box as EXIF says its `width` x `height` picture is turned (notes 5 to 8)."""
    x0, y0, x1, y1 = box
    return {
        5: (y0, x0, y1, x1),
        6: (height - y1, x0, height - y0, x1),
        7: (height - y1, width - x1, height - y0, width - x0),
        8: (y0, width - x1, y1, width - x0),
    }[orientation]


class _Module:
    """What each format's module holds."""

    write: Callable[[Sequence[Outgoing], Path], None]
    read: Callable[[Path, Reader], Iterator[Incoming]]


def _module(format_name: str) -> _Module:
    if format_name not in FORMATS:
        raise FormatError(f"unknown format {format_name!r}; expected {', '.join(FORMATS)}")
    module: _Module = import_module(f"vision.photos.formats.{FORMATS[format_name]}")  # type: ignore[assignment]
    return module
