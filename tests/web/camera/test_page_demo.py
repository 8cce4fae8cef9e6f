"""The clip that comes with the program, read by the shipped models, plays a whole game."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from vision.artefacts import artefact_dir
from vision.recognize.recognizer import Recognizer

DEMO = artefact_dir("datasets") / "demo"


@pytest.mark.slow
def test_the_demo_clip_plays_a_whole_game_and_a_tap_goes_on_from_it(
    open_house: Any, visit: Callable[..., Any]
) -> None:
    if not (artefact_dir("models") / "manifest.toml").exists():
        pytest.skip("there are no models here")
    truth = json.loads((DEMO / "truth.json").read_text(encoding="utf-8"))
    house = open_house(Recognizer.load(), bank_at=truth["bank_at"])
    house.start("Anna", "Bo", target=30)
    screen = visit(house.url, "settings")
    screen.page.click("[data-camera=demo]")
    screen.tap("demo-here")
    screen.page.wait_for_selector("[data-camera=demo][aria-pressed=true]")
    screen.go("")
    screen.page.wait_for_selector("text=Bo wins!", timeout=180_000)
    history = house.http.get(f"/api/games/{house.game['id']}/history").json()
    throws = [e for e in history if e["outcome"] is not None]
    wanted = [t["outcome"] for t in truth["throws"]][:6]
    assert [t["outcome"]["landing"] for t in throws] == wanted
    assert house.scores == {"Anna": 21, "Bo": 30}
    # What the camera saw last was no double: put right by hand, the game is on again.
    screen.seen(house)
    screen.tap("correct")
    screen.pad("razorback", "dot_up", pad="correct")
    screen.page.wait_for_selector(".player.up[data-player=Bo]")
    # The clip goes on meanwhile, so more may lie on the table by now.
    history = house.http.get(f"/api/games/{house.game['id']}/history").json()
    sixth = [e for e in history if e["outcome"] is not None][5]
    assert (sixth["outcome"]["landing"], sixth["outcome"]["points"]) == ("razorback", 5)
    assert (sixth["player"], sixth["turn_points"], sixth["score"]) == (1, 15, 0)


def test_the_clip_is_not_let_into_a_running_game_unasked(
    open_house: Any, visit: Callable[..., Any], live_table: Any, colours: Any
) -> None:
    house = open_house(colours, feeds={"demo": lambda: live_table})
    family = house.start("Anna", "Bo")["id"]
    screen = visit(house.url, "settings")
    page = screen.page
    page.click("[data-camera=demo]")
    page.wait_for_selector("dialog[open]:has-text('Anna, Bo')")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert (house.place.cameras.source, house.game["id"]) == ("off", family)
    page.click("[data-camera=demo]")
    screen.tap("demo-own")
    page.wait_for_selector("[data-camera=demo][aria-pressed=true]")
    page.wait_for_selector("dialog", state="detached")
    assert house.game["id"] != family
    assert [p["name"] for p in house.game["players"]] == ["Player 1", "Player 2"]
    assert family in {g["id"] for g in house.http.get("/api/games").json()}
    page.click("[data-camera=off]")
    page.wait_for_selector("[data-camera=off][aria-pressed=true]")
    page.click("[data-camera=demo]")
    screen.tap("demo-here")
    page.wait_for_selector("[data-camera=demo][aria-pressed=true]")
    assert [p["name"] for p in house.game["players"]] == ["Player 1", "Player 2"]
