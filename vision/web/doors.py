"""Where the server listens: at the computer itself, and, once asked, for phones in the house."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from vision.web.addresses import lan_addresses, own_names
from vision.web.certificate import local_certificate
from vision.web.errors import DoorError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  # only ever opened on the host's wish
MOST_MESSAGE = 4 * 1024 * 1024
_CLOSE_S = 2


@dataclass(frozen=True, slots=True)
class Door:
    """One place to listen; `secure` speaks HTTPS."""

    port: int
    secure: bool
    fingerprint: str | None = None


class _Server(uvicorn.Server):
    """A server whose signals are the program's business."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave the signals alone."""
        yield


class Doors:
    """The doors of one program, all to the same page.

    The first listens on `host` and `port` as told. `open_lan` and `open_secure` add one for the
    local network, each once; belongs to one event loop.
    """

    def __init__(self, host: str, port: int, folder: Path, public_url: str | None = None) -> None:
        self.host, self.port, self._folder = host, port, folder
        self._public_url = public_url
        self._app: ASGIApp | None = None
        self._running: list[tuple[_Server, asyncio.Task[None]]] = []
        self._lan: Door | None = None
        self._secure: Door | None = None
        self._lock = asyncio.Lock()

    @property
    def names(self) -> frozenset[str]:
        """The host names the page goes by, addresses in figures aside."""
        extra = set()
        if self._public_url:
            extra.add(self._public_url.partition("://")[2].partition("/")[0].partition(":")[0])
        if not self.host.replace(".", "").isdecimal() and ":" not in self.host:
            extra.add(self.host)
        return own_names() | {n.lower() for n in extra}

    @property
    def local_url(self) -> str:
        """The address at this computer."""
        host = "127.0.0.1" if self.host in _EVERYWHERE else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def lan_urls(self) -> tuple[str, ...]:
        """The addresses for others in the house; none while no door is open to them."""
        if self._public_url:
            return (self._public_url.rstrip("/") + "/",)
        if self._lan is None:
            return ()
        return tuple(f"http://{a}:{self._lan.port}/" for a in self._reachable())

    @property
    def secure(self) -> Door | None:
        """The door that speaks HTTPS, once open."""
        return self._secure

    @property
    def secure_urls(self) -> tuple[str, ...]:
        """The addresses by which a phone may hand over its camera."""
        if self._secure is None:
            return ()
        return tuple(f"https://{a}:{self._secure.port}/" for a in self._reachable())

    def listen(self) -> socket.socket:
        """Take the first door's port; `DoorError` says who has it, or what to do."""
        bound = _bind(self.host, self.port)
        self.port = bound.getsockname()[1]
        if self.host in _EVERYWHERE or not _is_here(self.host):
            self._lan = Door(self.port, secure=False)
        return bound

    async def serve(self, app: ASGIApp, bound: socket.socket) -> None:
        """Serve the page until `close`."""
        self._app = app
        server = _Server(_config(app))
        task = asyncio.ensure_future(server.serve(sockets=[bound]))
        self._running.append((server, task))
        await task

    async def open_lan(self) -> None:
        """Let others in the house in."""
        async with self._lock:
            if self._lan is None:
                port = await self._open(self.port + 1, {})
                self._lan = Door(port, secure=False)

    async def open_secure(self) -> None:
        """Let a phone hand over its camera: HTTPS, with a certificate made on first use."""
        async with self._lock:
            if self._secure is None:
                names = sorted(own_names() | {"localhost"})
                addresses = ["127.0.0.1", *lan_addresses()]
                found = await asyncio.to_thread(local_certificate, self._folder, addresses, names)
                options = {"ssl_certfile": str(found.file), "ssl_keyfile": str(found.key)}
                port = await self._open(self.port + 2, options)
                self._secure = Door(port, secure=True, fingerprint=found.fingerprint)

    async def close(self) -> None:
        """Close every door."""
        for server, _ in self._running:
            server.should_exit = True
        await asyncio.gather(*(task for _, task in self._running), return_exceptions=True)

    async def _open(self, port: int, options: dict[str, str]) -> int:
        if self._app is None:
            raise DoorError("the server is not running yet")
        try:
            bound = _bind(_EVERYWHERE[0], port)
        except DoorError:
            bound = _bind(_EVERYWHERE[0], 0)
        server = _Server(_config(self._app, **options))
        self._running.append((server, asyncio.ensure_future(server.serve(sockets=[bound]))))
        return int(bound.getsockname()[1])

    def _reachable(self) -> tuple[str, ...]:
        if self.host not in _EVERYWHERE and not _is_here(self.host):
            return (self.host,)
        return lan_addresses()


def _config(app: ASGIApp, **options: str) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        lifespan="off",
        log_level="warning",
        access_log=False,  # addresses of pages are nobody's business
        proxy_headers=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=MOST_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=_CLOSE_S,
        **options,  # type: ignore[arg-type]
    )


def _is_here(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named: only then does asyncio switch Nagle's algorithm off, and with it on an
    # answer of two parts waits 40 ms for the other side.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if not hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(128)
    except (OSError, OverflowError) as error:
        bound.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise DoorError(
            f"cannot listen on {host}, port {port}: {reason}; is sooee running already? "
            "Choose another port with --port"
        ) from error
    bound.setblocking(False)
    return bound
