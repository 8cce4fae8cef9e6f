"""Whether the pigs first seen were thrown, or lay on the table before anybody watched it."""

from __future__ import annotations

from enum import Enum, auto

from vision.capture.foreground import Rebased
from vision.capture.scene import Scene
from vision.capture.small import Small
from vision.table.lying import Lying


class First(Enum):
    """What the first two pigs on a table are."""

    LAY_HERE = auto()
    DOUBT = auto()
    THROWN = auto()


class Beginning:
    """What was seen since the watch began, until it is `armed`: then what comes was thrown.

    In a file it is from the first frame. At a live table, and after a reset, it is once the
    table was seen without two pigs.
    """

    def __init__(self, *, armed: bool) -> None:
        self.armed = armed
        self._first: Small | None = None
        self._hand = False
        self._one = False

    def see(self, scene: Scene, small: Small) -> None:
        """Take the next frame."""
        if self.armed or scene.blind:
            return
        self._hand |= scene.hand
        if self._first is None or scene.rebased is Rebased.BUMP:
            self._first = small

    def one_lies(self) -> None:
        """Take note that the table was judged, and one pig was read on it."""
        self._one = True

    def judge(self, here: Lying, *, changed: bool) -> First:
        """Judge two pigs; `changed`: the table did since it was last judged."""
        if self.armed or (self._one and changed):
            return First.THROWN
        # A hand may have held them when the watch began, or may only have passed over them.
        lay = self._first is None or any(p.lies_in(self._first.grey) for p in here.pigs)
        return First.DOUBT if self._hand and not lay else First.LAY_HERE
