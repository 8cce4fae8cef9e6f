"""Teaching helps where the network is often wrong, and never harms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image as Opener

from vision.artefacts import artefact_dir
from vision.learn.shots import Shots
from vision.learn.teach import HOLDS, Looks, teach
from vision.recognize.embedding import Embedder
from vision.recognize.linear import log_softmax
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.recognizer import Recognizer


class Network:
    """A network that reads two dozen numbers written into the pixels of a crop.

    The first seven are what it says of the poses, the rest what its embedding knows.
    """

    size, sha256 = 24, "f" * 64

    def __call__(self, crops: Any) -> tuple[Any, Any]:
        values = np.array([np.asarray(c, float)[12, :, 0] / 25.5 - 5 for c in crops])
        return values[:, 7:], log_softmax(values[:, :7])


def some_shots(seed: int, *, signal: float, right: float) -> Shots:
    """Shots of six poses in six rounds; `signal` is what the embedding knows of the pose."""
    rng = np.random.default_rng(seed)
    labels = np.tile(np.arange(6), 12)
    count = len(labels)
    known = signal * rng.normal(size=(7, 17))[labels] + 0.4 * rng.normal(size=(count, 17))
    guess = np.where(rng.random(count) < right, labels, rng.integers(0, 7, count))
    said = 3.0 * np.eye(7)[guess] + 0.3 * rng.normal(size=(count, 7))
    rows = np.clip((np.hstack([said, known]) + 5) * 25.5, 0, 255).astype(np.uint8)
    crops = tuple(np.broadcast_to(r[None, :, None], (24, 24, 3)).copy() for r in rows)
    names = tuple(f"session round {n + 1}" for n in range(6))
    return Shots(crops, labels, np.arange(count) // 12, names)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Look at crops as they are: what is written in them would not survive a turn."""
    monkeypatch.setattr("vision.learn.teach.RECOLOURS", ())
    monkeypatch.setattr("vision.learn.teach.look", lambda crop, _view, _size: crop)
    return Network()


def test_teaching_helps_where_the_network_is_often_wrong(network: Any) -> None:
    lesson = teach(some_shots(1, signal=1.2, right=0.6), network, "mine")
    assert lesson.profile is not None
    assert lesson.shots == 72
    wrong_before, wrong_after = 72 - lesson.before, 72 - lesson.after
    assert wrong_after <= wrong_before / 2
    assert lesson.mended - lesson.broken == lesson.after - lesson.before
    assert sum(c.shots for c in lesson.poses) == 72
    assert lesson.held_out_by == "session"
    assert lesson.profile.shots["trotter"] == 12
    assert lesson.profile.model == network.sha256


@pytest.mark.parametrize("seed", range(4))
def test_teaching_never_harms_where_there_is_nothing_to_learn(network: Any, seed: int) -> None:
    lesson = teach(some_shots(seed, signal=0.0, right=0.97), network, "mine")
    assert lesson.profile is None
    assert "nothing is changed" in lesson.verdict
    assert lesson.hold.trust >= 0.5


def test_labels_mixed_up_by_the_user_are_not_taken(network: Any) -> None:
    shots = some_shots(3, signal=1.2, right=0.98)
    mixed = np.random.default_rng(1).integers(0, 6, 72)
    lesson = teach(Shots(shots.crops, mixed, shots.groups, shots.group_names), network, "mine")
    assert lesson.after <= lesson.shots * 0.4
    assert lesson.profile is None


def test_holds_begin_with_the_network_itself() -> None:
    assert (HOLDS[0].trust, HOLDS[0].hold) == (1.0, max(h.hold for h in HOLDS))


def test_before_is_what_the_shipped_reader_says() -> None:
    folder = artefact_dir("datasets") / "poses"
    names = [f"{n}_{pose}" for n, pose in enumerate(POSE_CLASSES)][:-1]
    files = [sorted((folder / name).iterdir())[:4] for name in names]
    crops = tuple(np.asarray(Opener.open(f).convert("RGB")) for few in files for f in few)
    labels = np.repeat(np.arange(len(names)), 4)
    shots = Shots(crops, labels, np.arange(24) % 2, ("session one", "session two"))
    embedder = Embedder.load()
    said = Recognizer.load().pose(crops)
    assert Looks.of(shots, embedder).plain() == pytest.approx(said, abs=1e-4)
    assert teach(shots, embedder, "mine").before == int((said.argmax(axis=1) == labels).sum())
