"""A live camera under supervision: the newest frame only, and it is opened again when it fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

from vision.capture.frame import Frame, FrameSource
from vision.capture.health import FROZEN, FreezeWatch
from vision.capture.sources import open_source
from vision.errors import CaptureError, VisionError


@dataclass(frozen=True, slots=True)
class Trouble:
    """The camera gives no pictures: why and what to do, in one line; `time_s` monotonic."""

    text: str
    time_s: float


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds.

    `first_s` for the first picture after opening, `stall_s` for the next one; `back_off_s`
    before the first try to open again, doubled each time up to `longest_s`.
    """

    first_s: float = 6.0
    stall_s: float = 2.0
    back_off_s: float = 0.5
    longest_s: float = 8.0


class _Reader:
    """Opens and reads one source in a thread of its own, and keeps the newest frame.

    OpenCV cannot be interrupted: a reader that hangs is left behind, and lets go of its camera
    when the driver lets go of it.
    """

    def __init__(self, source: FrameSource, changed: threading.Condition) -> None:
        self._source = source
        self._changed = changed
        self._stopping = False
        self._newest: Frame | None = None
        self._started = False
        self.error: VisionError | None = None
        self._thread = threading.Thread(target=self._run, name="sooee-camera", daemon=True)
        self._thread.start()

    def stop(self, wait_s: float = 0.0) -> None:
        """Stop after the frame that is being read; wait for that at most so long."""
        self._stopping = True
        if wait_s:
            self._thread.join(wait_s)

    @property
    def fresh(self) -> bool:
        """Whether there is a frame that was not taken yet."""
        return self._newest is not None

    @property
    def started(self) -> bool:
        """Whether it ever gave a frame."""
        return self._started

    def take(self) -> Frame | None:
        """Give the newest frame, once."""
        frame, self._newest = self._newest, None
        return frame

    def _run(self) -> None:
        try:
            with self._source as frames:
                for frame in frames:
                    if self._stopping:
                        return
                    with self._changed:
                        self._newest, self._started = frame, True
                        self._changed.notify_all()
            self._fail(CaptureError(f"{self._source.name} has ended"))
        except VisionError as error:
            self._fail(error)

    def _fail(self, error: VisionError) -> None:
        with self._changed:
            self.error = error
            self._changed.notify_all()


class Supervisor:
    """Gives the newest frame of a live source each time, or the `Trouble` it is in.

    A frame that nobody took in time is skipped, never given late. Entering opens the camera and
    raises `CaptureError` when that fails; after that it is opened again and again, each time
    after a longer pause, and each new trouble is given once.
    """

    live = True

    def __init__(self, make: Callable[[], FrameSource], patience: Patience | None = None) -> None:
        self._make = make
        self._patience = patience or Patience()
        self._changed = threading.Condition()
        self._freeze = FreezeWatch()
        self._reader: _Reader | None = None
        self._closed = False
        self.name = ""

    def __enter__(self) -> Self:
        reader = self._open()
        with self._changed:
            self._changed.wait_for(
                lambda: reader.started or reader.error is not None, self._patience.first_s
            )
        if not reader.started:
            self.close()
            raise reader.error or CaptureError(f"{self.name} gives no picture; plug it in again")
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop reading; an iteration that is going on ends. Any thread may call it."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._reader is not None:
            self._reader.stop(wait_s=self._patience.stall_s)

    def __iter__(self) -> Iterator[Frame | Trouble]:
        pause_s = self._patience.back_off_s
        told = ""
        while not self._closed:
            reader = self._reader or self._open()
            frame, trouble = self._next(reader)
            if frame is not None and self._freeze.frozen(frame):
                trouble = FROZEN
            if trouble:
                reader.stop()
                self._reader = None
                if trouble != told:
                    told = trouble
                    yield Trouble(trouble, time.monotonic())
                self._sleep(pause_s)
                pause_s = min(2 * pause_s, self._patience.longest_s)
            elif frame is not None:
                pause_s, told = self._patience.back_off_s, ""
                yield frame

    def _open(self) -> _Reader:
        source = self._make()
        self.name = source.name
        self._reader = _Reader(source, self._changed)
        return self._reader

    def _next(self, reader: _Reader) -> tuple[Frame | None, str]:
        """Wait for a frame; gives it, or what is wrong, or neither when closed meanwhile."""
        patience = self._patience
        with self._changed:
            wait_s = patience.stall_s if reader.started else patience.first_s
            self._changed.wait_for(
                lambda: reader.fresh or reader.error is not None or self._closed, wait_s
            )
            if self._closed:
                return None, ""
            frame = reader.take()
            if frame is not None:
                return frame, ""
            if reader.error is not None:
                return None, str(reader.error)
        return None, f"{self.name} has given no picture for {wait_s:.0f} s; is its cable in?"

    def _sleep(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed, seconds)


def watched(text: str) -> FrameSource | Supervisor:
    """Give the source that a word names: a file as it is, a camera under supervision."""
    source = open_source(text)
    return Supervisor(lambda: open_source(text)) if source.live else source
