"""Joining from another device: the code, the roles, the phone as camera."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from vision.web.addresses import lan_addresses

Visit = Callable[..., Any]

pytestmark = pytest.mark.skipif(
    not lan_addresses(), reason="this machine has no address in a local network"
)


@pytest.fixture
def guest_url(house: Any) -> str:
    """The address by which a phone in the house comes in, its door open."""
    found = house.http.post("/api/invitation/open", json={}).json()
    return str(found["urls"][0])


def test_a_guest_types_the_code_and_plays(house: Any, visit: Visit, guest_url: str) -> None:
    house.start()
    phone = visit(guest_url, may_fail=True, size="phone")
    page = phone.page
    page.wait_for_selector("text=Join the game")
    page.fill(".code-input", "WRONG1")
    phone.tap("join")
    page.wait_for_selector("text=That is not the code on the host's screen.")
    page.fill(".code-input", house.place.membership.code.lower())
    phone.tap("join")
    phone.pad("trotter", "snouter")
    phone.wait_turn(15)
    assert house.game["turn_points"] == 15


def test_the_code_of_the_qr_joins_by_itself_and_stays_for_next_time(
    house: Any, visit: Visit, guest_url: str
) -> None:
    house.start()
    phone = visit(guest_url, f"join/{house.place.membership.code}", may_fail=True, size="phone")
    phone.page.wait_for_selector("[data-player=Anna]")
    phone.page.reload()
    phone.page.wait_for_selector("[data-player=Anna]")
    assert house.place.membership.code not in phone.page.evaluate("location.href")
    cookies = phone.page.context.cookies()
    assert [(c["httpOnly"], c["sameSite"]) for c in cookies] == [(True, "Strict")]


def test_guests_that_may_only_look_on_have_nothing_to_tap(
    house: Any, visit: Visit, guest_url: str
) -> None:
    house.start()
    code = house.place.membership.code
    phone = visit(guest_url, f"join/{code}", may_fail=True, size="phone")
    phone.page.wait_for_selector("[data-do=undo]")
    house.http.patch("/api/settings", json={"guests": "watch"}).raise_for_status()
    phone.page.wait_for_selector("[data-do=undo]", state="detached")
    assert phone.page.locator("[data-pad]").count() == 0
    with httpx.Client(base_url=guest_url) as guest:
        guest.post("/api/join", json={"code": code}).raise_for_status()
        game = guest.get("/api/table").json()["game"]
        answer = guest.post(f"/api/games/{game['id']}/stop", json={"expected_seq": game["seq"]})
        assert answer.status_code == 403
        assert guest.post("/api/invitation/renew", json={}).status_code == 403
    assert not house.game["over"]


def test_a_new_code_sends_everybody_back_to_the_door(
    house: Any, visit: Visit, guest_url: str
) -> None:
    house.start()
    with httpx.Client(base_url=guest_url) as guest:
        code = house.place.membership.code
        guest.post("/api/join", json={"code": code}).raise_for_status()
        assert guest.get("/api/table").status_code == 200
        house.http.post("/api/invitation/renew", json={}).raise_for_status()
        assert guest.get("/api/table").status_code == 401
        assert guest.post("/api/join", json={"code": code}).status_code == 403


def test_the_invitation_shows_code_address_and_qr(house: Any, visit: Visit) -> None:
    screen = visit(house.url, "join")
    screen.tap("open-door")
    page = screen.page
    page.wait_for_selector(f"text={house.place.membership.code}")
    shown = page.inner_text(".ticket-url")
    assert shown == house.place.doors.lan_urls[0]
    assert screen.width_of(".qr") > 0


def test_a_phone_hands_over_its_camera(house: Any, visit: Visit, until: Any) -> None:
    house.start()
    screen = visit(house.url, "settings")
    screen.page.click("[data-camera=phone]")
    screen.page.wait_for_selector(".phone-help .qr")
    found = house.http.get("/api/invitation").json()
    address = found["phone_camera_urls"][0]
    assert address.startswith("https://")
    phone = visit(address, f"phone/{found['code']}", may_fail=True, size="phone")
    phone.tap("send")
    phone.page.wait_for_selector("[data-phone=sending]")
    until(lambda: house.place.room.view.camera.mode == "live")
    until(lambda: house.place.room.view.camera.width > 0)
    screen.page.wait_for_selector(".picture canvas[data-frames]")
    # Another phone takes over, and the first is told.
    second = visit(address, f"phone/{found['code']}", may_fail=True, size="phone")
    second.tap("send")
    second.page.wait_for_selector("[data-phone=sending]")
    phone.page.wait_for_selector("[data-phone=taken]")


def test_without_https_the_phone_is_told_why_it_cannot(
    house: Any, visit: Visit, guest_url: str
) -> None:
    code = house.place.membership.code
    phone = visit(guest_url, f"phone/{code}", may_fail=True, size="phone")
    phone.tap("send")
    phone.page.wait_for_selector("[data-phone=insecure]")


def test_a_program_listening_everywhere_needs_the_code_from_elsewhere(open_house: Any) -> None:
    house = open_house(host="0.0.0.0")
    url = house.place.doors.lan_urls[0]
    assert httpx.get(f"{url}api/table").status_code == 401
    assert house.http.get("/api/table").status_code == 200
    me = httpx.get(f"{url}api/me").json()
    assert (me["host"], me["member"], me["may_score"]) == (False, False, False)


def test_opening_the_door_twice_opens_it_once(house: Any) -> None:
    first = house.http.post("/api/invitation/open", json={}).json()["urls"]
    second = house.http.post("/api/invitation/open", json={}).json()["urls"]
    assert first == second
