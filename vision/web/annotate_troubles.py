"""Why the annotation page's server refuses something, as a key that has words in every language."""

from __future__ import annotations

import re

from vision.errors import PictureError
from vision.photos.labels import LabelError
from vision.photos.photo_set import UnknownPhotoError
from vision.photos.store import StoreError, StoreFullError

OTHER = "other"
STOPPED = "stopped with the program; drop it again"

# What is said of a file that was not taken in (`vision.photos.intake`, `vision.capture.sources`).
_FILES = (
    (re.compile(r"larger than \d+ MB"), "too_large"),
    (re.compile(r"more than \d+ megapixels"), "too_many_pixels"),
    (re.compile(r"too small to show a pig"), "too_small"),
    (re.compile(r"a phone's HEIC"), "heic"),
    (re.compile(r"not a picture that can be read"), "no_picture"),
    (re.compile(r"broken picture"), "broken"),
    (re.compile(r"not a video by its name|cannot be read as a video"), "no_video"),
    (re.compile(r"ends at frame"), "cut_video"),
    (re.compile(r"cannot be written"), "unwritten"),
    (re.compile(r"stopped with the program"), "stopped"),
)
_KINDS: tuple[tuple[type[Exception], str], ...] = (
    (UnknownPhotoError, "gone"),
    (LabelError, "labels"),
    (StoreFullError, "disk_full"),
    (StoreError, "store"),
    (PictureError, "no_picture"),
)

KEYS = tuple(dict.fromkeys((*(k for _, k in _FILES), *(k for _, k in _KINDS))))
"""Every key there is but `other`; each language has `annotate.why.KEY`."""


def key_of(error: Exception | str) -> str:
    """Return the key of what went wrong; `other` where only the program's English tells it."""
    said = next((key for pattern, key in _FILES if pattern.search(str(error))), None)
    if said is not None:
        return said
    return next((key for kind, key in _KINDS if isinstance(error, kind)), OTHER)
