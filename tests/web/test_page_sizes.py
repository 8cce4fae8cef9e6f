"""Every size of window: what must be seen together is on the screen, and nothing lies over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.doubts import CLOSE, EITHER

Reading = Callable[..., Any]
Visit = Callable[..., Any]

NAMES = (
    *("Anna", "Bo", "Christoffer", "Ditte", "Emil", "Frederikke"),
    *("Gorm", "Hanne", "Ib", "Jens", "Karla", "Lone"),
)
LONGEST = ("M" * 40, "Bartholomæus den Store af Vesterbro 1234")
# How much wider and higher the page is than the window.
ROOM = """(({scrollWidth, scrollHeight}) => [scrollWidth - innerWidth, scrollHeight - innerHeight])(
    document.documentElement)"""
# What reaches out of the element around it, by more than rounding.
OUTSIDE = """([inner, outer]) => [...document.querySelectorAll(inner)].filter(e => {
    const [a, b] = [e.getBoundingClientRect(), e.closest(outer).getBoundingClientRect()];
    return Math.min(a.left - b.left, b.right - a.right, a.top - b.top, b.bottom - a.bottom) < -1;
}).map(e => `${e.className}: ${e.textContent}`)"""


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (390, 844)])
def test_a_television_shows_everybody_and_the_last_throw_at_once(
    house: Any, visit: Visit, reading: Reading, size: tuple[int, int]
) -> None:
    page = visit(house.url, "big", size=size).page
    for count in range(1, 13):
        house.start(*NAMES[:count], target=None)
        house.throw("leaning_jowler", "leaning_jowler")
        house.bank()
        house.throw("snouter", "snouter")
        page.wait_for_selector(f".big-player:nth-child({count}):last-child")
        page.wait_for_selector(".big-turn:text-is('+40')")
        wide, high = page.evaluate(ROOM)
        assert wide <= 0, count
        assert high <= 0, count
        inner = ".big-name, .big-score, .big-turn"
        assert page.evaluate(OUTSIDE, [inner, ".big-player"]) == [], count
        assert page.evaluate(OUTSIDE, [".big-last, .big-throw", "#main"]) == [], count
    house.see(reading(("razorback", "trotter"), ask=True, touch=CLOSE))
    page.wait_for_selector(".big-last .sight")
    assert page.evaluate(ROOM)[1] <= 0
    assert page.evaluate(OUTSIDE, [inner, ".big-player"]) == []


@pytest.mark.parametrize("size", [(360, 740), (390, 844), (820, 1180), (1920, 1080)])
@pytest.mark.parametrize(
    "names", [("Christoffer", "Frederikke", "Bo"), (*LONGEST, "Bo", "Ib", "Eva")]
)
def test_names_stay_in_their_cards(
    house: Any, visit: Visit, names: tuple[str, ...], size: tuple[int, int]
) -> None:
    house.start(*names, target=200)
    house.throw("snouter", "snouter")
    house.bank()
    house.throw("trotter", "dot_up")
    screen = visit(house.url, size=size, locale="da-DK")
    inner = ".player-head, .player-name, .player-score, .progress"
    assert screen.page.evaluate(OUTSIDE, [inner, ".player"]) == []
    if names[0] not in LONGEST:  # and such ordinary ones are read in full
        cut = """[...document.querySelectorAll('.player-name span')]
            .filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"""
        assert screen.page.evaluate(cut) == []
    for place in ("", "history", "games", "new", "stats"):
        screen.settle(place)
        assert screen.page.evaluate(ROOM)[0] <= 0, place


@pytest.mark.parametrize("locale", ["da-DK", "en-GB"])
def test_a_question_and_its_answers_are_seen_together_on_a_phone(
    house: Any, visit: Visit, reading: Reading, locale: str
) -> None:
    house.start()
    house.see(reading(("razorback", "snouter"), ask=True, second=EITHER))
    screen = visit(house.url, size=(390, 844), locale=locale)
    page = screen.page
    page.wait_for_selector(".pig-crops img >> nth=1")
    bottoms = page.evaluate(
        """[...document.querySelectorAll('.answer, .question-else button')]
            .map(e => e.getBoundingClientRect().bottom)"""
    )
    assert len(bottoms) == 4
    assert max(bottoms) <= 844
    assert page.evaluate(OUTSIDE, ["figcaption", ".sight"]) == []


def test_what_a_question_says_of_each_pig_is_not_cut(
    house: Any, visit: Visit, reading: Reading
) -> None:
    house.start()
    house.see(reading(("leaning_jowler", "leaning_jowler"), ask=True, touch=CLOSE))
    page = visit(house.url, size="phone", locale="da-DK").page
    page.wait_for_selector(".box-label >> nth=1")
    assert page.evaluate(OUTSIDE, [".box-label", ".sight"]) == []


def test_nothing_lies_over_the_actions_on_a_phone(
    house: Any, visit: Visit, reading: Reading
) -> None:
    house.start(hog_call="seed")
    screen = visit(house.url, size=(390, 844), locale="da-DK")
    house.throw("trotter", "dot_up")
    screen.page.wait_for_selector(".toast")
    house.see(reading(("razorback", "snouter"), ask=True, second=EITHER))
    screen.page.wait_for_selector("dialog[open]")
    screen.page.keyboard.press("Escape")
    assert screen.sees(".waiting")
    covered = """() => { const box = e => document.querySelector(e).getBoundingClientRect();
        const [toast, waiting, bar] = ['.toast', '.waiting', '.bar'].map(box);
        return [toast.bottom <= waiting.top, waiting.bottom <= bar.top,
                bar.bottom <= innerHeight] }"""
    assert screen.page.evaluate(covered) == [True, True, True]


def test_a_low_window_is_not_filled_by_the_actions(
    house: Any, visit: Visit, reading: Reading
) -> None:
    """A laptop's window at 200 %."""
    house.start("Anna", "Bo", "Carl", "Ditte", hog_call="seed")
    house.throw("trotter", "dot_up")
    screen = visit(house.url, size=(640, 400), locale="da-DK")
    page = screen.page
    assert page.evaluate("document.querySelector('.bar').getBoundingClientRect().top") >= 400
    house.see(reading(("razorback", "snouter"), ask=True, second=EITHER))
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector(".waiting")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    for what in ("[data-do=bank]", "[data-do=undo]", "[data-do=stop]", ".waiting"):
        assert screen.sees(what), what
