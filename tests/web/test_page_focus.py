"""Whoever plays by keyboard stays where they are, or is taken to what came in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.doubts import CLOSE

Reading = Callable[..., Any]
Visit = Callable[..., Any]

IDLE = "() => !document.querySelector('[data-do=undo][aria-disabled]')"


def press(screen: Any, what: str, key: str = "Enter") -> None:
    """Press a key on something."""
    screen.page.focus(what)
    screen.page.keyboard.press(key)


def on_heading(screen: Any, heading: str) -> bool:
    """Whether a heading in the open dialog has the focus."""
    found = """t => { const e = document.activeElement;
        return e.tagName === 'H3' && e.textContent.includes(t) }"""
    return bool(screen.page.wait_for_function(found, arg=heading))


def test_bank_undo_and_redo_keep_the_focus(house: Any, visit: Visit) -> None:
    house.start()
    house.throw("trotter", "snouter")
    screen = visit(house.url)
    screen.wait_turn(15)
    press(screen, "[data-do=bank]")
    screen.wait("Anna", 15)
    screen.page.wait_for_function(IDLE)
    assert screen.focus == "do=bank"
    screen.page.keyboard.press("Enter")  # nothing to bank: nothing is done
    press(screen, "[data-do=undo]")
    screen.wait_turn(15)
    screen.page.wait_for_function(IDLE)
    assert screen.focus == "do=undo"
    screen.page.keyboard.press("Enter")
    screen.wait_turn(0)
    assert screen.focus == "do=undo"
    for points in (15, 0):
        press(screen, "[data-do=redo]")
        screen.wait_turn(points)
        screen.page.wait_for_function(IDLE)
        assert screen.focus == "do=redo"
    assert house.scores == {"Anna": 15, "Bo": 0}


def test_what_is_pressed_twice_is_done_once(house: Any, visit: Visit) -> None:
    house.start()
    house.throw("trotter", "snouter")
    house.throw("trotter", "dot_up")
    screen = visit(house.url)
    screen.wait_turn(20)
    screen.page.evaluate("['', ''].forEach(() => document.querySelector('[data-do=undo]').click())")
    screen.wait_turn(15)
    screen.page.wait_for_function(IDLE)
    assert house.game["turn_points"] == 15


def test_a_button_that_goes_hands_the_focus_to_the_one_before(house: Any, visit: Visit) -> None:
    house.start()
    house.throw("trotter", "snouter")
    screen = visit(house.url)
    press(screen, "[data-do=touching]")
    screen.page.wait_for_selector("[data-do=touching]", state="detached")
    assert screen.focus == "do=correct"


def test_a_bank_that_ends_the_game_leads_to_its_end(house: Any, visit: Visit) -> None:
    house.start("Anna", "Bo", target=10, game_end="on_bank")
    house.throw("trotter", "snouter")
    screen = visit(house.url)
    press(screen, "[data-do=bank]")
    screen.page.wait_for_selector(".ending")
    assert screen.focus == "main"


@pytest.mark.parametrize("before", ["[data-do=undo]", None])
def test_an_answered_question_gives_the_focus_back(
    house: Any, visit: Visit, reading: Reading, before: str | None
) -> None:
    house.start()
    house.throw("trotter", "dot_up")
    screen = visit(house.url)
    if before:
        screen.page.focus(before)
    house.see(reading(("razorback", "trotter"), ask=True, touch=CLOSE))
    screen.page.wait_for_selector("dialog[open]")
    screen.seen(house)
    press(screen, "[data-answer='razorback trotter apart']")
    screen.wait_turn(15)
    screen.page.wait_for_selector("dialog", state="detached")
    assert screen.focus == ("do=undo" if before else "main")


def test_each_step_of_a_correction_takes_the_focus_along(house: Any, visit: Visit) -> None:
    house.start()
    house.throw("trotter", "dot_up")
    house.bank()
    house.throw("snouter", "dot_up")
    screen = visit(house.url, "history")
    page = screen.page
    first, bank, _ = (
        e["id"] for e in house.http.get(f"/api/games/{house.game['id']}/history").json()
    )

    press(screen, f"[data-entry='{first}']")
    press(screen, "[data-way=remove]")
    assert on_heading(screen, "Take the line out")
    press(screen, "[data-later=kept]")
    page.wait_for_selector("[data-later=kept][aria-pressed=true]")
    page.wait_for_selector("[data-do=carry-out]:not([aria-disabled])")
    assert screen.focus == "later=kept"
    press(screen, "dialog .dialog-actions button:text-is('Back')")
    page.wait_for_selector(".preview", state="detached")
    assert screen.focus == "way=remove"
    press(screen, "[data-way=correct]")
    assert on_heading(screen, "What was it really?")
    for row, pose in enumerate(("snouter", "snouter"), 1):
        press(screen, f"[data-pad=entry] .pad-row:nth-child({row}) [data-pose={pose}]")
    assert on_heading(screen, "Double Snouter")
    press(screen, "[data-do=carry-out]")
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_selector(f"[data-entry='{first}']:has-text('Double Snouter')")
    assert screen.focus == f"entry={first}"

    # A line that is gone hands the focus to another.
    press(screen, f"[data-entry='{bank}']")
    press(screen, "[data-way=remove]")
    assert on_heading(screen, "Take the line out")
    press(screen, "[data-do=carry-out]")
    page.wait_for_selector(f"[data-entry='{bank}']", state="detached")
    assert screen.focus.startswith("entry=")
