"""What is read beside what is there: each figure on a set whose answer is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from vision.cli import main
from vision.learn.evaluate import match, read_set
from vision.learn.evaluate_figures import Figures, figures
from vision.learn.evaluate_sets import load_set
from vision.recognize.manifest import load_manifest
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.recognizer import Recognizer

# Where the tiny locator says pigs are, in 64 by 64 of its input and in the 128 px pictures here.
ROWS = [(6.0, 26.0, 18.0, 38.0, 0.9), (44.0, 26.0, 56.0, 38.0, 0.8)]
LEFT, RIGHT, ELSEWHERE = [12, 52, 36, 76], [88, 52, 112, 76], [50, 90, 70, 110]


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    return int(left.value.code or 0)


@pytest.fixture
def frames(tmp_path: Path, pose_colours: Any) -> Path:
    """Four pictures of 128 px: read right, misread, one pig elsewhere, and said to touch."""
    folder = tmp_path / "frames"
    folder.mkdir()

    def add(name: str, seen: tuple[str, str], truth: list[Any], **note: Any) -> None:
        image = np.full((128, 128, 3), 60, np.uint8)
        image[52:76, 12:36] = pose_colours[seen[0]]
        image[52:76, 88:112] = pose_colours[seen[1]]
        Pillow.fromarray(image).save(folder / f"{name}.png")
        pigs = [{"box": box, "pose": pose} for box, pose in truth]
        note = {
            "pigs": pigs,
            "contact": "apart",
            "gap_mm": 60.0,
            "camera": {"tilt_deg": 15.0},
            "light": {"count": 1},
        } | note
        (folder / f"{name}.json").write_text(json.dumps(note), encoding="utf-8")

    add("a_right", ("snouter", "dot_up"), [(LEFT, "snouter"), (RIGHT, "dot_up")])
    add("b_wrong", ("snouter", "dot_up"), [(RIGHT, "dot_down"), (LEFT, "snouter")])
    add(
        "c_missed",
        ("trotter", "trotter"),
        [(LEFT, "trotter"), (ELSEWHERE, "trotter")],
        camera={"tilt_deg": 50.0},
    )
    add(
        "d_touching",
        ("razorback", "razorback"),
        [(LEFT, "razorback"), (RIGHT, "razorback")],
        contact="touching",
        gap_mm=0.0,
    )
    return folder


@pytest.fixture
def crops(tmp_path: Path, pose_colours: Any) -> Path:
    """One crop a class, and one that shows another pose than its folder says."""
    folder = tmp_path / "crops"
    for pose in POSE_CLASSES:
        (folder / pose).mkdir(parents=True)
        image = np.full((24, 24, 3), pose_colours[pose], np.uint8)
        Pillow.fromarray(image).save(folder / pose / "a.png")
    image = np.full((24, 24, 3), pose_colours["trotter"], np.uint8)
    Pillow.fromarray(image).save(folder / "snouter" / "b.png")
    return folder


def measure(models: Path, folder: Path) -> Figures:
    return figures(read_set(Recognizer.load(models), load_set(folder)))


def test_each_rate_of_whole_pictures(frames: Path, tiny_models: Any) -> None:
    rates = measure(tiny_models(ROWS), frames).rates
    got = {name: (round(r.value, 3), r.count) for name, r in rates.items()}
    assert got["pigs found"] == (0.875, 8)
    assert got["pictures with every pig found"] == (0.75, 4)
    assert got["pictures where nothing else is called a pig"] == (0.75, 4)
    assert got["false pigs a picture"] == (0.25, 4)
    assert got["dot side right"] == (0.5, 2)
    assert got["pose right, tilt under 40"] == (round(5 / 6, 3), 6)
    assert got["throws read right, accepted or not"] == (0.5, 4)  # a, and c by its poses alone
    assert got["throws accepted"] == (1.0, 4)
    assert got["accepted readings that are right"] == (0.5, 4)
    assert got["touching or stacked taken as apart"] == (1.0, 1)
    assert got["taken as apart above 2 mm"] == (1.0, 3)
    assert got["called touching above 2 mm"] == (0.0, 3)


def test_pigs_that_were_not_found_are_read_on_their_true_box(
    frames: Path, tiny_models: Any
) -> None:
    records = read_set(Recognizer.load(tiny_models(ROWS)), load_set(frames))
    missed = [p for p in records.pigs if p.found is None]
    assert [p.file.name for p in missed] == ["c_missed.png"]
    assert len(records.pigs) == 8


def test_the_confusion_matrix_of_crops(crops: Path, tiny_models: Any) -> None:
    result = measure(tiny_models(), crops)
    counts = np.array(result.confusion)
    snouter, trotter = POSE_CLASSES.index("snouter"), POSE_CLASSES.index("trotter")
    assert counts[snouter, trotter] == 1
    assert np.trace(counts) == 7
    assert counts.sum() == 8
    assert result.rates["snouter right"].value == 0.5
    assert result.rates["pose right"].count == 7  # `other` is no pose of the game
    assert "pigs found" not in result.rates


def test_the_worst_come_first(crops: Path, tiny_models: Any) -> None:
    worst = measure(tiny_models(), crops).worst[0]
    assert (worst.truth.pose, worst.file.name) == ("snouter", "b.png")


def test_a_box_is_matched_once() -> None:
    a, b = (0.0, 0.0, 10.0, 10.0), (100.0, 0.0, 110.0, 10.0)
    assert match([a, b], [b, a]) == {0: 1, 1: 0}
    assert match([a], [a, (1.0, 0.0, 11.0, 10.0)]) == {0: 0}
    assert match([a, a], [a]) == {0: 0}
    assert match([a], [b]) == {}


def test_the_report_is_one_page_with_its_pictures_inside(
    frames: Path, crops: Path, tiny_models: Any, tmp_path: Path
) -> None:
    out = tmp_path / "report"
    assert run("evaluate", frames, crops, "--models", tiny_models(ROWS), "--out", out) == 0
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "pictures with every pig found" in page
    assert "75.00 %" in page
    assert page.count("data:image/jpeg;base64,") == 16
    assert "<svg" in page
    for outside in ("http://", "https://", "<script", "<link"):
        assert outside not in page


def test_json_and_page_are_the_same_at_every_run(
    frames: Path, tiny_models: Any, tmp_path: Path
) -> None:
    models = tiny_models(ROWS)
    for name in ("one", "two"):
        out = tmp_path / name
        assert run("evaluate", frames, "--models", models, "--out", out, "--no-speed") == 0
    for file in ("report.html", "report.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_json_holds_the_rates_with_intervals(
    frames: Path, tiny_models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models, out = tiny_models(ROWS), tmp_path / "out"
    assert run("evaluate", frames, "--models", models, "--out", out, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data == json.loads((out / "report.json").read_text(encoding="utf-8"))
    found = data["sets"]["frames"]["rates"]["pigs found"]
    assert list(found) == ["value", "low", "high", "count"]
    assert found["low"] <= found["value"] <= found["high"]
    assert data["sets"]["frames"]["speed"]["median ms a picture"] > 0


def test_a_name_with_markup_stays_text(frames: Path, tiny_models: Any, tmp_path: Path) -> None:
    (frames / "a_right.png").rename(frames / "<b>.png")
    (frames / "a_right.json").rename(frames / "<b>.json")
    out = tmp_path / "out"
    assert run("evaluate", frames, "--models", tiny_models(ROWS), "--out", out) == 0
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<b>.png" not in page
    assert "&lt;b&gt;.png" in page


def test_figures_go_into_the_manifest_and_the_cards(
    frames: Path, crops: Path, tiny_models: Any, tmp_path: Path
) -> None:
    models, out = tiny_models(ROWS, contact=True), tmp_path / "out"
    assert run("evaluate", frames, crops, "--models", models, "--out", out, "--card") == 0
    locator, pose, contact = load_manifest(models).models
    assert contact.metrics["frames: taken as apart above 2 mm"].count > 0
    assert locator.metrics["frames: pigs found"].count == 8
    assert pose.metrics["crops: pose right"].value == pytest.approx(6 / 7, abs=1e-4)
    assert "| crops: pose right | 0.8571 | 7 |" in (models / "pose.md").read_text("utf-8")


def test_a_set_that_is_not_there_is_one_line(
    tiny_models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("evaluate", tmp_path / "none", "--models", tiny_models()) == 1
    assert "there is no folder or COCO file" in capsys.readouterr().err
