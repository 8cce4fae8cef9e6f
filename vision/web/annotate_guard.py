"""What every request of the annotation page passes first: from whom, from where, how big.

The scoreboard has a guard of its own (`guard.py`), made for small JSON and for players who join;
here pictures and videos come in, and whoever has the code may do everything.
"""

from __future__ import annotations

import hmac
import ipaddress
import json
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "sooee_photos_code"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_BODY = 256 * 1024
_TRIES, _TRIES_S = 20, 60.0
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


@dataclass(frozen=True, slots=True)
class Door:
    """Who is let in.

    `code` is asked of everyone who is not on this machine, empty for nobody; `open_paths` need
    none (the page's own files; one that ends in a slash stands for all below it); `max_body` is
    the bytes a request may carry, for the paths that may carry more than others.
    """

    code: str = ""
    open_paths: tuple[str, ...] = ()
    max_body: Mapping[str, int] = field(default_factory=dict)

    def limit(self, path: str) -> int:
        """Give the most bytes a request to `path` may carry."""
        return self.max_body.get(path, _BODY)

    def is_open(self, path: str) -> bool:
        """Whether `path` needs no code."""
        return any(path == p or (p != "/" and p.endswith("/") and path.startswith(p))
                   for p in self.open_paths)  # fmt: skip


class Guard:
    """Refuses what does not come from the page itself or from somebody with the code."""

    def __init__(
        self, app: ASGIApp, door: Door, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._app = app
        self._door = door
        self._names = {"localhost", socket.gethostname().lower()}
        self._wrong: deque[float] = deque(maxlen=_TRIES)
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with 400, 401, 403, 413 or 429."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # no WebSockets here
        headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]}
        limit = self._door.limit(scope["path"])
        refusal = self._refusal(scope, headers, limit)
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        await self._app(scope, _limited(receive, limit), _with_headers(send))

    def _refusal(
        self, scope: Scope, headers: Mapping[str, str], limit: int
    ) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if not self._is_ours(host):
            return 400, "this server is not called so"
        if scope["method"] not in _SAFE and not _same_origin(headers, host):
            return 403, "only this server's own page may do that"
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > limit:
            return 413, f"at most {limit:,} bytes"
        return self._closed(scope, headers)

    def _is_ours(self, host: str) -> bool:
        """Tell whether a Host header names this machine: an address, or one of its names.

        Any other name may be one that a foreign page points at this machine.
        """
        name = host if host.endswith("]") else host.rsplit(":", 1)[0]
        name = name.strip("[]").lower()
        if name in self._names or name.removesuffix(".local") in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _closed(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        if not self._door.code or _is_here(scope) or self._door.is_open(scope["path"]):
            return None
        given = _cookie(headers.get("cookie", ""))
        if given and hmac.compare_digest(given.encode(), self._door.code.encode()):
            return None
        if given and not self._may_try():
            return 429, "too many wrong codes; wait a minute"
        return 401, "the code that the program printed is needed"

    def _may_try(self) -> bool:
        """Note a wrong code; after twenty within a minute no more are looked at."""
        now = self._clock()
        full = len(self._wrong) == _TRIES and now - self._wrong[0] < _TRIES_S
        if not full:
            self._wrong.append(now)
        return not full


def _is_here(scope: Scope) -> bool:
    client = scope.get("client")
    try:
        return client is not None and ipaddress.ip_address(client[0]).is_loopback
    except ValueError:
        return False


def _same_origin(headers: Mapping[str, str], host: str) -> bool:
    """Tell whether a request comes from this server's page, or from no browser at all."""
    origin = headers.get("origin")
    if origin is not None:
        return origin.partition("://")[2].lower() == host.lower()
    return headers.get("sec-fetch-site", "none") in ("same-origin", "none")


def _cookie(header: str) -> str:
    try:
        jar = SimpleCookie(header)
    except CookieError:
        return ""
    morsel = jar.get(COOKIE)
    return "" if morsel is None else morsel.value


def _limited(receive: Receive, limit: int) -> Receive:
    """Cut off a body that grows beyond the limit without having said so."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return message if seen <= limit else {"type": "http.disconnect"}

    return limited


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            have = {k.lower() for k, _ in message["headers"]}
            more = ((k, v) for k, v in _HEADERS if k not in have)
            message["headers"] = [*message["headers"], *more]
        await send(message)

    return sending


async def _refuse(send: Send, status: int, why: str) -> None:
    start: dict[str, Any] = {
        "type": "http.response.start",
        "status": status,
        "headers": [(b"content-type", b"application/json"), *_HEADERS],
    }
    await send(start)
    await send({"type": "http.response.body", "body": json.dumps({"detail": why}).encode()})
