"""Rendering by a cluster gives what one process gives, also when workers are killed."""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from vision.errors import RenderError
from vision.synth.cluster import LOCAL, render_on_cluster
from vision.synth.dataset import render_set

distributed = pytest.importorskip("distributed", reason="distributed is not installed")

RECIPE = """
kind = "crops"
shapes = [5, 2]
surfaces = [5, 2]
things = [5, 2]
crop_px = 48
pig_px = [30, 60]
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("recipe") / "small.toml"
    path.write_text(RECIPE)
    return str(path)


def hashes(folder: Path) -> dict[str, str]:
    return {
        p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


@pytest.fixture(scope="module")
def alone(recipe: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Render sixteen pictures in one process."""
    folder = tmp_path_factory.mktemp("alone") / "set"
    try:
        assert sum(render_set(recipe, 16, 3, folder, workers=1)) == 16
    except (RenderError, OSError, RuntimeError) as error:
        pytest.skip(f"nothing can be rendered here: {error}")
    return hashes(folder)


def test_two_workers_give_the_same_pictures(
    recipe: str, alone: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "set"
    made = list(render_on_cluster(LOCAL, recipe, 16, 3, out, workers=2, block=4))
    assert made == [4, 4, 4, 4]
    assert hashes(out) == alone
    again = list(render_on_cluster(LOCAL, recipe, 16, 3, out, workers=2, block=4))
    assert again == [], "what is there is not made again"
    assert not list(tmp_path.rglob("*.part"))


@pytest.fixture
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as made:
        yield made


@pytest.mark.skipif(sys.platform == "win32", reason="no kill -9 there")
def test_a_killed_worker_loses_nothing(
    recipe: str, alone: dict[str, str], tmp_path: Path, cluster: Any
) -> None:
    out = tmp_path / "set"
    made = 0
    killed = threading.Event()
    for new in render_on_cluster(cluster.scheduler_address, recipe, 16, 3, out, block=2):
        made += new
        if not killed.is_set():
            worker = next(iter(cluster.workers.values()))
            os.kill(worker.pid, signal.SIGKILL)
            killed.set()
    assert killed.is_set()
    assert made == 16
    assert hashes(out) == alone


def test_no_cluster_is_named(recipe: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.synth.cluster._WAIT_S", 1.0)
    with pytest.raises(RenderError, match=r"no cluster at tcp://127\.0\.0\.1:9"):
        list(render_on_cluster("tcp://127.0.0.1:9", recipe, 4, 3, tmp_path / "set"))
