"""How much teaching helps: `python scripts/measure_teach.py [--models FOLDER] [--real FOLDER]`.

Strangers: rendered pigs far from training in shape, colour and paint, from seeds that no training
set has, each on one table before one camera under one light. Twelve shots a pose are taught, the
rest is held out: read by the shipped reader as it is, and with the profile. Those are a player's
own table; the same pig is read `ELSEWHERE` too, on any table, near and far, in any light. What was
rendered is kept, so that another model is measured in minutes. Numbers 30 to 41 measure; whatever
is chosen is chosen on others: `--first 12 --strangers 9`.

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
from dataclasses import replace
from pathlib import Path
from unittest import mock

import cv2
import numpy as np

from vision.capture.frame import Image
from vision.learn.shots import Shots, crop_size
from vision.learn.teach import Looks, choose, teach
from vision.recognize.crop import pose_crop
from vision.recognize.embedding import Embedder
from vision.recognize.linear import fit
from vision.recognize.picture import open_picture
from vision.recognize.pose import Classifier
from vision.recognize.profile import Profile, TaughtPose
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.recognizer import Recognizer
from vision.synth import compose, dataset
from vision.synth.paint import hsv, sample_paint
from vision.synth.recipe import Recipe
from vision.synth.scene import Paint

SHOTS, POSES = 12, 6
SHAPES, SURFACES = 97100, 99100
TABLES = 12
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


def sitting(number: int, count: int) -> tuple[list[Image], np.ndarray, float]:
    """Render one stranger's sitting: crops, numbers of poses, and the camera's tilt."""
    rng = np.random.default_rng(7000 + number)
    tilt = float(rng.uniform(15, 50))
    recipe = Recipe(
        f"sitting{number}", "crops", shapes=(SHAPES + number, 1), surfaces=(SURFACES + number, 1),
        things=(99001, 4), shape_spread=1.8, tilt_deg=(tilt - 4, tilt + 4), pig_px=(70, 95),
        labels=(1, 1, 1, 1, 1, 1, 0), sister=0.9, thing=0.0, plain_table=0, no_shadow=0,
        imperfection=0.5,
    )  # fmt: skip
    crops, labels = [], []
    with one_sitting(recipe, rng):
        studio = dataset.Studio(recipe)
        for index in range(count):
            crop, label, _ = studio.crop(100 + number, index)
            crops.append(crop)
            labels.append(POSE_CLASSES.index(label))
    return crops, np.array(labels), tilt


def elsewhere(number: int, count: int) -> tuple[list[Image], np.ndarray, float]:
    """Render the same stranger on any table, in any light, near and far, seen from any height.

    Crops, numbers of poses, and the tilts' middle.
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
    return crops, np.array(labels), float(np.median(tilts))


def kept(
    number: int, count: int, folder: Path, where: str = "sitting"
) -> tuple[list[Image], np.ndarray, float]:
    """Give a sitting, or the same pig `elsewhere`, rendered only if it is not in the folder."""
    path = folder / f"{where}-{number}-{count}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        crops, labels, tilt = (sitting if where == "sitting" else elsewhere)(number, count)
        half = folder / f"half-{os.getpid()}.npz"
        np.savez(half, crops=np.array(crops), labels=labels, tilt=tilt)
        half.replace(path)
    with np.load(path) as found:
        return list(found["crops"]), found["labels"], float(found["tilt"])


def resized(crop: Image, side: int) -> Image:
    return np.asarray(cv2.resize(crop, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def strangers(
    embedder: Embedder, shipped: Classifier, numbers: range, count: int, folder: Path
) -> None:
    here, there = [], []
    for number in numbers:
        crops, labels, tilt = kept(number, count, folder)
        shown = np.concatenate([np.flatnonzero(labels == p)[:SHOTS] for p in range(POSES)])
        rest = np.setdiff1d(np.arange(len(labels)), shown)
        rounds = np.concatenate([np.arange(np.sum(labels[shown] == p)) // 2 for p in range(POSES)])
        large = [resized(c, crop_size(embedder.size)) for c in crops]
        names = tuple(f"session round {n + 1}" for n in range(SHOTS // 2))
        shots = Shots(tuple(large[i] for i in shown), labels[shown], rounds, names)
        cpu = time.process_time()
        lesson = teach(shots, embedder, "stranger")
        cpu = time.process_time() - cpu
        taught = lesson.profile and TaughtPose(embedder, lesson.profile)
        here.append(errors(shipped, taught, [large[i] for i in rest], labels[rest]))
        away, poses, _ = kept(number, ELSEWHERE, folder, "elsewhere")
        moved = [resized(c, crop_size(embedder.size)) for c in away]
        there.append(errors(shipped, taught, moved, poses))
        before, after = here[-1]
        print(
            f"stranger {number}, tilt {tilt:.0f}: held-out right {1 - before / len(rest):.3f} "
            f"before, {1 - after / len(rest):.3f} after, {1 - after / max(1, before):.0%} of the "
            f"{before} errors gone, n = {len(rest)}; elsewhere {there[-1][0]} errors before, "
            f"{there[-1][1]} after, n = {len(moved)}; {lesson.verdict}; "
            f"{lesson.seconds:.1f} s, {cpu:.1f} s of processor, load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
    summed("the table taught at", np.array(here))
    summed("elsewhere", np.array(there))


def errors(
    shipped: Classifier, taught: TaughtPose | None, crops: list[Image], labels: np.ndarray
) -> tuple[int, int]:
    """Count what is read wrong as shipped and after a lesson, which may have given no profile."""
    before = int(np.sum(shipped(crops).argmax(axis=1) != labels))
    if taught is None:
        return before, before
    return before, int(np.sum(taught(crops).argmax(axis=1) != labels))


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
    shipped = Recognizer.load(given.models).pose
    if given.real is not None:
        real(embedder, shipped, given.real)
    if given.strangers > 0:
        numbers = range(given.first, given.first + given.strangers)
        strangers(embedder, shipped, numbers, given.count, given.keep)


if __name__ == "__main__":
    main()
