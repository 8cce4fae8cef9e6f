"""What the annotation page shows and says, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vision.photos import arrivals
from vision.photos.labels import Labels, PigLabel
from vision.photos.photo_set import PhotoSet
from vision.photos.proposal import Proposal

MakeSet = Callable[..., tuple[Path, list[int]]]
Box = tuple[float, float, float, float]


@pytest.mark.parametrize("locale", ["en-GB", "da-DK"])
def test_what_buttons_say_fits_into_them(
    make_set: MakeSet, serve: Callable[..., Any], open_page: Callable[..., Any], locale: str
) -> None:
    folder, _ = make_set(1)
    desk = open_page(serve(folder).url, locale=locale)
    for key in ("n", "3", "n", "6", "t"):
        desk.press(key)
    desk.page.locator(".three button[aria-pressed=true]").wait_for()
    too_long = desk.page.evaluate(
        """[...document.querySelectorAll('.panel button')].filter(
            b => b.scrollWidth > b.clientWidth).map(b => b.textContent)"""
    )
    assert too_long == []


@pytest.mark.parametrize("locale", ["en-GB", "da-DK"])
def test_everything_is_in_sight_on_a_small_laptop_and_stands_still(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    propose: Callable[..., Proposal],
    table_picture: Callable[..., bytes],
    locale: str,
) -> None:
    folder, (photo_id,) = make_set(1, name="pigs-on-our-kitchen-table")
    pigs = [((100, 100, 160, 140), "dot_down"), ((300, 80, 350, 120), "leaning_jowler")]
    said = tuple(PigLabel(box, "dot_down") for box, _ in pigs)
    with PhotoSet.open(folder) as photos:
        arrivals.add(photos, table_picture(9, []), "z.png", session="at grandmother's")
        photos.propose(photo_id, propose(pigs, "touching"))
        photos.save(photo_id, Labels(said, reviewed=True, reviewed_by="Ada"), revision=0)
    server = serve(folder)
    size = {"width": 1280, "height": 800}
    desk = open_page(server.url, may_fail=True, locale=locale, viewport=size)
    desk.page.locator(".top select").first.select_option("all")
    desk.press("Home")
    desk.at(photo_id)
    desk.page.wait_for_selector(".panel .note.warn")
    places = """() => [...document.querySelectorAll('.top > *, .view')].map(e => {
        const {x, y, width, height} = e.getBoundingClientRect();
        return [e.className, x, y, width, height];
    })"""
    before = desk.page.evaluate(places)
    assert desk.page.locator(".top").bounding_box()["height"] < 2 * 44
    assert max(x + width for _, x, _, width, _ in before) <= 1280
    beyond = desk.page.evaluate(
        """() => { const edge = document.querySelector('#panel').getBoundingClientRect().bottom;
        return [...document.querySelectorAll('.panel button')].filter(
            b => b.getBoundingClientRect().bottom > edge).map(b => b.textContent); }"""
    )
    assert beyond == []
    assert desk.page.locator(".panel .pig").count() == 2
    server.end()
    desk.press("u")
    desk.page.wait_for_selector(".trouble")
    assert desk.page.evaluate(places) == [
        ["save failed" if name == "save saved" else name, *place] for name, *place in before
    ]


def test_the_words_about_a_picture_are_apart_and_in_the_page_s_language(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    table_picture: Callable[..., bytes],
) -> None:
    folder, _ = make_set(0)
    with PhotoSet.open(folder) as photos:
        arrivals.add(photos, table_picture(1, []), "a.png", session="friday")
        arrivals.add(photos, table_picture(2, []), "b.png", session="friday", camera="phone")
    url = serve(folder).url
    for locale, unknown, phone in (
        ("en-GB", "1 of 2 · friday · camera unknown", "2 of 2 · friday · camera: phone"),
        ("da-DK", "1 af 2 · friday · ukendt kamera", "2 af 2 · friday · kamera: phone"),
    ):
        desk = open_page(url, locale=locale)
        assert desk.page.locator(".which .muted").inner_text() == unknown
        desk.press("k")
        desk.page.wait_for_selector(".which strong:has-text('b.png')")
        assert desk.page.locator(".which .muted").inner_text() == phone


def test_a_pig_has_one_number_on_the_picture_and_in_the_list(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    propose: Callable[..., Proposal],
) -> None:
    folder, (photo_id,) = make_set(1)
    with PhotoSet.open(folder) as photos:
        pigs = [((100, 100, 160, 140), "trotter"), ((300, 80, 350, 120), "dot_up")]
        photos.propose(photo_id, propose(pigs))
    desk = open_page(serve(folder).url)
    desk.press("n")
    tags = desk.page.evaluate(
        "Konva.stages[0].find('Text').map(x => [x.getAbsolutePosition().x, x.text()])"
    )
    words = [text.removesuffix(" ?") for _, text in sorted(tags)]
    assert words == ["1. Trotter", "3. Not named", "2. Side, dot up"]
    listed = desk.page.locator(".pig > span").all_inner_texts()
    assert sorted(listed) == sorted(words)


def test_a_message_goes_with_its_picture(
    make_set: MakeSet, serve: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    folder, ids = make_set(2)
    desk = open_page(serve(folder).url)
    desk.press("n", "4")
    desk.page.wait_for_selector(".notice:has-text('Trotter')")
    desk.press("k")
    desk.at(ids[1])
    assert desk.page.locator(".notice").inner_text() == ""
    assert desk.page.locator("#news").inner_text() == ""
    desk.press("k")
    desk.page.wait_for_selector(".notice:has-text('This was the last one')")
    assert desk.page.locator(".notice").inner_text().endswith("sooee photos split pigs")


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en-GB", "Trying again: the program does not answer"),
        ("da-DK", "Prøver igen: programmet svarer ikke"),
    ],
)
def test_why_it_is_not_saved_is_said_in_words(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    locale: str,
    words: str,
) -> None:
    folder, _ = make_set(1)
    server = serve(folder)
    desk = open_page(server.url, may_fail=True, locale=locale)
    server.end()
    desk.press("n")
    assert desk.page.locator(".trouble").inner_text() == words
    server.start()
    desk.saved()
    assert desk.page.locator(".trouble").count() == 0
    desk.page.route("**/labels", lambda route: route.fulfill(status=502, body="<p>Bad gateway"))
    desk.page.reload()  # a page that is open already may send its first request past the route
    desk.page.wait_for_selector(".pig")
    desk.press("4")
    desk.page.wait_for_selector(".trouble:has-text('502')")
    desk.page.unroute("**/labels")
    desk.saved()


def test_a_reviewed_picture_that_the_model_disagrees_with_looks_reviewed(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    propose: Callable[..., Proposal],
) -> None:
    folder, ids = make_set(4)
    box: Box = (100, 100, 160, 140)
    with PhotoSet.open(folder) as photos:
        for photo_id in ids:
            photos.propose(photo_id, propose([(box, "trotter")]))
        photos.save(ids[0], Labels((PigLabel(box, "snouter"),), reviewed=True), revision=0)
        photos.save(ids[1], Labels((PigLabel(box, "trotter"),), reviewed=True), revision=0)
        photos.save(ids[2], Labels((PigLabel(box, None),)), revision=0)
    page = open_page(serve(folder).url).page
    page.get_by_label("Show", exact=True).select_option("all")
    page.wait_for_selector(".thumb >> nth=3")
    thumbs = page.locator(".thumb")
    assert [thumbs.nth(n).inner_text().split() for n in range(4)] == [["≠", "✓"], ["✓"], ["…"], []]
    assert [
        name.split(": ")[1] for name in thumbs.evaluate_all("all => all.map(b => b.title)")
    ] == [
        "model disagrees, reviewed",
        "reviewed",
        "begun",
        "new",
    ]
