"""Those who look on: each page is sent the newest table, as quickly as it can take it."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress

from pydantic import TypeAdapter
from starlette.websockets import WebSocket, WebSocketDisconnect

from vision.web.guard import Visitor
from vision.web.pictures import Pictures
from vision.web.room import Room
from vision.web.settings import SettingsFile
from vision.web.table_view import TableView

MOST_VIEWERS = 128
TICK_S = 4.0
# A page answers with a few bytes; whoever sends more, or more often, is no page of ours.
_MOST_MESSAGE, _MOST_A_SECOND = 64, 40
# Pictures that are sent in a second, to all together and to one.
_PICTURES_A_SECOND, _PICTURES_EACH = 120.0, 15.0

_TABLE = TypeAdapter(TableView)


def table_json(view: TableView) -> bytes:
    """Return a view as JSON."""
    return _TABLE.dump_json(view)


class Audience:
    """The pages connected to one server; belongs to one event loop.

    A page that takes its time misses what was in between and is sent the newest; nobody waits
    for anybody else.
    """

    def __init__(self, room: Room, pictures: Pictures, settings: SettingsFile) -> None:
        self._room, self._pictures, self._settings = room, pictures, settings
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._encoded: tuple[int, str] = (-1, "")
        self._count = 0
        room.subscribe(self._wake)

    @property
    def count(self) -> int:
        """How many pages are connected."""
        return self._count

    def bind(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Say in which loop the pages are served; None when it ends."""
        self._loop = loop
        self._pictures.bind(loop)

    async def serve(self, socket: WebSocket, visitor: Visitor) -> None:
        """Send the table to one page until it goes."""
        if self._count >= MOST_VIEWERS:
            await socket.close(1013)
            return
        await socket.accept()
        self._enter(1)
        try:
            await _either(self._send_tables(socket, visitor), _drain(socket))
        finally:
            self._enter(-1)

    async def serve_pictures(self, socket: WebSocket) -> None:
        """Send the newest picture to one page, each after it has taken the one before."""
        await socket.accept()
        taken = asyncio.Event()
        self._pictures.watch(1)
        try:
            await _either(self._send_pictures(socket, taken), _drain(socket, taken))
        finally:
            self._pictures.watch(-1)

    def _wake(self, _view: TableView) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            with suppress(RuntimeError):  # the loop closed in this very moment
                loop.call_soon_threadsafe(self._ring)

    def _ring(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _enter(self, more: int) -> None:
        self._count += more
        self._room.set_viewers(self._count)

    def _newest(self) -> tuple[int, str]:
        view = self._room.view
        if view.version != self._encoded[0]:
            text = f'{{"type":"table","table":{table_json(view).decode()}}}'
            self._encoded = (view.version, text)
        return self._encoded

    async def _send_tables(self, socket: WebSocket, visitor: Visitor) -> None:
        sent, told = -1, ""
        while True:
            changed = self._changed
            hello = json.dumps({"type": "hello", "me": me(visitor, self._settings)})
            if hello != told:
                told = hello
                await socket.send_text(hello)
            version, text = self._newest()
            if version != sent:
                sent = version
                await socket.send_text(text)
                continue
            try:
                await asyncio.wait_for(changed.wait(), TICK_S)
            except TimeoutError:
                await socket.send_text('{"type":"tick"}')

    async def _send_pictures(self, socket: WebSocket, taken: asyncio.Event) -> None:
        number = 0
        while True:
            shot = await self._pictures.newer(number)
            started = time.monotonic()
            number = shot.number
            taken.clear()
            await socket.send_bytes(shot.data)
            await taken.wait()
            every = max(1 / _PICTURES_EACH, self._pictures.watchers / _PICTURES_A_SECOND)
            await asyncio.sleep(max(0.0, started + every - time.monotonic()))


def me(visitor: Visitor, settings: SettingsFile) -> dict[str, object]:
    """Return what a page may know about itself."""
    may = visitor.host or (visitor.member and settings.now.guests == "score")
    return {"host": visitor.host, "member": visitor.known, "may_score": may}


async def _drain(socket: WebSocket, taken: asyncio.Event | None = None) -> None:
    """Take what a page sends, and leave when it goes or is no page of ours."""
    window, count = time.monotonic(), 0
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        now = time.monotonic()
        if now - window > 1.0:
            window, count = now, 0
        count += 1
        text = message.get("text")
        if text is None or len(text) > _MOST_MESSAGE or count > _MOST_A_SECOND:
            await socket.close(1008)
            return
        if taken is not None and text == "taken":
            taken.set()


async def _either(*jobs: object) -> None:
    """Run until the first is done, and stop the rest; a page that goes is no error."""
    tasks = [asyncio.ensure_future(job) for job in jobs]  # type: ignore[call-overload]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            with suppress(WebSocketDisconnect, RuntimeError):
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
