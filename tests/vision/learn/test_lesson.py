"""A lesson takes a shot of each thing laid, once, and judges what came of it honestly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from scoring.throw import Contact, Pose
from vision.capture.frame import Frame, Image
from vision.capture.supervise import Trouble
from vision.learn.lesson import LessonRoom, Stage
from vision.learn.lesson_plan import TOUCHING_ROUND, PlanError, plan
from vision.learn.shots import TeachError, gather
from vision.photos.labels import Box, Labels
from vision.photos.photo_set import PhotoSet


class Table:
    """A camera over a table: hands move pigs, then take themselves away."""

    def __init__(self) -> None:
        self.index = 0
        self.rng = np.random.default_rng(0)
        self.lying: list[tuple[int, int]] = []

    def image(self, shift: int = 0) -> Image:
        image = np.full((240, 320, 3), 110, np.uint8)
        image[::11] = 90
        for x, y in self.lying:
            image[y : y + 34, x + shift : x + shift + 46] = (235, 160, 150)
        noise = self.rng.integers(0, 3, image.shape, dtype=np.uint8)
        return np.asarray(image + noise, np.uint8)

    def frame(self, shift: int = 0) -> Frame:
        frame = Frame(self.image(shift), self.index, self.index / 30, "camera 0")
        self.index += 1
        return frame

    def lay(self, *places: tuple[int, int], moving: int = 10, still: int = 30) -> Iterator[Frame]:
        self.lying = list(places)
        for n in range(moving):
            yield self.frame(6 * (moving - n))
        for _ in range(still):
            yield self.frame()


def find(image: Image) -> list[Box]:
    """Find the pigs of `Table` by their colour."""
    import cv2

    mask = (image[..., 0].astype(int) - image[..., 2] > 60).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    return [
        (float(x), float(y), float(x + w), float(y + h))
        for x, y, w, h, area in stats[1:count]
        if area > 300
    ]


@pytest.fixture
def photos(tmp_path: Path) -> Iterator[PhotoSet]:
    with PhotoSet.open(tmp_path) as opened:
        yield opened


@pytest.fixture
def room(photos: PhotoSet) -> LessonRoom:
    return LessonRoom(photos, plan(2), find, sitting="monday")


def stage(room: LessonRoom) -> Stage:
    return room.progress.stage


def shots_of(room: LessonRoom) -> list[int]:
    """The steps that have a shot."""
    return [s.step for s in room.progress.shots]


HERE, THERE, ELSEWHERE = (30, 40), (200, 60), (120, 150)


def test_the_plan_shows_every_pose_each_round_and_some_touching() -> None:
    steps = plan(6)
    assert len(steps) == 37
    for number in range(6):
        poses = [s.pose for s in steps if s.round == number and s.pose is not None]
        assert poses == list(Pose)
    assert {s.turn_deg for s in steps if s.round == 2} == {120}
    touching = [s for s in steps if s.contact is Contact.TOUCHING]
    assert {s.round for s in touching} == {TOUCHING_ROUND}
    assert steps[-1].contact is Contact.STACKED
    with pytest.raises(PlanError):
        plan(1)


def test_one_shot_each_time_two_pigs_lie_still(room: LessonRoom, photos: PhotoSet) -> None:
    table = Table()
    room.watch(table.lay(HERE, THERE))
    assert stage(room) is Stage.TAKEN
    assert len(shots_of(room)) == 1, "lying on is no second shot"
    room.watch(table.lay(HERE, ELSEWHERE))
    assert shots_of(room) == [0, 1]
    first, second = photos.photos()
    assert first.labels is not None
    assert [p.pose for p in first.labels.pigs] == ["dot_up", "dot_up"]
    assert first.labels.confirmed
    assert first.labels.contact is Contact.APART
    assert (first.session, first.camera) == ("monday round 1", "camera 0")
    assert second.labels is not None
    assert second.labels.pigs[0].pose == "dot_down"
    x0, y0, x1, y1 = first.labels.pigs[0].box
    assert (x0, y0, x1, y1) == pytest.approx((*HERE, HERE[0] + 46, HERE[1] + 34), abs=2)


def test_one_pig_is_not_enough(room: LessonRoom) -> None:
    table = Table()
    room.watch(table.lay(HERE))
    assert stage(room) is Stage.COUNT
    assert len(room.progress.boxes) == 1
    room.watch(table.lay(HERE, THERE))
    assert len(shots_of(room)) == 1


def test_buttons(room: LessonRoom, photos: PhotoSet) -> None:
    table = Table()
    room.skip()
    room.watch(table.lay(HERE, THERE))
    assert shots_of(room) == [1]
    room.back()
    assert room.progress.step == 1
    assert shots_of(room) == []
    labels = photos.photos()[0].labels
    assert labels is not None
    assert labels.left_out
    room.watch(table.lay(HERE, THERE, moving=0))
    assert shots_of(room) == [], "what was taken back is not taken again unmoved"
    assert room.take_now()
    room.pause(paused=True)
    room.watch(table.lay(ELSEWHERE, THERE))
    assert len(shots_of(room)) == 1
    room.skip()
    assert stage(room) is Stage.PAUSED
    room.pause(paused=False)
    room.watch(table.lay(ELSEWHERE, HERE))
    assert len(shots_of(room)) == 2
    room.pause(paused=True)
    room.pause(paused=False)
    room.watch(table.lay(ELSEWHERE, HERE, moving=0))
    assert len(shots_of(room)) == 2, "nothing was moved meanwhile"


def test_only_a_shot_is_said_to_be_taken(room: LessonRoom) -> None:
    table = Table()
    room.skip()
    assert (stage(room), shots_of(room)) == (Stage.LAY, [])
    room.watch(table.lay(HERE, THERE))
    assert stage(room) is Stage.TAKEN
    room.skip()
    assert stage(room) is Stage.LAY


def test_a_shot_asked_for_without_two_pigs_says_so(room: LessonRoom) -> None:
    assert not room.take_now(), "no picture yet"
    room.watch(Table().lay(still=1))
    assert not room.take_now()
    assert (stage(room), room.progress.missed) == (Stage.COUNT, True)
    room.pause(paused=True)
    assert not room.progress.missed
    assert not room.take_now()
    assert (stage(room), room.progress.missed) == (Stage.PAUSED, True)
    room.watch(Table().lay(HERE, THERE))
    assert room.take_now()
    assert (stage(room), room.progress.missed) == (Stage.PAUSED, False)


def test_a_whole_lesson_ends_with_one_pig_on_the_other(room: LessonRoom, photos: PhotoSet) -> None:
    table = Table()
    for n in range(20):
        room.watch(table.lay((20 + 5 * n, 40), (180 + 4 * n, 130), still=20))
    assert stage(room) is Stage.COMPLETE
    assert len(shots_of(room)) == 13
    labels = photos.photos()[-1].labels
    assert labels is not None
    assert labels.contact is Contact.STACKED
    assert not labels.reviewed, "which poses they have nobody has said"
    assert not room.take_now()


def test_a_lost_camera_is_told_and_got_over(room: LessonRoom) -> None:
    table = Table()
    room.watch([Trouble("the cable is out", 0.0)])
    assert (stage(room), room.progress.trouble) == (Stage.NO_CAMERA, "the cable is out")
    room.watch(table.lay(HERE, THERE))
    assert room.progress.trouble == ""
    assert len(shots_of(room)) == 1


def test_only_confirmed_pigs_are_learnt_from(photos: PhotoSet, room: LessonRoom) -> None:
    with pytest.raises(TeachError, match="0 pigs in 0 poses"):
        gather(photos, 24)
    table = Table()
    for n in range(14):
        room.watch(table.lay((20 + 7 * n, 40), (180 + 4 * n, 130), still=20))
    shots = gather(photos, 24)
    assert len(shots.crops) == 24, "the stacked pair has no poses"
    assert {c.shape for c in shots.crops} == {(32, 32, 3)}
    assert set(shots.group_names) == {"session monday round 1", "session monday round 2"}
    first = photos.photos()[0]
    assert first.labels is not None
    out = Labels(first.labels.pigs, None, reviewed=True, unsure=True)
    photos.save(first.id, out, revision=first.revision)
    assert len(gather(photos, 24).crops) == 22
