"""A picture on its way into a set: read whole, turned upright once, known by its content.

Cameras note in EXIF how a picture was held, and every tool honours or ignores the note in its
own way; boxes drawn in one then lie elsewhere in the next. So a picture that is not upright is
turned when it enters a set, its note is dropped, and the file as it came is kept in `originals/`.
A picture that is upright already stays as it is, byte for byte.
"""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vision.errors import PictureError

if TYPE_CHECKING:
    from PIL import Image as Pil

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
"""What every browser shows."""

CONVERTED = (".bmp", ".tif", ".tiff")
"""What is turned into PNG on the way in."""

MAX_BYTES = 64 * 2**20
MAX_PIXELS = 100_000_000
MIN_SIDE = 8

_ORIENTATION = 0x0112
_MAKE, _MODEL, _TAKEN, _TAKEN_EXIF, _EXIF_IFD = 0x010F, 0x0110, 0x0132, 0x9003, 0x8769


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture ready to lie in a set.

    `data` is the file's bytes, upright; `suffix` how its name ends; `turned` whether `data`
    differs from what came; `orientation` is the EXIF note (1 to 8) that came, 1 for upright.
    `camera` and `day` (YYYY-MM-DD) are what the file says, else empty.
    """

    data: bytes
    suffix: str
    width: int
    height: int
    turned: bool
    camera: str = ""
    day: str = ""
    orientation: int = 1

    @property
    def sha256(self) -> str:
        """The content's name."""
        return hashlib.sha256(self.data).hexdigest()


def read_picture(data: bytes, name: str) -> Picture:
    """Read a picture's bytes; `name` is for its ending and for messages.

    Raises `PictureError` for anything that is not a whole picture of a size worth keeping.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    if len(data) > MAX_BYTES:
        raise PictureError(f"{name}: larger than {MAX_BYTES // 2**20} MB")
    try:
        with Image.open(io.BytesIO(data)) as image:
            kind = image.format or ""
            width, height = image.size
            if width * height > MAX_PIXELS:
                raise PictureError(f"{name}: {width}x{height} is more than 100 megapixels")
            if min(width, height) < MIN_SIDE:
                raise PictureError(f"{name}: {width}x{height} is too small to show a pig")
            exif = image.getexif()
            orientation = exif.get(_ORIENTATION, 1)
            camera, day = _origin(exif)
            image.load()
            if orientation in range(2, 9):
                upright = ImageOps.exif_transpose(image)
                encoded, suffix = _encode(upright, kind, image)
                return Picture(encoded, suffix, *upright.size, True, camera, day, orientation)
            shown = {"JPEG": ".jpg", "PNG": ".png", "WEBP": ".webp"}.get(kind)
            if shown is not None and not getattr(image, "is_animated", False):
                return Picture(data, shown, width, height, False, camera, day)
            encoded, suffix = _encode(image, "PNG", image)
            return Picture(encoded, suffix, width, height, True, camera, day)
    except UnidentifiedImageError as error:
        hint = ""
        if Path(name).suffix.lower() in (".heic", ".heif", ".avif"):
            hint = " (a phone's HEIC: send it as JPEG, or set the camera to 'most compatible')"
        raise PictureError(f"{name}: not a picture that can be read{hint}") from error
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise PictureError(f"{name}: broken picture: {error}") from error


def upright_size(file: Path) -> tuple[int, int]:
    """Give a picture's width and height as it is meant to be seen, without reading its pixels."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(file) as image:
            width, height = image.size
            turned = image.getexif().get(_ORIENTATION, 1) in range(5, 9)
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError) as error:
        raise PictureError(f"{file}: not a picture that can be read") from error
    return (height, width) if turned else (width, height)


def _encode(image: Pil.Image, kind: str, original: Pil.Image) -> tuple[bytes, str]:
    """Write an upright picture as it came, JPEG with its own tables, everything else as PNG."""
    profile = original.info.get("icc_profile")
    extra = {"icc_profile": profile} if profile else {}
    out = io.BytesIO()
    if kind == "JPEG":
        image.save(out, "JPEG", quality=97, subsampling=0, **extra)
        return out.getvalue(), ".jpg"
    if kind == "WEBP":
        image.save(out, "WEBP", lossless=True, **extra)
        return out.getvalue(), ".webp"
    if image.mode not in ("1", "L", "LA", "P", "RGB", "RGBA"):
        image = image.convert("RGB")
    image.save(out, "PNG", **extra)
    return out.getvalue(), ".png"


def _origin(exif: Pil.Exif) -> tuple[str, str]:
    """Give the camera's name and the day, as the file says them."""
    words = (str(exif.get(tag, "")).strip("\0 ") for tag in (_MAKE, _MODEL))
    camera = " ".join(dict.fromkeys(" ".join(w for w in words if w).split()))
    taken = str(exif.get_ifd(_EXIF_IFD).get(_TAKEN_EXIF) or exif.get(_TAKEN) or "")
    day = taken[:10].replace(":", "-")
    return camera[:80], day if len(day) == 10 and day.replace("-", "").isdigit() else ""


def write_atomically(path: Path, data: bytes, *, lasting: bool = True) -> None:
    """Write a file so that it is there whole or not at all, if `lasting` also after a power cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".partial-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise
    if lasting:
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make a new name last; Windows has no such call and needs none."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
