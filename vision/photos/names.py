"""Names of files that a person or a browser gave, made safe for a folder of pictures."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path, PurePosixPath, PureWindowsPath

_RESERVED = re.compile(r"^(con|prn|aux|nul|com\d|lpt\d)$", re.IGNORECASE)
_UNFIT = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')


def safe_stem(name: str) -> str:
    """Give the last part of a name without its ending, fit for every file system."""
    last = PureWindowsPath(PurePosixPath(name).name).name
    stem = unicodedata.normalize("NFC", Path(last).stem)
    stem = _UNFIT.sub("_", stem).strip(" ._")[:80].rstrip(" .")
    return f"_{stem}" if not stem or _RESERVED.match(stem) else stem


def free_name(folder: Path, stem: str, suffix: str) -> str:
    """Give a name that is not taken in `folder`: `stem.suffix`, `stem-2.suffix`, and so on."""
    number, name = 1, f"{stem}{suffix}"
    while (folder / name).exists():
        number += 1
        name = f"{stem}-{number}{suffix}"
    return name
