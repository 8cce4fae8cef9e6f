"""Tiny but real models: ONNX files of a few nodes that run through the real ONNX Runtime."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w
from hypothesis import settings
from numpy.typing import NDArray

from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES

# A busy machine is no failure: how long an example takes is measured elsewhere.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

Row = tuple[float, float, float, float, float]

POSE_COLOURS: dict[str, tuple[int, int, int]] = {
    "dot_up": (255, 0, 0),
    "dot_down": (0, 255, 0),
    "razorback": (0, 0, 255),
    "trotter": (255, 255, 0),
    "snouter": (255, 0, 255),
    "leaning_jowler": (0, 255, 255),
    "other": (255, 255, 255),
}
"""The tiny pose model reads a crop by its colour: that of each class."""

CONTACT_COLOURS: dict[str, tuple[int, int, int]] = {
    "apart": (60, 60, 60),
    "touching": (0, 160, 0),
    "stacked": (0, 0, 160),
}
"""The tiny contact model reads what lies between two pigs by its colour."""


def _save(graph_parts: dict[str, Any], path: Path, names: Sequence[str] | None) -> None:
    from onnx import checker, helper, save

    model = helper.make_model(
        helper.make_graph(**graph_parts), opset_imports=[helper.make_opsetid("", 18)]
    )
    model.ir_version = 9
    if names is not None:
        helper.set_model_props(model, {"names": str(dict(enumerate(names)))})
    checker.check_model(model)
    save(model, path)


def _array(name: str, values: NDArray[Any]) -> Any:
    from onnx import numpy_helper

    return numpy_helper.from_array(values, name)


def write_locator(
    path: Path,
    rows: Sequence[Row],
    *,
    size: tuple[int, int] | None = (64, 64),
    raw: bool = False,
    names: Sequence[str] | None = ("pig",),
) -> None:
    """Write a locator that finds the same rows (x0, y0, x1, y1, confidence) in every picture.

    They are in pixels of its input of (height, width) `size`, None for any; `raw` gives the form
    without the last step, (x, y, w, h, confidence) in [1, 5, N].
    """
    from onnx import TensorProto, helper

    table = np.array(rows, np.float32).reshape(-1, 5)
    if raw:
        middle, extent = (table[:, :2] + table[:, 2:4]) / 2, table[:, 2:4] - table[:, :2]
        values = np.concatenate([middle, extent, table[:, 4:]], axis=1).T[None]
    else:
        values = np.concatenate([table, np.zeros((len(table), 1), np.float32)], axis=1)[None]
    sides: list[Any] = ["height", "width"] if size is None else list(size)
    # The mean of the picture times nothing: so the output depends on the input, as it must.
    _save(
        {
            "nodes": [
                helper.make_node("ReduceMean", ["images"], ["mean"], keepdims=0),
                helper.make_node("Mul", ["mean", "nothing"], ["zero"]),
                helper.make_node("Add", ["zero", "boxes"], ["output0"]),
            ],
            "name": "locator",
            "inputs": [helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, 3, *sides])],
            "outputs": [
                helper.make_tensor_value_info("output0", TensorProto.FLOAT, list(values.shape))
            ],
            "initializer": [
                _array("boxes", values.astype(np.float32)),
                _array("nothing", np.array(0.0, np.float32)),
            ],
        },
        path,
        names,
    )


def write_classifier(
    path: Path,
    *,
    size: int = 16,
    batch: int | None = None,
    colours: Sequence[tuple[int, int, int]] = tuple(POSE_COLOURS.values()),
    sharpness: float = 30.0,
    softmax: bool = True,
    names: Sequence[str] | None = POSE_CLASSES,
) -> None:
    """Write a classifier that reads the mean colour of the middle of a crop."""
    from onnx import TensorProto, helper

    # Nearest colour: the softmax of -sharpness * |p - c|^2, less the |p|^2 that all share.
    goals = np.array(colours, np.float32) / 255.0
    lead: Any = "batch" if batch is None else batch
    third = size // 3
    nodes = [
        helper.make_node("Slice", ["images", "from", "to", "axes"], ["middle"]),
        helper.make_node("ReduceMean", ["middle", "axes"], ["mean"], keepdims=0),
        helper.make_node("MatMul", ["mean", "goals"], ["near"]),
        helper.make_node("Add", ["near", "bias"], ["logits"]),
        helper.make_node("Softmax" if softmax else "Identity", ["logits"], ["output0"]),
    ]
    _save(
        {
            "nodes": nodes,
            "name": "classifier",
            "inputs": [
                helper.make_tensor_value_info("images", TensorProto.FLOAT, [lead, 3, size, size])
            ],
            "outputs": [
                helper.make_tensor_value_info("output0", TensorProto.FLOAT, [lead, len(goals)])
            ],
            "initializer": [
                _array("from", np.array([third, third], np.int64)),
                _array("to", np.array([size - third, size - third], np.int64)),
                _array("axes", np.array([2, 3], np.int64)),
                _array("goals", 2.0 * sharpness * goals.T),
                _array("bias", (-sharpness * (goals**2).sum(axis=1)).astype(np.float32)),
            ],
        },
        path,
        names,
    )


def entry_table(folder: Path, role: str, file: str, **changes: Any) -> dict[str, Any]:
    """Give a manifest entry that fits a file of the folder, some fields changed."""
    content = (folder / file).read_bytes()
    classes = {
        "locator": ["pig"],
        "pose": list(POSE_CLASSES),
        "contact": list(CONTACT_CLASSES),
    }[role]
    return {
        "role": role,
        "file": file,
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "classes": classes,
        "input_px": {"locator": 64, "pose": 16, "contact": 16}[role],
        "recipe": "tests",
        "seed": 0,
        "trained_with": "by hand",
        "licence": "AGPL-3.0-or-later",
    } | changes


def write_manifest(folder: Path, *entries: dict[str, Any], version: int = 1) -> None:
    text = tomli_w.dumps({"version": version, "model": list(entries)})
    (folder / "manifest.toml").write_text(text, encoding="utf-8")


ModelMaker = Callable[..., Path]


@pytest.fixture
def tiny_models(tmp_path: Path) -> ModelMaker:
    """Make a models folder: `tiny_models(rows)` finds these rows in 64 by 64 pixels.

    The pose model reads each pig by the colour in the middle of its box (`pose_colours`). With
    `contact` there is a contact model too, which reads the colour in the middle of both boxes
    (`CONTACT_COLOURS`).
    """

    def make(rows: Sequence[Row] = (), *, contact: bool = False, **pose: Any) -> Path:
        folder = tmp_path / "models"
        folder.mkdir(exist_ok=True)
        write_locator(folder / "locator.onnx", rows)
        write_classifier(folder / "pose.onnx", **pose)
        entries = [entry_table(folder, role, f"{role}.onnx") for role in ("locator", "pose")]
        if contact:
            write_classifier(
                folder / "contact.onnx",
                colours=tuple(CONTACT_COLOURS.values()),
                names=CONTACT_CLASSES,
            )
            entries.append(entry_table(folder, "contact", "contact.onnx"))
        write_manifest(folder, *entries)
        return folder

    return make


@dataclass(frozen=True)
class ModelTools:
    """The functions above, for tests that make faulty files."""

    locator = staticmethod(write_locator)
    classifier = staticmethod(write_classifier)
    entry = staticmethod(entry_table)
    manifest = staticmethod(write_manifest)


@pytest.fixture
def model_tools() -> ModelTools:
    """Give the makers of model files, entries and manifests."""
    return ModelTools()


@pytest.fixture
def pose_colours() -> dict[str, tuple[int, int, int]]:
    """Give the colour by which the tiny pose model knows each class."""
    return dict(POSE_COLOURS)
