"""Weights of 16 bits on the disk give what those of 32 gave."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.learn.halve import halve

onnx = pytest.importorskip("onnx", reason="the train extra is not installed")


def _network() -> Any:
    """Two layers, the second with a weight that 16 bits cannot hold."""
    rng = np.random.default_rng(1)
    first = rng.normal(size=(64, 32)).astype(np.float32)
    second = np.full((32, 16), 1e5, np.float32)
    make = onnx.helper
    nodes = [
        make.make_node("MatMul", ["x", "first"], ["between"]),
        make.make_node("MatMul", ["between", "second"], ["y"]),
    ]
    graph = make.make_graph(
        nodes,
        "two layers",
        [make.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [1, 64])],
        [make.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, 16])],
        [onnx.numpy_helper.from_array(v, n) for n, v in (("first", first), ("second", second))],
    )
    return make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=9)


def test_a_halved_file_gives_what_the_whole_one_gave(tmp_path: Path) -> None:
    import onnxruntime

    whole, half = tmp_path / "whole.onnx", tmp_path / "half.onnx"
    onnx.save(_network(), str(whole))
    shutil.copy(whole, half)
    assert halve(half) == half
    types = {t.name: t.data_type for t in onnx.load(str(half)).graph.initializer}
    assert types == {"first": onnx.TensorProto.FLOAT16, "second": onnx.TensorProto.FLOAT}
    assert half.stat().st_size < whole.stat().st_size - 64 * 32
    x = np.random.default_rng(2).normal(size=(1, 64)).astype(np.float32)
    before, after = (
        onnxruntime.InferenceSession(str(f)).run(None, {"x": x})[0] for f in (whole, half)
    )
    assert np.allclose(before, after, rtol=1e-3, atol=1e-3 * np.abs(before).max())
    size = half.read_bytes()
    halve(half)
    assert half.read_bytes() == size
