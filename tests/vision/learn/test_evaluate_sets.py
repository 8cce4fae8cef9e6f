"""Truth is read in every form it comes in, and what cannot be read is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from vision.errors import VisionError
from vision.learn.evaluate_sets import SetError, TruePig, load_set


def save(path: Path, width: int = 100, height: int = 50) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Pillow.fromarray(np.zeros((height, width, 3), np.uint8)).save(path)
    return path


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")


SIDECAR = {
    "pigs": [
        {"box": [10, 10, 30, 30], "pose": "snouter", "size_px": 20, "visible": 0.9},
        {"box": [50, 10, 80, 30], "pose": "other", "tilt_deg": 33.0},
    ],
    "contact": "apart",
    "gap_mm": 4.5,
    "camera": {"tilt_deg": 21.0, "focal_px": 900},
    "light": {"count": 2, "level": 0.4},
    "seed": 1,
    "recipe": "frames",
}


def test_renders_with_a_sidecar(tmp_path: Path) -> None:
    save(tmp_path / "images" / "b.jpg")
    write(tmp_path / "images" / "b.json", SIDECAR)
    save(tmp_path / "images" / "a.jpg")
    write(tmp_path / "images" / "a.json", {"pigs": [], "contact": None, "gap_mm": None})
    chosen = load_set(tmp_path)
    empty, two = chosen.pictures
    assert chosen.name == tmp_path.name
    assert empty.pigs == ()
    assert [p.pose for p in two.pigs] == ["snouter", "other"]
    assert [p.tilt_deg for p in two.pigs] == [21.0, 33.0]
    assert two.pigs[0].visible == 0.9
    assert two.pigs[1].size_px == 30
    assert (two.contact, two.gap_mm, two.lights) == ("apart", 4.5, 2)


@pytest.mark.parametrize("notes", ["crops/truth.jsonl", "crops.blocks/1-0-250.jsonl"])
def test_crops_in_a_folder_a_class(tmp_path: Path, notes: str) -> None:
    folder = tmp_path / "crops"
    save(folder / "0_dot_up" / "x.jpg", 64, 64)
    save(folder / "snouter" / "y.jpg", 64, 64)
    note = {"image": "0_dot_up/x.jpg", "label": "dot_up", "tilt_deg": 12.5, "pig_px": 40.0}
    write(tmp_path / notes, json.dumps(note | {"lights": 3}) + "\n")
    first, second = load_set(folder).pictures
    assert first.crop
    assert second.crop
    assert (first.pigs[0].pose, second.pigs[0].pose) == ("dot_up", "snouter")
    assert (first.pigs[0].tilt_deg, first.pigs[0].size_px, first.lights) == (12.5, 40.0, 3)
    assert second.pigs[0].tilt_deg is None


def test_yolo(tmp_path: Path) -> None:
    save(tmp_path / "images" / "a.jpg")
    write(tmp_path / "labels" / "a.txt", "1 0.5 0.5 0.2 0.4\n")
    write(tmp_path / "classes.txt", "trotter\nsnouter\n")
    (picture,) = load_set(tmp_path).pictures
    (pig,) = picture.pigs
    assert pig.pose == "snouter"
    assert pig.box == pytest.approx((40.0, 15.0, 60.0, 35.0))


@pytest.mark.parametrize("as_file", [True, False])
def test_coco(tmp_path: Path, as_file: bool) -> None:
    save(tmp_path / "a.jpg")
    coco = {
        "images": [{"id": 7, "file_name": "a.jpg", "width": 100, "height": 50}],
        "annotations": [{"id": 1, "image_id": 7, "category_id": 3, "bbox": [10, 10, 20, 30]}],
        "categories": [{"id": 3, "name": "leaning_jowler"}],
    }
    write(tmp_path / "instances.json", coco)
    (picture,) = load_set(tmp_path / "instances.json" if as_file else tmp_path).pictures
    assert picture.pigs[0].pose == "leaning_jowler"
    assert picture.pigs[0].box == (10.0, 10.0, 30.0, 40.0)


def test_photographs_with_a_sider_and_a_pair_without_boxes(tmp_path: Path) -> None:
    save(tmp_path / "one.png")
    save(tmp_path / "pair.png")
    rows = [
        {
            "file": "one.png",
            "contact": None,
            "pigs": [{"box_xyxy": [1, 2, 30, 40], "pose": "sider"}],
        },
        {"file": "pair.png", "contact": "touching", "pigs": []},
    ]
    write(tmp_path / "labels.json", rows)
    one, pair = load_set(tmp_path).pictures
    assert one.pigs[0].is_read_right("dot_up")
    assert one.pigs[0].is_read_right("dot_down")
    assert not one.pigs[0].is_read_right("trotter")
    assert (one.located, pair.located) == (True, False)
    assert pair.contact == "touching"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "has no pictures with labels"),
        ({"a.json": "{"}, "not JSON"),
        ({"a.json": {"contact": "apart"}}, "has a faulty label: KeyError"),
        ({"a.json": {"pigs": [{"box": [1, 2, 3]}]}}, "has a faulty label"),
        ({"a.json": {"pigs": [{"box": [1, 2, 3, 4], "pose": "cow"}]}}, "got 'cow'"),
        ({"a.json": {"pigs": [], "contact": "near"}}, "expected a contact"),
        ({"classes.txt": "cow", "a.txt": "0 0.5 0.5 0.1 0.1"}, "unknown class 'cow'"),
        ({"classes.txt": "trotter", "a.txt": "4 0.5 0.5 0.1 0.1"}, "class 4 has no name"),
        ({"labels.json": [{"file": "a.jpg"}]}, "has a faulty label: KeyError"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, files: dict[str, Any], message: str) -> None:
    save(tmp_path / "a.jpg")
    for name, content in files.items():
        write(tmp_path / name, content)
    with pytest.raises(VisionError, match=message):
        load_set(tmp_path)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SetError, match="there is no folder or COCO file"):
        load_set(tmp_path / "none")


def test_a_file_that_is_not_coco(tmp_path: Path) -> None:
    write(tmp_path / "a.json", [1, 2])
    with pytest.raises(SetError, match="has no pictures with labels"):
        load_set(tmp_path / "a.json")


def test_a_true_pig_has_a_known_pose() -> None:
    with pytest.raises(SetError, match="expected a pose of dot_up"):
        TruePig((0, 0, 1, 1), "lying")
