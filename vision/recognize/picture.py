"""One picture file as pixels, upright, whatever its kind."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from vision.capture.frame import Image
from vision.errors import PictureError

MOST_PIXELS = 120_000_000
"""The largest picture that is opened: more than any phone makes, less than fills a memory."""


def open_picture(path: Path) -> Image:
    """Read a picture file as uint8[H, W, 3] RGB, turned upright as its EXIF data says.

    What is transparent is laid on white, as every viewer shows it; of an animation the first
    picture is taken. `PictureError` for whatever is not a whole picture.
    """
    from PIL import Image as Pillow
    from PIL import ImageOps, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Pillow.DecompressionBombWarning)
            with Pillow.open(path) as opened:
                if opened.width * opened.height > MOST_PIXELS:
                    raise _too_large(path)
                picture = ImageOps.exif_transpose(opened)
                return _as_rgb(picture)
    except FileNotFoundError as error:
        raise PictureError(f"there is no picture {path}: check its name and folder") from error
    except IsADirectoryError as error:
        raise PictureError(f"{path} is a folder, name the pictures in it") from error
    except PermissionError as error:
        raise PictureError(f"{path} may not be read: check its permissions") from error
    except UnidentifiedImageError as error:
        raise PictureError(
            f"{path} is not a picture that can be read: use JPEG, PNG or WebP"
        ) from error
    except (Pillow.DecompressionBombError, Pillow.DecompressionBombWarning) as error:
        raise _too_large(path) from error
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise PictureError(
            f"{path} is a broken picture ({error}): save or send it again"
        ) from error


def _too_large(path: Path) -> PictureError:
    return PictureError(
        f"{path} is larger than {MOST_PIXELS // 1_000_000} megapixels: make it smaller first"
    )


def _as_rgb(picture: object) -> Image:
    from PIL import Image as Pillow

    if not isinstance(picture, Pillow.Image):
        raise TypeError(f"expected a Pillow image, got {type(picture).__name__}")
    if picture.mode.startswith("I"):  # 16 bits a pixel; Pillow would clip them, not scale them
        grey = (np.asarray(picture).astype(np.int64) >> 8).clip(0, 255).astype(np.uint8)
        return np.repeat(grey[..., None], 3, axis=2)
    if picture.has_transparency_data:
        shown = picture.convert("RGBA")
        white = Pillow.new("RGBA", shown.size, "white")
        picture = Pillow.alpha_composite(white, shown)
    return np.array(picture.convert("RGB"), np.uint8)
