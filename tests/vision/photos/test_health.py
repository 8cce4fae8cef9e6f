"""The check finds what is wrong with a set, and says nothing where nothing is."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageEnhance

from scoring.throw import Contact
from vision.errors import ModelError
from vision.photos import arrivals
from vision.photos.alike import find_alike
from vision.photos.health import Kind, check, estimate_tilt
from vision.photos.health_report import as_data, as_html, as_lines, size_bins
from vision.photos.labels import Box, Labels, PigLabel
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.proposal import Proposal
from vision.photos.split import Split
from vision.photos.suspects import find_suspects
from vision.recognize.embedding import Embedder
from vision.recognize.reading import POSE_CLASSES

MakePicture = Callable[..., bytes]


def jpeg(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=88)
    return out.getvalue()


def table(pigs: Sequence[tuple[float, float]], seed: int = 0) -> Image.Image:
    """One table before one camera, with something pig-sized at each place."""
    rng = np.random.default_rng(4)
    low = rng.integers(60, 200, (12, 16, 3), dtype=np.uint8)
    image = Image.fromarray(low).resize((640, 480), Image.Resampling.BICUBIC)
    for n, (x, y) in enumerate(pigs):
        grain = np.random.default_rng(100 * seed + n).integers(120, 255, (5, 6, 3), dtype=np.uint8)
        blob = Image.fromarray(grain).resize((60, 44), Image.Resampling.BICUBIC)
        image.paste(blob, (round(x), round(y)))
    return image


def box_at(x: float, y: float) -> Box:
    return (x, y, x + 60, y + 44)


def put(photos: PhotoSet, image: Image.Image, name: str, *places: tuple[float, float]) -> Photo:
    photo = arrivals.add(photos, jpeg(image), name, session=name.partition("-")[0])[0]
    pigs = tuple(PigLabel(box_at(*p), "trotter") for p in places)
    return photos.save(photo.id, Labels(pigs, reviewed=True), revision=0)


class TestAlike:
    def test_the_same_picture_in_other_clothes_is_found(self, photos: PhotoSet) -> None:
        image = table([(100, 100), (400, 300)])
        first = put(photos, image, "a-1.jpg", (100, 100), (400, 300))
        darker = ImageEnhance.Brightness(image).enhance(0.92)
        second = put(photos, darker, "b-1.jpg", (100, 100), (400, 300))
        (pair,) = find_alike(photos)
        assert (pair.first, pair.second) == (first.id, second.id)

    def test_two_throws_before_one_camera_are_not_the_same(self, photos: PhotoSet) -> None:
        put(photos, table([(100, 100), (400, 300)], 1), "a-1.jpg", (100, 100), (400, 300))
        put(photos, table([(240, 60), (330, 350)], 2), "a-2.jpg", (240, 60), (330, 350))
        put(photos, table([(100, 100), (400, 300)], 3), "a-3.jpg", (100, 100), (400, 300))
        assert find_alike(photos) == ()

    def test_pictures_without_labels_go_by_the_whole(self, photos: PhotoSet) -> None:
        image = table([(100, 100)])
        arrivals.add(photos, jpeg(image), "a.jpg")
        arrivals.add(photos, jpeg(image.resize((320, 240))), "b.jpg")
        assert len(find_alike(photos)) == 1

    def test_hashes_are_made_again_when_boxes_change(self, photos: PhotoSet) -> None:
        image = table([(100, 100)])
        put(photos, image, "a-1.jpg", (100, 100))
        other = put(photos, image.resize((640, 480)).rotate(0.2), "b-1.jpg", (300, 300))
        assert find_alike(photos) == ()
        right = Labels((PigLabel(box_at(100, 100), "trotter"),), reviewed=True)
        photos.save(other.id, right, revision=other.revision)
        assert len(find_alike(photos)) == 1


def test_every_kind_of_trouble_is_found(
    photos: PhotoSet, make_picture: MakePicture, propose: Callable[..., Proposal]
) -> None:
    good = PigLabel((0, 0, 40, 30), "trotter")
    other = PigLabel((50, 20, 90, 55), "snouter")
    wrong: dict[Kind, Labels | None] = {
        Kind.NO_LABELS: None,
        Kind.UNNAMED: Labels((replace(good, pose=None),)),
        Kind.NO_CONTACT: Labels((good, other)),
        Kind.ODD_COUNT: Labels((good, other, PigLabel((0, 60, 30, 85), "trotter"))),
        Kind.OUTSIDE: Labels((replace(good, box=(-5, 0, 40, 30)),)),
        Kind.SMALL: Labels((replace(good, box=(1, 1, 9, 9)),)),
        Kind.TWICE: Labels((good, replace(good, box=(1, 0, 41, 30))), Contact.APART),
        Kind.UNSURE: Labels((good,), unsure=True),
        Kind.DISAGREES: Labels((other,), reviewed=True),
        Kind.NO_SPLIT: Labels((good,), reviewed=True),
    }
    ids: dict[Kind, int] = {}
    for number, (kind, labels) in enumerate(wrong.items()):
        photo = arrivals.add(photos, make_picture(number, size=(120, 90)), f"{number}.png")[0]
        ids[kind] = photo.id
        if labels is not None:
            photos.save(photo.id, labels, revision=0)
    photos.propose(ids[Kind.DISAGREES], propose((other.box, "trotter", 0.9)))
    fine = arrivals.add(photos, make_picture(80, size=(120, 90)), "fine.png")[0]
    photos.save(fine.id, Labels((good, other), Contact.APART, reviewed=True), revision=0)
    out = arrivals.add(photos, make_picture(81, size=(120, 90)), "out.png")[0]
    photos.save(out.id, Labels((replace(good, box=(1, 1, 3, 3)),), left_out=True), revision=0)
    gone = arrivals.add(photos, make_picture(82, size=(120, 90)), "gone.png")[0]
    photos.path(gone).unlink()
    arrivals.refresh(photos)
    split = {fine.id: Split.TRAIN, ids[Kind.DISAGREES]: Split.TRAIN}
    photos.set_split(dict(split))
    health = check(photos, None)
    found = {(f.kind, f.photo) for f in health.findings}
    assert found == set(ids.items()) | {(Kind.MISSING_FILE, gone.id)}
    assert (health.photos, health.left_out) == (13, 1)
    assert health.poses["train"]["snouter"] == 2
    assert "razorback" in health.rare
    lines = as_lines(health)
    assert "1 x a pig too small to read" in lines
    page = as_html(photos, health)
    assert page.count("data:image/jpeg;base64,") == len(found) - 1
    assert as_data(photos, health)["findings"][0]["photo"]


def test_leaks_are_shouted(photos: PhotoSet) -> None:
    image = table([(100, 100)])
    first = put(photos, image, "a-1.jpg", (100, 100))
    second = put(photos, image.rotate(0.2), "b-1.jpg", (100, 100))
    third = put(photos, table([(300, 200)], 5), "a-2.jpg", (300, 200))
    photos.set_split({first.id: Split.TRAIN, second.id: Split.TEST, third.id: Split.VAL})
    health = check(photos, None)
    assert sorted(x.why for x in health.leaks) == ["look alike", "session a"]
    assert any("LEAKS" in line for line in as_lines(health))
    assert 'class="alarm"' in as_html(photos, health)


def test_names_cannot_break_the_page(photos: PhotoSet, make_picture: MakePicture) -> None:
    arrivals.add(photos, make_picture(1), "x.png", session="<script>alert(1)</script>")
    assert "<script>alert" not in as_html(photos, check(photos, None))


def test_without_a_model_the_check_says_so(photos: PhotoSet, photo: Photo) -> None:
    def missing() -> Embedder:
        raise ModelError("there are no models")

    assert any("there are no models" in note for note in check(photos, missing).notes)


class FakeEmbedder:
    """Sees the mean colour of a crop, and has no opinion on poses."""

    size = 16
    sha256 = "fake"

    def __call__(self, crops: Sequence[Any]) -> tuple[Any, Any]:
        vectors = np.array([np.asarray(c, float).mean(axis=(0, 1)) / 40 for c in crops])
        return vectors, np.full((len(crops), len(POSE_CLASSES)), -math.log(len(POSE_CLASSES)))


def test_wrong_labels_are_suspected_and_right_ones_are_not(photos: PhotoSet) -> None:
    colours = {"trotter": (220, 60, 60), "snouter": (60, 220, 60), "razorback": (60, 60, 220)}
    wrong: set[int] = set()
    rng = np.random.default_rng(3)
    for n in range(60):
        pose = list(colours)[n % 3]
        image = Image.new(
            "RGB", (90, 90), tuple(int(c + rng.integers(-20, 20)) for c in colours[pose])
        )
        image.putpixel((0, 0), (n, n, n))
        photo = arrivals.add(photos, jpeg(image), f"{n}.jpg", session=f"s{n % 6}")[0]
        said = pose
        if n in (7, 23):
            said = list(colours)[(n + 1) % 3]
            wrong.add(photo.id)
        photos.save(
            photo.id, Labels((PigLabel((20, 20, 70, 70), said),), reviewed=True), revision=0
        )
    embedder: Any = FakeEmbedder()
    found = find_suspects(photos, embedder, photos.photos())
    assert {s.photo for s in found} == wrong
    assert all(s.likelier != s.labelled for s in found)
    health = check(photos, lambda: embedder)
    assert "labels are likely wrong" in " ".join(as_lines(health))
    assert find_suspects(photos, embedder, photos.photos()[:10]) == ()


@pytest.mark.parametrize("tilt", [0.0, 20.0, 45.0])
def test_the_tilt_is_worked_out_from_how_pigs_grow(tilt: float) -> None:
    rng = np.random.default_rng(5)
    shown = []
    for n in range(60):
        v = rng.uniform(-0.3, 0.3)
        size = 0.05 * (1 + v * math.tan(math.radians(tilt))) * rng.normal(1, 0.05)
        x, y, half = 320.0, 240 + v * 640, size * 640 / 2
        pig = PigLabel((x - half, y - half, x + half, y + half), "trotter")
        shown.append(blank(n, Labels((pig,))))
    found = estimate_tilt(shown)
    assert found is not None
    assert abs(found[0] - tilt) < 3 * found[1] + 2
    assert estimate_tilt(shown[:5]) is None


def blank(number: int, labels: Labels) -> Photo:
    return Photo(
        id=number, name="", width=640, height=480, sha256="", session="", camera="", origin="",
        missing=False, labels=labels, revision=0, proposal=None, disagrees=False, split=None,
        look=None, stamp=0,
    )  # fmt: skip


def test_every_size_falls_in_one_bin() -> None:
    sizes = [0.0, 19.9, 20.0, 149.9, 1e9]
    assert sum(n for _, n in size_bins(sizes)) == len(sizes)
