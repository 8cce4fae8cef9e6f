"""The temperature makes probabilities mean what they say, and is kept in the manifest."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from vision.artefacts import artefact_dir
from vision.cli import main
from vision.learn.calibrate import calibrate_model
from vision.learn.shelf import set_fields
from vision.recognize.manifest import Role, load_manifest
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.stances import Stance


@pytest.fixture
def crops(tmp_path: Path, pose_colours: Any) -> Path:
    """Crops whose colours are mixed so far with grey and noise that some are read wrong."""
    rng = np.random.default_rng(5)
    for pose in POSE_CLASSES:
        folder = tmp_path / "crops" / pose
        folder.mkdir(parents=True)
        for i in range(12):
            colour = np.array(pose_colours[pose]) * 0.5 + 64 + rng.normal(0, 45, 3)
            image = np.full((20, 20, 3), colour.clip(0, 255), np.uint8)
            Pillow.fromarray(image).save(folder / f"{i}.png")
    return tmp_path / "crops"


def test_a_model_that_is_too_sure_is_cooled(tiny_models: Any, crops: Path) -> None:
    folder = tiny_models(sharpness=200.0)
    found = calibrate_model(folder, crops)
    assert found.temperature > 2.0
    assert found.error_after < found.error_before
    assert found.count == 84
    assert load_manifest(folder).need(Role.POSE).temperature == found.temperature


def test_calibrating_twice_gives_the_same(tiny_models: Any, crops: Path) -> None:
    folder = tiny_models(sharpness=200.0)
    assert calibrate_model(folder, crops) == calibrate_model(folder, crops)


def test_stances_stay_where_the_crops_do_not_know_the_normal(tiny_models: Any, crops: Path) -> None:
    folder = tiny_models()
    known = (Stance("snouter", 1.0, (-0.8, 0.0, 0.6), 40.0),)
    set_fields(folder, Role.POSE, stances=known)
    assert calibrate_model(folder, crops).stances == ()
    assert load_manifest(folder).need(Role.POSE).stances == known


@pytest.mark.parametrize(("noted", "learns"), [(12, True), (9, False)])
def test_stances_are_learnt_from_crops_that_know_the_normal(
    crops: Path, tmp_path: Path, noted: int, learns: bool
) -> None:
    folder = tmp_path / "models"
    shutil.copytree(artefact_dir("models"), folder)
    before = load_manifest(folder).need(Role.POSE).stances
    notes = tmp_path / "crops.blocks"
    notes.mkdir()
    rows = [
        {"image": f"{pose}/{i}.png", "label": pose, "normal": [0.0, -0.6, -0.8]}
        for pose in POSE_CLASSES
        for i in range(noted)
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (notes / "1.jsonl").write_text(lines, encoding="utf-8")
    calibrate_model(folder, crops)
    after = load_manifest(folder).need(Role.POSE).stances
    assert (after != before) == learns
    assert {s.pose for s in after} == set(POSE_CLASSES[:-1])


def test_the_command(tiny_models: Any, crops: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tiny_models()
    with pytest.raises(SystemExit) as left:
        main(["models", "calibrate", str(crops), "--models", str(folder)])
    assert not left.value.code
    assert "on 84 crops" in capsys.readouterr().out


def test_a_folder_without_crops(
    tiny_models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["models", "calibrate", str(tmp_path), "--models", str(tiny_models())])
    assert left.value.code == 1
    assert "no pictures with labels" in capsys.readouterr().err


def test_the_contact_model_is_calibrated_on_pairs(tiny_models: Any, tmp_path: Path) -> None:
    folder = tiny_models(contact=True)
    rng = np.random.default_rng(6)
    for name, colour in (("0_apart", 60), ("1_touching", 100), ("2_stacked", 20)):
        place = tmp_path / "pairs" / name
        place.mkdir(parents=True)
        for i in range(8):
            image = np.full((16, 16, 3), colour, np.float64) + rng.normal(0, 30, 3)
            Pillow.fromarray(image.clip(0, 255).astype(np.uint8)).save(place / f"{i}.png")
    found = calibrate_model(folder, tmp_path / "pairs", Role.CONTACT)
    assert found.count == 24
    assert load_manifest(folder).need(Role.CONTACT).temperature == found.temperature
    assert load_manifest(folder).need(Role.POSE).temperature == 1.0
