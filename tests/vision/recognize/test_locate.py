"""Boxes come back in pixels of the picture, whatever its size and the form of the export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.errors import ModelError
from vision.recognize.locate import Locator, iou, prepare
from vision.recognize.manifest import Role, load_manifest
from vision.recognize.runtime import open_network

ROWS = [(8.0, 24.0, 24.0, 40.0, 0.9), (40.0, 24.0, 56.0, 32.0, 0.6)]


def make(folder: Path, tools: Any, rows: Any = ROWS, **kind: Any) -> Locator:
    folder.mkdir(exist_ok=True)
    tools.locator(folder / "locator.onnx", rows, **kind)
    tools.manifest(folder, tools.entry(folder, "locator", "locator.onnx"))
    manifest = load_manifest(folder)
    entry = manifest.need(Role.LOCATOR)
    return Locator(open_network(manifest, entry), entry)


def blank(height: int, width: int) -> np.ndarray:
    return np.full((height, width, 3), 90, np.uint8)


@pytest.mark.parametrize("raw", [False, True])
def test_boxes_are_scaled_back_from_the_letterbox(
    tmp_path: Path, model_tools: Any, raw: bool
) -> None:
    locator = make(tmp_path, model_tools, raw=raw)
    # 128 by 64 is laid at half its size into 64 by 64, with 16 rows of grey above.
    found = locator(blank(64, 128))
    assert [f.box for f in found] == [(16.0, 16.0, 48.0, 48.0), (80.0, 16.0, 112.0, 32.0)]
    assert [f.confidence for f in found] == pytest.approx([0.9, 0.6])


def test_an_input_of_any_size_is_only_as_high_as_the_picture_needs(
    tmp_path: Path, model_tools: Any
) -> None:
    locator = make(tmp_path, model_tools, [(8.0, 8.0, 24.0, 24.0, 0.9)], size=None)
    (found,) = locator.look(blank(64, 128), 0.5)  # 64 by 32 in the input, no grey at all
    assert found.box == (16.0, 16.0, 48.0, 48.0)


def test_the_surest_comes_first_and_the_unsure_are_left_out(
    tmp_path: Path, model_tools: Any
) -> None:
    rows = [(0, 0, 9, 9, 0.3), (20, 20, 40, 40, 0.8), (50, 50, 60, 60, 0.24)]
    found = make(tmp_path, model_tools, rows)(blank(64, 64))
    assert [round(f.confidence, 2) for f in found] == [0.8, 0.3]


@pytest.mark.parametrize("raw", [False, True])
def test_one_pig_boxed_twice_is_one_pig(tmp_path: Path, model_tools: Any, raw: bool) -> None:
    rows = [(10, 10, 40, 40, 0.8), (11, 10, 41, 40, 0.7), (30, 10, 60, 40, 0.6)]
    found = make(tmp_path, model_tools, rows, raw=raw)(blank(64, 64))
    assert [round(f.confidence, 2) for f in found] == [0.8, 0.6]


def test_boxes_are_cut_at_the_edge_and_slivers_dropped(tmp_path: Path, model_tools: Any) -> None:
    rows = [(-10, 20, 10, 30, 0.9), (63.5, 0, 80, 20, 0.9)]
    (found,) = make(tmp_path, model_tools, rows)(blank(64, 64))
    assert found.box == (0.0, 20.0, 10.0, 30.0)


def test_nothing_found(tmp_path: Path, model_tools: Any) -> None:
    assert make(tmp_path, model_tools, [])(blank(64, 64)) == []
    assert make(tmp_path / "raw", model_tools, [], raw=True)(blank(64, 64)) == []


def test_another_kind_of_output_is_refused(tmp_path: Path, model_tools: Any) -> None:
    locator = make(tmp_path, model_tools)
    model_tools.classifier(tmp_path / "locator.onnx", size=64, batch=1, names=None)
    model_tools.manifest(tmp_path, model_tools.entry(tmp_path, "locator", "locator.onnx"))
    manifest = load_manifest(tmp_path)
    locator = Locator(open_network(manifest, manifest.models[0]), manifest.models[0])
    with pytest.raises(ModelError, match=r"gives \[1, 7\]; a locator gives"):
        locator(blank(64, 64))


@given(height=st.integers(1, 400), width=st.integers(1, 400), scale=st.floats(0.05, 4))
@settings(max_examples=60)
def test_any_picture_fits_its_input(height: int, width: int, scale: float) -> None:
    image = np.full((height, width, 3), 255, np.uint8)
    batch, letterbox = prepare(image, (96, 64), scale)
    assert batch.shape == (1, 3, 96, 64)
    # The four corners of the picture lie in the input, and come back within a pixel of it.
    corner = np.array([[0, 0, width, height]], np.float32) * letterbox.scale
    corner += [letterbox.left, letterbox.top, letterbox.left, letterbox.top]
    assert np.allclose(letterbox.back(corner), [[0, 0, width, height]], atol=1e-3)
    assert corner.min() >= 0
    assert corner[0, 2] <= 64.5
    assert corner[0, 3] <= 96.5
    assert batch.max() == 1.0


@pytest.mark.parametrize(
    ("height", "width", "scales"),
    [
        (1080, 1920, (1 / 30, 1.3 / 30, 0.7 / 30, 1 / 60)),  # shrunk to 64, less, more
        (64, 80, (0.8, 1.0, 0.56, 0.4)),  # the nearer look at the picture's own size
        (64, 64, (1.0, 0.7, 0.5)),
        (20, 32, (1.0, 0.7, 0.5)),  # never enlarged
    ],
)
def test_a_picture_is_shrunk_but_not_enlarged(
    tmp_path: Path, model_tools: Any, height: int, width: int, scales: tuple[float, ...]
) -> None:
    locator = make(tmp_path, model_tools, size=None)
    assert locator.scales(blank(height, width)) == pytest.approx(scales)


class TwoScales:
    """A network that gives other rows for an input of 64 px than for one of 32; counts its runs."""

    input_shape: tuple[int | None, int | None, int | None] = (1, None, None)

    def __init__(self, large: list[tuple[float, ...]], small: list[tuple[float, ...]]) -> None:
        self.rows = {64: large, 32: small}
        self.runs = 0

    def __call__(self, batch: Any) -> Any:
        self.runs += 1
        rows = np.array(self.rows[batch.shape[3]], np.float32).reshape(-1, 5)
        return np.concatenate([rows, np.zeros((len(rows), 1), np.float32)], axis=1)[None]


LEFT, RIGHT = (4.0, 4.0, 12.0, 12.0), (20.0, 4.0, 28.0, 12.0)


@pytest.mark.parametrize(
    ("large", "small", "found", "runs"),
    [
        # Two sure pigs: one look.
        ([(*LEFT, 0.9), (*RIGHT, 0.7)], [(*LEFT, 0.9)], [0.9, 0.7], 1),
        # One sure pig, and a second look that sees both.
        ([(*LEFT, 0.9), (*RIGHT, 0.3)], [(*LEFT, 0.8), (*RIGHT, 0.7)], [0.8, 0.7], 3),
        # A second look that sees less.
        ([(*LEFT, 0.5), (*RIGHT, 0.5)], [(*LEFT, 0.8)], [0.5, 0.5], 3),
        ([], [], [], 3),
    ],
)
def test_the_surer_look_counts(
    tiny_models: Any, large: Any, small: Any, found: list[float], runs: int
) -> None:
    network = TwoScales(large, small)
    locator = Locator(network, load_manifest(tiny_models()).need(Role.LOCATOR))
    pigs = locator(blank(64, 64))
    assert [round(p.confidence, 2) for p in pigs] == found
    assert network.runs == runs


def test_boxes_of_the_second_look_are_in_pixels_of_the_picture(tiny_models: Any) -> None:
    network = TwoScales([], [(*LEFT, 0.8)])
    locator = Locator(network, load_manifest(tiny_models()).need(Role.LOCATOR))
    assert locator(blank(64, 64))[0].box == (8.0, 8.0, 24.0, 24.0)


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        ((0.0, 0.0, 10.0, 10.0), 1.0),
        ((5.0, 0.0, 15.0, 10.0), 1 / 3),
        ((10.0, 0.0, 20.0, 10.0), 0.0),
        ((2.0, 2.0, 4.0, 7.0), 0.1),
    ],
)
def test_iou(b: tuple[float, float, float, float], expected: float) -> None:
    assert iou((0.0, 0.0, 10.0, 10.0), b) == pytest.approx(expected)
