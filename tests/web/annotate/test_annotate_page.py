"""The annotation page, driven by keys and mouse in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.throw import Contact
from vision.photos.labels import Labels, PigLabel, Source
from vision.photos.photo_set import PhotoSet
from vision.photos.proposal import Proposal

MakeSet = Callable[..., tuple[Path, list[int]]]
LabelsOf = Callable[[Path, int], Labels]
Box = tuple[float, float, float, float]


def test_everything_by_keyboard(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    labels_of: LabelsOf,
) -> None:
    folder, ids = make_set(3)
    desk = open_page(serve(folder).url)
    press = desk.press
    press("n")
    press("3")
    for _ in range(5):
        press("ArrowRight")
    press("Shift+ArrowDown")
    press("Alt+ArrowRight")
    press("n")
    press("6")
    press("Shift+ArrowUp")
    press("s")
    press("u")
    press("Enter")
    desk.at(ids[1])
    press("c")
    press("t")
    press("u")
    press("r")
    desk.at(ids[2])
    press("x")
    desk.saved()
    first, second, third = (labels_of(folder, i) for i in ids)
    side = 480 / 8
    left, top = 320 - side / 2, 240 - side / 2
    assert first.pigs[0] == PigLabel(
        (left + 5, top + 10, left + 6 + side, top + 10 + side), "razorback"
    )
    assert first.pigs[1] == PigLabel(
        (left, top - 10, left + side, top - 10 + side), "leaning_jowler"
    )
    assert (first.contact, first.unsure, first.reviewed) == (Contact.STACKED, True, True)
    assert second.pigs == first.pigs
    assert (second.contact, second.unsure, second.reviewed) == (Contact.TOUCHING, True, True)
    assert third.left_out


def test_undo_reaches_back_over_pictures_and_restarts(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    labels_of: LabelsOf,
) -> None:
    folder, ids = make_set(2)
    server = serve(folder)
    desk = open_page(server.url, may_fail=True)
    desk.press("n")
    desk.press("4")
    desk.press("r")
    desk.at(ids[1])
    desk.saved()
    server.end()
    server.start()
    desk.page.reload()
    desk.page.wait_for_selector(".panel")
    desk.press("Control+z")
    desk.at(ids[0])
    desk.page.wait_for_function("!document.querySelector('.panel .note.good')")
    desk.saved()
    undone = labels_of(folder, ids[0])
    assert not undone.reviewed
    assert [p.pose for p in undone.pigs] == ["trotter"]
    desk.press("Control+z")
    desk.page.wait_for_selector(".pigs button:has-text('Not named')")
    desk.press("Control+Shift+z")
    desk.page.wait_for_selector(".pigs button:has-text('Trotter')")
    desk.press("Control+y")
    desk.page.wait_for_selector(".panel .note.good")
    desk.saved()
    assert labels_of(folder, ids[0]).reviewed


def test_proposals_are_dashed_until_accepted(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    propose: Callable[..., Proposal],
    labels_of: LabelsOf,
) -> None:
    folder, (photo_id, _) = make_set(2)
    with PhotoSet.open(folder) as photos:
        photos.propose(
            photo_id,
            propose([((100, 100, 160, 140), "snouter"), ((300, 80, 350, 120), "trotter")], "apart"),
        )
    desk = open_page(serve(folder).url)
    assert desk.page.locator(".pig.proposal").count() == 2
    dashes = "Konva.stages[0].find('Rect').filter(r => r.id()).map(r => !!r.dash())"
    assert desk.page.evaluate(dashes) == [False, True] or desk.page.evaluate(dashes) == [True, True]
    assert desk.page.evaluate(dashes) == [True, True]
    with PhotoSet.open(folder) as photos:
        assert photos.photo(photo_id).labels is None, "looking alone says nothing"
    desk.press("ArrowLeft")
    desk.saved()
    touched = labels_of(folder, photo_id)
    assert [p.source.value for p in touched.pigs] == ["hand", "model"]
    assert not touched.reviewed
    assert desk.page.locator(".pig.proposal").count() == 1
    desk.press("r")
    desk.saved()
    accepted = labels_of(folder, photo_id)
    assert accepted.confirmed
    assert [p.source.value for p in accepted.pigs] == ["hand", "model"]
    desk.press("j")
    desk.at(photo_id)
    assert desk.page.evaluate(dashes) == [False, False]


def test_a_contact_key_says_it_however_often_it_is_pressed(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    propose: Callable[..., Proposal],
    labels_of: LabelsOf,
) -> None:
    folder, ids = make_set(3)
    two = [((100, 100, 160, 140), "snouter"), ((300, 80, 350, 120), "trotter")]
    with PhotoSet.open(folder) as photos:
        for photo_id, contact in zip(ids, ("apart", "apart", None), strict=True):
            photos.propose(photo_id, propose(two, contact))
    desk = open_page(serve(folder).url)
    lit = desk.page.locator(".three button[aria-pressed=true]")
    desk.press("a")
    assert lit.inner_text().split() == ["A", "Apart"]
    desk.press("t", "t", "a", "a", "r")
    desk.at(ids[1])
    desk.saved()
    assert labels_of(folder, ids[0]).contact == Contact.APART
    assert desk.page.locator(".notice.warn").count() == 0
    # Taken back by a click on the lit button, and then told so.
    lit.click()
    desk.page.wait_for_selector("legend .open")
    assert desk.page.locator(".notice").inner_text() == "Contact taken back"
    desk.saved()
    assert labels_of(folder, ids[1]).contact is None
    desk.press("t", "r")
    desk.at(ids[2])
    desk.page.wait_for_selector("legend .open")
    desk.press("r")
    desk.page.wait_for_selector(".notice.warn:has-text('p002.png')")
    desk.saved()
    assert labels_of(folder, ids[1]).contact == Contact.TOUCHING
    assert labels_of(folder, ids[2]).reviewed


def test_boxes_by_mouse(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    labels_of: LabelsOf,
) -> None:
    folder, (photo_id,) = make_set(1, size=(1600, 900))
    desk = open_page(serve(folder).url)
    desk.drag((200, 300), (420, 470))
    desk.press("5")
    desk.saved()
    (pig,) = labels_of(folder, photo_id).pigs
    assert pig.pose == "snouter"
    assert pig.box == pytest.approx((200, 300, 420, 470), abs=2)
    desk.drag((300, 400), (350, 380))
    desk.saved()
    (moved,) = labels_of(folder, photo_id).pigs
    assert moved.box == pytest.approx(
        (pig.box[0] + 50, pig.box[1] - 20, pig.box[2] + 50, pig.box[3] - 20), abs=2
    )
    desk.page.mouse.move(*desk.on_screen(0, 0))
    desk.page.mouse.wheel(0, -600)
    desk.press("0")
    desk.drag((moved.box[2], moved.box[3]), (moved.box[2] + 80, moved.box[3] + 40))
    desk.saved()
    (grown,) = labels_of(folder, photo_id).pigs
    assert grown.box == pytest.approx((*moved.box[:2], moved.box[2] + 80, moved.box[3] + 40), abs=3)
    desk.press("z")
    desk.drag((grown.box[0] + 20, grown.box[1] + 20), (-900, -900))
    desk.saved()
    (corner,) = labels_of(folder, photo_id).pigs
    assert corner.box[:2] == (0, 0), "a box stays in its picture"
    size = corner.box[2], corner.box[3]
    assert size == pytest.approx(
        (grown.box[2] - grown.box[0], grown.box[3] - grown.box[1]), abs=0.1
    )
    desk.press("0")
    desk.click(1200, 700)
    desk.press("Delete")
    desk.saved()
    assert len(labels_of(folder, photo_id).pigs) == 1, "nothing chosen, nothing deleted"
    desk.click(50, 50)
    desk.press("Delete")
    desk.saved()
    assert labels_of(folder, photo_id).pigs == ()


def test_a_box_over_another_and_panning_from_one(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    labels_of: LabelsOf,
    propose: Callable[..., Proposal],
) -> None:
    folder, (photo_id,) = make_set(1)
    box = (100.123, 100.0, 200.0, 180.0)
    with PhotoSet.open(folder) as photos:
        photos.propose(photo_id, propose([(box, "trotter")]))
    desk = open_page(serve(folder).url)
    desk.page.keyboard.down("Space")
    desk.drag((150, 140), (160, 150))
    desk.page.keyboard.up("Space")
    desk.press("0")
    desk.page.keyboard.down("Shift")
    desk.drag((101, 99), (260, 230))
    desk.page.keyboard.up("Shift")
    desk.press("5", "t")
    desk.page.keyboard.down("Shift")
    desk.drag((150, 140), (180, 170))
    desk.page.keyboard.up("Shift")
    desk.press("Delete", "t", "r")
    desk.saved()
    first, second = labels_of(folder, photo_id).pigs
    assert (first.box, first.pose, first.source) == (box, "trotter", Source.MODEL)
    assert second.box == pytest.approx((101, 99, 260, 230), abs=2)


def test_filters_and_order(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    propose: Callable[..., Proposal],
) -> None:
    folder, ids = make_set(5)
    with PhotoSet.open(folder) as photos:
        box: Box = (100, 100, 160, 140)
        for n, photo_id in enumerate(ids):
            photos.propose(photo_id, propose([(box, "trotter")], sure=0.9 - n / 10))
        photos.save(ids[0], Labels((PigLabel(box, "snouter"),), reviewed=True), revision=0)
        photos.save(ids[1], Labels((PigLabel(box, "trotter"),), reviewed=True), revision=0)
        photos.save(ids[2], Labels(unsure=True), revision=0)
    desk = open_page(serve(folder).url)
    assert desk.shown == ids[2]
    assert desk.page.locator(".progress").inner_text().startswith("2 of 5")

    def shows(value: str, *places: int) -> None:
        """Wait until, so filtered, the photographs at these places are shown in that order."""
        desk.page.get_by_label("Show", exact=True).select_option(value)
        desk.page.wait_for_function(
            """names => String(names) === String([...document.querySelectorAll('.thumb')].map(
                b => b.title.split(':')[0]))""",
            arg=[f"p{n:03}.png" for n in places],
        )

    shows("unreviewed", 2, 3, 4)
    shows("disagree", 0, 2)
    shows("unsure", 2)
    shows("all", 0, 1, 2, 3, 4)
    desk.page.get_by_label("Order").select_option("sure")
    shows("all", 4, 3, 2, 1, 0)
    shows("leftOut")
    desk.page.wait_for_selector(".empty")
    desk.page.get_by_role("button", name="Show all").click()
    desk.page.wait_for_selector(".view[data-photo]:not([data-photo=''])")


def test_languages_are_whole_and_the_page_speaks_both(
    make_set: MakeSet, serve: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    folder, _ = make_set(2)
    server = serve(folder)
    danish = open_page(server.url, locale="da-DK").page
    assert danish.evaluate("document.documentElement.lang") == "da"
    assert danish.locator(".accept:has-text('Rigtigt')").count() == 1
    danish.get_by_role("button", name="Hjælp").click()
    danish.wait_for_selector("dialog .keys")
    text = danish.evaluate("document.body.innerText")
    assert "annotate." not in text
    assert "common." not in text
    danish.keyboard.press("Escape")
    danish.get_by_role("button", name="Indstillinger").click()
    danish.get_by_label("Sprog").select_option("en")
    danish.get_by_role("heading", name="Settings").wait_for()
    danish.reload()
    danish.locator(".accept:has-text('Right')").wait_for()


def test_a_box_moved_while_the_next_picture_is_on_its_way_stays_moved(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    propose: Callable[..., Proposal],
    labels_of: LabelsOf,
) -> None:
    folder, ids = make_set(5)
    with PhotoSet.open(folder) as photos:
        photos.propose(ids[0], propose([((100, 100, 160, 140), "trotter")]))
    desk = open_page(serve(folder).url)
    last = f"**/api/photos/{ids[-1]}"
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    desk.page.route(last, hold)
    desk.page.reload()  # a page that is open already may send its first request past the route
    desk.page.wait_for_selector(".pig")
    with desk.page.expect_request(last):
        desk.press("End")
    desk.press("ArrowRight")
    held[0].continue_()
    desk.at(ids[-1])
    desk.saved()
    assert labels_of(folder, ids[0]).pigs[0].box == (101, 100, 161, 140)


def test_single_keys_can_be_switched_off(
    make_set: MakeSet, serve: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    folder, ids = make_set(2)
    desk = open_page(serve(folder).url)
    desk.page.get_by_role("button", name="Settings").click()
    desk.page.get_by_label("Single keys work").uncheck()
    desk.press("Escape")
    desk.press("r")
    desk.press("n")
    desk.page.wait_for_timeout(300)
    assert desk.shown == ids[0]
    assert desk.page.locator(".pig").count() == 0
    desk.page.get_by_role("button", name="New box").focus()
    desk.press("Enter")
    desk.page.get_by_role("button", name="Trotter").focus()
    desk.press("Space")
    desk.page.locator(".accept").focus()
    desk.press("Enter")
    desk.at(ids[1])


def test_a_new_picture_opens_at_the_pigs_when_asked(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    propose: Callable[..., Proposal],
) -> None:
    folder, ids = make_set(2, size=(1920, 1080))
    with PhotoSet.open(folder) as photos:
        for photo_id in ids:
            photos.propose(photo_id, propose([((100, 100, 160, 140), "trotter")]))
    desk = open_page(serve(folder).url)
    scale = desk.scale
    desk.press("z")
    assert desk.scale > 5 * scale
    desk.press("z")
    assert desk.scale == pytest.approx(scale)
    desk.press("p")
    desk.press("k")
    desk.at(ids[1])
    assert desk.scale > 5 * scale
