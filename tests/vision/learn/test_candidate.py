"""A trained model comes with the others in use, ready to be compared with them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.learn.candidate import make_candidate
from vision.learn.shelf import NOTES
from vision.learn.training import Training
from vision.recognize.manifest import Role, load_manifest
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.recognizer import Recognizer


@pytest.fixture
def used(tiny_models: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put models into use whose pose card has notes."""
    folder = Path(shutil.copytree(tiny_models([]), tmp_path / "used"))
    (folder / "pose.md").write_text(f"# Pose\n{NOTES}\nNever saw a photograph.\n")
    monkeypatch.setenv("SOOEE_MODELS", str(folder))
    return folder


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    for number, pose in enumerate(POSE_CLASSES):
        folder = tmp_path / "pictures" / "val" / f"{number}_{pose}"
        folder.mkdir(parents=True)
        for n in range(3):
            Image.fromarray(rng.integers(0, 255, (32, 32, 3), np.uint8)).save(folder / f"{n}.png")
    return tmp_path / "pictures"


def test_a_candidate_is_whole_and_says_what_it_is(
    used: Path, pictures: Path, tmp_path: Path
) -> None:
    before = load_manifest(used)
    training = Training("pose", "any.yaml", seed=11)
    into = tmp_path / "candidate"
    (into / "left from last time").mkdir(parents=True)
    made = make_candidate(
        used / before.need(Role.POSE).file, training, pictures, into,
        recipe="crops and mine", trained_with="a program 1.0",
    )  # fmt: skip
    assert not (made / "left from last time").exists()
    manifest = load_manifest(made)
    pose = manifest.need(Role.POSE)
    assert (pose.recipe, pose.seed, pose.trained_with) == ("crops and mine", 11, "a program 1.0")
    assert pose.input_px == before.need(Role.POSE).input_px
    assert pose.temperature != before.need(Role.POSE).temperature, "fitted on the val part"
    assert manifest.need(Role.LOCATOR) == before.need(Role.LOCATOR)
    assert "photograph" not in (made / "pose.md").read_text(), "its notes are its own"
    assert "photograph" in (used / "pose.md").read_text()
    Recognizer.load(made)
