"""Axe on every screen and in every dialog, and every control reached by Tab, seen to be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.web.doubts import CLOSE

Visit = Callable[..., Any]
Reading = Callable[..., Any]
Axe = Callable[[Any], list[str]]

PLACES = ("", "new", "history", "stats", "games", "settings", "join")
# What a person can press or fill in; of a group of radio buttons Tab reaches the chosen one.
CONTROLS = """() => { const controls = [...document.querySelectorAll(
    'a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex="0"]')]
    .filter(e => e.tabIndex >= 0 && e.checkVisibility() && !(e.type === 'radio' && !e.checked));
    controls.forEach((e, i) => { e.dataset.walk = i });
    document.activeElement?.blur();
    return controls.map(e => e.outerHTML.slice(0, 120)) }"""
HERE = """() => { const e = document.activeElement;
    const ringed = [e, e.closest('.choice')].filter(Boolean)
        .some(x => getComputedStyle(x).outlineStyle !== 'none');
    return [e.dataset.walk ?? null, ringed] }"""


@pytest.mark.parametrize("size", ["phone", "laptop"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_screen(
    evening: Any, visit: Visit, axe: Axe, theme: str, size: str
) -> None:
    screen = visit(evening.url, color_scheme=theme, size=size)
    for place in PLACES:
        screen.settle(place)
        assert axe(screen.page) == [], place
    screen.tap("open-door")
    screen.page.wait_for_selector(".ticket")
    assert axe(screen.page) == []
    for bare in ("big", "phone"):
        screen.page.evaluate("place => { location.hash = `#/${place}` }", bare)
        screen.page.wait_for_selector(f"main.{'big-screen' if bare == 'big' else 'phone'}")
        assert axe(screen.page) == [], bare


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_before_and_after_a_game(
    house: Any, visit: Visit, axe: Axe, theme: str
) -> None:
    screen = visit(house.url, color_scheme=theme)
    assert axe(screen.page) == []
    house.start("Anna", "Bo", target=40)
    house.throw("snouter", "snouter")
    screen.page.wait_for_selector(".ending")
    assert axe(screen.page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_at_the_door(
    house: Any, visit: Visit, axe: Axe, theme: str
) -> None:
    found = house.http.post("/api/invitation/open", json={}).json()
    guest = visit(found["urls"][0], may_fail=True, color_scheme=theme)
    guest.page.wait_for_selector(".code-input")
    assert axe(guest.page) == []


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_axe_finds_nothing_serious_in_any_dialog(
    evening: Any, visit: Visit, axe: Axe, reading: Reading, size: str
) -> None:
    screen = visit(evening.url, size=size)
    page = screen.page

    @contextmanager
    def dialog(*steps: Callable[[], None]) -> Iterator[None]:
        for step in steps:
            step()
        page.wait_for_selector("dialog[open]")
        yield
        assert axe(page) == []
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")

    with dialog(lambda: screen.tap("correct")):
        pass
    with dialog(lambda: screen.tap("call")):
        pass
    with dialog(lambda: screen.tap("stop")):
        pass
    screen.go("history")
    with dialog(lambda: page.click("[data-entry] >> nth=0")):
        page.click("[data-way=remove]")
        page.wait_for_selector(".preview-table")
    evening.see(reading(("trotter", "snouter"), ask=True, touch=CLOSE))
    with dialog():
        screen.tap("else")


@pytest.mark.parametrize("place", PLACES)
def test_every_control_is_reached_by_tab_and_is_seen_to_be(
    evening: Any, visit: Visit, place: str
) -> None:
    screen = visit(evening.url)
    screen.settle(place)
    controls = screen.page.evaluate(CONTROLS)
    assert len(controls) > 6
    reached: set[int] = set()
    for _ in range(2 * len(controls) + 40):  # more may have come since they were counted
        if len(reached) == len(controls):
            break
        screen.page.keyboard.press("Tab")
        number, ringed = screen.page.evaluate(HERE)
        if number is not None:
            assert ringed, controls[int(number)]
            reached.add(int(number))
    assert [c for i, c in enumerate(controls) if i not in reached] == []
