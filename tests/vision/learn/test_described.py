"""What an exported model says of itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnx
import pytest

from vision.learn.train import described
from vision.learn.training import load_training
from vision.recognize.manifest import load_manifest


def test_a_model_does_not_say_where_it_learnt(tiny_models: Any) -> None:
    path = tiny_models() / "pose.onnx"
    model = onnx.load(str(path))
    fact = model.metadata_props.add()
    fact.key, fact.value = "description", "a model trained on C:/pigs/renders"
    onnx.save(model, str(path))
    graph = model.graph.SerializeToString()
    assert described(path, load_training("pose")) == path
    after = onnx.load(str(path))
    said = {p.key: p.value for p in after.metadata_props}
    assert said["description"] == "pose model of sooee, yolo26n-cls"
    assert after.graph.SerializeToString() == graph
    assert b"renders" not in path.read_bytes()


@pytest.mark.parametrize("number", range(3))
def test_the_shipped_models_name_no_folder(number: int) -> None:
    manifest = load_manifest()
    content = (manifest.folder / Path(manifest.models[number].file)).read_bytes()
    assert b"trained on /" not in content
