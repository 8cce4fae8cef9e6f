"""A lesson takes a shot of each thing laid, once, and judges what came of it honestly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Opener

from scoring.throw import Contact, Pose
from vision.artefacts import artefact_dir
from vision.capture.frame import Frame, Image
from vision.capture.supervise import Trouble
from vision.errors import ModelError
from vision.learn.lesson import LessonRoom, Stage
from vision.learn.lesson_plan import TOUCHING_ROUND, PlanError, plan
from vision.learn.teach import HOLDS, Looks, Shots, TeachError, gather, teach
from vision.photos.labels import Box, Labels
from vision.photos.photo_set import PhotoSet
from vision.recognize.embedding import Embedder
from vision.recognize.gaze import VIEWS, Gaze, Recolour, look, pig_colour
from vision.recognize.linear import Layer, log_softmax
from vision.recognize.profile import (
    Profile,
    ProfileError,
    ProfileFolder,
    TaughtPose,
    load_taught,
    read_profile,
)
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.recognizer import Recognizer


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


class Network:
    """A network that reads two dozen numbers written into the pixels of a crop.

    The first seven are what it says of the poses, the rest what its embedding knows.
    """

    size, sha256 = 24, "f" * 64

    def __call__(self, crops: Any) -> tuple[Any, Any]:
        values = np.array([np.asarray(c, float)[12, :, 0] / 25.5 - 5 for c in crops])
        return values[:, 7:], log_softmax(values[:, :7])


def some_shots(seed: int, *, signal: float, right: float) -> Shots:
    """Shots of six poses in six rounds; `signal` is what the embedding knows of the pose."""
    rng = np.random.default_rng(seed)
    labels = np.tile(np.arange(6), 12)
    count = len(labels)
    known = signal * rng.normal(size=(7, 17))[labels] + 0.4 * rng.normal(size=(count, 17))
    guess = np.where(rng.random(count) < right, labels, rng.integers(0, 7, count))
    said = 3.0 * np.eye(7)[guess] + 0.3 * rng.normal(size=(count, 7))
    rows = np.clip((np.hstack([said, known]) + 5) * 25.5, 0, 255).astype(np.uint8)
    crops = tuple(np.broadcast_to(r[None, :, None], (24, 24, 3)).copy() for r in rows)
    names = tuple(f"session round {n + 1}" for n in range(6))
    return Shots(crops, labels, np.arange(count) // 12, names)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Look at crops as they are: what is written in them would not survive a turn."""
    monkeypatch.setattr("vision.learn.teach.RECOLOURS", ())
    monkeypatch.setattr("vision.learn.teach.look", lambda crop, _view, _size: crop)
    return Network()


def test_teaching_helps_where_the_network_is_often_wrong(network: Any) -> None:
    lesson = teach(some_shots(1, signal=1.2, right=0.6), network, "mine")
    assert lesson.profile is not None
    assert lesson.shots == 72
    wrong_before, wrong_after = 72 - lesson.before, 72 - lesson.after
    assert wrong_after <= wrong_before / 2
    assert lesson.mended - lesson.broken == lesson.after - lesson.before
    assert sum(c.shots for c in lesson.poses) == 72
    assert lesson.held_out_by == "session"
    assert lesson.profile.shots["trotter"] == 12
    assert lesson.profile.model == network.sha256


@pytest.mark.parametrize("seed", range(4))
def test_teaching_never_harms_where_there_is_nothing_to_learn(network: Any, seed: int) -> None:
    lesson = teach(some_shots(seed, signal=0.0, right=0.97), network, "mine")
    assert lesson.profile is None
    assert "nothing is changed" in lesson.verdict
    assert lesson.hold.trust >= 0.5


def test_labels_mixed_up_by_the_user_are_not_taken(network: Any) -> None:
    shots = some_shots(3, signal=1.2, right=0.98)
    mixed = np.random.default_rng(1).integers(0, 6, 72)
    lesson = teach(Shots(shots.crops, mixed, shots.groups, shots.group_names), network, "mine")
    assert lesson.after <= lesson.shots * 0.4
    assert lesson.profile is None


def test_holds_begin_with_the_network_itself() -> None:
    assert (HOLDS[0].trust, HOLDS[0].hold) == (1.0, max(h.hold for h in HOLDS))


def test_before_is_what_the_shipped_reader_says() -> None:
    folder = artefact_dir("datasets") / "poses"
    names = [f"{n}_{pose}" for n, pose in enumerate(POSE_CLASSES)][:-1]
    files = [sorted((folder / name).iterdir())[:4] for name in names]
    crops = tuple(np.asarray(Opener.open(f).convert("RGB")) for few in files for f in few)
    labels = np.repeat(np.arange(len(names)), 4)
    shots = Shots(crops, labels, np.arange(24) % 2, ("session one", "session two"))
    embedder = Embedder.load()
    said = Recognizer.load().pose(crops)
    assert Looks.of(shots, embedder).plain() == pytest.approx(said, abs=1e-4)
    assert teach(shots, embedder, "mine").before == int((said.argmax(axis=1) == labels).sum())


class FleshOnly:
    """A network that knows a pose, written in the table's grey, only where the pig is flesh."""

    size, sha256 = 24, "c" * 64

    def __call__(self, crops: Any) -> tuple[Any, Any]:
        logs = []
        for crop in np.asarray(crops, float):
            middle = crop[8:16, 8:16].mean(axis=(0, 1))
            pose = round((crop[:3].mean() - 20) / 30)
            logs.append((4.0 if middle[0] - middle[2] > 30 else 0.0) * np.eye(7)[pose])
        return np.zeros((len(crops), 3)), log_softmax(np.array(logs))


class TestGaze:
    def test_a_blue_pig_becomes_flesh_and_the_table_stays(self) -> None:
        image = np.full((64, 64, 3), (120, 110, 100), np.uint8)
        image[16:48, 16:48] = (60, 80, 200)
        image[16:48, 32:48] = (45, 60, 150)
        colour = pig_colour([image])
        seen = Recolour(colour, 15.0, 1.0)(image)
        assert seen[20, 20, 0] > seen[20, 20, 2] + 40, "red above blue, as flesh is"
        assert int(seen[20, 20].sum()) > int(seen[20, 40].sum()), "the shaded half stays darker"
        assert np.abs(seen[2, 2].astype(int) - image[2, 2]).max() <= 12

    def test_views_turn_and_scale_and_never_mirror(self) -> None:
        image = np.zeros((40, 40, 3), np.uint8)
        image[5:15, 25:35] = 255  # upper right
        for view in {v for views in VIEWS.values() for v in views}:
            seen = look(image, view, 30)
            assert seen.shape == (30, 30, 3)
            ys, xs = np.nonzero(seen[..., 0] > 128)
            dx, dy = xs.mean() - 14.5, 14.5 - ys.mean()
            angle = np.degrees(np.arctan2(dy, dx)) - 45
            assert (angle - view[0] + 180) % 360 - 180 == pytest.approx(0, abs=3)
        marked = np.zeros((40, 40, 3), np.uint8)
        marked[5, 5], marked[5, 34], marked[34, 34] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
        corners = [tuple(c) for c in (marked[5, 5], marked[5, 34], marked[34, 34], marked[34, 5])]
        for turn in (90.0, 180.0, 270.0):
            seen = look(marked, (turn, 1.0), 40)
            found = [tuple(c) for c in (seen[5, 5], seen[5, 34], seen[34, 34], seen[34, 5])]
            assert any(found == corners[n:] + corners[:n] for n in range(4)), "turned, not mirrored"

    def test_a_gaze_gives_one_look_a_view(self) -> None:
        crop = np.random.default_rng(0).integers(0, 255, (32, 32, 3), dtype=np.uint8)
        for name, views in VIEWS.items():
            looks = Gaze(None, name)(crop, 24)
            assert len(looks) == len(views)
            assert {x.shape for x in looks} == {(24, 24, 3)}
        with pytest.raises(ValueError, match="expected views"):
            Gaze(None, "mirrored")

    def test_recolouring_is_chosen_where_it_helps(self) -> None:
        labels = np.tile(np.arange(6), 8)
        crops = []
        for pose in labels:
            crop = np.full((32, 32, 3), 20 + 30 * int(pose), np.uint8)
            crop[8:24, 8:24] = (60, 80, 190)
            crops.append(crop)
        names = tuple(f"session {n}" for n in range(4))
        embedder: Any = FleshOnly()
        lesson = teach(Shots(tuple(crops), labels, np.arange(48) // 12, names), embedder, "blue")
        assert lesson.gaze.recolour is not None
        assert (lesson.before, lesson.after) == (8, 48)
        assert lesson.profile is not None
        taught = TaughtPose(embedder, lesson.profile)
        assert (taught(crops).argmax(axis=1) == labels).all()


class FakeEmbedder:
    size, sha256 = 24, "f" * 64

    def __call__(self, crops: Any) -> tuple[Any, Any]:
        vectors = np.array([np.asarray(c, float).mean(axis=(0, 1)) for c in crops])
        return vectors, np.full((len(crops), 7), -np.log(7.0))


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


def a_profile(name: str = "kitchen pigs", model: str = "a" * 64, depth: int = 5) -> Profile:
    rng = np.random.default_rng(0)
    layer = Layer(rng.normal(size=depth), 2.0, rng.normal(size=(depth, 7)), rng.normal(size=7), 0.5)
    gaze = Gaze(Recolour((40.0, 5.0, -20.0), 15.0, 0.7), "near")
    return Profile(name, model, layer, gaze, {"trotter": 12}, 0.7, 0.9, "2026-11-30T10:00:00+00:00")


class TestProfiles:
    def test_a_file_gives_back_the_profile(self, tmp_path: Path) -> None:
        shelf = ProfileFolder(tmp_path)
        mine = a_profile()
        back = read_profile(shelf.put(mine))
        assert (back.name, back.model, back.shots) == (mine.name, mine.model, mine.shots)
        assert back.gaze == mine.gaze
        vectors = np.random.default_rng(1).normal(size=(4, 5))
        logs = np.full((4, 7), -np.log(7.0))
        assert back.layer(vectors, logs) == pytest.approx(mine.layer(vectors, logs), abs=1e-5)

    def test_switching_and_removing(self, tmp_path: Path) -> None:
        shelf = ProfileFolder(tmp_path)
        assert (shelf.names(), shelf.active) == ([], None)
        shelf.put(a_profile("one"))
        shelf.put(a_profile("two"))
        shelf.use("two")
        assert (shelf.names(), shelf.active) == (["one", "two"], "two")
        shelf.remove("two")
        assert (shelf.names(), shelf.active) == (["one"], None)
        shelf.use("one")
        shelf.use(None)
        assert shelf.active is None
        with pytest.raises(ProfileError, match="no profile 'three'"):
            shelf.use("three")

    @pytest.mark.parametrize("name", ["", "../x", "a/b", "none", "active", ".hidden", "x" * 61])
    def test_names_that_would_not_do(self, name: str) -> None:
        with pytest.raises(ProfileError, match="a profile's name"):
            a_profile(name)

    @pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"hello" * 20])
    def test_files_that_are_none(self, tmp_path: Path, data: bytes) -> None:
        (tmp_path / "x.pigs").write_bytes(data)
        with pytest.raises(ProfileError, match="not a profile"):
            read_profile(tmp_path / "x.pigs")

    def test_damaged_numbers_are_refused(self) -> None:
        broken = a_profile()
        broken.layer.weights[0, 0] = np.nan
        with pytest.raises(ProfileError, match="numbers that are none"):
            Profile.from_bytes(broken.to_bytes(), "x")

    def test_nothing_in_a_file_is_run(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "x.npz", about=np.array([{"a": 1}], dtype=object))
        with pytest.raises(ProfileError, match="not a profile"):
            Profile.from_bytes((tmp_path / "x.npz").read_bytes(), "x")

    def test_a_taught_network_says_what_the_layer_makes_of_its_looks(self) -> None:
        embedder: Any = FakeEmbedder()
        mine = a_profile(depth=3)
        rng = np.random.default_rng(0)
        crops = [rng.integers(0, 255, (32, 32, 3), dtype=np.uint8) for _ in range(2)]
        taught = TaughtPose(embedder, mine)
        assert taught.size == 32
        expected = [
            log_softmax(mine.layer(*embedder(mine.gaze(c, 24))).mean(axis=0)) for c in crops
        ]
        assert taught(crops) == pytest.approx(np.array(expected))
        assert np.exp(taught(crops)).sum(axis=1) == pytest.approx(1)
        assert taught([]).shape == (0, 7)

    def test_a_profile_of_another_model_is_left_out(self, tmp_path: Path) -> None:
        shelf = ProfileFolder(tmp_path)
        shelf.put(a_profile("old", model="0" * 64))
        shelf.use("old")
        try:
            _, used = load_taught(folder=shelf)
        except ModelError as error:
            pytest.skip(f"no models here: {error}")
        assert used is None
        with pytest.raises(ProfileError, match="taught on another model"):
            load_taught(profile="old", folder=shelf)
        assert load_taught(profile="none", folder=shelf)[1] is None

    def test_the_shipped_network_takes_a_profile(self, tmp_path: Path) -> None:
        try:
            embedder = Embedder.load()
        except ModelError as error:
            pytest.skip(f"no models here: {error}")
        crops = [np.zeros((embedder.size, embedder.size, 3), np.uint8)]
        depth = embedder(crops)[0].shape[1]
        shelf = ProfileFolder(tmp_path)
        shelf.put(a_profile("mine", model=embedder.sha256, depth=depth))
        shelf.use("mine")
        recognizer, used = load_taught(folder=shelf)
        assert used == "mine"
        recognizer.read([Frame(np.full((200, 300, 3), 120, np.uint8), 0, 0.0, "x")])
