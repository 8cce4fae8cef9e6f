"""A network that goes on twice as wide begins by computing what it computed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

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


def test_a_network_of_the_same_width_is_taken_as_it_is(tmp_path: Path) -> None:
    pytest.importorskip("ultralytics", reason="the train extra is not installed")
    from vision.artefacts import artefact_dir
    from vision.learn.thaw import pictures_for, thaw
    from vision.learn.train import _beginning
    from vision.learn.training import load_training

    narrow = load_training("pose")
    pictures = pictures_for(artefact_dir("datasets") / "poses", 96, 64)
    shipped = Path(__file__).parents[3] / "models" / "pose.onnx"
    made = thaw(shipped, narrow, pictures, tmp_path / "thawed.pt")
    same = _beginning(narrow, made, tmp_path, tmp_path / "same")
    wide = _beginning(load_training("pose-wide"), made, tmp_path, tmp_path / "wide")
    count = [sum(p.numel() for p in m.model.parameters()) for m in (same, wide)]
    assert count[1] > 3 * count[0]
    assert len(wide.model.names) == 7
