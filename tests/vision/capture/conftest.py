"""Network cameras for the tests: small real servers on this machine, and drawn pictures."""

from __future__ import annotations

import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.capture.opencv import hush
from vision.capture.sources import stream


@cache
def picture(number: int, size: tuple[int, int] = (320, 240)) -> NDArray[np.uint8]:
    """Draw picture `number` of a table on which a bright square moves, uint8[H, W, 3] RGB."""
    rng = np.random.default_rng(7)
    width, height = size
    grain = rng.integers(60, 140, (height // 8, width // 8, 3), dtype=np.uint8)
    image = cv2.resize(grain, size, interpolation=cv2.INTER_CUBIC)
    x = 10 + (number * 7) % (width - 60)
    cv2.rectangle(image, (x, 60), (x + 40, 100), (240.0, 180.0, 170.0), -1)
    return image  # type: ignore[return-value]


@cache
def jpeg(number: int) -> bytes:
    """Give the picture as a JPEG."""
    return cv2.imencode(".jpg", picture(number)[..., ::-1])[1].tobytes()


@dataclass
class MjpegServer:
    """An HTTP camera as phone apps are: the pictures of a film, over and over, in one answer.

    What is `coming` is sent before, once. `silent` keeps the connection but sends nothing more;
    `stop` hangs up on everybody.
    """

    fps: float = 30.0
    port: int = 0
    silent: bool = False
    status: int = 200
    sent: int = 0
    film: list[bytes] = field(default_factory=list, repr=False)
    coming: deque[bytes] = field(default_factory=deque, repr=False)
    _server: ThreadingHTTPServer | None = field(default=None, repr=False)
    _running: bool = False

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/video"

    def start(self) -> None:
        if self._server is not None:
            return
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(camera.status)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                with suppress(ConnectionError, ValueError):
                    camera.send(self.wfile.write)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Say nothing."""

        ThreadingHTTPServer.allow_reuse_address = True
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._running = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def send(self, write: Callable[[bytes], int]) -> None:
        while self._running and self.status == 200:
            if not self.silent:
                film = self.film or [jpeg(number) for number in range(30)]
                body = self.coming.popleft() if self.coming else film[self.sent % len(film)]
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(body)}\r\n\r\n"
                write(head.encode() + body + b"\r\n")
                self.sent += 1
            time.sleep(1 / self.fps)

    def stop(self) -> None:
        self._running = False
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


@pytest.fixture
def mjpeg() -> Iterator[MjpegServer]:
    """An HTTP camera, not yet started."""
    server = MjpegServer()
    yield server
    server.stop()


@dataclass
class RtspServer:
    """An RTSP camera that sends one film over and over, as MPEG-TS in RTP over TCP."""

    film: bytes
    port: int = 0
    clients: int = 0
    _listener: socket.socket | None = field(default=None, repr=False)
    _connections: list[socket.socket] = field(default_factory=list, repr=False)

    @property
    def address(self) -> str:
        return f"rtsp://127.0.0.1:{self.port}/table"

    def start(self) -> None:
        if self._listener is not None:
            return
        self._listener = socket.create_server(("127.0.0.1", self.port), reuse_port=True)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def stop(self) -> None:
        """Hang up on everybody and stop listening."""
        if self._listener is not None:
            with suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        for connection in self._connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._connections.clear()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                self._connections.append(connection)
                self.clients += 1
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError):
            pending = b""
            while data := connection.recv(4096):
                pending += data
                while b"\r\n\r\n" in pending:
                    request, _, pending = pending.partition(b"\r\n\r\n")
                    self._answer(connection, request.decode())

    def _answer(self, connection: socket.socket, request: str) -> None:
        method = request.split(" ", 1)[0]
        number = next(k.split(":")[1] for k in request.splitlines() if k.startswith("CSeq"))
        fields = ("v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=table", "t=0 0")
        film = ("m=video 0 RTP/AVP 33", "a=control:video", "")
        description = "\r\n".join(fields + film)
        extra, body = {
            "OPTIONS": ("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n", ""),
            "DESCRIBE": ("Content-Type: application/sdp\r\n", description),
            "SETUP": ("Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n", ""),
        }.get(method, ("Session: 1\r\n", ""))
        head = f"RTSP/1.0 200 OK\r\nCSeq:{number}\r\n{extra}Content-Length: {len(body)}\r\n\r\n"
        connection.sendall((head + body).encode())
        if method == "PLAY":
            threading.Thread(target=self._play, args=(connection,), daemon=True).start()

    def _play(self, connection: socket.socket) -> None:
        with suppress(OSError):
            for number in range(10**9):
                start = number * 1316 % len(self.film)
                packet = self.film[start : start + 1316]
                rtp = bytes([0x80, 33]) + (number % 65536).to_bytes(2, "big")
                rtp += (number * 900).to_bytes(8, "big")[-4:] + bytes(4) + packet
                connection.sendall(b"$\x00" + len(rtp).to_bytes(2, "big") + rtp)
                time.sleep(0.004)


@pytest.fixture
def rtsp(tmp_path: Path) -> Iterator[RtspServer]:
    """An RTSP camera, not yet started."""
    hush()
    film = tmp_path / "film.ts"
    writer = cv2.VideoWriter(
        str(film), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), 25, (320, 240)
    )
    for number in range(75):
        writer.write(picture(number)[..., ::-1])
    writer.release()
    server = RtspServer(film.read_bytes())
    yield server
    server.stop()


@pytest.fixture
def time_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a camera of the network answer as slowly as a busy machine makes it."""
    monkeypatch.setattr(stream, "_REACH_S", 60.0)
    monkeypatch.setattr(stream, "_OPEN_S", 60.0)
    monkeypatch.setattr(stream, "_READ_MS", 60_000)


@pytest.fixture
def drawn() -> Callable[[int], NDArray[np.uint8]]:
    """Draw picture `number` of a table on which a square moves."""
    return picture


@pytest.fixture
def video(tmp_path: Path) -> Callable[..., Path]:
    """Write a film of so many pictures: `video("a.mp4", 30, fps=10)`."""

    hush()

    def write(name: str, count: int, *, fps: float = 30.0) -> Path:
        path = tmp_path / name
        packing = "MJPG" if path.suffix in (".avi", ".mkv") else "mp4v"
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*packing), fps, (320, 240))
        for number in range(count):
            writer.write(picture(number)[..., ::-1])
        writer.release()
        return path

    return write
