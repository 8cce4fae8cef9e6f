"""Every kind of source gives frames, or one clear line that says why not."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.artefacts import artefact_dir
from vision.capture.frame import Frame, FrameSource
from vision.capture.sources import SourceKind, kinds, open_source
from vision.capture.sources.video import VideoFile
from vision.errors import CaptureError, VisionError

if TYPE_CHECKING:
    from tests.vision.capture.conftest import MjpegServer, RtspServer

Video = Callable[..., Path]


def read(text: str | Path, most: int = 10_000) -> list[Frame]:
    frames = []
    with open_source(str(text)) as source:
        for frame in source:
            frames.append(frame)
            if len(frames) == most:
                break
    return frames


@pytest.mark.parametrize("kind", kinds(), ids=lambda k: k.__name__.rpartition(".")[2])
def test_every_kind_keeps_the_contract(kind: SourceKind) -> None:
    assert kind.EXAMPLES
    for word in kind.EXAMPLES:
        assert [k for k in kinds() if k.claims(word)] == [kind]
        source = open_source(word)
        assert isinstance(source, FrameSource)
        assert source.name
    assert not kind.claims("")
    assert not kind.claims("teapot")


def test_an_unknown_word_says_what_there_is() -> None:
    with pytest.raises(CaptureError, match="give a video file"):
        open_source("teapot")


@pytest.mark.parametrize("name", ["a.mp4", "a.avi", "a.mkv", "A.MP4"])
def test_a_video_gives_every_frame_by_its_own_clock(name: str, video: Video) -> None:
    frames = read(video(name, 25, fps=10))
    assert [f.index for f in frames] == list(range(25))
    assert np.allclose([f.time_s for f in frames], np.arange(25) / 10, atol=0.002)
    assert frames[0].image.shape == (240, 320, 3)
    assert not frames[0].image.flags.writeable


def test_a_video_is_red_green_blue(video: Video, drawn: Callable[[int], NDArray[np.uint8]]) -> None:
    seen = read(video("a.avi", 3))[0].image[80, 20].astype(int)
    assert np.abs(seen - drawn(0)[80, 20].astype(int)).max() < 12


def test_a_video_that_is_cut_short_says_so_after_its_last_frame(video: Video) -> None:
    path = video("a.avi", 60)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    frames: list[Frame] = []
    with (
        pytest.raises(CaptureError, match=r"ends at frame \d+ of 60"),
        open_source(str(path)) as source,
    ):
        frames.extend(source)
    assert 20 < len(frames) < 40


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: p.unlink(), "there is no video file"),
        (lambda p: p.write_bytes(b""), "cannot be read as a video"),
        (lambda p: p.write_text("not a video"), "cannot be read as a video"),
        (lambda p: p.write_bytes(p.read_bytes()[:2000]), "cannot be read as a video"),
    ],
    ids=["missing", "empty", "text", "cut off early"],
)
def test_a_bad_video_is_one_clear_line(
    make: Callable[[Path], object], message: str, video: Video, capfd: pytest.CaptureFixture[str]
) -> None:
    path = video("a.mp4", 30)
    capfd.readouterr()
    make(path)
    with pytest.raises(CaptureError, match=message) as caught:
        read(path)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_a_folder_holds_each_picture_still(
    tmp_path: Path, drawn: Callable[[int], NDArray[np.uint8]]
) -> None:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), drawn(number)[..., ::-1])
    (tmp_path / "notes.txt").write_text("no picture")
    frames = read(tmp_path)
    assert [f.source for f in frames] == [f"{n}.png" for n in range(3) for _ in range(20)]
    assert np.array_equal(frames[45].image, drawn(2))
    assert np.allclose(np.diff([f.time_s for f in frames]), 0.1)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "has no pictures"),
        ({"a.txt": b"hello"}, "has no pictures"),
        ({"a.png": b"not a picture"}, "a.png"),
        ({"a.jpg": b""}, "a.jpg"),
    ],
)
def test_a_bad_folder_is_one_clear_line(
    files: dict[str, bytes], message: str, tmp_path: Path
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(VisionError, match=message) as caught:
        read(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_missing_picture() -> None:
    with pytest.raises(VisionError, match=r"there is no picture .*nowhere\.png"):
        read("nowhere.png")


def test_the_demo_is_the_bundled_clip() -> None:
    source = open_source("demo")
    assert isinstance(source, VideoFile)
    assert source.path == artefact_dir("datasets") / "demo" / "demo.mp4"
    assert source.name == "demo"


def test_a_camera_that_is_not_there_is_told() -> None:
    with pytest.raises(CaptureError, match="camera 97"):
        read("97")


@pytest.mark.usefixtures("time_to_answer")
def test_an_http_camera_is_read(mjpeg: MjpegServer) -> None:
    mjpeg.start()
    frames = read(mjpeg.address, 10)
    assert [f.index for f in frames] == list(range(10))
    assert frames[0].image.shape == (240, 320, 3)
    assert all(a.time_s < b.time_s for a, b in itertools.pairwise(frames))


@pytest.mark.usefixtures("time_to_answer")
def test_an_rtsp_camera_is_read_over_tcp(rtsp: RtspServer) -> None:
    rtsp.start()
    frames = read(rtsp.address, 20)
    assert [f.index for f in frames] == list(range(20))
    assert frames[0].image.shape == (240, 320, 3)


@pytest.mark.parametrize("address", ["http://127.0.0.1:1/", "rtsp://127.0.0.1:1/a", "http:///x"])
def test_nobody_answers(address: str) -> None:
    with pytest.raises(CaptureError, match=r"does not answer|names no host"):
        read(address)


@pytest.mark.usefixtures("time_to_answer")
def test_an_address_that_refuses(mjpeg: MjpegServer) -> None:
    mjpeg.status = 403
    mjpeg.start()
    with pytest.raises(CaptureError, match="gives no video; check the address's path"):
        read(mjpeg.address)


def test_an_address_that_answers_and_sends_nothing(mjpeg: MjpegServer) -> None:
    mjpeg.silent = True
    mjpeg.start()
    with pytest.raises(CaptureError, match="check the address's path"):
        read(mjpeg.address)


@pytest.mark.usefixtures("time_to_answer")
def test_a_server_that_goes_away(mjpeg: MjpegServer) -> None:
    mjpeg.start()
    with open_source(mjpeg.address) as source:
        frames = iter(source)
        for _ in range(5):
            next(frames)
        mjpeg.stop()
        with pytest.raises(CaptureError, match="stopped sending"):
            list(frames)


def test_a_password_is_not_told() -> None:
    source = open_source("rtsp://anna:secret@127.0.0.1:1/table")
    assert source.name == "rtsp://127.0.0.1:1/table"
    with pytest.raises(CaptureError) as caught, source:
        pass
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("text", ["demo", "http://127.0.0.1:1/", "0", "a.mp4"])
def test_a_source_that_was_not_entered_refuses(text: str) -> None:
    with pytest.raises(CaptureError, match="not open"):
        list(open_source(text))
