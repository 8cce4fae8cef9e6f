"""What every request passes first: this host, this page, a member, not too much, not too often."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from vision.web.limits import Buckets
from vision.web.membership import COOKIE, Membership

MOST_BODY = 64 * 1024
_SAFE = ("GET", "HEAD", "OPTIONS")
_FORWARDED = (b"x-forwarded-for", b"forwarded", b"x-real-ip", b"x-forwarded-host")
_OPEN = ("/api/join", "/api/me")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_API_HEADERS = (
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
)


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks: `host` sits at the computer itself, `member` has joined by the code."""

    host: bool
    member: bool
    address: str

    @property
    def known(self) -> bool:
        """Whether they may see the game."""
        return self.host or self.member


@dataclass(frozen=True, slots=True)
class Limits:
    """Writes by one address, and guesses of the join code by one and by all: at once, a second."""

    writes: tuple[float, float] = (60, 20)
    guesses: tuple[float, float] = (5, 1 / 20)
    all_guesses: tuple[float, float] = (30, 1 / 4)


class Guard:
    """ASGI middleware: names, origins, sizes, rates, and who has joined.

    `names` gives the host names this server goes by; addresses in figures always pass, since
    no other site can claim them (DNS rebinding).
    """

    def __init__(
        self,
        app: ASGIApp,
        membership: Membership,
        names: Callable[[], frozenset[str]],
        limits: Limits | None = None,
    ) -> None:
        self._app, self._membership, self._names = app, membership, names
        limits = limits or Limits()
        self._writes = Buckets(*limits.writes)
        self._guesses = Buckets(*limits.guesses)
        self._all_guesses = Buckets(*limits.all_guesses)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        visitor = self._visitor(scope, headers)
        scope["visitor"] = visitor
        refusal = self._refusal(scope, headers, visitor)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        inside = _Counted(receive) if scope["type"] == "http" else receive
        try:
            await self._app(scope, inside, _with_headers(scope, send))
        except _TooLargeError:
            await _refuse(scope, send, 413, "too_large", f"a body has at most {MOST_BODY} bytes")

    def _visitor(self, scope: Scope, headers: dict[bytes, bytes]) -> Visitor:
        client = scope.get("client")
        address = client[0] if client else ""
        near = _is_loopback(address) and not any(name in headers for name in _FORWARDED)
        host = near and _is_own_name(_hostname(headers))
        return Visitor(host, self._membership.knows(_ticket(headers)), address)

    def _refusal(  # noqa: PLR0911
        self, scope: Scope, headers: dict[bytes, bytes], visitor: Visitor
    ) -> tuple[int, str, str] | None:
        if not self._goes_by(_hostname(headers)):
            return 421, "host", "this server does not go by that name"
        path, socket = scope["path"], scope["type"] == "websocket"
        writes = socket or scope["method"] not in _SAFE
        if writes and not _same_origin(headers):
            return 403, "origin", "only pages of this server may do that"
        if path == "/api/join" and writes:
            if not self._guesses.take(visitor.address) or not self._all_guesses.take(""):
                return 429, "slow_down", "too many tries; wait a minute"
        elif writes and not self._writes.take(visitor.address):
            return 429, "slow_down", "too much at once; wait a moment"
        if (path.startswith(("/api/", "/ws")) and path not in _OPEN) and not visitor.known:
            return 401, "join_first", "join with the code on the host's screen first"
        if writes and not socket:
            return _bad_body(headers)
        return None

    def _goes_by(self, hostname: str) -> bool:
        return _is_address(hostname) or hostname in self._names() or _is_own_name(hostname)


class _TooLargeError(Exception):
    """A body without a length turned out too large."""


class _Counted:
    """Receives a body and stops when it grows too large."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._bytes = receive, 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._bytes += len(message.get("body", b""))
        if self._bytes > MOST_BODY:
            raise _TooLargeError
        return message


def _headers(scope: Scope) -> dict[bytes, bytes]:
    return {name.lower(): value for name, value in scope["headers"]}


def _hostname(headers: dict[bytes, bytes]) -> str:
    host = headers.get(b"host", b"").decode("latin-1").strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host


def _is_address(hostname: str) -> bool:
    try:
        ipaddress.ip_address(hostname)
    except ValueError:
        return False
    return True


def _is_own_name(hostname: str) -> bool:
    return hostname == "localhost" or _is_loopback(hostname)


def _is_loopback(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return bool((mapped or found).is_loopback)


def _same_origin(headers: dict[bytes, bytes]) -> bool:
    """Tell whether a page of this server asks, or a program that is no browser."""
    origin = headers.get(b"origin")
    if origin is not None:
        return origin.lower().partition(b"://")[2] == headers.get(b"host", b"").lower()
    return headers.get(b"sec-fetch-site", b"none") in (b"same-origin", b"none")


def _ticket(headers: dict[bytes, bytes]) -> str:
    try:
        cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


def _bad_body(headers: dict[bytes, bytes]) -> tuple[int, str, str] | None:
    length = headers.get(b"content-length", b"")
    if length.isdigit() and int(length) > MOST_BODY:
        return 413, "too_large", f"a body has at most {MOST_BODY} bytes"
    kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    if length not in (b"", b"0") and kind != b"application/json":
        return 415, "not_json", "a body is application/json"
    return None


async def _refuse(scope: Scope, send: Send, status: int, code: str, message: str) -> None:
    if scope["type"] == "websocket":
        # Closing before accepting answers the handshake with 403.
        await send({"type": "websocket.close", "code": 4000 + status % 1000, "reason": code})
        return
    body = json.dumps({"error": code, "message": message}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if status == 429:
        headers.append((b"retry-after", b"20"))
    start: dict[str, Any] = {
        "type": "http.response.start",
        "status": status,
        "headers": [*headers, *_HEADERS, *_API_HEADERS],
    }
    await send(start)
    await send({"type": "http.response.body", "body": body})


def _with_headers(scope: Scope, send: Send) -> Send:
    """Add the headers of safety to whatever is answered."""
    if scope["type"] == "websocket":
        return send

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            named = {name.lower() for name, _ in message["headers"]}
            more = _HEADERS + (_API_HEADERS if scope["path"].startswith("/api/") else ())
            message["headers"] = [
                *message["headers"],
                *((name, value) for name, value in more if name not in named),
            ]
        await send(message)

    return sent
