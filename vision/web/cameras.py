"""Which camera looks at the table: chosen at the start or on the settings screen."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from vision.capture.area import Area, Point
from vision.capture.calibrate import Calibration, Calibrations, source_key
from vision.capture.cameras import list_cameras
from vision.capture.sources import open_source
from vision.capture.supervise import Supervisor, watched
from vision.errors import CaptureError
from vision.table.advice import Advice
from vision.table.reader import Reader
from vision.web.camera import Camera, Feed, Habits
from vision.web.camera_view import CameraView
from vision.web.errors import CameraWordError, NoCameraError, NoPictureError
from vision.web.phone import PhoneBox, PhoneSource
from vision.web.pictures import Pictures
from vision.web.room import Room
from vision.web.settings import SettingsFile

OFF, PHONE, DEMO = "off", "phone", "demo"
_BY_KEY = "camera:"
# What a page may ask for: a camera's number, or an address. Never a path.
_FROM_PAGE = re.compile(r"^(?:\d{1,3}|(?:rtsp|rtsps|http|https)://[^\s\x00-\x1f]{1,500})$")


@dataclass(frozen=True, slots=True)
class CameraChoice:
    """A camera that can be chosen: the word to choose it by, and its name for people."""

    source: str
    name: str


class Cameras:
    """Opens and closes the camera of a room.

    `open_reader` gives the recognizer; `feeds` are sources beside those that words name;
    `calibrations` is the file of throwing areas, None for the user's own.
    """

    def __init__(
        self,
        room: Room,
        pictures: Pictures,
        settings: SettingsFile,
        open_reader: Callable[[], Reader],
        *,
        has_viewers: Callable[[], bool] = lambda: True,
        paced: bool = True,
        feeds: Mapping[str, Callable[[], Feed]] | None = None,
        calibrations: Path | None = None,
    ) -> None:
        self._calibrations = calibrations
        self._room, self._pictures, self._settings = room, pictures, settings
        self._open_reader, self._has_viewers, self._paced = open_reader, has_viewers, paced
        self._reader: Reader | None = None
        self._camera: Camera | None = None
        self._lock = threading.Lock()
        self.phone = PhoneBox()
        phone = partial(Supervisor, partial(PhoneSource, self.phone))
        self._feeds: dict[str, Callable[[], Feed]] = {PHONE: phone, **(feeds or {})}

    @property
    def source(self) -> str:
        """The word of the camera in use, or `off`."""
        return OFF if self._camera is None else self._camera.source

    def choose(self, source: str) -> None:
        """Use another camera, or none with `off`; returns at once, the room tells how it goes."""
        with self._lock:
            if self._camera is not None:
                self._camera.close()
                self._camera = None
            if source == OFF:
                self._room.set_camera(CameraView())
                return
            self._camera = Camera(
                self._room,
                self._pictures,
                source,
                self._feed(source),
                self._load,
                habits=partial(self._habits, source),
                paced=self._paced,
                has_viewers=self._has_viewers,
            )
            self._camera.start()

    def choose_from_page(self, source: str) -> None:
        """Use a camera that a person picked on the page, and remember it."""
        known = source in (OFF, PHONE, DEMO) or _FROM_PAGE.match(source) is not None
        if not known and source not in {c.source for c in found_cameras()}:
            raise CameraWordError("a camera is chosen by its number or its address")
        try:
            self.choose(source)
        except CaptureError as error:
            raise CameraWordError(str(error)) from error
        if source != DEMO:
            self._settings.change(camera=source)

    def set_area(self, corners: tuple[Point, ...] | None) -> None:
        """Keep the throwing area of the camera in use, or none, and watch by it at once."""
        view = self._room.view.camera
        if self._camera is None or not view.width:
            raise NoPictureError("the camera gives no picture yet")
        area = None if corners is None else Area(corners)
        key, kept = self._key(self._camera.source), Calibrations(self._calibrations)
        known = kept.get(key) or Calibration(view.width, view.height)
        kept.put(key, replace(known, area=area))
        self.again()

    def advice(self) -> list[Advice]:
        """Return what is wrong with the camera's picture, and what to do."""
        if self._camera is None:
            raise NoCameraError("there is no camera in use")
        return self._camera.advice()

    def again(self) -> None:
        """Open the camera in use anew; a clip begins from its start."""
        if self._camera is None:
            raise NoCameraError("there is no camera in use")
        self.choose(self._camera.source)

    def reset(self) -> None:
        """Forget what lies on the table: the way out whenever the camera is confused."""
        if self._camera is None:
            raise NoCameraError("there is no camera in use")
        self._camera.reset()

    def close(self) -> None:
        """Let go of the camera."""
        with self._lock:
            if self._camera is not None:
                self._camera.close()
                self._camera = None

    def _feed(self, source: str) -> Callable[[], Feed]:
        if source in self._feeds:
            return self._feeds[source]
        open_source(source)  # says at once when there is no such kind of camera
        return lambda: watched(source)

    def _habits(self, source: str) -> Habits:
        by_hand = self._settings.now.bank_by_hand
        try:
            known = Calibrations(self._calibrations).get(self._key(source))
        except CaptureError:
            known = None  # said by `sooee calibrate`; here it counts as none
        return Habits(None if known is None else known.area, by_hand)

    def _key(self, source: str) -> str:
        return source if source in self._feeds else source_key(source)

    def _load(self) -> Reader:
        if self._reader is None:
            self._reader = self._open_reader()
        return self._reader


def found_cameras() -> tuple[CameraChoice, ...]:
    """Return the cameras of this computer by what they are; none where the system tells of none."""
    try:
        found = list_cameras()
    except CaptureError:
        return ()
    return tuple(CameraChoice(f"{_BY_KEY}{camera.key}", camera.name) for camera in found)
