"""Stills out of videos, and the model's looks in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pytest

from vision.capture.frame import Frame
from vision.errors import CaptureError, ModelError
from vision.photos import arrivals
from vision.photos.photo_set import PhotoSet
from vision.photos.proposer import Proposer, ProposerState
from vision.photos.stills import add_stills, is_video
from vision.recognize.reading import POSE_CLASSES, Decision, PigDetection, Reading

if TYPE_CHECKING:
    from tests.conftest import Until

MakePicture = Callable[..., bytes]


class Film:
    """A table on which something is moved and left alone, again and again."""

    live = False

    def __init__(self, spots: list[int], *, cut_short: bool = False) -> None:
        self.name = "friday night.mp4"
        self._spots = spots
        self._cut_short = cut_short

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def __iter__(self) -> Iterator[Frame]:
        rng = np.random.default_rng(1)
        index = 0
        for spot in self._spots:
            for k in range(40):
                x = spot + (6 * (12 - k) if k < 12 else 0)
                image = np.full((240, 320, 3), 120, np.uint8)
                image[::9] = 100
                image[100:140, x : x + 50] = (230, 150, 150)
                image = image + rng.integers(0, 3, image.shape, dtype=np.uint8)
                yield Frame(image, index, index / 30, self.name)
                index += 1
        if self._cut_short:
            raise CaptureError("the film is cut short")


def test_one_still_each_time_all_lies_still(photos: PhotoSet) -> None:
    told: list[float] = []
    taken = add_stills(photos, Film([20, 150, 80]), tell=lambda time_s, _: told.append(time_s))
    assert len(taken.photos) == 3
    assert taken.problem == ""
    assert {p.session for p in taken.photos} == {"friday night"}
    assert taken.photos[0].name.startswith("friday night-0000")
    assert told == sorted(told)
    assert add_stills(photos, Film([20, 150, 80])).photos == (), "not taken twice"


def test_a_film_cut_short_gives_what_it_has(photos: PhotoSet) -> None:
    taken = add_stills(photos, Film([20, 150], cut_short=True), session="s", camera="c", most=9)
    assert (len(taken.photos), taken.problem) == (2, "the film is cut short")
    assert {(p.session, p.camera) for p in taken.photos} == {("s", "c")}


def test_no_more_stills_than_wanted(photos: PhotoSet) -> None:
    taken = add_stills(photos, Film([20, 150, 80]), most=2)
    assert (len(taken.photos), taken.problem) == (2, "stopped at 2 stills")


@pytest.mark.parametrize(
    ("name", "video"), [("a.MP4", True), ("b.webm", True), ("c.jpg", False), ("mp4", False)]
)
def test_videos_are_known_by_name(name: str, video: bool) -> None:
    assert is_video(name) is video


class Eyes:
    """Sees one trotter on every picture, but none on a broken one."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def read(self, frames: Any) -> Reading:
        self.seen.append(frames[0].source)
        chances = {c: float(c == "trotter") for c in POSE_CLASSES}
        return Reading((PigDetection((1, 1, 9, 9), 0.9, chances),), None, Decision.ASK, "one pig")


def test_the_model_looks_at_every_picture_and_at_new_ones(
    photos: PhotoSet, make_picture: MakePicture, until: Until
) -> None:
    ids = [arrivals.add(photos, make_picture(n), f"{n}.png")[0].id for n in range(3)]
    Path(photos.path(photos.photo(ids[1]))).write_bytes(b"broken")
    eyes = Eyes()
    proposer = Proposer(photos, load=lambda: (eyes, "eyes-1"))
    proposer.start()
    until(lambda: proposer.status.state is ProposerState.IDLE)
    assert proposer.status.model == "eyes-1"
    assert photos.photo(ids[0]).proposal is not None
    assert photos.photo(ids[1]).proposal is None, "a broken picture ends nothing"
    new = arrivals.add(photos, make_picture(9), "9.png")[0]
    proposer.want(new.id)
    until(lambda: photos.photo(new.id).proposal is not None)
    proposer.stop()
    other = Proposer(photos, load=lambda: (eyes, "eyes-2"))
    other.start()
    until(lambda: other.status.state is ProposerState.IDLE)
    other.stop()
    proposal = photos.photo(ids[0]).proposal
    assert proposal is not None
    assert proposal.model == "eyes-2", "a new model looks again"


def test_without_a_model_the_page_works_on(photos: PhotoSet, until: Until) -> None:
    def missing() -> tuple[Any, str]:
        raise ModelError("there are no models")

    proposer = Proposer(photos, load=missing)
    proposer.start()
    until(lambda: proposer.status.state is ProposerState.MISSING)
    assert proposer.status.reason == "there are no models"
    proposer.stop()
