"""A training asks nobody anything: what its libraries would fetch, they do without."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn


@contextmanager
def offline() -> Iterator[None]:
    """Let nothing in this process find another machine by name or number meanwhile.

    Ultralytics would fetch a data set that is not there, a font for its plots, weights and
    Python packages, and ask whether there is a newer version.
    """
    # Read when Ultralytics is imported: it then does not ask, nor install what it lacks.
    os.environ.update(YOLO_OFFLINE="true", YOLO_AUTOINSTALL="false")
    looked_up = socket.getaddrinfo

    def refuse(host: Any, *_args: Any, **_named: Any) -> NoReturn:
        raise socket.gaierror(socket.EAI_FAIL, f"a training does not ask {host}")

    socket.getaddrinfo = refuse
    try:
        yield
    finally:
        socket.getaddrinfo = looked_up
