"""What is put on the shelf loads again, and a card says where it comes from."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from vision.cli import main
from vision.errors import ModelError
from vision.learn.shelf import put_model, set_fields, set_metrics
from vision.recognize.manifest import Metric, Role, load_manifest
from vision.recognize.recognizer import Recognizer

FACTS: dict[str, Any] = {
    "recipe": 'crops "v1"',
    "seed": 7,
    "trained_with": "ultralytics 8.4.1",
    "input_px": 16,
}


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    return int(left.value.code or 0)


@pytest.fixture
def trained(tmp_path: Path, model_tools: Any) -> Path:
    """Two model files as they come out of training."""
    folder = tmp_path / "trained"
    folder.mkdir()
    model_tools.locator(folder / "best.onnx", [])
    model_tools.classifier(folder / "last.onnx")
    return folder


def test_both_models_put_and_loaded(tmp_path: Path, trained: Path) -> None:
    shelf = tmp_path / "shelf"
    put_model(shelf, Role.POSE, trained / "last.onnx", **FACTS, temperature=1.7)
    put_model(shelf, Role.LOCATOR, trained / "best.onnx", **FACTS | {"input_px": 64})
    Recognizer.load(shelf)
    manifest = load_manifest(shelf)
    assert [m.role for m in manifest.models] == [Role.LOCATOR, Role.POSE]
    assert manifest.need(Role.POSE).temperature == 1.7
    assert manifest.need(Role.POSE).recipe == 'crops "v1"'
    assert sorted(p.name for p in shelf.iterdir()) == [
        "locator.md",
        "locator.onnx",
        "manifest.toml",
        "pose.md",
        "pose.onnx",
    ]


def test_a_model_put_again_takes_the_old_ones_place(
    tmp_path: Path, trained: Path, model_tools: Any
) -> None:
    put_model(tmp_path, Role.POSE, trained / "last.onnx", **FACTS)
    model_tools.classifier(trained / "last.onnx", sharpness=2.0)
    put_model(tmp_path, Role.POSE, trained / "last.onnx", **FACTS | {"seed": 8})
    (entry,) = load_manifest(tmp_path).models
    assert entry.seed == 8
    load_manifest(tmp_path).read_checked(entry)


def test_a_card_keeps_what_was_written_by_hand(tmp_path: Path, trained: Path) -> None:
    put_model(tmp_path, Role.POSE, trained / "last.onnx", **FACTS)
    card = tmp_path / "pose.md"
    card.write_text(card.read_text(encoding="utf-8") + "Weak on gold pigs.\n", encoding="utf-8")
    set_metrics(tmp_path, Role.POSE, {"pose accuracy": Metric(0.9871, 600)})
    set_fields(tmp_path, Role.POSE, temperature=2.0)
    text = card.read_text(encoding="utf-8")
    assert text.endswith("## Notes\nWeak on gold pigs.\n")
    assert "| pose accuracy | 0.9871 | 600 |" in text
    assert "| temperature | 2 |" in text
    assert load_manifest(tmp_path).need(Role.POSE).metrics["pose accuracy"].count == 600


@pytest.mark.parametrize(
    ("make", "message"),
    [
        ({"size": 24}, "takes 24x24 pixels, got input_px = 16"),
        ({"names": ["pig"] * 7}, "was trained on the classes pig"),
    ],
)
def test_a_model_that_would_not_load_is_not_put(
    tmp_path: Path,
    trained: Path,
    model_tools: Any,
    make: dict[str, Any],
    message: str,
) -> None:
    model_tools.classifier(trained / "last.onnx", **make)
    with pytest.raises(ModelError, match=message):
        put_model(tmp_path / "shelf", Role.POSE, trained / "last.onnx", **FACTS)
    assert not (tmp_path / "shelf").exists()


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot read the model"):
        put_model(tmp_path, Role.POSE, tmp_path / "none.onnx", **FACTS)


def test_without_the_train_extra_nothing_is_written(
    tmp_path: Path, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tomli_w", None)
    with pytest.raises(ModelError, match="needs the train extra"):
        put_model(tmp_path / "shelf", Role.POSE, trained / "last.onnx", **FACTS)
    assert not (tmp_path / "shelf").exists()


def test_the_command_lists_adds_and_refuses(
    tmp_path: Path, trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf = tmp_path / "shelf"
    options = ["--recipe", "r", "--seed", "3", "--trained-with", "t", "--models", shelf]
    assert run("models", "add", "pose", trained / "last.onnx", "--input", "16", *options) == 0
    assert "pose: pose.onnx" in capsys.readouterr().out
    assert run("models", "--models", shelf, "--json") == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["seed"] == 3
    (shelf / "pose.onnx").write_bytes(b"")
    assert run("models", "--models", shelf) == 1
    assert "is cut short" in capsys.readouterr().err


def test_the_folder_may_be_named_before_the_command(tmp_path: Path, trained: Path) -> None:
    options = ["--input", "16", "--recipe", "r", "--seed", "3", "--trained-with", "t"]
    before, after = tmp_path / "before", tmp_path / "after"
    words = ["add", "pose", trained / "last.onnx", *options]
    assert run("models", "--models", before, *words) == 0
    assert load_manifest(before).need(Role.POSE).seed == 3
    assert run("models", "--models", before, *words, "--models", after) == 0
    assert load_manifest(after).need(Role.POSE).seed == 3, "the nearer one counts"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("add", "pose", "{onnx}", "--input", "16", "--recipe", "r", "--seed", "3",
          "--trained-with", "t"), "name the folder to write with --models FOLDER"),
        (("calibrate", "{onnx}"), "name the folder to write with --models FOLDER"),
        (("--models", "{onnx}", "back"), "--models says nothing to `back`"),
        (("--json", "back"), "--json goes after `back`"),
    ],
)  # fmt: skip
def test_no_folder_of_models_is_written_by_default(
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.setattr("vision.artefacts._PACKAGE", tmp_path / "vision")
    (tmp_path / "models").mkdir()
    assert run("models", *(w.format(onnx=trained / "last.onnx") for w in words)) == 2
    assert message in capsys.readouterr().err
    assert not list((tmp_path / "models").iterdir())
    assert run("evaluate", "--card") == 2
    assert "name it with --models" in capsys.readouterr().err
