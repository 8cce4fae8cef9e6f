"""How much teaching helps: `python scripts/measure_teach.py [--models FOLDER] [--real FOLDER]`.

Strangers: rendered pigs far from training in shape, colour and paint, from seeds that no training
set has, each on one table before one camera, which stays where it is, under one light. Twelve shots
a pose are taught, the rest is held out: read by the shipped reader as it is, and with the profile;
and both once more as a table reads that has watched `WATCHED` throws before, untaught. Those are a
player's own table; the same pig is read `ELSEWHERE` too, on any table, near and far, in any light.
What was rendered is kept, so that another model is measured in minutes. Numbers 30 to 41 measure;
whatever is chosen is chosen on others: `--first 12 --strangers 9`.

With `--real`, the labelled photographs of a folder are read leaving one picture out at a time;
pigs whose side cannot be seen teach nothing and count as right on either side.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.learn.looks import Looks
from vision.learn.shots import Shots, crop_size
from vision.learn.teach import choose, teach
from vision.recognize.crop import Box, pose_crop
from vision.recognize.embedding import Embedder
from vision.recognize.linear import fit
from vision.recognize.picture import open_picture
from vision.recognize.pose import Classifier
from vision.recognize.profile import Profile, TaughtPose
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.recognizer import Recognizer
from vision.recognize.slant import Signs, Slant, sights
from vision.synth import compose, dataset
from vision.synth.camera import PIG_LENGTH_MM, look_at
from vision.synth.paint import hsv, sample_paint
from vision.synth.recipe import Recipe
from vision.synth.scene import Camera, Paint, Vec

SHOTS, POSES = 12, 6
SHAPES, SURFACES = 97100, 99100
TABLES = 12
WATCHED = 12
"""Throws after which a table that nobody taught is read, two pigs each."""

ELSEWHERE = 60
"""Crops of each stranger on other tables."""


def strange_paint(rng: np.random.Generator) -> Paint:
    """Draw a paint far from training: skin, hooves and dot of any colour."""
    dots = (0.05, 0.95)
    return replace(
        sample_paint(rng),
        skin=hsv(rng.random(), 0.5, rng.uniform(0.3, 0.9)),
        hoof=hsv(rng.random(), 0.7, 0.8),
        dot=hsv(0.1, 0.1, float(rng.choice(dots))),
        dot_wear=0.03,
    )


@contextmanager
def one_sitting(recipe: Recipe, rng: np.random.Generator) -> Iterator[None]:
    """Hold paint, table, light, exposure and the camera's faults for all pictures."""
    paint = strange_paint(rng)
    table = compose.sample_table(rng, recipe, 1)
    lights = compose.sample_lights(rng)
    faults = dataset.sample_imperfection(rng, 0.4)
    exposures: list[float] = []
    expose = dataset.exposure_for

    def exposure(_rng: object, scene: compose.Scene) -> float:
        if not exposures:
            exposures.append(expose(np.random.default_rng(5), scene))
        return exposures[0]

    def moved(r: np.random.Generator, *_: object) -> compose.Table:
        return replace(table, offset=(float(r.random()), float(r.random())))

    with ExitStack() as held:
        for place, name, new in (
            (compose, "sample_paint", lambda *_: paint),
            (compose, "sample_table", moved),
            (compose, "sample_lights", lambda *_: lights),
            (dataset, "sample_imperfection", lambda *_: faults),
            (dataset, "exposure_for", exposure),
        ):
            held.enter_context(mock.patch.object(place, name, new))
        yield


class Stays:
    """A camera that stays: its tilt, roll and lens are drawn once, the pig lies anywhere."""

    def __init__(self, seed: int, tilt_deg: float) -> None:
        rng = np.random.default_rng(seed)
        self.tilt_deg, self.roll_deg = tilt_deg, float(rng.normal(0, 6))
        self.size = (1280, 720)
        self.focal_px = 0.5 * self.size[0] / np.tan(np.radians(rng.uniform(45, 70)) / 2)
        self.boxes: list[Box] = []

    def __call__(
        self, rng: np.random.Generator, target: Vec, pig_px: float, *_: object, **__: object
    ) -> Camera:
        """Show `target` anywhere in the middle of the picture, and keep where."""
        x, y = (side * (0.5 + rng.uniform(-0.3, 0.3)) for side in self.size)
        self.boxes.append((x - pig_px / 2, y - pig_px / 2, x + pig_px / 2, y + pig_px / 2))
        distance = PIG_LENGTH_MM * self.focal_px / pig_px
        return look_at(target, self.tilt_deg, rng.uniform(-180, 180), self.roll_deg, distance,
                       self.focal_px, self.size, (x, y))  # fmt: skip


def sitting(number: int, count: int) -> tuple[list[Image], np.ndarray, float, np.ndarray]:
    """Render one stranger's sitting: crops, numbers of poses, the camera's tilt, lines of sight.

    Those are as the table takes them, which does not know the lens.
    """
    rng = np.random.default_rng(7000 + number)
    tilt = float(rng.uniform(15, 50))
    camera = Stays(7300 + number, tilt)
    recipe = Recipe(
        f"sitting{number}", "crops", shapes=(SHAPES + number, 1), surfaces=(SURFACES + number, 1),
        things=(99001, 4), shape_spread=1.8, pig_px=(70, 95),
        labels=(1, 1, 1, 1, 1, 1, 0), sister=0.9, thing=0.0, plain_table=0, no_shadow=0,
        imperfection=0.5,
    )  # fmt: skip
    crops, labels, boxes = [], [], []
    with one_sitting(recipe, rng), mock.patch.object(compose, "sample_camera", camera):
        studio = dataset.Studio(recipe)
        for index in range(count):
            crop, label, _ = studio.crop(100 + number, index)
            crops.append(crop)
            labels.append(POSE_CLASSES.index(label))
            boxes.append(camera.boxes[-1])
    return crops, np.array(labels), tilt, sights(boxes, camera.size)


def elsewhere(number: int, count: int) -> tuple[list[Image], np.ndarray, float, np.ndarray]:
    """Render the same stranger on any table, in any light, near and far, seen from any height.

    Crops, numbers of poses, the tilts' middle, and lines of sight straight ahead.
    """
    rng = np.random.default_rng(7000 + number)
    rng.uniform(15, 50)  # the sitting's tilt: its paint is drawn next
    paint = strange_paint(rng)
    recipe = Recipe(
        f"elsewhere{number}", "crops", shapes=(SHAPES + number, 1),
        surfaces=(SURFACES + number, TABLES), things=(99001, 4), shape_spread=1.8,
        pig_px=(26, 180), labels=(1, 1, 1, 1, 1, 1, 0), imperfection=0.8,
    )  # fmt: skip
    crops, labels, tilts = [], [], []
    with mock.patch.object(compose, "sample_paint", return_value=paint):
        studio = dataset.Studio(recipe)
        for index in range(count):
            crop, label, side = studio.crop(5100 + number, index)
            crops.append(crop)
            labels.append(POSE_CLASSES.index(label))
            tilts.append(side["tilt_deg"])
    return crops, np.array(labels), float(np.median(tilts)), np.tile(np.eye(3), (count, 1, 1))


def kept(
    number: int, count: int, folder: Path, where: str = "sitting"
) -> tuple[list[Image], np.ndarray, float, np.ndarray]:
    """Give a sitting, or the same pig `elsewhere`, rendered only if it is not in the folder."""
    path = folder / f"{where}-stays-{number}-{count}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        crops, labels, tilt, seen = (sitting if where == "sitting" else elsewhere)(number, count)
        half = folder / f"half-{os.getpid()}.npz"
        np.savez(half, crops=np.array(crops), labels=labels, tilt=tilt, sights=seen)
        half.replace(path)
    with np.load(path) as found:
        return list(found["crops"]), found["labels"], float(found["tilt"]), found["sights"]


def resized(crop: Image, side: int) -> Image:
    return np.asarray(cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def strangers(
    embedder: Embedder, shipped: Recognizer, numbers: range, count: int, folder: Path
) -> None:
    here, watched, there = [], [], []
    for number in numbers:
        crops, labels, tilt, seen = kept(number, count, folder)
        shown = np.concatenate([np.flatnonzero(labels == p)[:SHOTS] for p in range(POSES)])
        rest = np.setdiff1d(np.arange(len(labels)), shown)
        rounds = np.concatenate([np.arange(np.sum(labels[shown] == p)) // 2 for p in range(POSES)])
        large = [resized(c, crop_size(embedder.size)) for c in crops]
        names = tuple(f"session round {n + 1}" for n in range(SHOTS // 2))
        shots = Shots(tuple(large[i] for i in shown), labels[shown], rounds, names, seen[shown])
        cpu = time.process_time()
        lesson = teach(shots, embedder, "stranger")
        cpu = time.process_time() - cpu
        held = [large[i] for i in rest], seen[rest]
        readers = [Eyes(shipped.pose, None, embedder), Eyes.of(lesson.profile, shipped, embedder)]
        alone = [int(np.sum(e.poses(*held).argmax(axis=1) != labels[rest])) for e in readers]
        after_throws = [int(np.sum(e.watched(*held) != labels[rest])) for e in readers]
        away, poses, _, ahead = kept(number, ELSEWHERE, folder, "elsewhere")
        moved = [resized(c, crop_size(embedder.size)) for c in away], ahead
        here.append(alone)
        watched.append(after_throws)
        there.append([int(np.sum(e.poses(*moved).argmax(axis=1) != poses)) for e in readers])
        before, after = alone
        print(
            f"stranger {number}, tilt {tilt:.0f}: held-out right {1 - before / len(rest):.3f} "
            f"before, {1 - after / len(rest):.3f} after, {1 - after / max(1, before):.0%} of the "
            f"{before} errors gone, n = {len(rest)}; after {WATCHED} throws {after_throws[0]} "
            f"errors untaught, {after_throws[1]} taught; elsewhere {there[-1][0]} errors before, "
            f"{there[-1][1]} after, n = {len(away)}; {lesson.verdict}; {lesson.way}; "
            f"{lesson.seconds:.1f} s, {cpu:.1f} s of processor, load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
    summed("the table taught at", np.array(here))
    summed(f"the same after {WATCHED} throws", np.array(watched))
    untaught = np.stack([np.array(here)[:, 0], np.array(watched)[:, 0]], axis=1)
    summed(f"{WATCHED} throws alone, nothing taught", untaught)
    summed("elsewhere", np.array(there))


@dataclass(frozen=True)
class Eyes:
    """A reader of crops: the shipped one or a taught one, with what it was told of where up is."""

    pose: Classifier | TaughtPose
    slant: Slant | None
    embedder: Embedder

    @classmethod
    def of(cls, profile: Profile | None, shipped: Recognizer, embedder: Embedder) -> Eyes:
        """Give the eyes of a profile; the shipped ones where a lesson gave none."""
        if profile is None:
            return cls(shipped.pose, None, embedder)
        slant = None if profile.slant is None else Slant(profile.slant)
        return cls(TaughtPose(embedder, profile), slant, embedder)

    def poses(self, crops: list[Image], seen: np.ndarray) -> np.ndarray:
        """Give log-probabilities [N, 7], each crop read alone."""
        found = self.pose.see(crops)
        if self.slant is None or found.attitudes is None:
            return found.logs
        signs = Signs.of(found.attitudes, seen, self.embedder.stances)
        return signs.weigh(found.logs, np.tile(self.slant.logs, (len(crops), 1)))

    def watched(self, crops: list[Image], seen: np.ndarray) -> np.ndarray:
        """Give what is read, [N], after `WATCHED` throws of other crops, drawn for each."""
        found = self.pose.see(crops)
        if found.attitudes is None:
            return found.logs.argmax(axis=1)
        signs = Signs.of(found.attitudes, seen, self.embedder.stances)
        words, rng = signs.words(found.logs), np.random.default_rng(0)
        beliefs = []
        for number in range(len(crops)):
            others = rng.choice(np.delete(np.arange(len(crops)), number), 2 * WATCHED, False)
            slant = self.slant or Slant.unknown()
            for throw in others.reshape(WATCHED, 2):
                slant = slant.hearing(words[throw]).later()
            beliefs.append(slant.logs)
        return signs.weigh(found.logs, np.array(beliefs)).argmax(axis=1)


def summed(where: str, wrong: np.ndarray) -> None:
    """Say what came of all strangers [N, 2], with an interval over strangers drawn again."""
    drawn = wrong[np.random.default_rng(0).integers(0, len(wrong), (4000, len(wrong)))].sum(axis=1)
    low, high = np.percentile(1 - drawn[:, 1] / drawn[:, 0], [2.5, 97.5])
    before, after = wrong.sum(axis=0)
    print(
        f"{where}, all {len(wrong)} strangers: {1 - after / before:.0%} of {before} errors gone, "
        f"{after} left (95 % interval over strangers {low:.0%} to {high:.0%}); harmed: "
        f"{int(np.sum(wrong[:, 1] > wrong[:, 0]))}",
        flush=True,
    )


def real(embedder: Embedder, shipped: Classifier, folder: Path) -> None:
    rows = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    crops, poses, pictures = [], [], []
    for number, row in enumerate(rows):
        for pig in row["pigs"]:
            box = tuple(float(v) for v in pig["box_xyxy"])
            image = open_picture(folder / row["file"])
            crops.append(pose_crop(image, box, crop_size(embedder.size)))
            poses.append(pig["pose"])
            pictures.append(number)
    plain = shipped(crops).argmax(axis=1)
    told = np.array([p in POSE_CLASSES for p in poses])
    before = after = 0
    for number in sorted(set(pictures)):
        out = np.array([p == number for p in pictures])
        train = np.flatnonzero(told & ~out)
        labels = np.array([POSE_CLASSES.index(poses[i]) for i in train])
        groups = np.unique([pictures[i] for i in train], return_inverse=True)[1]
        names = tuple(f"picture {n}" for n in range(groups.max() + 1))
        shots = Shots(tuple(crops[i] for i in train), labels, groups, names)
        looks = Looks.of(shots, embedder)
        gaze, hold = choose(looks, np.ones(len(labels), bool))
        vectors, logs = looks.rows(gaze)
        flat = vectors.reshape(-1, vectors.shape[-1]), logs.reshape(-1, logs.shape[-1])
        weights = np.full(len(flat[0]), 1 / len(vectors))
        layer = fit(flat[0], np.tile(labels, len(vectors)), flat[1], hold, weights)
        taught = TaughtPose(embedder, Profile("real", embedder.sha256, layer, gaze))
        read = taught([crops[i] for i in np.flatnonzero(out)]).argmax(axis=1)
        for place, found in zip(np.flatnonzero(out), read, strict=True):
            before += is_right(int(plain[place]), poses[place])
            after += is_right(int(found), poses[place])
    print(f"real, one picture left out: {before} of {len(poses)} right before, {after} after")


def is_right(read: int, pose: str) -> bool:
    name = POSE_CLASSES[read]
    return name in ("dot_up", "dot_down") if pose == "sider" else name == pose


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--strangers", type=int, default=12, help="how many, 0 for none")
    words.add_argument("--first", type=int, default=30, help="the first one's number")
    words.add_argument("--count", type=int, default=300)
    words.add_argument("--real", type=Path)
    words.add_argument("--models", type=Path)
    words.add_argument("--keep", type=Path, default=Path("build/measure-teach"))
    given = words.parse_args()
    embedder = Embedder.load(given.models)
    shipped = Recognizer.load(given.models)
    if given.real is not None:
        real(embedder, shipped.pose, given.real)
    if given.strangers > 0:
        numbers = range(given.first, given.first + given.strangers)
        strangers(embedder, shipped, numbers, given.count, given.keep)


if __name__ == "__main__":
    main()
