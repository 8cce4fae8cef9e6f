"""The main job, as a user starts it: the bundled clip, the shipped models, each throw once."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from scoring.store import Store
from vision.artefacts import artefact_dir

DEMO = artefact_dir("datasets") / "demo"
PROGRAM = "from vision.cli import main; main()"


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    if not (DEMO / "demo.mp4").exists():
        pytest.skip("the demo clip is not here: python scripts/make_demo.py makes it")
    if not (artefact_dir("models") / "manifest.toml").exists():
        pytest.skip("there are no models here")
    told: dict[str, Any] = json.loads((DEMO / "truth.json").read_text(encoding="utf-8"))
    return told


@pytest.fixture(scope="module")
def told(truth: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    database = tmp_path_factory.mktemp("demo") / "games.db"
    command = [sys.executable, "-c", PROGRAM, "watch", "demo", "--json"]
    done = subprocess.run(
        [*command, "--database", str(database)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    with Store(database) as store:
        state = store.state(store.find("latest"))
    assert {p.name: p.score for p in state.players} == truth["final"]["scores"]
    return [json.loads(line) for line in done.stdout.splitlines()]


def of(told: list[dict[str, Any]], event: str) -> list[dict[str, Any]]:
    return [line for line in told if line["event"] == event]


@pytest.mark.slow
def test_every_throw_is_logged_once_as_it_lies(
    truth: dict[str, Any], told: list[dict[str, Any]]
) -> None:
    seen = [(sorted(t["poses"]), t["contact"], t["decision"]) for t in of(told, "throw")]
    expected = [
        (sorted(p["pose"] for p in t["pigs"]), t["contact"], "accept") for t in truth["throws"]
    ]
    assert seen == expected


@pytest.mark.slow
def test_no_throw_is_logged_before_it_lies_or_after_a_hand_took_it(
    truth: dict[str, Any], told: list[dict[str, Any]]
) -> None:
    for throw, line in zip(truth["throws"], of(told, "throw"), strict=True):
        # The simulation calls a pig at rest a little after the last motion that can be seen.
        assert throw["rest_frame"] - 3 <= line["frame"] <= throw["last_still_frame"] + 1


@pytest.mark.slow
def test_the_score_is_the_clip_s(truth: dict[str, Any], told: list[dict[str, Any]]) -> None:
    for throw, line in zip(truth["throws"], of(told, "throw"), strict=True):
        for name in ("player", "outcome", "points"):
            assert line[name] == throw[name]
    (scores,) = of(told, "scores")
    assert {s["player"]: s["score"] for s in scores["scores"]} == truth["final"]["scores"]
    assert len(of(told, "bank")) == sum(t["banked"] for t in truth["throws"])
