"""The classifier reads every crop in as few runs as the model allows, and is calibrated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from vision.artefacts import artefact_dir
from vision.errors import ModelError
from vision.recognize.gaze import LEANED
from vision.recognize.manifest import Role, load_manifest
from vision.recognize.pose import Classifier, calibrate, read_poses
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.runtime import open_network


def load(folder: Path) -> Classifier:
    manifest = load_manifest(folder)
    entry = manifest.need(Role.POSE)
    return Classifier(open_network(manifest, entry), entry)


def picture(colours: list[tuple[int, int, int]]) -> tuple[np.ndarray, list[Any]]:
    """Paint one 40 by 40 square a colour, side by side, and give their boxes."""
    image = np.zeros((60, 60 * len(colours), 3), np.uint8)
    boxes = []
    for i, colour in enumerate(colours):
        image[10:50, 60 * i + 10 : 60 * i + 50] = colour
        boxes.append((60.0 * i + 10, 10.0, 60.0 * i + 50, 50.0))
    return image, boxes


@pytest.mark.parametrize("batch", [None, 1, 2, 4])
def test_every_pose_is_read_whatever_the_batch(
    tiny_models: Any, pose_colours: Any, batch: int | None
) -> None:
    image, boxes = picture(list(pose_colours.values()))
    log_poses = read_poses(load(tiny_models(batch=batch)), image, boxes)
    assert [POSE_CLASSES[i] for i in log_poses.argmax(axis=1)] == list(POSE_CLASSES)
    assert np.allclose(np.exp(log_poses).sum(axis=1), 1.0)


def test_colours_are_red_green_blue_in_this_order(tiny_models: Any) -> None:
    image, boxes = picture([(255, 0, 0)])
    log_poses = read_poses(load(tiny_models()), image, boxes)
    assert POSE_CLASSES[int(log_poses[0].argmax())] == "dot_up"


def test_no_pigs_no_run(tiny_models: Any) -> None:
    assert read_poses(load(tiny_models()), picture([(0, 0, 0)])[0], []).shape == (0, 7)


def test_temperature_flattens_but_keeps_the_order(tiny_models: Any, model_tools: Any) -> None:
    folder = tiny_models()
    image, boxes = picture([(200, 60, 20)])
    sharp = read_poses(load(folder), image, boxes)[0]
    entry = model_tools.entry(folder, "pose", "pose.onnx", temperature=3.0)
    model_tools.manifest(folder, entry)
    flat = read_poses(load(folder), image, boxes)[0]
    assert sharp.argsort().tolist() == flat.argsort().tolist()
    assert flat.max() < sharp.max()


def test_what_the_looks_say_is_averaged() -> None:
    manifest = load_manifest()
    entry = manifest.need(Role.POSE)
    network = open_network(manifest, entry)
    folder = artefact_dir("datasets") / "poses" / "4_snouter"
    crops = [np.asarray(Image.open(p).convert("RGB")) for p in sorted(folder.iterdir())[:4]]
    apart = [Classifier(network, entry, views=[view])(crops) for view in LEANED]
    assert all(np.abs(apart[0] - other).max() > 0.01 for other in apart[1:]), "the looks differ"
    mean = calibrate(np.mean(apart, axis=0), 1.0)
    assert np.allclose(Classifier(network, entry)(crops), mean, atol=1e-3)


@given(
    st.lists(st.floats(-30, 0), min_size=2, max_size=7),
    st.floats(0.2, 5),
)
def test_calibrated_probabilities_sum_to_one(logs: list[float], temperature: float) -> None:
    calibrated = calibrate(np.array([logs]), temperature)
    assert np.exp(calibrated).sum() == pytest.approx(1.0)
    gaps = np.diff(calibrated[0])
    assert np.allclose(gaps, np.diff(logs) / temperature, atol=1e-9)


@pytest.mark.parametrize(
    ("pose", "message"),
    [
        ({"softmax": False}, "that sum to 1"),
        ({"colours": [(0, 0, 0), (9, 9, 9)], "names": None}, r"gives \[5, 2\]; expected"),
    ],
)
def test_an_output_that_is_not_seven_probabilities_is_refused(
    tiny_models: Any, pose: dict[str, Any], message: str
) -> None:
    image, boxes = picture([(10, 200, 30)])
    with pytest.raises(ModelError, match=message):
        read_poses(load(tiny_models(**pose)), image, boxes)


def test_a_model_of_another_size_than_its_manifest(tiny_models: Any) -> None:
    with pytest.raises(ModelError, match="takes 24x24 pixels, the manifest says 16"):
        load(tiny_models(size=24))
