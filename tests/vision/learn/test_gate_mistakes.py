"""Mistakes that nobody is asked about keep a model out, however many throws it reads right."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.artefacts import artefact_dir
from vision.cli import main
from vision.commands import _gate
from vision.learn.evaluate import PictureRecord
from vision.learn.evaluate_sets import TruePicture, TruePig
from vision.learn.gate import judge
from vision.learn.gate_measures import MISTAKES, RIGHT, comparison
from vision.learn.shelf import put_model
from vision.recognize.installed import SHIPPED, Installed
from vision.recognize.manifest import Role
from vision.recognize.reading import Decision, Reading

APART, WRONG = MISTAKES


def always_apart(path: Path) -> None:
    """Write a contact network that says 0.998 apart of any picture."""
    from onnx import TensorProto, helper, numpy_helper, save

    said = np.array([[0.998, 0.0015, 0.0005]], np.float32)
    graph = helper.make_graph(
        [
            helper.make_node("ReduceMean", ["images", "axes"], ["mean"], keepdims=0),
            helper.make_node("Mul", ["mean", "nothing"], ["none"]),
            helper.make_node("Add", ["none", "said"], ["output0"]),
        ],
        "constant",
        [helper.make_tensor_value_info("images", TensorProto.FLOAT, ["batch", 3, "h", "w"])],
        [helper.make_tensor_value_info("output0", TensorProto.FLOAT, ["batch", 3])],
        [
            numpy_helper.from_array(np.array([2, 3], np.int64), "axes"),
            numpy_helper.from_array(np.zeros((1, 3), np.float32), "nothing"),
            numpy_helper.from_array(said, "said"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    model.ir_version = 9
    save(model, path)


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """Give the shipped models, whose contact model is in its place one that is always sure."""
    folder = Path(shutil.copytree(artefact_dir("models"), tmp_path / "planted"))
    always_apart(tmp_path / "constant.onnx")
    put_model(
        folder, Role.CONTACT, tmp_path / "constant.onnx",
        recipe="none", seed=0, trained_with="by hand", input_px=128,
    )  # fmt: skip
    return folder


def some_of(name: str, count: int, into: Path) -> None:
    """Copy the first pictures of a frozen set, with their truth."""
    (into / name).mkdir(parents=True)
    for path in sorted((artefact_dir("datasets") / name).glob("*.json"))[:count]:
        shutil.copy(path, into / name)
        shutil.copy(path.with_suffix(".jpg"), into / name)


@pytest.mark.slow
def test_a_contact_model_that_always_says_apart_is_refused(
    planted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    some_of("frames", 32, tmp_path / "datasets")
    some_of("contacts", 24, tmp_path / "datasets")
    monkeypatch.setattr(_gate, "artefact_dir", lambda name: tmp_path / name)
    monkeypatch.setattr("vision.recognize.installed._default_folder", lambda: tmp_path / "mine")
    for named in ((), ("--set", str(tmp_path / "datasets" / "frames"))):
        with pytest.raises(SystemExit) as ended:
            main(["models", "use", str(planted), "--json", *named])
        assert ended.value.code == 1
        told = json.loads(capsys.readouterr().out)
        assert "touching or stacked pairs taken as apart rise" in told["why"]
        assert "wrong readings accepted rise" in told["why"]
        apart = next(c for c in told["mistakes"] if c["measure"] == APART.what)
        assert apart["new"] > apart["old"] + 0.5
    assert Installed(tmp_path / "mine").state.current == SHIPPED


def test_the_frozen_sets_of_the_gate_are_there() -> None:
    for name in (*_gate.FROZEN, *_gate.PAIRS):
        assert (artefact_dir("datasets") / name).is_dir()


def values(count: int, held: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([1.0] * held + [0.0] * (count - held))


def test_mistakes_may_not_rise_even_where_more_throws_are_read_right() -> None:
    better = [comparison("a", RIGHT, values(100, 50), values(100, 90))]
    same = [comparison("a", WRONG, values(100, 1), values(100, 1))]
    assert judge(better, same).accepted
    assert judge(better, []).accepted, "no set shows a pair"
    rising = [comparison("a", WRONG, values(100, 1), values(100, 2))]
    verdict = judge(better, same, rising)
    assert not verdict.accepted
    assert verdict.why == "wrong readings accepted rise by 1.0 percentage points"
    assert verdict.mistakes == (*same, *rising)
    assert judge(better, [comparison("a", WRONG, values(100, 2), values(100, 1))]).accepted


def test_models_that_ask_about_every_throw_are_no_measure_of_mistakes() -> None:
    better = [comparison("a", RIGHT, values(300, 0), values(300, 210))]
    one = [comparison("a", WRONG, values(300, 0), values(300, 1))]
    many = [comparison("a", WRONG, values(300, 0), values(300, 24))]
    assert not judge(better, one).accepted
    assert judge(better, one, accepts=False).accepted
    verdict = judge(better, many, accepts=False)
    assert verdict.why == "wrong readings accepted rise by 8.0 percentage points"


def test_no_set_may_get_worse_for_certain_though_the_others_outweigh_it() -> None:
    throws = [comparison("a", RIGHT, values(100, 50), values(100, 50))]
    one = comparison("one", APART, values(100, 0), values(100, 5))
    other = comparison("other", APART, values(100, 9), values(100, 0))
    whole = comparison("all", APART, values(200, 9), values(200, 5))
    verdict = judge(throws, [one, other, whole])
    assert verdict.why == "on one touching or stacked pairs taken as apart rise for certain"
    assert (one.mended, one.broken) == (0, 5)
    assert (other.mended, other.broken) == (9, 0)


@pytest.mark.parametrize(
    ("poses", "contact", "located", "known"),
    [
        (("dot_up", "other"), "touching", True, True),
        (("dot_up", None), "apart", True, False),
        ((), "touching", False, True),
        ((), None, False, False),
        (("trotter",), None, True, True),
    ],
)
def test_only_known_truth_calls_an_accepted_reading_wrong(
    poses: tuple[str | None, ...], contact: str | None, located: bool, known: bool
) -> None:
    pigs = tuple(TruePig((0, 0, 9, 9), pose) for pose in poses)
    truth = TruePicture(Path("a.jpg"), pigs, contact, located=located)
    reading = Reading((), None, Decision.ASK, "No pig is in sight.", 1, 0.0)
    assert PictureRecord(truth, reading, 0, 1.0).is_known is known
