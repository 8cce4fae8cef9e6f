"""`sooee read`: the contract of its JSON, and a clear line for every bad picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from vision.cli import main
from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES

ROWS = [(6.0, 26.0, 18.0, 38.0, 0.9), (44.0, 26.0, 56.0, 38.0, 0.8)]


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    return int(left.value.code or 0)


@pytest.fixture
def throw(tmp_path: Path, pose_colours: Any) -> Path:
    image = np.full((128, 128, 3), 60, np.uint8)
    image[52:76, 12:36] = pose_colours["snouter"]
    image[52:76, 88:112] = pose_colours["dot_up"]
    Pillow.fromarray(image).save(tmp_path / "throw.png")
    return tmp_path / "throw.png"


def test_json_is_the_object_that_scripts_rely_on(
    throw: Path, tiny_models: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("read", "--json", "--models", tiny_models(ROWS), throw) == 0
    (line,) = capsys.readouterr().out.splitlines()
    data = json.loads(line)
    assert list(data) == ["image", "width", "height", "pigs", "contact", "decision", "reason"]
    assert (data["image"], data["width"], data["height"]) == (str(throw), 128, 128)
    assert [p["pose"] for p in data["pigs"]] == ["snouter", "dot_up"]
    for pig in data["pigs"]:
        assert list(pig) == ["box", "confidence", "pose", "probabilities"]
        assert tuple(pig["probabilities"]) == POSE_CLASSES
        assert sum(pig["probabilities"].values()) == pytest.approx(1.0, abs=1e-3)
    assert data["pigs"][0]["box"] == [12.0, 52.0, 36.0, 76.0]
    assert data["contact"]["state"] == "apart"
    assert tuple(data["contact"]["probabilities"]) == CONTACT_CLASSES
    assert data["contact"]["gap_mm"] > 10
    assert data["decision"] == "accept"


def test_without_two_pigs_there_is_no_contact(
    throw: Path, tiny_models: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("read", "--json", "--models", tiny_models(), throw) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["contact"] == {"state": None, "probabilities": {}, "gap_mm": None}
    assert data["decision"] == "ask"
    assert data["reason"] == "No pig is in sight."


def test_a_person_gets_one_line_a_picture(
    throw: Path, tiny_models: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("read", "--models", tiny_models(ROWS), throw, throw) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert "snouter (100%) + dot up (100%), apart - accept: Both pigs" in lines[0]


def test_a_bad_picture_among_others_does_not_stop_them(
    throw: Path, tiny_models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"oink")
    models = tiny_models(ROWS)
    arguments = ["read", "--json", "--models", models, broken, tmp_path / "gone.png", throw]
    assert run(*arguments) == 1
    printed = capsys.readouterr()
    assert [json.loads(line)["image"] for line in printed.out.splitlines()] == [str(throw)]
    errors = printed.err.splitlines()
    assert len(errors) == 2
    assert "broken.jpg is not a picture" in errors[0]
    assert "there is no picture" in errors[1]


def test_no_models_is_one_line(
    throw: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("read", "--models", tmp_path / "none", throw) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line == f"sooee: there are no models in {tmp_path / 'none'}: there is no such folder"


def test_no_picture_at_all_is_a_usage_error() -> None:
    assert run("read") == 2


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("read", "--help") == 0
    assert "sooee read --json" in capsys.readouterr().out
