"""The bench measures every stage, and compares within one run; no time is asserted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.capture.frame import Frame, Image
from vision.cli import main
from vision.errors import PictureError
from vision.learn.bench import Timing, looked, ratios
from vision.learn.bench_picture import frozen_picture, picture_of_size
from vision.recognize.crop import pose_crop
from vision.recognize.locate import Located
from vision.recognize.outline import measure_gap
from vision.recognize.recognizer import Recognizer

ROWS = [(6.0, 26.0, 18.0, 38.0, 0.9), (44.0, 26.0, 56.0, 38.0, 0.8)]
STAGES = ["letterbox", "locator", "boxes", "crops", "pose", "contact", "fuse and decide"]


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    return int(left.value.code or 0)


@pytest.mark.parametrize("rows", [ROWS, []])
def test_every_stage_is_timed_whether_pigs_are_found_or_not(
    tiny_models: Any, capsys: pytest.CaptureFixture[str], rows: Any
) -> None:
    models = tiny_models(rows)
    assert run("bench", "--runs", "2", "--size", "320x180", "--models", models, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data["ms"])[:9] == [*STAGES, "bare models", "whole reading"]
    assert all(t["median"] > 0 and t["runs"] == 2 for t in data["ms"].values())
    assert data["ratios"]["whole reading / bare models"] > 0
    assert data["size"] == "320x180"
    assert set(data["idle"]) == {"watching", "unpacking"}
    assert all(share > 0 for share in data["idle"].values())


def test_a_person_reads_a_table(tiny_models: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", "--runs", "1", "--size", "320x180", "--models", tiny_models()) == 0
    printed = capsys.readouterr().out
    assert "320x180 picture, 1 runs" in printed
    assert "whole reading / bare models" in printed
    assert "a still table at 30 pictures a second takes" in printed


def test_the_bare_models_run_the_looks_that_a_reading_needs() -> None:
    """The first look that finds two sure pigs is the last; without them there are all of them."""
    looks = {1.0: 1, 1.3: 2, 0.7: 2}

    class Sees:
        def scales(self, _image: Image) -> tuple[float, ...]:
            return tuple(looks)

        def look(self, _image: Image, scale: float) -> list[Located]:
            return [Located((0, 0, 9, 9), 0.9)] * looks[scale]

    image = np.zeros((9, 9, 3), np.uint8)
    assert looked(Sees(), image) == (1.0, 1.3)
    looks[1.3] = looks[0.7] = 1
    assert looked(Sees(), image) == (1.0, 1.3, 0.7)


def test_without_a_picture_a_frozen_frame_is_read() -> None:
    path = frozen_picture()
    assert path is not None
    assert path.parent.name == "frames"
    assert len(json.loads(path.with_suffix(".json").read_text())["pigs"]) == 2


def test_ratios_are_of_medians() -> None:
    timings = {
        "bare models": Timing(20.0, 30.0, 5),
        "whole reading": Timing(25.0, 40.0, 5),
        "ultralytics predict": Timing(75.0, 99.0, 5),
    }
    assert ratios(timings) == {
        "whole reading / bare models": 1.25,
        "ultralytics predict / whole reading": 3.0,
    }


@pytest.mark.parametrize("size", ["", "1920", "1920x", "0x0", "axb", "-5x20"])
def test_a_faulty_size_is_one_line(
    tiny_models: Any, capsys: pytest.CaptureFixture[str], size: str
) -> None:
    assert run("bench", "--size", size, "--models", tiny_models()) == 1
    assert "expected a size like 1920x1080" in capsys.readouterr().err


def test_a_given_picture_is_resized(tmp_path: Path) -> None:
    from PIL import Image as Pillow

    Pillow.fromarray(np.full((30, 40, 3), 77, np.uint8)).save(tmp_path / "a.png")
    assert picture_of_size(tmp_path / "a.png", "80x60").shape == (60, 80, 3)
    with pytest.raises(PictureError, match="there is no picture"):
        picture_of_size(tmp_path / "none.png", "80x60")


# What follows is measured by pytest-benchmark (`--benchmark-only` shows it), never judged.
def test_speed_of_a_reading(tiny_models: Any, benchmark: Any) -> None:
    recognizer = Recognizer.load(tiny_models(ROWS))
    frame = Frame(picture_of_size(None, "1920x1080"), 0, 0.0, "bench")
    assert len(benchmark(recognizer.read, [frame]).pigs) == 2


def test_speed_of_a_crop(benchmark: Any) -> None:
    image = picture_of_size(None, "1920x1080")
    crop = benchmark(pose_crop, image, (700.0, 500.0, 820.0, 600.0), 128)
    assert crop.shape == (128, 128, 3)


def test_speed_of_the_gap_between_two_pigs(benchmark: Any) -> None:
    image = picture_of_size(None, "1920x1080")
    gap = benchmark(measure_gap, image, (700, 500, 820, 600), (825, 500, 940, 600))
    assert gap.box_mm > 0
