"""Which photographs show the same: the same table and light, and the pigs lying the same.

A perceptual hash of the whole picture alone says little here: two throws before one camera
differ only by two small pigs. So where both pictures are labelled, their pigs must match, too:
in place, and in what a hash of each pig's crop shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.errors import PictureError, VisionError
from vision.photos.labels import PigLabel, overlap
from vision.photos.photo_set import Photo, PhotoSet
from vision.recognize.crop import square_crop

WHOLE_BITS = 8
"""Hashes of whole pictures (64 bits) that differ by at most this many look the same."""

PIG_BITS = 14
"""The same for the crop of one pig."""

SAME_PLACE = 0.5
"""Pigs lie in the same place when their boxes overlap this much."""

_CROP = 64


class HashLibraryError(VisionError):
    """The library of perceptual hashes is not installed."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Two photographs, by id, that look the same; `bits` of their hashes differ."""

    first: int
    second: int
    bits: int


def find_alike(
    photos: PhotoSet, tell: Callable[[int, int], None] | None = None
) -> tuple[Alike, ...]:
    """Compare every pair of the set's photographs; hashes are made once and kept in the store.

    Raises `HashLibraryError` where the library is missing.
    """
    shown = [p for p in photos.photos() if not p.missing]
    hashes = np.zeros(len(shown), np.uint64)
    readable = np.ones(len(shown), bool)
    for number, photo in enumerate(shown):
        try:
            hashes[number] = int(_parts(_look(photos, photo))[0], 16)
        except (PictureError, OSError):
            readable[number] = False
        if tell is not None:
            tell(number + 1, len(shown))
    looks = {p.id: photos.photo(p.id).look or "" for p in shown}
    found = []
    for number in range(len(shown) - 1):
        if not readable[number]:
            continue
        bits = np.bitwise_count(hashes[number + 1 :] ^ hashes[number])
        near = np.flatnonzero((bits <= WHOLE_BITS) & readable[number + 1 :])
        for step in near:
            other = number + 1 + int(step)
            if _pigs_match(shown[number], shown[other], looks):
                found.append(Alike(shown[number].id, shown[other].id, int(bits[step])))
    return tuple(found)


def _parts(look: str) -> list[str]:
    """Give the hash of the whole picture, then those of its pigs."""
    return look.partition("|")[0].split(",")


def _look(photos: PhotoSet, photo: Photo) -> str:
    """Give `whole,pig,pig,…` in hexadecimal, made anew when the boxes have changed."""
    pigs = () if photo.labels is None else photo.labels.pigs
    key = ";".join(",".join(f"{v:.0f}" for v in p.box) for p in pigs)
    if photo.look is not None and photo.look.endswith(f"|{key}"):
        return photo.look
    look = ",".join(_hashes(photos.path(photo), pigs)) + f"|{key}"
    photos.set_look(photo.id, look)
    return look


def _hashes(path: Path, pigs: Sequence[PigLabel]) -> list[str]:
    from PIL import Image, UnidentifiedImageError

    try:
        import imagehash
    except ImportError as error:
        raise HashLibraryError(
            "pictures that look alike need one library more: pip install 'sooee[photos]'"
        ) from error
    try:
        with Image.open(path) as image:
            pixels = np.asarray(image.convert("RGB"))
    except (UnidentifiedImageError, OSError) as error:
        raise PictureError(f"{path.name}: broken picture: {error}") from error
    whole = str(imagehash.phash(Image.fromarray(pixels)))
    crops = (square_crop(np.asarray(pixels, np.uint8), p.box, _CROP, 0.0) for p in pigs)
    return [whole, *(str(imagehash.phash(Image.fromarray(c))) for c in crops)]


def _pigs_match(a: Photo, b: Photo, looks: dict[int, str]) -> bool:
    if a.labels is None or b.labels is None:
        return True
    if len(a.labels.pigs) != len(b.labels.pigs):
        return False
    looks_a, looks_b = (_parts(looks[p.id])[1:] for p in (a, b))
    left = list(zip(b.labels.pigs, looks_b, strict=True))
    for pig, look in zip(a.labels.pigs, looks_a, strict=True):
        match = next((m for m in left if _same_pig(pig, look, *m)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _same_pig(pig: PigLabel, look: str, other: PigLabel, other_look: str) -> bool:
    differing = (int(look, 16) ^ int(other_look, 16)).bit_count()
    return overlap(pig.box, other.box) >= SAME_PLACE and differing <= PIG_BITS
