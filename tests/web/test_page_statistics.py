"""The statistics: names beside the lines they belong to, and dice that speak of no pigs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

Visit = Callable[..., Any]

# Where each plot's names stand, and where the lines that they name end.
PLACES = """() => [...document.querySelectorAll('.figure svg')].map(svg => {
    const frame = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('.line-name')].map(name => {
        const lead = name.previousSibling.getBoundingClientRect();
        const {left, right, top, bottom} = name.getBoundingClientRect();
        return {name: name.textContent, left, right, top, bottom, end: lead.left,
                inside: right <= frame.right + 1 && bottom <= frame.bottom && top >= frame.top};
    });
}).filter(names => names.length > 0)"""


@pytest.mark.parametrize("width", [1280, 320])
def test_names_of_lines_stand_apart_beside_the_ends_of_all(
    house: Any, visit: Visit, width: int
) -> None:
    house.start("Anna", "Bo", "Carl", "Ditte", "Emil", "Freja", target=60)
    for poses in (("snouter", "snouter"), ("trotter", "dot_up"), ("razorback", "dot_up")):
        house.throw(*poses)
        house.bank()
    house.throw("snouter", "dot_up")
    screen = visit(house.url)
    screen.page.set_viewport_size({"width": width, "height": 800})
    screen.settle("stats")
    screen.page.wait_for_selector(".figure svg .line-name >> nth=11")
    plots = screen.page.evaluate(PLACES)
    assert len(plots) == 2
    for names in plots:
        assert {n["name"] for n in names} == {"Anna", "Bo", "Carl", "Ditte", "Emil", "Freja"}
        assert all(n["inside"] for n in names), names
        assert len({round(n["left"]) for n in names}) == 1, "all beside the right edge"
        assert all(n["end"] < n["left"] for n in names)
        ordered = sorted(names, key=lambda n: n["top"])
        gaps = [b["top"] - a["top"] for a, b in pairwise(ordered)]
        assert min(gaps) >= 15, (width, gaps)


APART = (
    """async (wished) => (await import('/static/parts/line_names.js')).apart(wished, 16, 0, 100)"""
)


@pytest.mark.parametrize(
    ("wished", "expected"),
    [
        ([10, 50, 90], [10, 50, 90]),
        ([50, 50], [42, 58]),
        ([100, 100, 100], [68, 84, 100]),
        ([0, 40, 0], [0, 40, 16]),
    ],
)
def test_heights_are_moved_no_more_than_they_must(
    house: Any, visit: Visit, wished: list[float], expected: list[float]
) -> None:
    assert visit(house.url).page.evaluate(APART, wished) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("locale", "lost", "turn"),
    [("en-GB", "Turns lost", "Lose the turn"), ("da-DK", "Tabte ture", "Tab turen")],
)
def test_a_game_of_dice_speaks_of_no_pigs(
    house: Any, visit: Visit, locale: str, lost: str, turn: str
) -> None:
    house.start("Anna", "Bo", variant="pig")
    for face in (5, 1):
        assert house.act("throws", throw={"dice": [face]}).status_code == 200
    screen = visit(house.url, "stats", locale=locale)
    screen.page.wait_for_selector(f".stat-table th:text-is('{lost}')")
    words = screen.page.inner_text(".stat-table")
    assert not any(word in words for word in ("Pig Out", "Oinker", "Grise-ud"))
    screen.go("new")
    screen.page.check("[name=variant][value=pig]")
    screen.page.click("details.new-options summary")
    screen.page.wait_for_selector(f".new-options b:text-is('{turn}')")
    options = screen.page.inner_text(".option-grid")
    pigs = ("Pig Out", "touching", "gris", "Grise", "rør")
    assert [word for word in pigs if word in options] == []
