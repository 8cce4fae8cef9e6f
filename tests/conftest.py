"""What tests of every part share."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

DEADLINE_S = 240.0
"""Far longer than any test's program takes on a busy machine, shorter than pytest's own limit."""

Watchdog = Callable[["subprocess.Popen[Any]"], None]


@pytest.fixture
def watchdog() -> Iterator[Watchdog]:
    """Kill a program that still runs at the deadline.

    Whoever waits for its next word then comes to the end of its output, and fails.
    """
    timers: list[threading.Timer] = []

    def guard(process: subprocess.Popen[Any]) -> None:
        timer = threading.Timer(DEADLINE_S, process.kill)
        timer.daemon = True
        timer.start()
        timers.append(timer)

    yield guard
    for timer in timers:
        timer.cancel()
