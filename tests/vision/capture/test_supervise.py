"""A live camera that fails is told about in one line and opened again."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np
import pytest

from vision.capture.frame import Frame
from vision.capture.health import FROZEN
from vision.capture.sources import open_source
from vision.capture.supervise import Patience, Supervisor, Trouble, watched
from vision.errors import CaptureError

if TYPE_CHECKING:
    from tests.conftest import Until
    from tests.vision.capture.conftest import MjpegServer, RtspServer

# Opens again quickly, but leaves a busy machine its time.
QUICK = Patience(first_s=60.0, stall_s=60.0, back_off_s=0.02, longest_s=0.2)
IMPATIENT = replace(QUICK, stall_s=0.3)
Act = Callable[[int], None]


@dataclass
class Camera:
    """A camera whose every opening plays the next of its acts, frame by frame."""

    acts: Iterator[Act]
    interval_s: float = 0.01
    opened: int = 0
    closed: int = 0
    frozen: bool = False
    made: int = 0

    def source(self) -> CameraSource:
        return CameraSource(self)


class CameraSource:
    """One opening of a camera."""

    live = True
    name = "test camera"

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._act = next(camera.acts)

    def __enter__(self) -> Self:
        self._act(-1)
        self._camera.opened += 1
        return self

    def __exit__(self, *exc: object) -> None:
        self._camera.closed += 1

    def __iter__(self) -> Iterator[Frame]:
        for index in itertools.count():
            time.sleep(self._camera.interval_s)
            self._act(index)
            self._camera.made += not self._camera.frozen
            shade = self._camera.made % 200
            image = np.full((48, 64, 3), shade + 30, np.uint8)
            yield Frame(image, index, time.monotonic(), self.name)


def fine(_: int) -> None:
    """Give every frame."""


def fails_at(frame: int, text: str = "the cable is out") -> Act:
    def act(index: int) -> None:
        if index == frame:
            raise CaptureError(text)

    return act


def camera(*acts: Act) -> Camera:
    return Camera(itertools.chain(acts, itertools.repeat(fine)))


def take(supervisor: Supervisor, until: Callable[[list[Frame | Trouble]], bool]) -> list[str]:
    """Take what is given until enough of it came; gives 'frames' and the troubles in order."""
    given: list[Frame | Trouble] = []
    for one in supervisor:
        given.append(one)
        if until(given):
            break
    names = ("frames" if isinstance(g, Frame) else g.text for g in given)
    return [name for name, _ in itertools.groupby(names)]


def frames_after_trouble(given: list[Frame | Trouble]) -> bool:
    troubles = sum(isinstance(g, Trouble) for g in given)
    return bool(troubles) and isinstance(given[-1], Frame)


def test_a_camera_that_fails_is_opened_again() -> None:
    with Supervisor(camera(fails_at(5)).source, QUICK) as supervisor:
        told = take(supervisor, frames_after_trouble)
    assert told == ["frames", "the cable is out", "frames"]


def test_a_camera_that_stays_away_is_told_once_and_tried_again_and_again() -> None:
    table = camera(fails_at(5), *[fails_at(-1, "there is no camera")] * 4)
    with Supervisor(table.source, QUICK) as supervisor:
        told = take(supervisor, frames_after_trouble)
    assert told == ["frames", "the cable is out", "there is no camera", "frames"]
    assert table.opened == 2


def test_a_camera_that_hangs_is_left_behind() -> None:
    let_go = threading.Event()

    def hangs(index: int) -> None:
        if index == 5:
            let_go.wait()

    table = camera(hangs)
    with Supervisor(table.source, IMPATIENT) as supervisor:
        told = take(supervisor, frames_after_trouble)
        let_go.set()
    assert told[0] == told[2] == "frames"
    assert "has given no picture" in told[1]


def test_a_frozen_picture_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.capture.health._FROZEN_S", 0.2)
    table = camera()

    def freeze(index: int) -> None:
        table.frozen = index > 5

    table.acts = itertools.chain([freeze], itertools.repeat(fine))
    with Supervisor(table.source, QUICK) as supervisor:

        def until(given: list[Frame | Trouble]) -> bool:
            table.frozen &= not any(isinstance(g, Trouble) for g in given)
            return frames_after_trouble(given)

        assert take(supervisor, until) == ["frames", FROZEN, "frames"]


def test_the_first_opening_fails_loudly_and_lets_go() -> None:
    table = camera(fails_at(-1, "there is no camera"))
    with pytest.raises(CaptureError, match="there is no camera"), Supervisor(table.source, QUICK):
        pass
    assert table.opened == 0


def test_a_camera_that_opens_and_gives_nothing_fails() -> None:
    let_go = threading.Event()

    def gives_nothing(index: int) -> None:
        if index == 0:
            let_go.wait()

    table, patience = camera(gives_nothing), Patience(first_s=0.1, stall_s=0.1)
    with pytest.raises(CaptureError, match="gives no picture"), Supervisor(table.source, patience):
        pass
    let_go.set()


def test_only_the_newest_frame_is_given(until: Until) -> None:
    table = camera()
    with Supervisor(table.source, QUICK) as supervisor:
        given: list[int] = []
        for one in supervisor:
            assert isinstance(one, Frame)
            given.append(one.index)
            if len(given) == 6:
                break
            # The consumer is slower than the camera: that is four pictures further.
            until(lambda: table.made > given[-1] + 5)
    assert all(after - before >= 4 for before, after in itertools.pairwise(given))


def test_closing_ends_the_loop_and_the_thread() -> None:
    table = camera()
    with Supervisor(table.source, QUICK) as supervisor:
        closer = threading.Thread(target=supervisor.close)
        for count, _ in enumerate(supervisor, 1):
            if count == 3:
                closer.start()
        closer.join()
    assert table.closed == table.opened == 1
    assert "sooee-camera" not in [t.name for t in threading.enumerate()]


def test_files_need_no_supervision() -> None:
    assert not watched("demo").live
    assert isinstance(watched("0"), Supervisor)


@pytest.mark.usefixtures("time_to_answer")
@pytest.mark.parametrize("kind", ["mjpeg", "rtsp"])
def test_a_network_camera_gone_and_back(kind: str, mjpeg: MjpegServer, rtsp: RtspServer) -> None:
    server = mjpeg if kind == "mjpeg" else rtsp
    server.start()
    with Supervisor(lambda: open_source(server.address), QUICK) as supervisor:
        troubles: list[str] = []
        after = 0
        for number, one in enumerate(supervisor):
            if isinstance(one, Trouble):
                troubles.append(one.text)
                if len(troubles) == 2:  # gone, and not there when opened again
                    server.start()
            elif number == 5:
                server.stop()
            elif troubles:
                after += 1
                if after == 5:
                    break
    assert "stopped sending" in troubles[0]
    assert "does not answer" in troubles[1]
