"""Work that must be done by a deadline, whatever a driver or a network does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from vision.errors import CaptureError

T = TypeVar("T")


class _Attempt:
    """One piece of work in a thread of its own, and who takes what it gives."""

    def __init__(self, work: Callable[[], T], too_late: Callable[[T], None]) -> None:
        self._lock = threading.Lock()
        self._abandoned = False
        self.done = threading.Event()
        self.result: list[T] = []
        self.error: Exception | None = None

        def run() -> None:
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 - raised again by the thread that waits
                self.error = error
                self.done.set()
                return
            with self._lock:
                if not self._abandoned:
                    self.result.append(result)
                    self.done.set()
                    return
            too_late(result)

        threading.Thread(target=run, name="sooee-open", daemon=True).start()

    def abandon(self) -> bool:
        """Give up waiting; False when the work was done in that very moment."""
        with self._lock:
            self._abandoned = not self.done.is_set()
            return self._abandoned


def within(
    seconds: float,
    work: Callable[[], T],
    *,
    late: str,
    too_late: Callable[[T], None] = lambda _: None,
) -> T:
    """Give `work()`, or raise `CaptureError(late)` when it takes longer than `seconds`.

    The work cannot be interrupted: it goes on in its own thread, and what it gives after the
    deadline is handed to `too_late`, which lets go of it. Its errors are raised here.
    """
    attempt = _Attempt(work, too_late)
    if not attempt.done.wait(seconds) and attempt.abandon():
        raise CaptureError(late)
    if attempt.error is not None:
        raise attempt.error
    return attempt.result[0]  # type: ignore[return-value]
