"""A model is used only when it is the one the manifest names; else one line says what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from vision.errors import ModelError
from vision.recognize.manifest import MANIFEST, Role, load_manifest
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.runtime import open_network


def open_all(folder: Path) -> None:
    manifest = load_manifest(folder)
    for entry in manifest.models:
        open_network(manifest, entry)


def refuse(folder: Path) -> str:
    """Load every model of the folder and give the error's one line."""
    with pytest.raises(ModelError) as caught:
        open_all(folder)
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_a_good_folder_loads_every_model(tiny_models: Any) -> None:
    manifest = load_manifest(tiny_models())
    assert [m.role for m in manifest.models] == [Role.LOCATOR, Role.POSE]
    assert manifest.need(Role.POSE).classes == POSE_CLASSES
    assert manifest.need(Role.POSE).card == "pose.md"
    assert manifest.get(Role.CONTACT) is None
    assert open_network(manifest, manifest.need(Role.POSE)).input_shape == (None, 16, 16)


def test_no_folder_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = tmp_path / "nowhere"
    assert refuse(nowhere) == f"there are no models in {nowhere}: there is no such folder"
    monkeypatch.setattr("vision.artefacts._PACKAGE", nowhere / "vision")
    assert "manifest.toml is missing: reinstall" in refuse(nowhere / "models"), "the shipped ones"


def test_a_folder_with_the_models_one_below(tmp_path: Path, tiny_models: Any) -> None:
    assert refuse(tmp_path) == f"there are no models in {tmp_path}: it has no manifest.toml"
    below = tiny_models()
    assert refuse(tmp_path).endswith(f"it has no manifest.toml; {below} has one: name that")


def test_a_missing_file(tiny_models: Any) -> None:
    folder = tiny_models()
    (folder / "pose.onnx").unlink()
    assert "pose.onnx is missing: reinstall" in refuse(folder)


def test_a_truncated_file(tiny_models: Any) -> None:
    path = tiny_models() / "pose.onnx"
    path.write_bytes(path.read_bytes()[:-20])
    assert "pose.onnx is cut short" in refuse(path.parent)


def test_one_changed_byte(tiny_models: Any) -> None:
    path = tiny_models() / "locator.onnx"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(bytes(content))
    assert "not the one the manifest names (sha256" in refuse(path.parent)


def test_a_folder_in_the_place_of_a_file(tiny_models: Any) -> None:
    path = tiny_models() / "pose.onnx"
    path.unlink()
    path.mkdir()
    assert "cannot read the model file" in refuse(path.parent)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version = 2", "version 2, this program reads version 1"),
        ("", "version None"),
        ("version = ", "not valid TOML"),
        ("version = 1\n[[model]]\nfile = 'a.onnx'", "faulty entry ('role')"),
        ("version = 1\n[[model]]\nrole = 'nose'", "faulty entry ('nose' is not a valid Role)"),
        ("version = 1\nmodel = 3", "faulty entry"),
        ("version = 1\nmodel = ['locator']", "faulty entry"),
    ],
)
def test_a_faulty_manifest(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / MANIFEST).write_text(text, encoding="utf-8")
    assert message in refuse(tmp_path)


def test_a_manifest_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_bytes(b"\xff\xfe\x00")
    assert "not valid TOML" in refuse(tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"classes": list(POSE_CLASSES)[::-1]}, "this version expects dot_up"),
        ({"file": "../pose.onnx"}, "lies beside its manifest"),
        ({"file": 7}, "faulty entry (file = 7)"),
        ({"temperature": 0.0}, "temperature above 0"),
        ({"threshold": 1.5}, "threshold in 0 to 1"),
        ({"colour": "pink"}, "faulty entry"),
        ({"metrics": {"accuracy": 0.9}}, "faulty entry"),
    ],
)
def test_a_faulty_entry(
    tiny_models: Any, model_tools: Any, changes: dict[str, Any], message: str
) -> None:
    folder = tiny_models()
    entry = model_tools.entry(folder, "pose", "pose.onnx") | changes
    model_tools.manifest(folder, entry)
    assert message in refuse(folder)


def test_two_models_of_one_role(tiny_models: Any, model_tools: Any) -> None:
    folder = tiny_models()
    model_tools.manifest(folder, *[model_tools.entry(folder, "pose", "pose.onnx")] * 2)
    assert "two models for pose" in refuse(folder)


def test_a_role_without_a_model(tiny_models: Any, model_tools: Any) -> None:
    folder = tiny_models()
    model_tools.manifest(folder, model_tools.entry(folder, "pose", "pose.onnx"))
    with pytest.raises(ModelError, match="names no locator model: reinstall"):
        load_manifest(folder).need(Role.LOCATOR)


def test_the_classes_inside_the_file_are_compared_too(tiny_models: Any) -> None:
    folder = tiny_models(names=["snouter", *POSE_CLASSES[1:]])
    assert "trained on the classes snouter, dot_down" in refuse(folder)


def test_unreadable_classes_inside_the_file(
    tiny_models: Any, model_tools: Any, tmp_path: Path
) -> None:
    from onnx import helper, load, save

    folder = tiny_models()
    model = load(folder / "pose.onnx")
    helper.set_model_props(model, {"names": "not a dict"})
    save(model, folder / "pose.onnx")
    model_tools.manifest(folder, model_tools.entry(folder, "pose", "pose.onnx"))
    assert "unreadable class names" in refuse(folder)


def test_a_file_that_is_no_model_though_its_hash_is_right(
    tiny_models: Any, model_tools: Any
) -> None:
    folder = tiny_models()
    (folder / "pose.onnx").write_bytes(b"oink" * 100)
    model_tools.manifest(folder, model_tools.entry(folder, "pose", "pose.onnx"))
    assert "ONNX Runtime cannot load pose.onnx" in refuse(folder)


def test_metrics_are_read_with_their_counts(tiny_models: Any, model_tools: Any) -> None:
    folder = tiny_models()
    metrics = {"accuracy": {"value": 0.91, "count": 600}}
    model_tools.manifest(folder, model_tools.entry(folder, "pose", "pose.onnx", metrics=metrics))
    metric = load_manifest(folder).need(Role.POSE).metrics["accuracy"]
    assert (metric.value, metric.count) == (0.91, 600)
