"""Renders: the same seed the same picture, labels that fit it, sets that go on after a stop."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scoring.throw import Pose
from vision.cli import main
from vision.errors import RenderError
from vision.recognize.reading import POSE_CLASSES
from vision.synth import dataset, placing
from vision.synth.camera import look_at, sample_camera, view_tilt_deg
from vision.synth.compose import projected_box
from vision.synth.compose_pairs import contact_between
from vision.synth.dataset import Studio, class_folder, frame_sidecar
from vision.synth.pig import Pig
from vision.synth.recipe import Recipe, load_recipe
from vision.synth.scene import Light, Paint, Placed, Scene, Table


def side_view(pig: Pig, nose_right: bool) -> Scene:
    """A pig on its feet seen from beside, nose to the right or to the left of the picture."""
    yaw = 0.0 if nose_right else np.pi
    rotation = placing.stand(np.array([0.0, 0.0, 1.0]), yaw)
    position = placing.drop_to_table(pig, rotation, (0.0, 0.0))
    placed = Placed(pig, rotation, position, Paint(eye_wear=1.1), "trotter")
    camera = look_at(np.array([0, 0, 9.0]), 80, 0.0, 0.0, 300.0, 1500.0, (200, 160), (100, 80))
    table = Table(0, 50.0, 0.0, (0.0, 0.0), (0.8, 0.8, 0.8), plain=1.0)
    return Scene(camera, table, (Light((0, -0.5, 0.86), (0.6, 0.6, 0.6)),), (0.6,) * 3, (placed,))


def dark_pixels(image: np.ndarray) -> int:
    middle = image[55:110, 70:130].astype(int)
    return int((middle.max(axis=2) < 70).sum())


def test_the_dot_shows_on_the_right_flank_only(crop_studio: Studio, common_pig: Pig) -> None:
    # Seen from the pig's right its nose points to the right of the picture: no mirror anywhere.
    right = crop_studio.renderer.render(side_view(common_pig, nose_right=True))
    left = crop_studio.renderer.render(side_view(common_pig, nose_right=False))
    assert dark_pixels(right) > 40
    assert dark_pixels(left) == 0


def test_the_same_seed_gives_the_same_picture(crop_studio: Studio) -> None:
    first, label, side = crop_studio.crop(3, 11)
    crop_studio.crop(3, 12)
    again, label_again, side_again = crop_studio.crop(3, 11)
    np.testing.assert_array_equal(first, again)
    assert (label, side) == (label_again, side_again)
    other, _, _ = crop_studio.crop(4, 11)
    assert not np.array_equal(first, other)


def test_a_crop_is_square_and_shows_something(crop_studio: Studio) -> None:
    for index in range(12):
        image, label, side = crop_studio.crop(8, index)
        assert image.shape == (128, 128, 3)
        assert image.dtype == np.uint8
        assert label in POSE_CLASSES
        assert 20 <= side["pig_px"] <= 200
        assert -1 <= side["tilt_deg"] <= 90


def test_boxes_of_a_frame_hold_the_pigs(frame_studio: Studio) -> None:
    """Where a box says pig, taking the pigs away changes the picture; elsewhere hardly."""
    rng = np.random.default_rng(5)
    from vision.synth import compose

    scene = compose.compose_frame(rng, frame_studio.recipe, frame_studio.props)
    scene = replace(scene, ground_shadow=0.0)
    side = frame_sidecar(scene, frame_studio.recipe, 0)
    assert len(side["pigs"]) == 2
    full = frame_studio.renderer.render(scene).astype(int)
    empty = frame_studio.renderer.render(replace(scene, pigs=())).astype(int)
    changed = np.abs(full - empty).max(axis=2) > 12
    inside = np.zeros_like(changed)
    for pig in side["pigs"]:
        x0, y0, x1, y1 = (round(v) for v in pig["box"])
        inside[max(0, y0 - 1) : y1 + 2, max(0, x0 - 1) : x1 + 2] = True
        assert changed[y0:y1, x0:x1].mean() > 0.2
    assert changed[~inside].mean() < 0.01


def test_a_pig_slides_until_the_gap_is_as_asked(common_pig: Pig, rng: np.random.Generator) -> None:
    paint = Paint()
    fixed = placing.lie(common_pig, Pose.TROTTER, paint, (0.0, 0.0), rng)
    moved = placing.lie(common_pig, Pose.RAZORBACK, paint, (0.0, 0.0), rng)
    gaps = []
    for wanted in (1.0, 3.0, 8.0):
        beside = placing.move_beside(fixed, moved, wanted, 0.7)
        gaps.append(contact_between(fixed, beside)[1])
        assert gaps[-1] == pytest.approx(wanted, abs=1.2)
    assert gaps == sorted(gaps)


def test_no_pig_sinks_into_the_table(common_pig: Pig, rng: np.random.Generator) -> None:
    for pose in Pose:
        placed = placing.lie(common_pig, pose, Paint(), (3.0, -2.0), rng)
        heights = placed.world(common_pig.mesh.vertices)[:, 2]
        assert heights.min() == pytest.approx(0.0, abs=1e-3)


def test_a_camera_shows_the_pig_as_large_and_tilted_as_drawn(
    common_pig: Pig, rng: np.random.Generator
) -> None:
    target = np.array([0.0, 0.0, 6.0])
    placed = placing.lie(common_pig, Pose.TROTTER, Paint(), (0.0, 0.0), rng)
    for _ in range(30):
        camera = sample_camera(rng, target, 60.0, (10.0, 60.0))
        assert 6 <= view_tilt_deg(camera, target) <= 64
        x0, y0, x1, y1 = projected_box(camera, placed)
        assert 30 < max(x1 - x0, y1 - y0) < 95


def test_a_set_goes_on_where_it_was_stopped(
    tmp_path: Path, crop_studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset, "BLOCK", 4)
    monkeypatch.setitem(dataset._studios, ("crops", "raster"), crop_studio)
    out = tmp_path / "crops"
    assert list(dataset.render_set("crops", 4, 9, out, workers=1)) == [4]
    pictures = {p: p.read_bytes() for p in out.rglob("*.jpg")}
    assert len(pictures) == 4
    assert list(dataset.render_set("crops", 8, 9, out, workers=1)) == [4], "only the new block"
    assert {p: p.read_bytes() for p in pictures} == pictures
    assert len(list(out.rglob("*.jpg"))) == 8
    assert {p.name for p in out.iterdir()} <= {class_folder(c) for c in POSE_CLASSES}
    lines = [
        json.loads(x)
        for p in (tmp_path / "crops.blocks").glob("*.jsonl")
        for x in p.read_text().splitlines()
    ]
    assert all((out / line["image"]).exists() for line in lines)


def test_frames_come_with_yolo_labels(
    tmp_path: Path, frame_studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(dataset._studios, ("frames-test", "raster"), frame_studio)
    list(dataset.render_set("frames-test", 2, 1, tmp_path / "set", workers=1))
    for picture in (tmp_path / "set/images").glob("*.jpg"):
        side = json.loads(picture.with_suffix(".json").read_text())
        rows = (tmp_path / "set/labels" / f"{picture.stem}.txt").read_text().splitlines()
        assert len(rows) == len(side["pigs"]) == 2
        for row, pig in zip(rows, side["pigs"], strict=True):
            kind, x, y, w, h = (float(v) for v in row.split())
            x0, _, _, y1 = pig["box"]
            assert kind == 0
            assert (x - w / 2) * 640 == pytest.approx(x0, abs=0.1)
            assert (y + h / 2) * 360 == pytest.approx(y1, abs=0.1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind = 'films'", "crops or pairs or frames"),
        ("kind = 'crops'\nsister = 2.0", "chance"),
        ("kind = 'crops'\npigs = 3", "unknown keys: pigs"),
        ("kind = ", "not TOML"),
        ("kind = 'crops'\nlabels = [1, 2]", "7 weights"),
    ],
)
def test_a_wrong_recipe_is_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(RenderError, match=message):
        load_recipe(str(path))


def test_an_unknown_recipe_names_the_known_ones() -> None:
    with pytest.raises(RenderError, match="crops-test"):
        load_recipe("nonsense")


def test_train_and_test_recipes_share_no_pig_table_or_thing() -> None:
    for train, test in (("crops", "crops-test"), ("frames", "frames-test")):
        a, b = load_recipe(train), load_recipe(test)
        assert a.shapes[0] != b.shapes[0]
        assert a.surfaces[0] != b.surfaces[0]
        assert a.things[0] != b.things[0]


def test_every_recipe_of_the_folder_loads() -> None:
    from vision.artefacts import artefact_dir

    for path in (artefact_dir("datasets") / "recipes").glob("*.toml"):
        if "kind" in path.read_text():
            assert isinstance(load_recipe(path.stem), Recipe)


def test_an_unknown_recipe_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["render", "--recipe", "crop", "--count", "5", "--out", str(tmp_path / "out")]
    with pytest.raises(SystemExit) as ended:
        main(words)
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (1, "")
    (line,) = told.err.splitlines()
    assert line.startswith("sooee: no recipe 'crop' (known: ")
    assert not (tmp_path / "out").exists()
