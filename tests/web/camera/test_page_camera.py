"""The camera on the page: a game played by a clip, pictures, boxes, states, and its troubles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Film = Callable[..., Path]
Visit = Callable[..., Any]


def test_a_whole_game_is_played_by_a_clip(
    open_house: Any, visit: Visit, film: Film, colours: Any, until: Any
) -> None:
    clip = film(("trotter", "razorback"), ("dot_up", "dot_down"), ("snouter", "snouter"))
    house = open_house(colours)
    house.start("Anna", "Bo", target=40)
    house.place.cameras.choose(str(clip))
    until(lambda: house.place.room.view.camera.mode == "waiting")  # nobody looks yet
    screen = visit(house.url)
    screen.page.wait_for_selector("text=Bo wins!")
    history = house.http.get(f"/api/games/{house.game['id']}/history").json()
    landings = [e["outcome"]["landing"] for e in history]
    assert landings == ["mixed_combo", "pig_out", "double_snouter"]
    assert {e["source"] for e in history} == {"camera"}
    assert house.scores == {"Anna": 0, "Bo": 40}
    screen.page.wait_for_selector("[data-do=again]:has-text('Play the clip again')")


@pytest.fixture
def watched(open_house: Any, live_table: Any, colours: Any) -> Any:
    """A page with a live camera, and a game."""
    house = open_house(colours, feeds={"table": lambda: live_table})
    house.start()
    house.place.cameras.choose("table")
    return house


def test_pictures_come_with_boxes_drawn_from_data(
    watched: Any, visit: Visit, live_table: Any
) -> None:
    page = visit(watched.url).page
    page.wait_for_selector(".picture canvas[data-frames]")
    page.wait_for_selector("[data-state=empty]")
    live_table.throw("trotter", "snouter")
    page.wait_for_selector(".box-label:has-text('Snouter')")
    assert "94 %" in page.inner_text(".box-label:has-text('Snouter')")
    # The boxes lie where the pigs are: shares of the picture, not of the screen.
    box = page.locator(".box:has-text('Trotter')").bounding_box()
    picture = page.locator(".picture").bounding_box()
    middle = (box["x"] + box["width"] / 2 - picture["x"]) / picture["width"]
    assert middle == pytest.approx(240 / 640, abs=0.03)
    live_table.hand_in()
    page.wait_for_selector("[data-state=hand]")
    page.wait_for_selector(".box", state="detached")
    assert int(page.get_attribute(".picture canvas", "data-frames")) > 3


def test_axe_finds_nothing_serious_beside_a_live_picture(
    watched: Any, visit: Visit, live_table: Any, axe: Any
) -> None:
    screen = visit(watched.url)
    screen.page.wait_for_selector("[data-state=empty]")
    live_table.throw("trotter", "snouter")
    screen.page.wait_for_selector(".box-label:has-text('Snouter')")
    assert axe(screen.page) == []
    screen.go("settings")
    screen.page.wait_for_selector(".picture canvas[data-frames]")
    assert axe(screen.page) == []
    screen.tap("area")
    screen.page.wait_for_selector(".area canvas[data-frames]")
    assert axe(screen.page) == []


def test_hiding_the_picture_ends_the_stream(
    watched: Any, visit: Visit, live_table: Any, until: Any
) -> None:
    screen = visit(watched.url)
    screen.page.wait_for_selector(".picture canvas[data-frames]")
    assert watched.place.pictures.watchers == 1
    screen.tap("picture")
    screen.page.wait_for_selector(".picture", state="detached")
    until(lambda: watched.place.pictures.watchers == 0)
    screen.page.wait_for_selector("[data-state=empty]")
    live_table.throw("trotter", "snouter")
    screen.wait_turn(15)  # it goes on counting


def test_pigs_that_lie_there_after_a_reset_are_not_thrown(
    watched: Any, visit: Visit, live_table: Any
) -> None:
    screen = visit(watched.url)
    screen.page.wait_for_selector("[data-state=empty]")
    live_table.throw("trotter", "snouter")
    screen.wait_turn(15)
    screen.tap("reset-camera")
    screen.page.wait_for_selector("text=These pigs lay here before. The next throw counts.")
    live_table.hand_in()
    screen.page.wait_for_selector("[data-state=hand]")
    live_table.hand_out()
    screen.page.wait_for_selector("[data-state=empty]")
    live_table.throw("trotter", "trotter")
    screen.wait_turn(35)
    assert len(watched.game["throws"]) == 2


def test_a_camera_pulled_out_is_said_and_comes_back(
    watched: Any, visit: Visit, live_table: Any
) -> None:
    page = visit(watched.url).page
    page.wait_for_selector("[data-state=empty]")
    live_table.fails = True
    page.wait_for_selector("[data-state=failed]")
    assert page.inner_text(".scene-reason") == "live table is gone"
    live_table.fails = False
    page.wait_for_selector("[data-state=empty]")


def test_a_camera_that_does_not_open_is_said_with_the_way_out(
    open_house: Any, visit: Visit, colours: Any, tmp_path: Path
) -> None:
    house = open_house(colours)
    house.start()
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"no video")
    screen = visit(house.url)
    house.place.cameras.choose(str(broken))
    screen.page.wait_for_selector("[data-state=failed]")
    assert "cannot be read as a video" in screen.page.inner_text(".scene-reason")
    screen.page.click("text=Choose a camera")
    screen.page.wait_for_selector("main.screen-settings")
    screen.page.click("[data-camera=off]")
    screen.page.wait_for_selector("[data-camera=off][aria-pressed=true]")


def test_a_throw_without_a_game_is_noticed_and_not_lost_on_anybody(
    open_house: Any, visit: Visit, reading: Any
) -> None:
    house = open_house()
    house.see(reading(("trotter", "snouter")))
    assert house.place.room.view.idle == "no_game"
    house.start()
    assert house.place.room.view.idle is None
    assert house.game["last"] is None


def test_the_throwing_area_is_drawn_and_kept(watched: Any, visit: Visit, until: Any) -> None:
    screen = visit(watched.url, "settings")
    page = screen.page
    page.wait_for_selector(".picture canvas[data-frames]")
    screen.tap("check")
    page.wait_for_selector(".aim .note")
    screen.tap("area")
    page.wait_for_selector("dialog[open]")
    corner = page.locator("[data-corner='0']")
    corner.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    box = page.locator(".area-frame").bounding_box()
    page.locator("[data-corner='2']").hover()
    page.mouse.down()
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 0.85 * box["height"])
    page.mouse.up()
    screen.tap("save-area")
    page.wait_for_selector("dialog", state="detached")
    until(lambda: watched.place.room.view.camera.area)
    area = watched.place.room.view.camera.area
    assert area[0] == pytest.approx((0.07, 0.1), abs=0.001)
    assert area[2] == pytest.approx((0.8, 0.85), abs=0.02)
    page.wait_for_selector(".settings .boxes polygon", state="attached")
    answer = watched.http.put("/api/camera/area", json={"corners": [[0, 0], [2, 0], [0, 1]]})
    assert answer.status_code == 422
    until(lambda: watched.place.room.view.camera.width)  # the camera has been opened again
    watched.http.put("/api/camera/area", json={"corners": None}).raise_for_status()
    until(lambda: not watched.place.room.view.camera.area)


def test_what_is_wrong_with_a_camera_is_said_in_danish(open_house: Any, visit: Visit) -> None:
    house = open_house()
    screen = visit(house.url, "settings", locale="da-DK", may_fail=True)
    page = screen.page
    page.fill(".inline-form input", "hej")
    page.click(".inline-form button")
    page.wait_for_selector(".toast:has-text('Det er ikke et kamera')")
    page.fill(".inline-form input", "rtsp://anna:secret@127.0.0.1:9/x")
    page.click(".inline-form button")
    page.wait_for_selector(".scene-reason:has-text('127.0.0.1:9/x svarer ikke.')")
    assert page.get_attribute(".scene-reason", "lang") is None
    assert "secret" not in page.inner_text("main")
