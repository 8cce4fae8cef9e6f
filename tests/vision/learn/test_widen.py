"""A network that goes on twice as wide begins by computing what it computed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vision.learn.thaw import as_wide
from vision.learn.widen import twins


def test_a_channel_lies_beside_its_twin_and_a_head_beside_its_own() -> None:
    assert twins(3, 1).tolist() == [0, 0, 1, 1, 2, 2]
    assert twins(4, 2).tolist() == [0, 1, 0, 1, 2, 3, 2, 3]


def test_a_wide_network_computes_what_the_narrow_one_does() -> None:
    torch = pytest.importorskip("torch", reason="the train extra is not installed")
    from ultralytics.nn.tasks import ClassificationModel

    from vision.learn.widen import is_half, widened

    torch.manual_seed(3)
    narrow, wide = (
        ClassificationModel(f"yolo26{size}-cls.yaml", nc=7, verbose=False) for size in "ns"
    )
    pictures = torch.rand(24, 3, 96, 96)
    with torch.no_grad():
        narrow.train()(pictures)  # statistics as a network that learnt has them, none alike
        for module in narrow.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.weight.uniform_(0.5, 2.0)
                module.bias.normal_(0.0, 0.3)
    old, empty = narrow.state_dict(), wide.state_dict()
    assert is_half(old, empty)
    assert not is_half(old, old)
    heads = [m.head_dim for m in narrow.modules() if hasattr(m, "head_dim")]
    new = widened(old, empty, heads[0])
    wide.load_state_dict(new, strict=True)
    with torch.no_grad():
        before, after = narrow.eval()(pictures[:8])[1], wide.eval()(pictures[:8])[1]
    assert float(before.std()) > 1e-3, "something to agree on"
    assert float((before - after).abs().max()) < 1e-3 * float(before.abs().max())
    first = new["model.1.conv.weight"].numpy()
    assert not np.allclose(first[:, 0], first[:, 1]), "the twins must be able to part"


@pytest.mark.parametrize(("begun", "goes_on"), [("n", "n"), ("n", "s"), ("s", "s"), ("s", "n")])
def test_a_training_goes_on_as_wide_as_it_says_and_never_narrower(
    begun: str, goes_on: str, tmp_path: Path
) -> None:
    ultralytics = pytest.importorskip("ultralytics", reason="the train extra is not installed")
    from vision.learn.train import _beginning
    from vision.learn.training import CLASSES, Training

    def training(size: str) -> Training:
        return Training("pose", f"yolo26{size}-cls.yaml")

    model = ultralytics.YOLO(training(begun).model)
    network = type(model.model)(training(begun).model, nc=7, verbose=False)
    network.names, network.task = dict(enumerate(CLASSES["pose"])), model.task
    model.model = network
    model.save(tmp_path / "begun.pt")
    made = _beginning(training(goes_on), tmp_path / "begun.pt", tmp_path, tmp_path / "run")
    assert len(made.model.names) == 7
    first = next(made.model.parameters())
    assert first.shape[0] == (32 if "s" in begun + goes_on else 16)


def test_the_width_of_a_file_is_known_by_its_first_layer() -> None:
    wide = {"model.0.conv.weight": np.zeros((32, 3, 3, 3), np.float32)}
    assert as_wide("yolo26n-cls.yaml", wide) == "yolo26s-cls.yaml"
    assert as_wide("yolo26s-cls.yaml", wide) == "yolo26s-cls.yaml"
    assert as_wide("yolo26n.yaml", {}) == "yolo26n.yaml"
