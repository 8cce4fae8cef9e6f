"""What the server refuses: foreign names and pages, sizes, rates, tricks with paths and frames."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from vision.web.guard import MOST_BODY, Limits

GAME = {"players": ["Anna", "Bo"]}


def seq(house: Any) -> int:
    return int(house.game["seq"])


@pytest.fixture
def dial(house: Any) -> Iterator[Callable[..., ClientConnection]]:
    """Open sockets to the page."""
    with ExitStack() as opened:

        def open_(path: str = "ws", **options: Any) -> ClientConnection:
            url = house.url.replace("http", "ws") + path
            made: ClientConnection = opened.enter_context(
                connect(url, open_timeout=120, close_timeout=2, **options)
            )
            return made

        yield open_


def until_closed(socket_: ClientConnection) -> int | None:
    """Read until the server closes; gives its code."""
    try:
        while True:
            socket_.recv(timeout=120)
    except ConnectionClosed as closed:
        return None if closed.rcvd is None else closed.rcvd.code


@pytest.mark.parametrize("path", ["/", "/api/table", "/static/app.js"])
def test_another_sites_name_gets_nothing(house: Any, path: str) -> None:
    answer = house.http.get(path, headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert answer.json()["error"] == "host"


@pytest.mark.parametrize("host", ["localhost:{port}", "127.0.0.1:{port}", "[::1]:{port}"])
def test_the_computers_own_names_are_fine(house: Any, host: str) -> None:
    named = host.format(port=house.place.doors.port)
    assert house.http.get("/api/table", headers={"Host": named}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_other_sites_change_nothing(house: Any, headers: dict[str, str]) -> None:
    house.start()
    before = seq(house)
    path = f"/api/games/{house.game['id']}/stop"
    answer = house.http.post(path, json={"expected_seq": before}, headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (403, "origin")
    assert seq(house) == before
    assert not house.game["over"]


def test_the_pages_own_origin_may_write(house: Any) -> None:
    origin = house.url.rstrip("/")
    answer = house.http.post("/api/games", json=GAME, headers={"Origin": origin})
    assert answer.status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_needs_no_leave_of_the_browser_is_refused(house: Any, kind: str) -> None:
    body = json.dumps(GAME).encode()
    answer = house.http.post("/api/games", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 415
    assert house.place.room.view.game is None


def test_a_body_too_large_is_refused_by_its_length(house: Any) -> None:
    body = {"players": ["x" * MOST_BODY]}
    assert house.http.post("/api/games", json=body).status_code == 413


def test_a_body_too_large_is_refused_also_when_it_hides_its_length(house: Any) -> None:
    def drip() -> Iterator[bytes]:
        for _ in range(2 + MOST_BODY // 4096):
            yield b" " * 4096

    headers = {"Content-Type": "application/json"}
    answer = house.http.post("/api/games", content=drip(), headers=headers)
    assert answer.status_code in (400, 413)
    assert house.http.get("/api/table").status_code == 200


def test_who_writes_too_often_is_slowed_down(open_house: Any) -> None:
    house = open_house(limits=Limits(writes=(3, 0.0)))
    answers = [house.http.post("/api/camera/reset", json={}) for _ in range(5)]
    assert [a.status_code for a in answers] == [409, 409, 409, 429, 429]
    assert answers[-1].headers["Retry-After"]
    assert house.http.get("/api/table").status_code == 200  # looking is never limited


def test_guessing_the_code_gets_nowhere(house: Any) -> None:
    answers = [house.http.post("/api/join", json={"code": f"AAAA{n}"}) for n in range(8)]
    assert {a.status_code for a in answers[:5]} == {403}
    assert {a.status_code for a in answers[5:]} == {429}
    right = house.http.post("/api/join", json={"code": house.place.membership.code})
    assert right.status_code == 429  # nor does the right code, once too many were wrong


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP"])
def test_what_comes_through_a_proxy_is_not_the_host(house: Any, header: str) -> None:
    answer = house.http.get("/api/table", headers={header: "10.0.0.7"})
    assert (answer.status_code, answer.json()["error"]) == (401, "join_first")


@pytest.mark.parametrize(
    "path",
    [
        "/static/../page.py",
        "/static/..%2fpage.py",
        "/static/%2e%2e/%2e%2e/cli.py",
        "/static//etc/passwd",
        "/static/..\\page.py",
        "/locales/../static/app.js",
        "/locales/%2e%2e%2fpage.py",
        "/locales/en.json%00.js",
        "/api/sights/1/..%2f..%2fsecret.jpg",
        "/api/games/..%2f..%2fpage0/entries/1/table.jpg",
        "/api/games/%2e%2e/sheet",
        "/secret.json",
        "/page0/secret.json",
    ],
)
def test_no_path_leads_out_of_the_page(house: Any, path: str) -> None:
    port = house.place.doors.port
    with socket.create_connection(("127.0.0.1", port), timeout=120) as raw:
        raw.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()
        )
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    status = int(answer.split(b" ", 2)[1])
    assert status in (400, 404, 405, 422)
    for leak in (b"secret", b"import ", b"root:", b"Traceback"):
        assert leak not in answer.partition(b"\r\n\r\n")[2]


def test_pages_and_answers_carry_the_headers_of_safety(house: Any) -> None:
    page = house.http.get("/").headers
    policy = page["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src 'self' 'sha256-" in policy
    assert "unsafe" not in policy.partition("script-src")[2].partition(";")[0]
    assert "frame-ancestors 'none'" in policy
    answer = house.http.get("/api/table").headers
    assert answer["Cache-Control"] == "no-store"
    assert answer["Content-Security-Policy"].startswith("default-src 'none'")
    for headers in (page, answer, house.http.get("/static/app.js").headers):
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "server" not in headers


def test_a_socket_of_another_site_is_not_opened(dial: Any) -> None:
    for path in ("ws", "ws/camera", "ws/phone"):
        with pytest.raises(InvalidStatus) as refused:
            dial(path, origin="http://evil.example")
        assert refused.value.response.status_code == 403


def test_a_socket_needs_to_have_joined(dial: Any) -> None:
    with pytest.raises(InvalidStatus):
        dial("ws", additional_headers={"X-Forwarded-For": "10.0.0.7"})


@pytest.mark.parametrize("path", ["ws", "ws/camera"])
@pytest.mark.parametrize("frame", [b"\x00\xff", "x" * 4000, "{" * 100])
def test_frames_that_no_page_sends_close_the_socket(
    house: Any, dial: Any, path: str, frame: str | bytes
) -> None:
    socket_ = dial(path)
    socket_.send(frame)
    assert until_closed(socket_) == 1008
    assert house.http.get("/api/table").status_code == 200


def test_a_page_that_floods_is_cut_off(house: Any, dial: Any) -> None:
    socket_ = dial("ws")
    with suppress(ConnectionClosed):
        for _ in range(400):
            socket_.send("taken")
    assert until_closed(socket_) in (1008, None)
    assert house.http.get("/api/table").status_code == 200


def test_a_phone_that_sends_rubbish_is_no_camera(house: Any, dial: Any, until: Any) -> None:
    phone = dial("ws/phone")
    phone.send(b"\xff\xd8 not really a picture")
    assert phone.recv(timeout=120) == "taken"
    phone.send("words")
    assert until_closed(phone) == 1008
    assert house.http.get("/api/table").status_code == 200


def test_the_secret_and_the_code_are_in_no_answer_to_strangers(open_house: Any) -> None:
    house = open_house()
    stranger = {"X-Forwarded-For": "10.0.0.7"}
    told = [house.http.get(p, headers=stranger) for p in ("/", "/api/me", "/api/invitation")]
    assert [a.status_code for a in told] == [200, 200, 401]
    assert not any(house.place.membership.code in a.text for a in told)


def test_a_forged_ticket_is_none(house: Any) -> None:
    stranger = {"X-Forwarded-For": "10.0.0.7"}
    for ticket in ("", "x", "AAAA.BBBB", "AAAA", "." * 50, "\u00e6"):
        cookie = f"sooee={ticket}".encode()
        answer = httpx.get(f"{house.url}api/table", headers=[(b"Cookie", cookie), *_raw(stranger)])
        assert answer.status_code == 401


def _raw(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(k.encode(), v.encode()) for k, v in headers.items()]
