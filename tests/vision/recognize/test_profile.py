"""Profiles of taught pigs: kept, read back, refused where they are damaged or of another model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.capture.frame import Frame
from vision.errors import ModelError
from vision.recognize.embedding import Embedder
from vision.recognize.gaze import Gaze, Recolour
from vision.recognize.linear import Layer, log_softmax
from vision.recognize.profile import (
    Profile,
    ProfileError,
    ProfileFolder,
    TaughtPose,
    load_taught,
    read_profile,
)


class FakeEmbedder:
    size, sha256 = 24, "f" * 64

    def __call__(self, crops: Any) -> tuple[Any, Any]:
        vectors = np.array([np.asarray(c, float).mean(axis=(0, 1)) for c in crops])
        return vectors, np.full((len(crops), 7), -np.log(7.0))

    def see(self, crops: Any) -> tuple[Any, Any, Any]:
        turned = np.tile([1.0, 0.0, 0.0, 0.0, 0.0, -1.0], (len(crops), 1))
        return (*self(crops), turned)


def a_profile(name: str = "kitchen pigs", model: str = "a" * 64, depth: int = 5) -> Profile:
    rng = np.random.default_rng(0)
    layer = Layer(rng.normal(size=depth), 2.0, rng.normal(size=(depth, 7)), rng.normal(size=7), 0.5)
    gaze = Gaze(Recolour((40.0, 5.0, -20.0), 15.0, 0.7), "near")
    return Profile(name, model, layer, gaze, {"trotter": 12}, 0.7, 0.9, "2026-11-30T10:00:00+00:00")


class TestProfiles:
    def test_a_file_gives_back_the_profile(self, tmp_path: Path) -> None:
        shelf = ProfileFolder(tmp_path)
        mine = a_profile()
        back = read_profile(shelf.put(mine))
        assert (back.name, back.model, back.shots) == (mine.name, mine.model, mine.shots)
        assert back.gaze == mine.gaze
        vectors = np.random.default_rng(1).normal(size=(4, 5))
        logs = np.full((4, 7), -np.log(7.0))
        assert back.layer(vectors, logs) == pytest.approx(mine.layer(vectors, logs), abs=1e-5)

    def test_switching_and_removing(self, tmp_path: Path) -> None:
        shelf = ProfileFolder(tmp_path)
        assert (shelf.names(), shelf.active) == ([], None)
        shelf.put(a_profile("one"))
        shelf.put(a_profile("two"))
        shelf.use("two")
        assert (shelf.names(), shelf.active) == (["one", "two"], "two")
        shelf.remove("two")
        assert (shelf.names(), shelf.active) == (["one"], None)
        shelf.use("one")
        shelf.use(None)
        assert shelf.active is None
        with pytest.raises(ProfileError, match="no profile 'three'"):
            shelf.use("three")

    @pytest.mark.parametrize("name", ["", "../x", "a/b", "none", "active", ".hidden", "x" * 61])
    def test_names_that_would_not_do(self, name: str) -> None:
        with pytest.raises(ProfileError, match="a profile's name"):
            a_profile(name)

    @pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"hello" * 20])
    def test_files_that_are_none(self, tmp_path: Path, data: bytes) -> None:
        (tmp_path / "x.pigs").write_bytes(data)
        with pytest.raises(ProfileError, match="not a profile"):
            read_profile(tmp_path / "x.pigs")

    def test_damaged_numbers_are_refused(self) -> None:
        broken = a_profile()
        broken.layer.weights[0, 0] = np.nan
        with pytest.raises(ProfileError, match="numbers that are none"):
            Profile.from_bytes(broken.to_bytes(), "x")

    def test_nothing_in_a_file_is_run(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "x.npz", about=np.array([{"a": 1}], dtype=object))
        with pytest.raises(ProfileError, match="not a profile"):
            Profile.from_bytes((tmp_path / "x.npz").read_bytes(), "x")

    def test_a_taught_network_says_what_the_layer_makes_of_its_looks(self) -> None:
        embedder: Any = FakeEmbedder()
        mine = a_profile(depth=3)
        rng = np.random.default_rng(0)
        crops = [rng.integers(0, 255, (32, 32, 3), dtype=np.uint8) for _ in range(2)]
        taught = TaughtPose(embedder, mine)
        assert taught.size == 32
        expected = [
            log_softmax(mine.layer(*embedder(mine.gaze(c, 24))).mean(axis=0)) for c in crops
        ]
        assert taught(crops) == pytest.approx(np.array(expected))
        assert np.exp(taught(crops)).sum(axis=1) == pytest.approx(1)
        assert taught([]).shape == (0, 7)
        turned = taught.see(crops).attitudes
        assert turned is not None
        assert turned.shape == (2, 2, 3)
        assert turned[:, 1] == pytest.approx(np.tile([0.0, 0.0, -1.0], (2, 1)))

    def test_a_profile_of_another_model_is_left_out(self, tmp_path: Path) -> None:
        shelf = ProfileFolder(tmp_path)
        shelf.put(a_profile("old", model="0" * 64))
        shelf.use("old")
        try:
            _, used = load_taught(folder=shelf)
        except ModelError as error:
            pytest.skip(f"no models here: {error}")
        assert used is None
        with pytest.raises(ProfileError, match="taught on another model"):
            load_taught(profile="old", folder=shelf)
        assert load_taught(profile="none", folder=shelf)[1] is None

    def test_the_shipped_network_takes_a_profile(self, tmp_path: Path) -> None:
        try:
            embedder = Embedder.load()
        except ModelError as error:
            pytest.skip(f"no models here: {error}")
        crops = [np.zeros((embedder.size, embedder.size, 3), np.uint8)]
        depth = embedder(crops)[0].shape[1]
        shelf = ProfileFolder(tmp_path)
        shelf.put(a_profile("mine", model=embedder.sha256, depth=depth))
        shelf.use("mine")
        recognizer, used = load_taught(folder=shelf)
        assert used == "mine"
        recognizer.read([Frame(np.full((200, 300, 3), 120, np.uint8), 0, 0.0, "x")])
