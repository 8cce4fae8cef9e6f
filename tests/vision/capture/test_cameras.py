"""Cameras are known by what they are, and settings by what comes back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from vision.capture.cameras import Camera, find_camera, list_cameras, remember, remembered
from vision.capture.driver import Steady, ask_for
from vision.capture.frame import Frame
from vision.capture.probe import save_thumbnail
from vision.capture.sources import webcam
from vision.capture.sources.webcam import Webcam, make
from vision.commands.cameras import command
from vision.errors import CaptureError

LEFT = Camera(0, "HD Pro Webcam C920", "046d:082d", "usb-0:1")
RIGHT = Camera(2, "HD Pro Webcam C920", "046d:082d", "usb-0:2")
LAPTOP = Camera(4, "Integrated Camera", "5986:2113", "usb-0:7")
UNKNOWN = Camera(6, "Virtual Camera")
ALL = [LEFT, RIGHT, LAPTOP, UNKNOWN]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("046d:082d@usb-0:2", RIGHT),
        ("5986:2113@usb-0:7", LAPTOP),
        ("5986:2113", LAPTOP),
        ("5986:2113@usb-1:3", LAPTOP),  # plugged in elsewhere
        ("integrated", LAPTOP),
        ("Virtual Camera", UNKNOWN),
    ],
)
def test_a_camera_is_found_by_its_identity(text: str, expected: Camera) -> None:
    assert find_camera(text, ALL) == expected


def test_numbers_that_changed_do_not_matter() -> None:
    swapped = [Camera(2, LEFT.name, LEFT.model, LEFT.place), Camera(0, *_rest(RIGHT))]
    assert find_camera(LEFT.key, swapped).number == 2


def _rest(camera: Camera) -> tuple[str, str, str]:
    return camera.name, camera.model, camera.place


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("C920", "more than one camera is 'C920' .there is 0 HD Pro Webcam C920, 2 HD Pro"),
        ("046d:082d@usb-9", "more than one camera"),
        ("teapot", "no camera is 'teapot' .there is 0 HD Pro"),
    ],
)
def test_a_camera_that_cannot_be_told(text: str, message: str) -> None:
    with pytest.raises(CaptureError, match=message):
        find_camera(text, ALL)


def test_no_camera_at_all() -> None:
    with pytest.raises(CaptureError, match="none at all"):
        find_camera("C920", [])


def test_a_camera_is_remembered(tmp_path: Path) -> None:
    file = tmp_path / "sub" / "camera.json"
    assert remembered(file) is None
    remember(RIGHT, file)
    assert remembered(file) == RIGHT
    file.write_text("{broken")
    assert remembered(file) is None
    file.write_text('{"unknown": 1}')
    assert remembered(file) is None


def test_words_for_cameras() -> None:
    assert make("3").name == "camera 3"
    assert make("/dev/video3").name == "camera 3"
    assert make("camera:C920").name == "camera C920"
    assert make("camera").name == "camera"


class Driver:
    """A camera's driver as drivers are: some settings are ignored, some do harm."""

    def __init__(self, *, ignores: tuple[int, ...] = (), dark_when_manual: bool = False) -> None:
        self.ignores, self.dark_when_manual = ignores, dark_when_manual
        self.light = 100.0
        self.exposure = 1.0
        self.settings: dict[int, float] = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_EXPOSURE: 150.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
            cv2.CAP_PROP_FOCUS: 30.0,
            cv2.CAP_PROP_FRAME_WIDTH: 640,
            cv2.CAP_PROP_FRAME_HEIGHT: 480,
        }
        self.asked: list[int] = []

    def get(self, propId: int, /) -> float:  # noqa: N803
        return self.settings.get(propId, 0.0)

    def set(self, propId: int, value: float, /) -> bool:  # noqa: N803
        self.asked.append(propId)
        if propId not in self.ignores:
            self.settings[propId] = value
        return True

    def read(self) -> tuple[bool, Any]:
        size = (cv2.CAP_PROP_FRAME_HEIGHT, cv2.CAP_PROP_FRAME_WIDTH)
        height, width = (int(self.settings[p]) for p in size)
        manual = self.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
        if not manual:
            self.exposure = 100.0 / self.light
        level = 5.0 if manual and self.dark_when_manual else self.light * self.exposure
        return True, np.full((height, width, 3), min(level, 255.0), np.uint8)


SIZE = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)


def test_the_packing_is_asked_for_before_the_size_and_the_real_size_given() -> None:
    driver = Driver()
    assert ask_for(driver, 1280, 720, 30) == (1280, 720)
    assert driver.asked.index(cv2.CAP_PROP_FOURCC) < driver.asked.index(SIZE[0])
    assert ask_for(Driver(ignores=SIZE), 1920, 1080, 30) == (640, 480)


def test_focus_and_exposure_are_held() -> None:
    driver = Driver()
    steady = Steady(driver)
    assert (steady.focus, steady.exposure) == (True, True)
    assert driver.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert driver.settings[cv2.CAP_PROP_FOCUS] == 30.0


def test_settings_that_are_ignored_are_not_believed() -> None:
    ignores = (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_AUTO_EXPOSURE)
    steady = Steady(Driver(ignores=ignores))
    assert (steady.focus, steady.exposure) == (False, False)


def test_a_lock_that_turns_the_picture_dark_is_undone() -> None:
    driver = Driver(dark_when_manual=True)
    assert not Steady(driver).exposure
    assert driver.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0


@pytest.mark.parametrize("light", [40.0, 220.0])
def test_another_light_lets_the_automatic_try_again(light: float) -> None:
    driver = Driver()
    steady = Steady(driver)
    driver.light = light
    for _ in range(200):
        steady.frame(driver.read()[1])
    assert driver.read()[1].mean() == pytest.approx(100, abs=2)
    assert steady.exposure


def test_a_thumbnail_is_small(tmp_path: Path) -> None:
    frame = Frame(np.zeros((720, 1280, 3), np.uint8), 0, 0.0, "test")
    save_thumbnail(frame, tmp_path / "sub" / "a.jpg")
    assert cv2.imread(str(tmp_path / "sub" / "a.jpg")).shape == (270, 480, 3)  # type: ignore[union-attr]
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CaptureError, match="cannot be written"):
        save_thumbnail(frame, tmp_path / "file" / "a.jpg")


def test_the_command_lists_what_there_is() -> None:
    done = CliRunner().invoke(command, ["--quick", "--json"])
    assert done.exit_code == 0
    listed = [json.loads(line)["number"] for line in done.stdout.splitlines()]
    assert listed == [c.number for c in list_cameras()]


@pytest.fixture
def loopback() -> Path:
    """A virtual camera of v4l2loopback that may be written to."""
    for name in sorted(Path("/sys/class/video4linux").glob("video*")):
        real = (name / "device").resolve()
        device = Path("/dev") / name.name
        if "virtual" in str(real) and os.access(device, os.W_OK) and shutil.which("ffmpeg"):
            return device
    pytest.skip("no v4l2loopback device and ffmpeg here")


def test_a_virtual_camera_is_read(loopback: Path) -> None:
    feed = ["-re", "-f", "lavfi", "-i", "testsrc=size=640x480:rate=30", "-pix_fmt", "yuv420p"]
    command = ["ffmpeg", "-loglevel", "error", *feed, "-f", "v4l2", str(loopback)]
    with subprocess.Popen(command) as ffmpeg:
        try:
            with Webcam(int(loopback.name.removeprefix("video"))) as camera:
                frames = [frame for frame, _ in zip(camera, range(30), strict=False)]
        finally:
            ffmpeg.terminate()
    assert frames[-1].image.shape == (480, 640, 3)
    assert len({frame.image[::8, ::8].tobytes() for frame in frames}) > 1


@contextmanager
def held(device: Path) -> Iterator[None]:
    """Let another program hold a file open."""
    code = f"import sys; f = open({str(device)!r}); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        yield
        other.communicate("")


def test_who_holds_a_camera_is_named(tmp_path: Path) -> None:
    device = tmp_path / "video7"
    device.write_text("")
    with held(device):
        holder = webcam._holder(device)
    assert holder is not None
    assert holder.startswith("python")
    assert webcam._holder(device) is None


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells who holds it")
def test_a_busy_camera_is_told_with_who_holds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "video97"
    device.write_text("")
    monkeypatch.setattr(webcam, "_device", lambda _: device)
    told = r"does not open; it is in use by python.*close"
    with held(device), pytest.raises(CaptureError, match=told):
        webcam.Webcam(97).__enter__()


def test_a_camera_that_does_not_answer_is_told_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that hangs is not waited for: the line comes while it still hangs."""
    let_go = threading.Event()
    released = threading.Event()

    class Hangs:
        def __init__(self, *_: object) -> None:
            let_go.wait()

        def release(self) -> None:
            released.set()

    monkeypatch.setattr(webcam, "_look_for_device", lambda *_: None)
    monkeypatch.setattr(cv2, "VideoCapture", Hangs)
    with pytest.raises(CaptureError, match="does not open"):
        webcam.Webcam(97).__enter__()
    assert not released.is_set()
    let_go.set()
    assert released.wait(60), "what opens too late is let go of"


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells before opening")
def test_a_camera_one_may_not_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = tmp_path / "video7"
    device.write_text("")
    monkeypatch.setattr(webcam, "_device", lambda _: device)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may use everything
    with pytest.raises(CaptureError, match="may not be used by you: join the group"):
        webcam.Webcam(7).__enter__()
