"""Training pictures out of renders and a photo set together.

Never photographs alone: networks that were trained on a few new pictures forgot the old ones.
The photographs' crops are repeated until they are a share of each epoch. Their test part is not
touched: it measures.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vision.errors import VisionError
from vision.photos.formats.exchange import Outgoing, clip, unique_stems
from vision.photos.formats.yolo_classify import class_folder
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.split import Split, leaks

SHARE = 0.2
MOST_REPEATS = 30
"""The same photograph more often than this is learnt by heart."""

ROLES = ("pose", "locator")


class MixError(VisionError):
    """Renders and photographs that cannot be mixed; the message says why."""


@dataclass(frozen=True, slots=True)
class Mixed:
    """What was laid together: the folder, and how many of each are in its training part."""

    folder: Path
    renders: int
    photos: int
    repeats: int


def mix(renders: Path, photos: PhotoSet, into: Path, role: str, share: float = SHARE) -> Mixed:
    """Lay renders and photographs into one folder, as `sooee train` takes it.

    `renders` holds `train` and `val`; files are linked, not copied, where the disk can. An
    unfinished mix is begun anew.
    """
    if role not in ROLES:
        raise MixError(f"photographs train a {' or '.join(ROLES)}, not {role}")
    parts = _parts(photos)
    for split in ("train", "val"):
        if not (renders / split).is_dir():
            raise MixError(
                f"no folder {renders / split}: photographs are trained on together with renders "
                "only, or the old is forgotten (`sooee render`)"
            )
    shutil.rmtree(into, ignore_errors=True)
    half = into.with_name(f"{into.name}.half")
    shutil.rmtree(half, ignore_errors=True)
    for split in ("train", "val"):
        _link_tree(renders / split, half / split)
        _link_notes(renders / split, half / split)
    count = sum(1 for p in (half / "train").rglob("*") if p.suffix in (".jpg", ".png"))
    made = {s: _write(photos, parts[s], half / s.value, role) for s in (Split.TRAIN, Split.VAL)}
    repeats = _repeats(count, len(made[Split.TRAIN]), share)
    for path, label in made[Split.TRAIN]:
        for number in range(1, repeats):
            for file in filter(None, (path, label)):
                _link(file, file.with_stem(f"{file.stem}-{number}"))
    half.rename(into)
    return Mixed(into, count, len(made[Split.TRAIN]), repeats)


def _parts(photos: PhotoSet) -> dict[Split, list[Photo]]:
    shown = photos.photos()
    found = leaks(shown, photos.split_by)
    if found:
        raise MixError(
            f"{photos.folder}: {found[0].why} lies in two parts; `sooee photos split --again`"
        )
    parts: dict[Split, list[Photo]] = {s: [] for s in Split}
    for photo in shown:
        usable = photo.labels is not None and photo.labels.confirmed and not photo.missing
        if usable and photo.split is not None:
            parts[photo.split].append(photo)
    if not parts[Split.TRAIN]:
        raise MixError(
            f"{photos.folder}: nothing to train on; review photographs (`sooee annotate`) and "
            "split them (`sooee photos split`)"
        )
    return parts


def _repeats(renders: int, photographs: int, share: float) -> int:
    if photographs == 0:
        return 1
    wanted = share / (1 - share) * renders / photographs
    return max(1, min(MOST_REPEATS, round(wanted)))


def _write(
    photos: PhotoSet, chosen: list[Photo], into: Path, role: str
) -> list[tuple[Path, Path | None]]:
    stems = unique_stems([p.name for p in chosen])
    outgoing = [
        Outgoing(photos.path(p), f"photo-{stem}", p.width, p.height, p.labels)
        for p, stem in zip(chosen, stems, strict=True)
        if p.labels is not None
    ]
    return list(_crops(outgoing, into) if role == "pose" else _frames(outgoing, into))


def _crops(outgoing: list[Outgoing], into: Path) -> Iterator[tuple[Path, Path | None]]:
    import cv2
    import numpy as np

    from vision.photos.formats.yolo_classify import crop_square
    from vision.recognize.crop import window
    from vision.recognize.picture import open_picture

    names = {p.name.partition("_")[2] or p.name: p for p in into.iterdir() if p.is_dir()}
    for photo in outgoing:
        image = open_picture(photo.file)
        for number, pig in enumerate(photo.labels.pigs):
            pose = pig.pose or ""
            folder = names.get(pose, into / class_folder(pose))
            folder.mkdir(exist_ok=True)
            left, top, side = crop_square(pig.box)
            path = folder / f"{photo.stem}-{number}.png"
            crop = np.ascontiguousarray(window(image, left, top, side, side)[:, :, ::-1])
            cv2.imwrite(str(path), crop)
            yield path, None


def _frames(outgoing: list[Outgoing], into: Path) -> Iterator[tuple[Path, Path | None]]:
    for folder in ("images", "labels"):
        (into / folder).mkdir(parents=True, exist_ok=True)
    for photo in outgoing:
        path = into / "images" / photo.file_name
        _link(photo.file, path)
        lines = []
        for pig in photo.labels.pigs:
            box = clip(pig.box, photo.width, photo.height)
            if box is None:
                continue
            x, y = (box[0] + box[2]) / 2 / photo.width, (box[1] + box[3]) / 2 / photo.height
            w, h = (box[2] - box[0]) / photo.width, (box[3] - box[1]) / photo.height
            lines.append(f"0 {x:.6f} {y:.6f} {w:.6f} {h:.6f}\n")
        label = into / "labels" / f"{photo.stem}.txt"
        label.write_text("".join(lines), encoding="utf-8")
        yield path, label


def _link_tree(source: Path, target: Path) -> None:
    for path in sorted(source.rglob("*")):
        if path.is_file() and path.suffix in (".jpg", ".png", ".txt"):
            _link(path, target / path.relative_to(source))


def _link_notes(source: Path, target: Path) -> None:
    """Lay what is noted of the renders beside them again: how their pigs are turned."""
    real = source.resolve()
    for path in sorted(real.with_name(f"{real.name}.blocks").glob("*.jsonl")):
        _link(path, target.with_name(f"{target.name}.blocks") / path.name)


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source.resolve(), target)
    except OSError:  # another disk, or one without links
        shutil.copyfile(source, target)
