"""For everybody: the keyboard alone, what is heard, every size, both languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

Visit = Callable[..., Any]

PLACES = ("", "new", "history", "stats", "games", "settings", "join")


@pytest.mark.parametrize("size", ["phone", "laptop", "television"])
def test_nothing_is_cut_off_at_any_size(evening: Any, visit: Visit, size: str) -> None:
    screen = visit(evening.url, size=size, locale="da-DK")
    for place in PLACES:
        screen.settle(place)
        wide = screen.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide[0] <= wide[1], place
        if size != "phone":
            continue
        small = screen.page.evaluate(
            """() => [...document.querySelectorAll('button, a.button, .nav-link, select, summary')]
                .filter(e => e.offsetParent !== null)
                .map(e => [e.getBoundingClientRect(), e.textContent.trim()])
                .filter(([r]) => r.width < 44 || r.height < 44)
                .map(([r, text]) => `${text} ${r.width}x${r.height}`)"""
        )
        assert small == [], place


def test_scores_are_read_from_three_metres(evening: Any, visit: Visit) -> None:
    """15 mm and more: 64 px of a 13-inch laptop's 1280, a tenth of a television's height."""
    laptop = visit(evening.url)
    sizes = laptop.page.evaluate(
        """['[data-turn-points]', '[data-score]'].map(
            s => parseFloat(getComputedStyle(document.querySelector(s).parentElement).fontSize) *
                 (s === '[data-score]' ? 1 : 1) && parseFloat(
                 getComputedStyle(document.querySelector(s)).fontSize))"""
    )
    assert min(sizes) * 0.7 >= 60  # figures are 0.7 em high
    television = visit(evening.url, "big", size="television")
    size = television.page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('.big-score')).fontSize)"
    )
    assert size * 0.7 >= 216


def test_a_game_is_played_by_keyboard_alone(house: Any, visit: Visit) -> None:
    screen = visit(house.url)
    page = screen.page
    press = page.keyboard.press

    def reach(what: str) -> None:
        for _ in range(80):
            if page.evaluate("s => document.activeElement?.matches(s) ?? false", what):
                outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none", what
                return
            press("Tab")
        raise AssertionError(f"{what} is not reached by Tab")

    press("Tab")
    assert page.evaluate("document.activeElement.matches('.skip-link')")
    reach("[data-do=new]")
    press("Enter")
    page.wait_for_selector("main.screen-new input")
    reach("input[aria-label='Player 1']")
    page.keyboard.type("Anna")
    reach("[data-target='50']")
    press("Enter")
    reach("[data-do=start]")
    press("Enter")
    page.wait_for_selector("[data-player=Anna]")
    press("h")  # to the pad
    assert page.evaluate("document.activeElement.dataset.pose") == "dot_up"
    reach("[data-pad] .pad-row:nth-child(1) [data-pose=snouter]")
    press("Space")
    reach("[data-pad] .pad-row:nth-child(2) [data-pose=trotter]")
    press("Space")
    screen.wait_turn(15)
    for key, turn in (("b", 0), ("u", 15), ("r", 0)):
        screen.seen(house)
        press(key)
        screen.wait_turn(turn)
    assert screen.score("Anna") == 15
    press("c")
    page.wait_for_selector("dialog[open]")
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_single_letters_can_be_switched_off(house: Any, visit: Visit) -> None:
    house.start()
    house.throw("trotter", "snouter")
    screen = visit(house.url, "settings")
    screen.page.uncheck("[data-switch=shortcuts]")
    screen.go("")
    screen.wait_turn(15)
    screen.page.keyboard.press("b")
    screen.page.keyboard.press("u")
    screen.page.wait_for_timeout(300)
    assert house.game["turn_points"] == 15


def test_one_live_region_says_each_change_once_and_the_newest_only(
    house: Any, visit: Visit
) -> None:
    house.start()
    house.throw("trotter", "snouter")
    screen = visit(house.url)
    assert screen.page.locator("[aria-live]").count() == 1
    assert screen.said == ""  # what was there before the page was is no news
    screen.page.evaluate(
        """() => { window.told = []; new MutationObserver(() => window.told.push(
            document.getElementById('live').textContent)).observe(
            document.getElementById('live'), {childList: true, characterData: true,
            subtree: true}) }"""
    )
    house.throw("trotter", "dot_up")
    screen.wait_turn(20)
    house.bank()
    screen.wait("Anna", 20)
    assert screen.page.evaluate("window.told") == [
        "Trotter, 5 points. 20 this turn.",
        "Anna banks 20 points and has 20. Bo throws.",
    ]


def test_the_voice_speaks_the_chosen_language(house: Any, visit: Visit) -> None:
    house.start()
    screen = visit(house.url, locale="da-DK")
    screen.page.evaluate(
        """() => { window.spoken = []; speechSynthesis.speak = words => window.spoken.push(
            [words.lang, words.text]) }"""
    )
    screen.pad("trotter", "snouter")
    screen.wait_turn(15)
    assert screen.page.evaluate("window.spoken") == []  # silent until switched on
    screen.go("settings")
    screen.page.check("[data-switch=voice]")
    screen.go("")
    screen.tap("bank")
    screen.wait("Anna", 15)
    assert screen.page.evaluate("window.spoken") == [
        ["da-DK", "Anna banker 15 point og har 15. Bo kaster."]
    ]


def texts(page: Any) -> list[str]:
    """Everything that is read or heard on the page."""
    found = page.evaluate(
        """() => { const found = [];
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
            const holder = walk.currentNode.parentElement;
            if (!holder.closest('script, noscript, [lang]:not(html), code'))
                found.push(walk.currentNode.textContent.trim()); }
        const names = ['aria-label', 'title', 'alt', 'placeholder'];
        for (const e of document.body.querySelectorAll(names.map(n => `[${n}]`)))
            for (const name of names)
                if (e.getAttribute(name)) found.push(e.getAttribute(name).trim());
        return found.filter(Boolean) }"""
    )
    return list(found)


def test_every_text_on_every_screen_is_danish_when_danish_is_chosen(
    evening: Any, visit: Visit
) -> None:
    import json

    from vision.web.page import LOCALES

    english, danish = (
        json.loads((LOCALES / f"{code}.json").read_text(encoding="utf-8")) for code in ("en", "da")
    )
    only_english = {
        text
        for section in english
        for key, text in english[section].items()
        if "{" not in text and text not in danish[section].values()
    }
    common = {t for s in danish.values() for t in s.values()}
    screen = visit(evening.url, locale="da-DK")
    assert screen.page.get_attribute("html", "lang") == "da"
    for place in PLACES:
        screen.settle(place)
        for text in texts(screen.page):
            assert not re.fullmatch(r"[a-z]+(\.[A-Za-z_-]+)+", text), f"{place}: a bare key: {text}"
            assert text not in only_english or text in common, f"{place}: English: {text}"
            assert "undefined" not in text, f"{place}: {text}"


def test_the_language_is_changed_at_once_and_kept(house: Any, visit: Visit) -> None:
    house.start()
    screen = visit(house.url, "settings")
    screen.page.click("[data-language=da]")
    screen.page.wait_for_selector("h1:has-text('Indstillinger')")
    screen.page.reload()
    screen.page.wait_for_selector("h1:has-text('Indstillinger')")


def test_the_theme_is_changed_at_once_and_kept(house: Any, visit: Visit) -> None:
    screen = visit(house.url, "settings")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = screen.page.evaluate(ground)
    screen.page.click("[data-theme-choice=dark]")
    screen.page.wait_for_selector("html[data-theme=dark]")
    assert screen.page.evaluate(ground) != light
    screen.page.reload()
    screen.page.wait_for_selector("html[data-theme=dark]", state="attached")


def test_nothing_jumps_when_a_throw_is_counted(house: Any, visit: Visit) -> None:
    house.start()
    screen = visit(house.url)
    watch = """() => { window.shift = 0; new PerformanceObserver(list => {
        for (const e of list.getEntries()) window.shift += e.value;
    }).observe({type: 'layout-shift', buffered: false}) }"""
    screen.page.evaluate(watch)
    house.throw("trotter", "snouter")
    screen.wait_turn(15)
    house.throw("razorback", "snouter")
    screen.wait_turn(30)
    screen.page.wait_for_timeout(200)
    assert screen.page.evaluate("window.shift") < 0.02


TITLES = {
    "": ("Table", "Bord"),
    "new": ("New game", "Nyt spil"),
    "history": ("Throws", "Kast"),
    "stats": ("Statistics", "Statistik"),
    "games": ("Games", "Spil"),
    "settings": ("Settings", "Indstillinger"),
    "join": ("Join with a phone", "Vær med på telefonen"),
    "big": ("Scores on the television", "Stilling på fjernsynet"),
    "phone": ("This phone as the camera", "Denne telefon som kamera"),
}


@pytest.mark.parametrize(("number", "locale"), [(0, "en-GB"), (1, "da-DK")])
def test_the_window_is_named_after_the_screen(
    house: Any, visit: Visit, number: int, locale: str
) -> None:
    house.start()
    page = visit(house.url, locale=locale).page
    for place, names in TITLES.items():
        page.evaluate("place => { location.hash = `#/${place}` }", place)
        page.wait_for_function("t => document.title === t", arg=f"{names[number]} · Sooee")


def test_the_window_changes_its_name_with_the_language(house: Any, visit: Visit) -> None:
    page = visit(house.url, "settings").page
    page.click("[data-language=da]")
    page.wait_for_function("() => document.title === 'Indstillinger · Sooee'")


@pytest.mark.parametrize("width", [320, 360, 820, 1180])
@pytest.mark.parametrize("locale", ["en-GB", "da-DK"])
def test_the_ways_to_the_screens_have_words_at_every_width(
    house: Any, visit: Visit, width: int, locale: str
) -> None:
    house.start()
    page = visit(house.url, size=(width, 800), locale=locale).page
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    names = {n["name"]["value"] for n in tree if not n["ignored"] and n["role"]["value"] == "link"}
    shown = page.locator(".nav-link span").all_inner_texts()
    assert len(shown) == 6
    assert set(shown) <= names
    boxes = page.evaluate(
        """[...document.querySelectorAll('.nav-link')].map(e => e.getBoundingClientRect())
            .map(r => [r.left, r.right])"""
    )
    assert all(a[1] <= b[0] + 0.5 for a, b in pairwise(boxes))
    assert boxes[-1][1] <= width


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_stands_in_empty_fields_can_be_read(house: Any, visit: Visit, theme: str) -> None:
    """Axe does not look at placeholders."""
    page = visit(house.url, "new", color_scheme=theme).page
    contrast = page.evaluate(
        r"""() => { const input = document.querySelector('[placeholder]');
        const words = getComputedStyle(input, '::placeholder');
        const parts = c => c.match(/[\d.]+/g).map(Number).slice(0, 3);
        const light = c => c.map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const [ink, ground] = [parts(words.color), parts(getComputedStyle(input).backgroundColor)];
        const seen = ink.map((v, i) => v * words.opacity + ground[i] * (1 - words.opacity));
        const [a, b] = [light(seen), light(ground)].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05) }"""
    )
    assert contrast >= 4.5
