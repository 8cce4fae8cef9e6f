"""The camera of a room: a thread that reads frames, follows the table and tells the room."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vision.capture.area import Area
from vision.capture.frame import Frame, FrameSource
from vision.capture.supervise import Supervisor, Trouble
from vision.errors import VisionError
from vision.recognize.reading import Reading
from vision.table.advice import Advice, advise
from vision.table.live import follow
from vision.table.reader import Reader, of_camera, tell_moved
from vision.table.state import (
    HandHeld,
    Noticed,
    StateChanged,
    TableEvent,
    TableState,
    ThrowSeen,
)
from vision.table.watch import TableWatch
from vision.web.camera_view import CameraMode, CameraView, contact_of, discreet, pigs_of
from vision.web.errors import NoPictureError
from vision.web.pictures import Pictures
from vision.web.reasons import BROKEN, reason_of
from vision.web.room import Room
from vision.web.sights import take_sight

_AGAIN_S = 3.0
_LYING = (TableState.STILL, TableState.ASKING)

Feed = FrameSource | Supervisor


@dataclass(frozen=True, slots=True)
class Habits:
    """How a table is watched: its throwing area, and whether an open hand banks."""

    area: Area | None = None
    bank_by_hand: bool = False


class Camera:
    """One source, followed in a thread of its own until it is closed.

    `open_feed` gives the source, not yet entered; `open_reader` the recognizer, loaded in the
    thread. `habits` says, whenever the source is opened, how the table is watched. `paced` plays
    a file by its own clock, once somebody looks (`has_viewers`). A live source that cannot be
    opened is tried again every few seconds.
    """

    def __init__(
        self,
        room: Room,
        pictures: Pictures,
        source: str,
        open_feed: Callable[[], Feed],
        open_reader: Callable[[], Reader],
        *,
        habits: Callable[[], Habits],
        paced: bool = True,
        has_viewers: Callable[[], bool] = lambda: True,
    ) -> None:
        self._habits = habits
        self._room, self._pictures, self._source = room, pictures, source
        self._open_feed, self._open_reader = open_feed, open_reader
        self._paced, self._has_viewers = paced, has_viewers
        self._view = CameraView(CameraMode.STARTING, discreet(source))
        self._closing = threading.Event()
        self._feed: Feed | None = None
        self._watch: TableWatch | None = None
        self._reading: Reading | None = None
        self._unsubscribe = room.on_settled(self._answered)
        self._newest: Frame | None = None
        self._thread = threading.Thread(target=self._run, name="sooee-table", daemon=True)

    @property
    def source(self) -> str:
        """The word the camera was chosen by."""
        return self._source

    def start(self) -> None:
        """Begin; returns at once."""
        self._show()
        self._thread.start()

    def reset(self) -> None:
        """Forget what lies on the table, before the next frame."""
        if self._watch is not None:
            self._watch.request_reset()

    def advice(self) -> list[Advice]:
        """Return what is wrong with the newest picture; nothing found is an empty list."""
        if self._newest is None:
            raise NoPictureError("the camera gives no picture yet")
        lying = self._view.state in _LYING and self._reading is not None
        pigs = self._reading.pigs if lying and self._reading is not None else ()
        return advise(self._newest, pigs)

    def close(self, wait_s: float = 5.0) -> None:
        """Stop, and wait for the thread at most so long."""
        self._closing.set()
        self._unsubscribe()
        if isinstance(self._feed, Supervisor):
            self._feed.close()
        if self._thread.is_alive():
            self._thread.join(wait_s)

    def _run(self) -> None:
        ended = False
        try:
            self._watch_on()
            ended = True
        finally:
            if not ended:  # a fault of the program: said on the page, and told in the terminal
                self._show(mode=CameraMode.FAILED, state=None, reason=reason_of(BROKEN), pigs=())

    def _watch_on(self) -> None:
        try:
            reader = self._open_reader()
        except VisionError as error:
            self._fail(error)
            return
        while not self._closing.is_set():
            try:
                live = self._follow_once(reader)
            except VisionError as error:
                self._fail(error)
                live = True if self._feed is None else self._feed.live
            if not live or self._closing.wait(_AGAIN_S):
                return

    def _follow_once(self, reader: Reader) -> bool:
        """Follow the source to its end; tells whether it is worth opening again."""
        feed = self._feed = self._open_feed()
        if not feed.live and not self._wait_for_viewers():
            return False
        with feed as frames:
            if self._closing.is_set():
                return False
            habits = self._habits()
            area = habits.area
            self._watch = TableWatch(
                armed=not feed.live, area=area, bank_by_hand=habits.bank_by_hand
            )
            mode = CameraMode.LIVE if feed.live else CameraMode.CLIP
            self._show(mode=mode, reason=None, area=() if area is None else area.corners)
            told = _Told(of_camera(reader), self._read)
            for event in follow(self._tapped(frames), told, self._watch, area=area):
                self._heard(event)
                if self._closing.is_set():
                    return False
        if not feed.live:
            self._show(mode=CameraMode.ENDED, state=None, reason=None)
        return feed.live

    def _wait_for_viewers(self) -> bool:
        if not self._has_viewers():
            self._show(mode=CameraMode.WAITING)
        while not self._has_viewers():
            if self._closing.wait(0.1):
                return False
        return True

    def _tapped(self, frames: Iterable[Frame | Trouble]) -> Iterator[Frame | Trouble]:
        """Give each frame on, in its own time, after showing it to whoever looks."""
        started: float | None = None
        for frame in frames:
            if self._closing.is_set():
                return
            if isinstance(frame, Frame):
                if self._paced and not self._feed_is_live():
                    started = time.monotonic() - frame.time_s if started is None else started
                    self._closing.wait(max(0.0, started + frame.time_s - time.monotonic()))
                self._newest = frame
                self._pictures.show(frame)
                if self._room.keeper is not None:
                    self._room.keeper.frame(frame)
                height, width = frame.image.shape[:2]
                if (width, height) != (self._view.width, self._view.height):
                    self._show(width=width, height=height)
            yield frame

    def _feed_is_live(self) -> bool:
        return self._feed is not None and self._feed.live

    def _answered(self) -> None:
        if self._watch is not None:
            self._watch.request_answered()

    def _read(self, reading: Reading) -> None:
        self._reading = reading
        width, height = self._view.width, self._view.height
        self._show(pigs=pigs_of(reading, width, height), contact=contact_of(reading))

    def _heard(self, event: TableEvent) -> None:
        if isinstance(event, StateChanged):
            lying = event.state in _LYING
            self._show(
                state=event.state,
                reason=reason_of(discreet(event.reason)),
                pigs=self._view.pigs if lying else (),
                contact=self._view.contact if lying else None,
            )
        elif isinstance(event, Noticed):
            self._show(reason=reason_of(event.text))
        elif isinstance(event, HandHeld):
            self._show(hand_left_s=event.left_s or None)
            if event.left_s == 0:
                self._room.bank_by_hand()
        elif isinstance(event, ThrowSeen) and self._newest is not None:
            self._room.seen(event, take_sight(self._newest, event.reading))

    def _fail(self, error: VisionError) -> None:
        reason = reason_of(discreet(str(error)))
        self._show(
            mode=CameraMode.FAILED, state=None, reason=reason, pigs=(), contact=None, width=0
        )

    def _show(self, **changes: object) -> None:
        view = replace(self._view, **changes)  # type: ignore[arg-type]
        self._view = view
        if not self._closing.is_set():
            self._room.set_camera(view)


class _Told:
    """A reader whose readings are told as they are made."""

    def __init__(self, reader: Reader, tell: Callable[[Reading], None]) -> None:
        self._reader, self._tell = reader, tell

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read still frames, and tell what was read."""
        reading = self._reader.read(frames)
        self._tell(reading)
        return reading

    def moved(self) -> None:
        """Tell the reader that the camera or the table was moved."""
        tell_moved(self._reader)
