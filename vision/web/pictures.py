"""The newest picture of the camera as JPEG: made once however many look on, only when asked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from vision.capture.frame import Frame
from vision.web.sights import jpeg

WIDTH = 960
_QUALITY = 70


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture as it is sent; `number` counts the frames of the camera."""

    number: int
    data: bytes


class Pictures:
    """Keeps the newest frame, and turns it into a picture for whoever waits for one.

    `show` may be called from any thread and never waits; everything else belongs to the loop
    that `bind` was called in.
    """

    def __init__(self) -> None:
        self._frame: Frame | None = None
        self._number = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._arrived = asyncio.Event()
        self._watchers = 0
        self._making: asyncio.Task[Shot] | None = None
        self._shot = Shot(0, b"")

    @property
    def watchers(self) -> int:
        """How many pages look at the pictures."""
        return self._watchers

    def bind(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Say in which loop the pictures are waited for; None when it ends."""
        self._loop = loop

    def show(self, frame: Frame) -> None:
        """Take the newest frame."""
        self._frame = frame
        self._number += 1
        loop = self._loop
        if self._watchers and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._arrived.set)

    def watch(self, more: int) -> None:
        """Count a page that begins (1) or stops (-1) to look."""
        self._watchers += more

    async def newer(self, than: int) -> Shot:
        """Wait for a picture newer than the one of that number."""
        while self._number <= than or self._frame is None:
            self._arrived.clear()
            if self._number <= than or self._frame is None:
                await self._arrived.wait()
        if self._shot.number > than and self._shot.number == self._number:
            return self._shot
        if self._making is None or self._making.done():
            self._making = asyncio.create_task(self._make(self._frame, self._number))
        return await asyncio.shield(self._making)

    async def _make(self, frame: Frame, number: int) -> Shot:
        data = await asyncio.to_thread(jpeg, frame.image, WIDTH, _QUALITY)
        self._shot = Shot(number, data)
        return self._shot
