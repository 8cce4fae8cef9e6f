"""`sooee calibrate` as a user runs it, on pictures instead of a camera."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from vision.capture.calibrate import Calibrations
from vision.capture.mat import draw_mat
from vision.commands.calibrate import command
from vision.errors import CaptureError


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "config"
    monkeypatch.setattr("platformdirs.user_config_dir", lambda *_, **__: str(folder))
    return folder


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A mat seen from straight above, 2 pixels a millimetre, on a grey table."""
    mat = cv2.resize(draw_mat("a4"), (594, 420), interpolation=cv2.INTER_AREA)
    image = np.full((720, 1280), 120, np.uint8)
    image[150:570, 340:934] = np.asarray(mat) * 0.8  # paper in a lit room
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), image)
    return path


def run(*words: str | Path) -> dict[str, Any]:
    done = CliRunner().invoke(command, [*map(str, words), "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def nowhere(tmp_path: Path) -> list[str]:
    """Use a folder without models: what is measured needs none."""
    return ["--models", str(tmp_path / "none")]


def test_a_camera_is_measured_and_remembered(picture: Path, config: Path, tmp_path: Path) -> None:
    facts = run(picture, *nowhere(tmp_path))
    assert facts["measured_with"] == "mat"
    assert facts["mm_per_px"] == pytest.approx(0.5, rel=0.01)
    assert facts["tilt_deg"] < 6
    assert facts["advice"] == []
    kept = Calibrations(config / "calibrations.json").get("table.png")
    assert kept is not None
    assert kept.scale is not None
    assert kept.scale.mm_per_px == pytest.approx(0.5, rel=0.01)


def test_an_area_is_kept_until_it_is_taken_back(
    picture: Path, config: Path, tmp_path: Path
) -> None:
    area = ["--area", "100,50 1200,60 1250,700 40,690"]
    first = run(picture, *area, *nowhere(tmp_path))["area"]
    assert first[0] == [100 / 1280, 50 / 720]
    assert run(picture, *nowhere(tmp_path))["area"] == first
    assert run(picture, "--area", "none", *nowhere(tmp_path))["area"] is None


def test_what_is_known_is_forgotten(picture: Path, config: Path, tmp_path: Path) -> None:
    run(picture, *nowhere(tmp_path))
    done = CliRunner().invoke(command, [str(picture), "--forget"])
    assert done.exit_code == 0
    assert Calibrations(config / "calibrations.json").get("table.png") is None


def test_the_mat_is_printed(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["--print", str(tmp_path / "mat.pdf")])
    assert done.exit_code == 0
    assert "100 mm long" in done.stdout
    assert (tmp_path / "mat.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--with", "pigs"], "no pigs are found"),
        (["--area", "1,2 3"], "corners in pixels like"),
        (["--area", "1,2 3,4"], "three corners"),
    ],
)
def test_refusals_are_one_line(
    words: list[str], message: str, picture: Path, config: Path, tmp_path: Path
) -> None:
    with pytest.raises(CaptureError, match=message):
        CliRunner().invoke(
            command, [str(picture), *words, *nowhere(tmp_path)], catch_exceptions=False
        )
    assert not (config / "calibrations.json").exists()


def test_a_table_without_a_card(config: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), np.full((360, 640), 120, np.uint8))
    with pytest.raises(CaptureError, match="no single bank card"):
        run(empty, "--with", "card", *nowhere(tmp_path))
    assert run(empty, *nowhere(tmp_path))["mm_per_px"] is None


def test_a_source_or_print_must_be_named() -> None:
    done = CliRunner().invoke(command, [])
    assert done.exit_code == 2
    assert "--print" in done.output
