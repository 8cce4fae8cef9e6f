"""A Hog Call told to the end: that it was right or wrong, and what it moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Visit = Callable[..., Any]


@pytest.fixture
def called(house: Any) -> Any:
    """Anna has 45 and has called what Bo throws next; Bo's turn has 40 so far."""
    house.start("Anna", "Bo", hog_call="official", target=200)
    house.throw("snouter", "snouter")
    house.throw("trotter", "dot_up")
    house.bank()
    house.throw("snouter", "snouter")
    assert house.act("call", caller=0, poses=["trotter", "trotter"]).status_code == 200
    return house


WRONG = {
    "en-GB": "Anna called it wrong and loses 40; Bo gets 40 points.",
    "da-DK": "Anna gættede forkert og mister 40; Bo får 40 point.",
}
RIGHT = {
    "en-GB": "Anna called it right: 40 points, and Bo loses 0.",
    "da-DK": "Anna gættede rigtigt: 40 point, og Bo mister 0.",
}


@pytest.mark.parametrize("locale", ["en-GB", "da-DK"])
def test_a_call_that_was_wrong_is_told_everywhere(called: Any, visit: Visit, locale: str) -> None:
    screen = visit(called.url, locale=locale)
    television = visit(called.url, "big", locale=locale)
    called.throw("razorback", "razorback")
    told = WRONG[locale]
    screen.page.wait_for_selector(f".last-call:text-is('{told}')")
    screen.page.wait_for_selector(f".toast:has-text('{told}')", state="attached")
    screen.hears_last(told)
    television.page.wait_for_selector(f".big-news:has-text('{told}')")
    screen.go("history")
    screen.page.wait_for_selector(f".past-line.call:has-text('{told}')")


@pytest.mark.parametrize("locale", ["en-GB", "da-DK"])
def test_a_call_that_came_true_is_told(called: Any, visit: Visit, locale: str) -> None:
    screen = visit(called.url, locale=locale)
    screen.pad("trotter", "trotter")
    screen.page.wait_for_selector(f".last-call:text-is('{RIGHT[locale]}')")
    screen.hears_last(RIGHT[locale])


def test_a_removed_call_leaves_what_the_board_shows(called: Any, visit: Visit) -> None:
    called.throw("razorback", "razorback")
    screen = visit(called.url, "history")
    page = screen.page
    page.click(".past-line.call")
    page.click("[data-way=remove]")
    page.wait_for_selector(".preview-table tr.changed")
    rows = page.locator(".preview-table tbody tr")
    cells = [rows.nth(n).locator("th, td").all_text_contents() for n in range(2)]
    assert cells == [["Anna", "5", "45"], ["Bo", "40 (+60 this turn)", "0 (+60 this turn)"]]
    screen.tap("carry-out")
    page.wait_for_selector("dialog", state="detached")
    assert screen.hears("Removed. Bo now has 0, and 60 this turn.")
    screen.go("")
    assert screen.score("Bo") == 0
    assert page.inner_text(".player.up .player-plus") == "+60"


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en-GB", "Double Snouter, 40 points. Anna wins!"),
        ("da-DK", "Dobbelt tryne, 40 point. Anna vinder!"),
    ],
)
def test_the_winning_throw_has_no_running_turn(
    house: Any, visit: Visit, locale: str, said: str
) -> None:
    house.start(target=40)
    screen = visit(house.url, locale=locale)
    screen.pad("snouter", "snouter")
    screen.page.wait_for_selector(".ending")
    assert screen.hears(said)
