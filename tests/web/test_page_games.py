"""Whole games through the real page in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Reading = Callable[..., Any]
Visit = Callable[..., Any]


def test_a_whole_game_by_hand_from_the_welcome_to_the_winner(house: Any, visit: Visit) -> None:
    screen = visit(house.url)
    page = screen.page
    screen.tap("new")
    page.fill("input[aria-label='Player 1']", "Anna")
    page.fill("input[aria-label='Player 2']", "Bo")
    page.click("text=Kastegris")
    page.click("[data-target='50']")
    screen.tap("start")

    screen.pad("trotter", "snouter")
    screen.wait_turn(15)
    screen.tap("bank")
    screen.wait("Anna", 15)
    screen.pad("dot_up", "dot_down")  # Pig Out: the turn passes
    page.wait_for_selector(".player.up[data-player=Anna]")
    assert screen.score("Bo") == 0
    screen.pad("snouter", "snouter")

    page.wait_for_selector("text=Anna wins!")
    assert house.game["winners"] == [0]
    assert house.scores == {"Anna": 55, "Bo": 0}
    screen.tap("again")
    page.wait_for_selector(".player.up[data-player=Bo]")
    assert house.game["rules"]["target"] == 50
    assert [p["name"] for p in house.game["players"]] == ["Bo", "Anna"]


def test_a_game_mixed_of_camera_and_hand(house: Any, visit: Visit, reading: Reading) -> None:
    house.start("Anna", "Bo", target=50)
    screen = visit(house.url)
    house.see(reading(("razorback", "trotter")))
    screen.wait_turn(10)
    screen.seen(house)
    screen.pad("snouter", "dot_up")
    screen.wait_turn(20)
    assert [e["source"] for e in house.game["throws"]] == ["camera", "hand"]
    screen.tap("bank")
    screen.page.wait_for_selector(".player.up[data-player=Bo]")
    house.see(reading(("leaning_jowler", "leaning_jowler")))
    screen.page.wait_for_selector("text=Bo wins!")
    assert house.scores == {"Anna": 20, "Bo": 60}
    # The crops of what the camera saw stand beside the throw.
    assert screen.width_of(".last .crops img") > 0


def test_dice_are_entered_by_their_faces(house: Any, visit: Visit) -> None:
    house.start("Anna", "Bo", variant="two-dice")
    screen = visit(house.url)
    for face in (4, 4):
        screen.page.click(f"[data-face='{face}']")
    screen.wait_turn(16)
    for face in (1, 5):
        screen.page.click(f"[data-face='{face}']")
    screen.page.wait_for_selector(".player.up[data-player=Bo]")
    assert house.scores == {"Anna": 0, "Bo": 0}


def test_undo_and_redo_go_through_the_whole_game(house: Any, visit: Visit) -> None:
    house.start()
    house.throw("trotter", "snouter")
    house.bank()
    screen = visit(house.url)
    screen.wait("Anna", 15)
    screen.tap("undo")
    screen.wait_turn(15)
    screen.tap("undo")
    screen.wait_turn(0)
    assert screen.page.is_disabled("[data-do=undo]")
    screen.tap("redo")
    screen.wait_turn(15)
    screen.tap("redo")
    screen.wait("Anna", 15)
    assert screen.page.is_disabled("[data-do=redo]")


def test_the_third_last_throw_is_corrected_after_seeing_what_it_does(
    house: Any, visit: Visit
) -> None:
    house.start()
    house.throw("trotter", "dot_up")  # was really a snouter
    house.throw("razorback", "dot_up")
    house.throw("dot_up", "dot_up")
    screen = visit(house.url, "history")
    entry = house.game["throws"][0]["id"]
    screen.page.click(f"[data-entry='{entry}']")
    screen.page.click("[data-way=correct]")
    screen.pad("snouter", "dot_up", pad="entry")
    screen.page.wait_for_selector(".preview-table .changed b:has-text('0 (+16')")
    assert house.game["turn_points"] == 11  # nothing is done yet
    screen.tap("carry-out")
    screen.page.wait_for_selector("dialog", state="detached")
    assert house.game["turn_points"] == 16
    assert screen.hears("Corrected to Snouter. Anna now has 0, and 16 this turn.")


def test_a_bank_nobody_noted_is_added_from_the_history(house: Any, visit: Visit) -> None:
    house.start()
    house.throw("trotter", "snouter")
    house.throw("snouter", "dot_up")  # that was Bo already
    screen = visit(house.url, "history")
    screen.page.click(f"[data-entry='{house.game['last']['id']}']")
    screen.page.click("[data-way=add_bank]")
    screen.tap("carry-out")
    screen.page.wait_for_selector("dialog", state="detached")
    assert house.scores == {"Anna": 15, "Bo": 0}
    assert (house.game["up"], house.game["turn_points"]) == (1, 10)
    assert screen.hears("Added: Anna had banked. Anna now has 15.")


def test_one_tap_says_that_they_touched(house: Any, visit: Visit, reading: Reading) -> None:
    house.start()
    house.throw("trotter", "snouter")
    house.bank()
    house.throw("razorback", "dot_up")
    house.bank()
    screen = visit(house.url)
    house.see(reading(("trotter", "trotter")))
    screen.wait_turn(20)
    screen.seen(house)
    screen.tap("touching")
    screen.wait("Anna", 0)
    assert house.game["up"] == 1
    assert screen.hears("Corrected to Oinker. Anna now has 0.")


def test_a_hog_call_that_comes_true(house: Any, visit: Visit) -> None:
    house.start("Anna", "Bo", hog_call="seed")
    house.throw("snouter", "snouter")
    house.bank()
    house.throw("trotter", "dot_up")
    house.bank()
    screen = visit(house.url)
    screen.tap("call")
    screen.page.click("[data-call='dot_up trotter']")
    screen.page.wait_for_selector("text=Sooee! Bo calls: On its side + Trotter")
    screen.pad("trotter", "dot_down")
    screen.wait("Bo", 15)
    screen.wait("Anna", 30)
    screen.wait_turn(5)


def test_an_eliminated_player_is_passed_over(house: Any, visit: Visit) -> None:
    house.start("Anna", "Bo", "Carl")
    screen = visit(house.url)
    screen.special("stacked")
    screen.page.wait_for_selector(".player.out[data-player=Anna]")
    screen.pad("trotter", "dot_up")
    screen.tap("bank")
    screen.page.wait_for_selector(".player.up[data-player=Carl]")
    screen.special("stacked")
    screen.page.wait_for_selector("text=Bo wins!")
    screen.page.wait_for_selector("text=Everybody else is out.")


def test_ending_the_game_by_hand_says_what_it_costs(house: Any, visit: Visit) -> None:
    house.start("Anna", "Bo", target=None)
    house.throw("trotter", "snouter")
    house.bank()
    house.throw("snouter", "dot_up")
    screen = visit(house.url)
    screen.tap("stop")
    screen.page.wait_for_selector("text=The 10 points of the running turn do not count.")
    screen.tap("stop-now")
    screen.page.wait_for_selector("text=Anna wins!")


def test_players_are_added_reordered_and_kept_for_the_next_game(house: Any, visit: Visit) -> None:
    screen = visit(house.url, "new")
    page = screen.page
    page.fill("input[aria-label='Player 1']", "Anna")
    screen.tap("add-player")
    page.fill("input[aria-label='Player 3']", "Carl")
    page.click("button:has-text('Move player 3 up')")
    page.click("details.new-options summary")
    page.check("input[name=hog_call][value=official]")
    page.check("input[name=game_end][value=finish_round]")
    page.fill("[placeholder=Other]", "75")
    screen.tap("start")
    page.wait_for_selector("[data-player=Carl]")
    game = house.game
    assert [p["name"] for p in game["players"]] == ["Anna", "Carl", "Player 3"]
    rules = game["rules"]
    found = (rules["hog_call"], rules["game_end"], rules["target"])
    assert found == ("official", "finish_round", 75)


@pytest.mark.parametrize(
    ("names", "problem"),
    [(("Bo", "bo"), "Two players have the same name."), (("", ""), None)],
)
def test_names_are_checked_where_they_are_typed(
    house: Any, visit: Visit, names: tuple[str, str], problem: str | None
) -> None:
    screen = visit(house.url, "new")
    for number, name in enumerate(names, 1):
        screen.page.fill(f"input[aria-label='Player {number}']", name)
    screen.tap("start")
    if problem is None:
        screen.page.wait_for_selector("[data-player='Player 1']")
    else:
        assert screen.page.inner_text("[role=alert]") == problem
        assert house.place.room.view.game is None


def test_the_history_follows_to_a_game_of_fewer_players(house: Any, visit: Visit) -> None:
    house.start("Anna", "Bo", "Carl")
    for _ in range(3):
        house.throw("trotter", "snouter")
        house.bank()
    screen = visit(house.url, "history")
    screen.page.wait_for_selector(".past-turn h2:text-is('Carl')")
    house.start("Dora", "Emil")
    screen.page.wait_for_selector("text=Nobody has thrown yet.")


def test_a_past_game_goes_back_to_the_table(house: Any, visit: Visit) -> None:
    first = house.start("Anna", "Bo")
    house.throw("trotter", "snouter")
    house.start("Carl", "Dora")
    screen = visit(house.url, "games")
    screen.page.click(f"[data-game='{first['id']}'] [data-do=open]")
    screen.wait_turn(15)
    assert house.game["id"] == first["id"]


def test_a_player_is_called_something_else(house: Any, visit: Visit) -> None:
    house.start()
    screen = visit(house.url, may_fail=True)
    screen.page.click("[data-rename=Bo]")
    screen.page.fill("dialog input", "Anna")
    screen.tap("save-name")
    screen.page.wait_for_selector(".toast:has-text('a name of their own')")
    screen.page.fill("dialog input", "Bodil")
    screen.tap("save-name")
    screen.page.wait_for_selector("[data-player=Bodil]")
    assert [p["name"] for p in house.game["players"]] == ["Anna", "Bodil"]


def test_the_mouse_may_leave_the_box_while_text_is_chosen(house: Any, visit: Visit) -> None:
    house.start()
    page = visit(house.url).page
    page.click("[data-rename=Bo]")
    page.fill("dialog input", "Bodil")
    field = page.locator("dialog input").bounding_box()
    page.mouse.move(field["x"] + 60, field["y"] + 20)
    page.mouse.down()
    page.mouse.move(20, field["y"] + 20, steps=4)
    page.mouse.up()
    assert page.input_value("dialog input") == "Bodil"
    page.mouse.click(20, field["y"] + 20)  # beside it, from the start
    page.wait_for_selector("dialog", state="detached")


def test_a_double_tap_on_play_again_starts_one_game(house: Any, visit: Visit) -> None:
    house.start("Anna", "Bo", target=10)
    house.throw("snouter", "snouter")
    ended = house.game["id"]
    screen = visit(house.url)
    screen.page.dblclick("[data-do=again]")
    screen.page.wait_for_selector(".player.up[data-player=Bo]")
    assert screen.page.locator(".toast.bad").count() == 0
    assert screen.said == ""
    games = [g["id"] for g in house.http.get("/api/games").json()]
    assert len(games) == 2
    assert set(games) == {ended, house.game["id"]}


def test_what_is_wrong_with_a_new_game_is_said_as_long_as_it_is(house: Any, visit: Visit) -> None:
    screen = visit(house.url, "new")
    page = screen.page
    wrong = page.locator("[role=alert]")
    page.fill("[placeholder=Other]", "many")
    assert wrong.inner_text() == ""  # not before a try
    screen.tap("start")
    page.wait_for_selector("[role=alert]:text-is('The target is a whole number above 0.')")
    page.fill("[placeholder=Other]", "75")
    page.wait_for_selector("[role=alert]:text-is('')", state="attached")
    page.click("[data-target='200']")
    page.wait_for_selector("[data-target='200'][aria-pressed=true]")
    assert page.input_value("[placeholder=Other]") == ""
    for number in (1, 2):
        page.fill(f"input[aria-label='Player {number}']", "Bo")
    page.wait_for_selector("[role=alert]:text-is('Two players have the same name.')")


def test_a_past_game_is_told_in_one_line(house: Any, visit: Visit) -> None:
    house.start("Anna", "Bo", target=60)
    page = visit(house.url, "games", locale="da-DK").page
    assert page.inner_text(".game > p").endswith(" · til 60 · 0 kast")
