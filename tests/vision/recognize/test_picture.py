"""Whatever a camera or a friend sends becomes upright RGB, or one clear line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from vision.errors import PictureError
from vision.recognize import picture as module
from vision.recognize.picture import open_picture

RED, BLUE = (250, 10, 10), (10, 10, 250)


def red_left() -> Any:
    image = np.zeros((40, 60, 3), np.uint8)
    image[:, :30] = RED
    image[:, 30:] = BLUE
    return Pillow.fromarray(image)


def near(pixel: Any, colour: tuple[int, int, int]) -> bool:
    return bool(np.abs(np.asarray(pixel, int) - colour).max() < 60)


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("a.jpg", "RGB"),
        ("a.jpg", "CMYK"),
        ("a.png", "RGB"),
        ("a.png", "RGBA"),
        ("a.png", "P"),
        ("a.webp", "RGB"),
        ("a.bmp", "RGB"),
        ("a.tiff", "RGB"),
        ("a.gif", "P"),
    ],
)
def test_every_kind_of_file_is_rgb(tmp_path: Path, name: str, mode: str) -> None:
    red_left().convert(mode).save(tmp_path / name)
    image = open_picture(tmp_path / name)
    assert image.shape == (40, 60, 3)
    assert image.dtype == np.uint8
    assert near(image[20, 5], RED)
    assert near(image[20, 55], BLUE)


@pytest.mark.parametrize("depth", ["8", "16"])
def test_grey_keeps_its_brightness(tmp_path: Path, depth: str) -> None:
    grey = np.full((10, 10), 100, np.uint8)
    kept = grey if depth == "8" else grey.astype(np.uint16) << 8
    Pillow.fromarray(kept).save(tmp_path / "grey.png")
    assert np.all(open_picture(tmp_path / "grey.png") == 100)


# EXIF orientation: where the stored picture's left side (red) is once it is upright.
@pytest.mark.parametrize(
    ("orientation", "red"),
    [
        (1, (20, 5)),
        (2, (20, 55)),
        (3, (20, 55)),
        (4, (20, 5)),
        (5, (5, 20)),
        (6, (5, 20)),
        (7, (55, 20)),
        (8, (55, 20)),
    ],
)
def test_a_phone_held_sideways(tmp_path: Path, orientation: int, red: tuple[int, int]) -> None:
    exif = Pillow.Exif()
    exif[0x0112] = orientation
    red_left().save(tmp_path / "a.jpg", exif=exif, quality=95)
    image = open_picture(tmp_path / "a.jpg")
    assert image.shape[:2] == ((40, 60) if orientation < 5 else (60, 40))
    assert near(image[red], RED)


def test_what_is_transparent_is_white(tmp_path: Path) -> None:
    clear = np.zeros((10, 10, 4), np.uint8)
    clear[:5] = (*RED, 255)
    Pillow.fromarray(clear).save(tmp_path / "a.png")
    image = open_picture(tmp_path / "a.png")
    assert np.all(image[7] == 255)
    assert np.all(image[2] == RED)


def write_truncated(path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (80, 80, 3), dtype=np.uint8)
    Pillow.fromarray(noise).save(path)
    path.write_bytes(path.read_bytes()[:4000])


@pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.webp"])
def test_a_truncated_file(tmp_path: Path, name: str) -> None:
    write_truncated(tmp_path / name)
    with pytest.raises(PictureError) as caught:
        open_picture(tmp_path / name)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"there is no picture .*gone\.jpg"):
        open_picture(tmp_path / "gone.jpg")


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="is a folder, name the pictures in it"):
        open_picture(tmp_path)


@pytest.mark.parametrize("content", [b"", b"oink", b"\x89PNG\r\n\x1a\n" + b"\0" * 30])
def test_what_is_no_picture(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.png").write_bytes(content)
    with pytest.raises(PictureError, match=r"not a picture that can be read|broken picture"):
        open_picture(tmp_path / "a.png")


def test_a_picture_too_large_to_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PIXELS", 2000)
    red_left().save(tmp_path / "a.png")
    with pytest.raises(PictureError, match="megapixels: make it smaller"):
        open_picture(tmp_path / "a.png")
