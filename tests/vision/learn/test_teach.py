"""Teaching helps where the network is often wrong, and never harms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PIL import Image as Opener

from vision.artefacts import artefact_dir
from vision.learn.looks import Looks
from vision.learn.shots import Shots
from vision.learn.teach import HOLDS, teach
from vision.recognize.embedding import Embedder
from vision.recognize.linear import log_softmax
from vision.recognize.profile import Profile
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.recognizer import Recognizer
from vision.recognize.stances import Stance

STANCES = (
    Stance("snouter", 1.0, (-0.8, 0.0, 0.6), 60.0),
    Stance("leaning_jowler", 1.0, (-0.8, -0.48, 0.36), 60.0),
)


class Network:
    """A network that reads two dozen numbers written into the pixels of a crop.

    The first seven are what it says of the poses, the rest what its embedding knows.
    """

    size, sha256 = 24, "f" * 64
    stances: tuple[Stance, ...] = ()

    def see(self, crops: Any) -> tuple[Any, Any, None]:
        values = np.array([np.asarray(c, float)[12, :, 0] / 25.5 - 5 for c in crops])
        return values[:, 7:], log_softmax(values[:, :7]), None


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
    monkeypatch.setattr("vision.learn.looks.RECOLOURS", ())
    monkeypatch.setattr("vision.learn.looks.look", lambda crop, _view, _size: crop)
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


class TurnedNetwork(Network):
    """It also knows how a pig is turned, written into the pixels below."""

    stances = STANCES

    def see(self, crops: Any) -> tuple[Any, Any, Any]:
        vectors, logs, _ = super().see(crops)
        turned = np.array([np.asarray(c, float)[14, :6, 0] / 127.5 - 1 for c in crops])
        return vectors, logs, turned


def turned_shots(seed: int) -> Shots:
    """Shots of snouters and jowlers that only where up is tells apart, before one camera."""
    rng = np.random.default_rng(seed)
    labels = np.tile([4, 5], 36)
    normal = np.array([0.0, -np.sin(0.6), -np.cos(0.6)])
    crops = []
    for label in labels:
        up = np.array(next(s.up for s in STANCES if s.pose == POSE_CLASSES[label]))
        turned = aligned(up, normal, rng.uniform(0, 2 * np.pi))
        said = np.zeros(24)
        said[:7] = np.array([-3, -3, -3, -3, 2, 2, -3]) + rng.normal(0, 0.3, 7)
        crop = np.zeros((24, 24, 3), np.uint8)
        crop[12] = np.clip((said + 5) * 25.5, 0, 255).astype(np.uint8)[:, None]
        crop[14, :6] = np.round((turned[:, [0, 2]].T.ravel() + 1) * 127.5).astype(np.uint8)[:, None]
        crops.append(crop)
    groups = np.arange(72) // 12
    return Shots(tuple(crops), labels, groups, tuple(f"session round {n + 1}" for n in range(6)))


def aligned(up: np.ndarray, normal: np.ndarray, yaw: float) -> np.ndarray:
    """A rotation that lays `up` along `normal`, turned about it."""

    def frame(z: np.ndarray, turn: float) -> np.ndarray:
        x = np.cross([0.3, 0.9, 0.1], z)
        x /= np.linalg.norm(x)
        y = np.cross(z, x)
        return np.stack(
            [np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x, z], axis=1
        )

    return np.asarray(frame(normal, yaw) @ frame(up / np.linalg.norm(up), 0.0).T)


def test_pigs_in_known_poses_teach_where_up_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.learn.looks.RECOLOURS", ())
    monkeypatch.setattr("vision.learn.looks.look", lambda crop, _view, _size: crop)
    monkeypatch.setattr(
        "vision.learn.looks.together", lambda raw, _views: raw[:, 0].reshape(-1, 2, 3)
    )
    network: Any = TurnedNetwork()
    lesson = teach(turned_shots(3), network, "mine")
    assert lesson.way.slant
    assert lesson.before < 50
    assert lesson.after > 68
    assert lesson.profile is not None
    assert lesson.profile.slant is not None
    again = Profile.from_bytes(lesson.profile.to_bytes(), "mine")
    assert again.slant == pytest.approx(lesson.profile.slant, abs=1e-4)
