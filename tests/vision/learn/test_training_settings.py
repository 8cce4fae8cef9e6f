"""Settings of a training: known by name, checked when read."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from vision.artefacts import artefact_dir
from vision.learn.follow import told
from vision.learn.training import Training, TrainingError, load_training


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("role = 'cook'\nmodel = 'x.yaml'", "one of pose, locator, contact"),
        ("role = 'pose'\nmodel = 'x.yaml'\nimage_px = 100", "steps of 32"),
        ("role = 'pose'\nmodel = 'yolo26n-cls.pt'", "weights to start from"),
        ("role = 'pose'\nmodel = 'x.yaml'\nflip = 0.5", "unknown keys: flip"),
        ("role = ", "not TOML"),
    ],
)
def test_wrong_settings_are_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(TrainingError, match=message):
        load_training(str(path))


def test_an_unknown_training_names_the_known_ones() -> None:
    with pytest.raises(TrainingError, match="locator"):
        load_training("nonsense")


def test_a_file_that_is_not_there_names_the_known_ones_and_not_its_neighbours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "neighbour.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TrainingError, match=r"no training 'pose\.toml'.*contact.*pose") as refused:
        load_training("pose.toml")
    assert "neighbour" not in str(refused.value)


def test_every_training_of_the_folder_loads() -> None:
    names = [p.stem for p in (artefact_dir("datasets") / "training").glob("*.toml")]
    assert {"pose", "locator"} <= set(names)
    assert all(isinstance(load_training(name), Training) for name in names)


@pytest.mark.parametrize(
    ("epoch", "seconds", "ran", "expected"),
    [
        (2, 600.0, 2, "epoch 2 of 9; about 35 min left, until 12:35"),
        (5, 7200.0, 2, "epoch 5 of 9; about 4 h 0 min left, until 16:00"),
        (8, 20.0, 8, "epoch 8 of 9; about a minute left, until 12:00"),
        (9, 5400.0, 9, "epoch 9 of 9"),
    ],
)
def test_the_end_of_a_training_is_estimated_from_this_run(
    epoch: int, seconds: float, ran: int, expected: str
) -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    assert told(epoch, 9, seconds, ran, noon) == expected
