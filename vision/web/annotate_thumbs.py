"""Small pictures of a set's photographs, made when first asked for and kept in its cache."""

from __future__ import annotations

import io
from contextlib import suppress
from pathlib import Path

from vision.errors import PictureError
from vision.photos.intake import write_atomically
from vision.photos.photo_set import Photo, PhotoSet, UnknownPhotoError

CACHE = ".sooee-cache"
"""A folder of a set that may be deleted at any time."""

SIDE = 160
"""The longer side of a thumbnail in pixels."""


class Thumbs:
    """The thumbnails of one set."""

    def __init__(self, photos: PhotoSet) -> None:
        self._photos = photos

    def of(self, photo: Photo) -> bytes:
        """Give a JPEG of at most 160 pixels."""
        kept = self._photos.folder / CACHE / "thumbs" / photo.sha256[:2] / f"{photo.sha256}.jpg"
        with suppress(OSError):
            return kept.read_bytes()
        data = _small(self._photos.path(photo))
        with suppress(OSError):  # a full disk costs only time
            write_atomically(kept, data, lasting=False)
        return data


def _small(path: Path) -> bytes:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(path) as image:
            image.draft("RGB", (SIDE, SIDE))  # the smallest that JPEG unpacks to, not below this
            small = image.convert("RGB")
            small.thumbnail((SIDE, SIDE))
    except FileNotFoundError as error:
        raise UnknownPhotoError(f"{path.name}: the file is gone") from error
    except (UnidentifiedImageError, OSError, ValueError) as error:
        raise PictureError(f"{path.name}: broken picture: {error}") from error
    out = io.BytesIO()
    small.save(out, "JPEG", quality=80)
    return out.getvalue()
