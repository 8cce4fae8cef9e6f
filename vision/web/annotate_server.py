"""Runs the annotation page's server until it is ended."""

from __future__ import annotations

import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from vision.errors import VisionError
from vision.photos.photo_set import PhotoSet
from vision.photos.proposer import Proposer
from vision.web.annotate_app import create_app


@dataclass(frozen=True, slots=True)
class Served:
    """How the page is served: with the model's proposals, in the browser at once, for whom."""

    model: bool = True
    browser: bool = True
    who: str = ""


def serve(
    photos: PhotoSet, listening: socket.socket, how: Served, tell: Callable[[str], None]
) -> None:
    """Serve until interrupted; `tell` prints the address and, for other machines, the code."""
    import uvicorn

    host, port = listening.getsockname()[:2]
    here = host in ("127.0.0.1", "::1")
    code = "" if here else f"{secrets.randbelow(10**8):08d}"
    proposer = Proposer(photos) if how.model else None
    app = create_app(photos, proposer, code=code, who=how.who)
    local = f"http://127.0.0.1:{port}/"
    tell(f"{photos.folder}: {local}  (Ctrl+C ends; everything is saved as you go)")
    if code:
        tell(f"from other machines: http://{_address()}:{port}/  code {code}")
    if how.browser:
        threading.Timer(0.7, webbrowser.open, [local]).start()
    config = uvicorn.Config(
        app, log_level="warning", timeout_graceful_shutdown=3, access_log=False, ws="none"
    )
    with suppress(KeyboardInterrupt):  # how a person ends it
        uvicorn.Server(config).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """Open a port; `VisionError` says what to do when it cannot be had.

    The protocol is named: asyncio switches Nagle's algorithm off only for sockets that say they
    are TCP, and with it on every answer of two parts waits 40 ms for the other side.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if not hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows would let two have one port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(128)
    except OSError as error:
        raise VisionError(
            f"cannot listen on {host}:{port}: {error.strerror or error}; "
            "choose another port with --port"
        ) from error
    return made


def _address() -> str:
    """Give this machine's address in its network; nothing is sent."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    except OSError:
        return socket.gethostname()
    finally:
        probe.close()
