"""What the page says while a dialog is open is seen in it and heard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.doubts import CLOSE

Reading = Callable[..., Any]
Visit = Callable[..., Any]

SIZES = [(390, 844), (1280, 800)]
OFFLINE = "No line to the host. Nothing was changed."
TAKEN = "Every player needs a name of their own, up to 40 characters."
SENSELESS = "That would change nothing, or cannot be done there."


@pytest.mark.parametrize("size", SIZES)
def test_an_answer_that_does_not_get_through_says_so(
    house: Any, visit: Visit, reading: Reading, size: tuple[int, int]
) -> None:
    house.start()
    screen = visit(house.url, size=size, may_fail=True)
    page = screen.page
    house.see(reading(("razorback", "trotter"), ask=True, touch=CLOSE))
    page.wait_for_selector("dialog[open]")
    screen.seen(house)
    page.route("**/api/questions/**", lambda route: route.abort())
    answer = "[data-answer='razorback trotter apart']"
    page.focus(answer)
    page.keyboard.press("Enter")
    assert screen.sees(f".toast:has-text('{OFFLINE}')")
    assert screen.hears(OFFLINE)
    assert screen.focus == "answer=razorback trotter apart"  # to try again
    page.unroute("**/api/questions/**")
    page.keyboard.press("Enter")
    screen.wait_turn(10)
    # What came of it is heard where people are now.
    assert screen.hears("Mixed Combo, 10 points. 10 this turn.")
    page.wait_for_selector("#live:has-text('Mixed Combo')", state="attached")
    assert page.locator("[aria-live]").count() == 1


@pytest.mark.parametrize("size", SIZES)
def test_a_name_that_is_taken_is_refused_in_sight(
    house: Any, visit: Visit, size: tuple[int, int]
) -> None:
    house.start()
    screen = visit(house.url, size=size, may_fail=True)
    screen.page.click("[data-rename=Bo]")
    screen.page.fill("dialog input", "Anna")
    screen.tap("save-name")
    assert screen.sees(f".toast:has-text('{TAKEN}')")
    assert screen.hears(TAKEN)
    screen.page.keyboard.press("Escape")
    screen.page.wait_for_selector("dialog", state="detached")
    assert screen.sees(f".toast:has-text('{TAKEN}')")


def test_a_correction_that_changes_nothing_is_refused_in_sight(house: Any, visit: Visit) -> None:
    house.start()
    house.throw("trotter", "snouter")
    screen = visit(house.url, "history", may_fail=True)
    screen.page.click("[data-entry]")
    screen.page.click("[data-way=correct]")
    screen.pad("trotter", "snouter", pad="entry")
    assert screen.sees(f".toast:has-text('{SENSELESS}')")
    assert screen.hears(SENSELESS)
    screen.pad("trotter", "dot_up", pad="entry")  # the pad is still there
    screen.page.wait_for_selector(".preview-table")


def test_a_missing_stop_is_offered_only_where_there_was_something_to_stop(
    house: Any, visit: Visit
) -> None:
    house.start()
    house.throw("trotter", "dot_up")
    house.throw("snouter", "dot_up")
    house.bank()
    house.throw("razorback", "dot_up")
    house.act("throws", throw={"mishap": "late"})
    screen = visit(house.url, "history")
    page = screen.page
    offered = {}
    for entry in house.http.get(f"/api/games/{house.game['id']}/history").json():
        page.click(f"[data-entry='{entry['id']}']")
        page.wait_for_selector("dialog [data-way=remove]")
        offered[entry["id"]] = page.locator("[data-way=add_bank]").count() == 1
        body = {"change": "add_bank", "later": "dealt_anew"}
        tried = house.http.post(
            f"/api/games/{house.game['id']}/entries/{entry['id']}/preview", json=body
        )
        assert tried.is_success or not offered[entry["id"]]
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
    assert list(offered.values()) == [False, True, False, False, True]
