"""What tests of every part share: nothing is waited for on a clock of its own, or for ever."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # What a shell runs in its background is deaf to Ctrl-C, and so would be the tests' programs.
    signal.signal(signal.SIGINT, signal.default_int_handler)

DEADLINE_S = 480.0
"""Far longer than any test's program takes on a busy machine, shorter than pytest's own limit."""

Until = Callable[[Callable[[], object]], None]
Watchdog = Callable[["subprocess.Popen[Any]"], None]


@pytest.fixture(scope="session")
def until() -> Until:
    """Wait until something holds; it is an error if it never does."""

    def wait(holds: Callable[[], object]) -> None:
        deadline = time.monotonic() + DEADLINE_S
        while not holds():
            if time.monotonic() > deadline:
                raise AssertionError("it never came to that")
            time.sleep(0.02)

    return wait


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
