"""What the annotation page calls things that the server has no words of the page's language for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vision.photos import arrivals
from vision.photos.photo_set import PhotoSet

MakeSet = Callable[..., tuple[Path, list[int]]]


@pytest.mark.parametrize(("locale", "words"), [("en-GB", "no session"), ("da-DK", "ingen omgang")])
def test_a_picture_of_no_session_is_headed_in_the_language_of_the_page(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    table_picture: Callable[..., bytes],
    locale: str,
    words: str,
) -> None:
    folder, (photo_id, *_) = make_set(1)
    with PhotoSet.open(folder) as photos:
        arrivals.add(photos, table_picture(9, []), "z.png", session="friday")
        assert photos.photo(photo_id).session == arrivals.UNSORTED, "the word on the disk"
    desk = open_page(serve(folder).url, locale=locale)
    desk.at(photo_id)
    assert words in desk.page.inner_text(".which")
    assert words in desk.page.inner_text(".top select:last-of-type >> nth=-1")
    assert "unsorted" not in desk.page.evaluate("document.body.innerText")


def test_what_was_not_taken_in_is_said_in_danish(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    tmp_path: Path,
) -> None:
    folder, _ = make_set(1)
    desk = open_page(serve(folder).url, locale="da-DK", may_fail=True)
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8\xffnothing")
    (tmp_path / "film.mp4").write_bytes(b"no video")
    desk.page.get_by_role("button", name="Tilføj billeder").first.click()
    files = [str(tmp_path / name) for name in ("broken.jpg", "film.mp4")]
    desk.page.locator("input[type=file]").set_input_files(files)
    desk.page.wait_for_selector(
        "dialog .problems li:text-is('broken.jpg: det er ikke et billede, der kan læses')"
    )
    desk.page.wait_for_selector("dialog p .bad:text-is('det kan ikke læses som video')")
    assert desk.page.locator("dialog [lang=en]").count() == 0
