"""The pose network's embedding, and the small layer that is learnt on it."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.errors import ModelError
from vision.recognize.embedding import Embedder, last_linear_input, with_output
from vision.recognize.linear import Hold, fit, held_out, log_softmax
from vision.recognize.manifest import ModelEntry, Role
from vision.recognize.reading import POSE_CLASSES

onnx = pytest.importorskip("onnx", reason="onnx is not installed")


def network(*, linear: bool = True, batch: Any = "n") -> bytes:
    """A classifier as Ultralytics exports them: convolution, mean, flatten, linear, softmax."""
    rng = np.random.default_rng(0)
    helper, array = onnx.helper, onnx.numpy_helper.from_array
    nodes = [
        helper.make_node("Conv", ["images", "k"], ["c"], kernel_shape=[3, 3]),
        helper.make_node("GlobalAveragePool", ["c"], ["p"]),
        helper.make_node("Flatten", ["p"], ["embedding"]),
        helper.make_node("Gemm", ["embedding", "w", "b"], ["scores"])
        if linear
        else helper.make_node("Identity", ["embedding"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["output0"]),
    ]
    width = 12 if linear else 7
    weights = [
        array(rng.normal(size=(width, 3, 3, 3)).astype(np.float32), "k"),
        array((rng.normal(size=(12, 7)) / 10).astype(np.float32), "w"),
        array(rng.normal(size=7).astype(np.float32), "b"),
    ]
    graph = helper.make_graph(
        nodes,
        "pose",
        [helper.make_tensor_value_info("images", onnx.TensorProto.FLOAT, [batch, 3, 16, 16])],
        [helper.make_tensor_value_info("output0", onnx.TensorProto.FLOAT, [batch, 7])],
        weights if linear else weights[:1],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    content: bytes = made.SerializeToString()
    return content


def entry() -> ModelEntry:
    return ModelEntry(
        role=Role.POSE, file="pose.onnx", sha256="0" * 64, bytes=1, classes=POSE_CLASSES,
        input_px=16, recipe="test", seed=0, trained_with="test", licence="none",
    )  # fmt: skip


@pytest.mark.parametrize("batch", ["n", 1, 4])
def test_the_embedding_is_what_goes_into_the_last_layer(batch: Any) -> None:
    content = network(batch=batch)
    embedder = Embedder(content, entry())
    rng = np.random.default_rng(1)
    crops = [rng.integers(0, 255, (16, 16, 3), dtype=np.uint8) for _ in range(5)]
    vectors, logs = embedder(crops)
    assert vectors.shape == (5, 12)
    weights = [
        onnx.numpy_helper.to_array(w) for w in onnx.load_from_string(content).graph.initializer
    ]
    expected = log_softmax(vectors @ weights[1] + weights[2])
    assert logs == pytest.approx(expected, abs=1e-4)
    assert embedder([])[1].shape == (0, 7)


def test_a_model_with_one_more_output_is_a_model() -> None:
    content = network()
    name = last_linear_input(content)
    assert name == b"embedding"
    changed = onnx.load_from_string(with_output(content, name))
    assert [o.name for o in changed.graph.output] == ["output0", "embedding"]
    assert len(changed.graph.node) == 5


def test_a_model_without_a_linear_layer_is_named() -> None:
    with pytest.raises(ModelError, match="no embedding"):
        Embedder(network(linear=False), entry())


@given(st.binary(max_size=200))
def test_what_is_no_model_is_refused_or_has_none(content: bytes) -> None:
    with contextlib.suppress(ModelError):
        assert last_linear_input(content) is None or content


def samples(seed: int = 0, count: int = 120) -> tuple[Any, Any, Any, Any]:
    """Vectors around a centre a class, a network that sees half of it, and groups."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 7, count)
    vectors = 3 * rng.normal(size=(7, 40))[labels] + rng.normal(size=(count, 40))
    logs = log_softmax(
        np.eye(7)[labels] * rng.uniform(0, 3, (count, 1)) + rng.normal(size=(count, 7))
    )
    return vectors, labels, logs, np.arange(count) % 6


def test_a_layer_learns_what_the_network_does_not_see() -> None:
    vectors, labels, logs, groups = samples()
    before = (logs.argmax(axis=1) == labels).mean()
    (seen,) = held_out(vectors, labels, logs, groups, [Hold(0.01)])
    after = (seen.argmax(axis=1) == labels).mean()
    assert before < 0.8
    assert after > 0.95


def test_the_harder_the_hold_the_more_the_network_stands() -> None:
    vectors, labels, logs, _ = samples()
    moved = [
        np.abs(fit(vectors, labels, logs, Hold(h))(vectors, logs) - logs).mean()
        for h in (0.1, 10, 1e6)
    ]
    assert moved[0] > moved[1] > moved[2]
    assert moved[2] < 1e-3


def test_a_fit_is_where_the_loss_is_least() -> None:
    vectors, labels, logs, _ = samples(count=60)
    hold = 0.5
    layer = fit(vectors, labels, logs, Hold(hold))

    def loss(weights: Any, bias: Any) -> float:
        added = (vectors - layer.centre) / layer.scale @ weights + bias
        chances = log_softmax(logs + added)
        penalty = hold / 2 * ((weights**2).sum() + (bias**2).sum())
        return float(-chances[np.arange(60), labels].sum() + penalty)

    least = loss(layer.weights, layer.bias)
    rng = np.random.default_rng(2)
    for size in (1e-3, 1e-2, 1e-1):
        step = size * rng.normal(size=layer.weights.shape)
        assert loss(layer.weights + step, layer.bias) > least - 1e-2
        assert loss(layer.weights, layer.bias + size) > least - 1e-2


def test_counting_a_sample_twice_is_having_it_twice() -> None:
    vectors, labels, logs, _ = samples(count=40)
    twice = fit(vectors, labels, logs, Hold(0.5), weights=np.array([2.0] * 10 + [1.0] * 30))
    doubled = [np.concatenate([a[:10], a]) for a in (vectors, labels, logs)]
    again = fit(doubled[0], doubled[1], doubled[2], Hold(0.5))
    assert twice(vectors, logs) == pytest.approx(again(vectors, logs), abs=0.02)


def test_a_class_never_shown_keeps_its_place_among_the_others() -> None:
    vectors, labels, logs, _ = samples()
    shown = labels < 5
    layer = fit(vectors[shown], labels[shown], logs[shown], Hold(0.01))
    assert layer.weights[:, 5:] == pytest.approx(0)
    assert layer.bias[5:] == pytest.approx(0)
    assert layer.weights[:, :5].sum(axis=1) == pytest.approx(0, abs=1e-9)
    unlike = 50 * np.ones((1, 40)) * np.array([[1.0, -1.0] * 20])
    sure_of_other = log_softmax(np.array([[0.0] * 6 + [9.0]]))
    near = layer(vectors[:1] * 0 + layer.centre, sure_of_other)
    assert near.argmax() == 6
    assert np.isfinite(layer(unlike, sure_of_other)).all()


def test_without_trust_the_network_is_not_asked() -> None:
    vectors, labels, logs, _ = samples()
    layer = fit(vectors, labels, logs, Hold(0.01, trust=0.0))
    assert layer(vectors, logs) == pytest.approx(layer(vectors, -logs))


def test_one_sample_and_samples_all_the_same_do_not_break_a_fit() -> None:
    logs = np.full((3, 7), -np.log(7.0))
    layer = fit(np.ones((3, 5)), np.array([2, 2, 2]), logs, Hold(0.1))
    assert layer(np.ones((3, 5)), logs) == pytest.approx(logs), "one class alone teaches nothing"


def test_the_real_model_has_one(tmp_path: Path) -> None:
    try:
        embedder = Embedder.load()
    except ModelError as error:
        pytest.skip(f"no models here: {error}")
    crops = [np.zeros((embedder.size, embedder.size, 3), np.uint8)]
    vectors, logs = embedder(crops)
    assert vectors.shape[1] >= 64
    assert np.exp(logs).sum() == pytest.approx(1, abs=1e-3)
