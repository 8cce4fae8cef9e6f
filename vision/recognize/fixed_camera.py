"""Reading for a camera that stays where it is: each lay of the pigs says more of where up is."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from vision.capture.frame import Frame
from vision.recognize.crop import Box
from vision.recognize.locate import iou
from vision.recognize.reading import Reading
from vision.recognize.recognizer import Recognizer
from vision.recognize.slant import Floats, Slant

SAME_PLACE = 0.6
"""Boxes that overlap so much (intersection over union) show a pig that lies where it lay."""

PIGS = 2


class FixedCamera:
    """A recognizer that remembers how its camera looks at the table; any thread may call it.

    However often a lay is looked at it counts once, the newest look in the last one's place, and
    never for its own pigs. It begins with what a profile was taught; told that the camera or the
    table `moved` it begins anew, and so it does where the picture's size changes.
    """

    def __init__(self, recognizer: Recognizer) -> None:
        self._recognizer = recognizer
        self._lock = threading.Lock()
        self._shape: tuple[int, ...] = ()
        self._known = recognizer.slant
        self._lay: tuple[Box, ...] = ()
        self._words: Floats | None = None

    @property
    def slant(self) -> Slant:
        """What is believed of where up is, the newest lay heard too."""
        with self._lock:
            return self._learnt()

    def moved(self) -> None:
        """Forget how the camera looks at the table."""
        with self._lock:
            self._forget()

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read one or more frames of the same still table, the newest last."""
        with self._lock:
            if self._shape not in ((), frames[-1].image.shape):
                self._forget()
            self._shape = frames[-1].image.shape
            reading, words = self._recognizer.read_at(frames, self._before)
            if words is not None and len(words) == PIGS:
                self._lay, self._words = tuple(p.box for p in reading.pigs), words
            return reading

    def _before(self, boxes: Sequence[Box]) -> Slant:
        """Give what was believed before pigs lay in these boxes."""
        if not _same_place(boxes, self._lay):
            if self._words is not None:
                self._known = self._learnt().later()
            self._lay, self._words = (), None
        return self._known

    def _learnt(self) -> Slant:
        return self._known if self._words is None else self._known.hearing(self._words)

    def _forget(self) -> None:
        self._known = Slant.unknown()
        self._lay, self._words = (), None


def _same_place(boxes: Sequence[Box], lay: Sequence[Box]) -> bool:
    """Whether each pig of a lay still lies where it lay; pigs more or fewer do not matter."""
    return bool(lay) and all(any(iou(b, old) >= SAME_PLACE for b in boxes) for old in lay)
