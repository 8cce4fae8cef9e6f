"""A shipped model can be trained on: its weights come back out of the ONNX file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.artefacts import artefact_dir
from vision.learn.training import TrainingError, load_training

pytest.importorskip("ultralytics", reason="the train extra is not installed")

from vision.learn.thaw import pictures_for, thaw


@pytest.mark.parametrize(("role", "px", "within"), [("pose", 96, 0.01), ("locator", 256, 0.5)])
def test_a_thawed_network_computes_what_the_file_computes(
    role: str, px: int, within: float, tmp_path: Path
) -> None:
    import onnxruntime
    import torch
    from ultralytics import YOLO

    shipped = artefact_dir("models") / f"{role}.onnx"
    frozen = {"pose": "poses", "locator": "frames"}[role]
    pictures = pictures_for(artefact_dir("datasets") / frozen, px, 64)
    made = thaw(shipped, load_training(role), pictures, tmp_path / "thawed.pt")
    network = YOLO(str(made)).model.eval()
    network.end2end = False
    with torch.no_grad():
        output = network(torch.from_numpy(pictures[:8]))
    ours = (output[0] if isinstance(output, tuple | list) else output).numpy()
    session = onnxruntime.InferenceSession(str(shipped))
    theirs = session.run(None, {session.get_inputs()[0].name: pictures[:8]})[0]
    assert ours.shape == theirs.shape
    assert float(np.abs(ours - theirs).max()) < within
    assert float(np.abs(theirs).max()) > 10 * within, "something to agree on"


def test_another_networks_file_is_refused(tmp_path: Path) -> None:
    pictures = np.zeros((2, 3, 96, 96), np.float32)
    with pytest.raises(TrainingError, match=r"locator\.onnx does not fit"):
        thaw(artefact_dir("models") / "locator.onnx", load_training("pose"), pictures, tmp_path)


def test_no_pictures_and_no_model_are_said(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no pictures in"):
        pictures_for(tmp_path, 96)
    (tmp_path / "broken.onnx").write_bytes(b"\xff\xff no model")
    pictures = np.zeros((2, 3, 96, 96), np.float32)
    with pytest.raises(TrainingError, match=r"broken\.onnx is no ONNX model"):
        thaw(tmp_path / "broken.onnx", load_training("pose"), pictures, tmp_path / "out.pt")
