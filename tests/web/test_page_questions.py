"""A throw the camera is not sure of: asked once, answered by one tap, never counted twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.doubts import CLOSE, EITHER
from vision.table.state import TableState
from vision.table.watch import MOVED, ONE_MISSING
from vision.web.camera_view import CameraMode, CameraView
from vision.web.reasons import reason_of

TOUCH = "No table is visible between the pigs: they may touch."
Reading = Callable[..., Any]
Visit = Callable[..., Any]


def test_do_they_touch_is_answered_with_one_tap(house: Any, visit: Visit, reading: Reading) -> None:
    house.start()
    house.throw("trotter", "snouter")
    house.bank()
    house.throw("trotter", "dot_up")
    house.bank()
    screen = visit(house.url)
    house.see(reading(("razorback", "trotter"), ask=True, touch=CLOSE, gap_mm=0.4))
    page = screen.page
    page.wait_for_selector("dialog:has-text('Do they touch?')")
    assert screen.said == "Do they touch?"
    assert screen.width_of(".sight img") == 720
    assert "0.4 mm" in page.inner_text("figcaption")
    assert house.game["turn_points"] == 0  # nothing is counted yet
    assert page.is_disabled("[data-do=bank]")
    screen.seen(house)
    page.click("[data-answer='razorback trotter touching']")
    page.wait_for_selector("dialog", state="detached")
    screen.wait("Anna", 0)
    assert house.game["last"]["outcome"]["landing"] == "oinker"
    assert house.game["last"]["sight"] is not None


@pytest.mark.parametrize(
    ("locale", "title", "why"),
    [
        ("en-GB", "Was that a throw?", "The pigs may have been moved, not thrown."),
        ("da-DK", "Var det et kast?", "Grisene er måske flyttet og ikke kastet."),
    ],
)
def test_a_doubt_whether_pigs_were_thrown_says_so(
    house: Any, visit: Visit, reading: Reading, locale: str, title: str, why: str
) -> None:
    house.start()
    screen = visit(house.url, locale=locale)
    house.see(reading(("razorback", "trotter"), ask=True, reason=MOVED))
    page = screen.page
    page.wait_for_selector(f"dialog:has-text('{title}')")
    assert page.inner_text(".question-why") == why
    screen.seen(house)
    page.click("[data-do=dismiss]")
    page.wait_for_selector("dialog", state="detached")
    assert house.game["turn_points"] == 0


def test_a_doubt_that_the_title_says_is_not_said_twice(
    house: Any, visit: Visit, reading: Reading
) -> None:
    house.start()
    screen = visit(house.url)
    house.see(reading(("razorback", "trotter"), ask=True, touch=CLOSE, reason=TOUCH))
    screen.page.wait_for_selector("dialog:has-text('Do they touch?')")
    assert screen.page.locator(".question-why").count() == 0


def test_the_likeliest_throws_are_offered_by_name_and_worth(
    house: Any, visit: Visit, reading: Reading
) -> None:
    house.start()
    screen = visit(house.url, locale="da-DK")
    house.see(reading(("razorback", "snouter"), ask=True, second=EITHER))
    page = screen.page
    page.wait_for_selector("dialog:has-text('Hvad er det?')")
    answers = page.locator(".answer b").all_inner_texts()
    assert answers[:2] == ["Blandet kast", "Blandet kast"]
    assert "Ryggen" in page.inner_text(".answer >> nth=1") or "ryg" in page.inner_text(
        ".answer >> nth=1"
    )
    screen.seen(house)
    page.click("[data-answer='razorback trotter apart']")
    screen.wait_turn(10)
    assert house.game["last"]["source"] == "camera"


def test_throws_behind_a_question_wait_and_count_in_their_order(
    house: Any, visit: Visit, reading: Reading
) -> None:
    house.start()
    screen = visit(house.url)
    house.see(reading(("dot_up", "dot_down"), ask=True, touch=CLOSE))
    house.see(reading(("trotter", "snouter")))
    screen.page.wait_for_selector("text=1 more throw is waiting behind it.")
    screen.seen(house)
    screen.page.click("[data-answer='dot_up dot_down apart']")  # Pig Out: Anna's turn is over
    screen.page.wait_for_selector(".player.up[data-player=Bo]")
    screen.wait_turn(15)  # and the throw behind it is Bo's


def test_something_else_is_entered_on_the_pad(house: Any, visit: Visit, reading: Reading) -> None:
    house.start()
    screen = visit(house.url)
    house.see(reading(("razorback", "snouter"), ask=True, second=EITHER))
    screen.page.wait_for_selector("dialog")
    screen.seen(house)
    screen.tap("else")
    screen.pad("leaning_jowler", "razorback", pad="question")
    screen.wait_turn(20)
    assert len(house.game["throws"]) == 1


def test_no_throw_at_all_counts_nothing(house: Any, visit: Visit, reading: Reading) -> None:
    house.start()
    screen = visit(house.url)
    house.see(reading(("razorback", "snouter"), ask=True, second=EITHER))
    screen.tap("dismiss")
    screen.page.wait_for_selector("dialog", state="detached")
    assert house.game["last"] is None


def test_a_question_put_aside_stays_in_sight_and_blocks_only_what_depends_on_it(
    house: Any, visit: Visit, reading: Reading
) -> None:
    house.start()
    house.throw("trotter", "dot_up")
    screen = visit(house.url)
    house.see(reading(("razorback", "snouter"), ask=True, second=EITHER))
    screen.page.wait_for_selector("dialog")
    screen.page.keyboard.press("Escape")
    screen.page.wait_for_selector("dialog", state="detached")
    assert screen.page.is_disabled("[data-do=bank]")
    assert house.act("bank").json()["error"] == "question"
    screen.tap("question")
    screen.page.wait_for_selector("dialog")
    screen.page.keyboard.press("Escape")
    screen.seen(house)
    screen.pad("trotter", "trotter")  # entering it by hand is an answer too
    screen.wait_turn(25)
    assert screen.page.locator(".waiting").count() == 0
    assert len(house.game["throws"]) == 2


def test_two_people_answering_at_once_count_one_throw(
    house: Any, visit: Visit, reading: Reading
) -> None:
    house.start()
    first, second = visit(house.url, may_fail=True), visit(house.url, may_fail=True)
    house.see(reading(("razorback", "trotter"), ask=True, touch=CLOSE))
    for screen in (first, second):
        screen.page.wait_for_selector("dialog")
        screen.seen(house)
    press = "document.querySelector(\"[data-answer='razorback trotter apart']\").click()"
    for screen in (first, second):
        screen.page.evaluate(f"setTimeout(() => {press}, 200)")
    for screen in (first, second):
        screen.wait_turn(10)
        screen.page.wait_for_selector("dialog", state="detached")
    assert len(house.game["throws"]) == 1


def test_a_pig_on_the_floor_is_no_answer_to_an_older_question(
    house: Any, visit: Visit, reading: Reading, until: Any
) -> None:
    house.start()
    screen = visit(house.url)
    house.see(reading(("razorback", "snouter"), ask=True, second=EITHER))
    missing = reason_of(ONE_MISSING)
    house.place.room.set_camera(
        CameraView(CameraMode.LIVE, state=TableState.ASKING, reason=missing)
    )
    screen.page.wait_for_selector("dialog")
    screen.page.keyboard.press("Escape")
    screen.page.wait_for_selector("[data-do=off-table]:disabled")
    screen.tap("question")
    screen.tap("dismiss")
    screen.page.wait_for_selector("[data-do=off-table]:enabled")
    screen.seen(house)
    screen.tap("off-table")
    until(lambda: len(house.game["throws"]) == 1)
