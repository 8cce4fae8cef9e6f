"""Learning how a pig is turned: a second layer beside the pose's, on crops that know it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vision.artefacts import artefact_dir
from vision.learn.augment import Strained
from vision.learn.training import TrainingError, load_training

pytest.importorskip("ultralytics", reason="the train extra is not installed")

import torch
from ultralytics import YOLO

from vision.learn.attitude_head import (
    AttitudeHead,
    AttitudeLoss,
    TurnedCrops,
    turn_attitude,
    widen,
)
from vision.learn.thaw import pictures_for, thaw
from vision.learn.train import export

NOSE_RIGHT = np.array([1, 0, 0, 0, 0, -1], np.float32)
CLASSES = ("0_dot_up", "1_dot_down")


def network() -> torch.nn.Module:
    """A classifier of seven poses with weights as they are made."""
    torch.manual_seed(1)
    made = YOLO("yolo26n-cls.yaml").model
    type(made).reshape_outputs(made, 7)
    return made


def test_a_widened_network_names_poses_as_before() -> None:
    plain = network().eval()
    picture = torch.rand(2, 3, 96, 96)
    with torch.no_grad():
        before = plain(picture)[0]
        after, (_logits, attitude) = widen(plain).eval()(picture)
    assert torch.equal(before, after)
    assert attitude.shape == (2, 6)
    assert widen(plain).model[-1] is plain.model[-1], "widened once"


def test_crops_without_an_attitude_leave_its_layer_alone() -> None:
    model = widen(network()).train()
    known = torch.tensor([[1.0, 0, 0, 0, 0, -1]])
    unknown = torch.full((1, 6), float("nan"))
    for truth, learns in ((unknown, False), (known, True)):
        model.zero_grad()
        batch = {"cls": torch.tensor([3]), "attitude": truth}
        model(torch.rand(2, 3, 96, 96))  # the normalizations want more than one
        model.eval()
        model.model[-1].training = True
        loss, parts = AttitudeLoss(2.0)(model(torch.rand(1, 3, 96, 96)), batch)
        loss.backward()
        gradient = model.model[-1].attitude.weight.grad
        assert bool(torch.isfinite(loss))
        assert bool((gradient.abs().sum() > 0) == learns)
        assert bool(parts["attitude"] > 0) == learns


def test_an_attitude_turns_as_its_crop_does() -> None:
    # A nose that points from a dark dot to a bright one.
    crop = np.full((128, 128, 3), 90, np.uint8)
    cv2.circle(crop, (50, 64), 7, (0, 0, 0), -1)
    cv2.circle(crop, (80, 64), 7, (255, 255, 255), -1)
    random.seed(4)
    for _ in range(5):
        picture, turn = Strained(96, 25.0, 0.0).vary(crop)
        seen = picture.astype(int).sum(axis=2)
        (y0, x0), (y1, x1) = (np.argwhere(m).mean(axis=0) for m in (seen < 90, seen > 700))
        nose = turn_attitude(NOSE_RIGHT, turn)[:3]
        assert nose[:2] == pytest.approx(
            np.array([x1 - x0, y1 - y0]) / np.hypot(x1 - x0, y1 - y0), abs=0.05
        )


@pytest.fixture
def crops(tmp_path: Path) -> Path:
    """A set of two crops, the first of which knows its attitude."""
    for number, name in enumerate(CLASSES):
        (tmp_path / "train" / name).mkdir(parents=True)
        crop = np.full((128, 128, 3), 60 * number, np.uint8)
        cv2.imwrite(str(tmp_path / "train" / name / f"7-{number}.png"), crop)
    notes = tmp_path / "train.blocks"
    notes.mkdir()
    note = {"image": f"{CLASSES[0]}/7-0.png", "attitude": NOSE_RIGHT.tolist()}
    (notes / "7-0.jsonl").write_text(json.dumps(note) + "\n", encoding="utf-8")
    return tmp_path / "train"


def test_crops_come_with_what_was_noted_of_them(crops: Path) -> None:
    args = SimpleNamespace(
        cache=False, fraction=1.0, single_cls=False, imgsz=96, scale=0.5, fliplr=0.0, flipud=0.0,
        erasing=0.0, auto_augment=None, hsv_h=0.0, hsv_s=0.0, hsv_v=0.0,
    )  # fmt: skip
    shown = TurnedCrops(str(crops), args, strained=None, augment=False, prefix="train")
    assert shown[0]["attitude"].numpy() == pytest.approx(NOSE_RIGHT)
    assert bool(shown[1]["attitude"].isnan().all())


@pytest.mark.filterwarnings("default")
def test_a_model_that_knows_attitudes_is_exported_and_thawed_with_them(tmp_path: Path) -> None:
    import onnxruntime

    training = load_training("pose-attitude")
    pictures = pictures_for(artefact_dir("datasets") / "poses", 96, 64)
    start = thaw(artefact_dir("models") / "pose.onnx", training, pictures, tmp_path / "start.pt")
    model = YOLO(str(start))
    widen(model.model)
    with torch.no_grad():
        model.model.model[-1].attitude.bias.copy_(torch.arange(6.0))
    model.save(tmp_path / "wide.pt")
    onnx = export(tmp_path / "wide.pt", training)
    session = onnxruntime.InferenceSession(str(onnx))
    shares, attitude = session.run(None, {session.get_inputs()[0].name: pictures[:4]})
    assert shares.sum(axis=1) == pytest.approx(np.ones(4), abs=1e-4)
    again = YOLO(str(thaw(onnx, training, pictures, tmp_path / "again.pt"))).model.eval()
    assert isinstance(again.model[-1], AttitudeHead)
    with torch.no_grad():
        named, (_logits, turned) = again(torch.from_numpy(pictures[:4]))
    assert named.numpy() == pytest.approx(shares, abs=0.01)
    assert turned.numpy() == pytest.approx(attitude, abs=0.05)


def test_attitudes_are_learnt_by_pose_trainings_that_vary_their_crops(tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.toml"
    faulty.write_text(
        'role = "pose"\nmodel = "yolo26n-cls.yaml"\nattitude = 1.0\n', encoding="utf-8"
    )
    with pytest.raises(TrainingError, match="strain above 0"):
        load_training(str(faulty))
