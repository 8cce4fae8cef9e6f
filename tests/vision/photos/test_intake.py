"""A picture enters a set upright, whole and once."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageOps

from vision.errors import PictureError
from vision.photos import arrivals
from vision.photos.intake import read_picture, write_atomically
from vision.photos.names import safe_stem
from vision.photos.photo_set import PhotoSet

MakePicture = Callable[..., bytes]

ORIENTATION = 0x0112


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_orientation_is_applied_once(
    make_picture: MakePicture, orientation: int, kind: str
) -> None:
    data = make_picture(3, size=(80, 40), kind=kind, exif={ORIENTATION: orientation})
    picture = read_picture(data, "p")
    with Image.open(io.BytesIO(data)) as came, Image.open(io.BytesIO(picture.data)) as kept:
        assert kept.getexif().get(ORIENTATION, 1) == 1
        assert kept.size == (picture.width, picture.height)
        assert kept.size == ((40, 80) if orientation >= 5 else (80, 40))
        wanted = np.asarray(ImageOps.exif_transpose(came).convert("RGB"), int)
        got = np.asarray(kept.convert("RGB"), int)
    assert np.abs(wanted - got).mean() < 2
    assert picture.turned is (orientation != 1)
    if orientation == 1:
        assert picture.data == data
    assert not read_picture(picture.data, "again").turned


def test_camera_and_day_come_from_the_file(make_picture: MakePicture) -> None:
    data = make_picture(
        kind="JPEG", exif={0x010F: "Acme", 0x0110: "Acme Snap 3", 0x0132: "2026:11:30 10:00:00"}
    )
    picture = read_picture(data, "p.jpg")
    assert (picture.camera, picture.day) == ("Acme Snap 3", "2026-11-30")


@pytest.mark.parametrize("kind", ["TIFF", "BMP", "GIF"])
def test_what_browsers_do_not_show_becomes_png(make_picture: MakePicture, kind: str) -> None:
    picture = read_picture(make_picture(kind=kind), f"p.{kind.lower()}")
    assert picture.suffix == ".png"
    assert picture.turned
    with Image.open(io.BytesIO(picture.data)) as image:
        assert image.format == "PNG"


def test_what_is_no_picture_is_refused(make_picture: MakePicture) -> None:
    whole = make_picture(size=(300, 300), kind="JPEG")
    for data, name, message in [
        (b"", "empty.jpg", "not a picture"),
        (b"hello", "letter.png", "not a picture"),
        (b"\0\0\0\x18ftypheic" + bytes(60), "phone.heic", "HEIC"),
        (whole[: len(whole) // 2], "half.jpg", "broken picture"),
        (make_picture(size=(4, 40)), "line.png", "too small"),
    ]:
        with pytest.raises(PictureError, match=message):
            read_picture(data, name)


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_unpacked() -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"0"))
    with pytest.raises(PictureError, match=r"100 megapixels|bomb"):
        read_picture(bomb, "bomb.png")


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("../../etc/passwd.jpg", "passwd"),
        ("C:\\fakepath\\gris.jpg", "gris"),
        ("to grise.JPG", "to grise"),
        ("æøå.png", "æøå"),
        (".hidden.jpg", "hidden"),
        ("con.jpg", "_con"),
        ("", "_"),
        ("a\0b\nc.jpg", "a_b_c"),
        ("x" * 300 + ".jpg", "x" * 80),
    ],
)
def test_names_are_made_safe(name: str, stem: str) -> None:
    assert safe_stem(name) == stem


def test_a_failed_write_leaves_the_old_file_and_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "p.png"
    write_atomically(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["p.png"]


class TestAdd:
    def test_the_same_content_is_taken_once(
        self, photos: PhotoSet, make_picture: MakePicture
    ) -> None:
        first, new = arrivals.add(photos, make_picture(1), "a.png", session="s", camera="c")
        again, second = arrivals.add(photos, make_picture(1), "b.png")
        assert (new, second, again) == (True, False, first)
        assert (first.session, first.camera) == ("s", "c")

    def test_names_do_not_collide(self, photos: PhotoSet, make_picture: MakePicture) -> None:
        names = [arrivals.add(photos, make_picture(i), "a.png")[0].name for i in range(3)]
        assert names == ["a.png", "a-2.png", "a-3.png"]

    def test_the_original_of_a_turned_picture_is_kept(
        self, photos: PhotoSet, make_picture: MakePicture
    ) -> None:
        data = make_picture(1, kind="JPEG", exif={ORIENTATION: 6})
        photo, _ = arrivals.add(photos, data, "a.jpg")
        assert (photos.folder / "originals" / "a.jpg").read_bytes() == data
        assert (photo.width, photo.height) == (48, 64)


class TestRefresh:
    def test_a_folder_of_pictures_becomes_a_set(
        self, photos: PhotoSet, make_picture: MakePicture
    ) -> None:
        folder = photos.folder
        (folder / "tuesday").mkdir()
        (folder / "a.png").write_bytes(make_picture(1))
        (folder / "tuesday" / "b.jpg").write_bytes(
            make_picture(2, kind="JPEG", exif={ORIENTATION: 8})
        )
        (folder / "c.bmp").write_bytes(make_picture(3, kind="BMP"))
        (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff")
        (folder / ".trash").mkdir()
        (folder / ".trash" / "d.png").write_bytes(make_picture(4))
        told: list[tuple[int, int]] = []
        problems = arrivals.refresh(photos, lambda done, of: told.append((done, of)))
        assert [p.name for p in problems] == ["broken.jpg"]
        got = {p.name: (p.session, p.width) for p in photos.photos()}
        assert got == {
            "a.png": ("unsorted", 64),
            "tuesday/b.jpg": ("tuesday", 48),
            "c.png": ("unsorted", 64),
        }
        assert told[-1] == (4, 4)
        assert (folder / "originals" / "tuesday" / "b.jpg").is_file()
        before = photos.photos()
        assert [p.name for p in arrivals.refresh(photos)] == ["broken.jpg"]
        assert photos.photos() == before, "a second look changes nothing"

    def test_moved_and_lost_files(self, photos: PhotoSet, make_picture: MakePicture) -> None:
        first = arrivals.add(photos, make_picture(1), "a.png")[0]
        second = arrivals.add(photos, make_picture(2), "b.png")[0]
        (photos.folder / "sub").mkdir()
        (photos.folder / "a.png").rename(photos.folder / "sub" / "moved.png")
        kept = (photos.folder / "b.png").read_bytes()
        (photos.folder / "b.png").unlink()
        assert arrivals.refresh(photos) == []
        assert photos.photo(first.id).name == "sub/moved.png"
        assert photos.photo(second.id).missing
        (photos.folder / "b.png").write_bytes(kept)
        arrivals.refresh(photos)
        assert not photos.photo(second.id).missing
        assert len(photos.photos()) == 2

    def test_another_picture_under_a_labelled_name_is_not_given_its_labels(
        self, photos: PhotoSet, make_picture: MakePicture
    ) -> None:
        photo = arrivals.add(photos, make_picture(1), "a.png")[0]
        (photos.folder / "a.png").write_bytes(make_picture(2))
        (problem,) = arrivals.refresh(photos)
        assert "another picture" in problem.reason
        assert photos.photo(photo.id).sha256 == photo.sha256
