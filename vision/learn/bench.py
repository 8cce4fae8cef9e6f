"""How long each stage of a reading takes, beside the bare models and Ultralytics' own predict.

Everything is measured in turns within one run, so that whatever else the machine does falls on
all of them alike; each runs once unmeasured just before, so that it does not pay for what the one
before it left. Ratios mean more than milliseconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from vision.capture.frame import Frame, Image
from vision.recognize import gaze
from vision.recognize.crop import Box, pair_crop, pose_crop
from vision.recognize.decide import Policy, decide, probabilities, weigh
from vision.recognize.fuse import Look, fuse
from vision.recognize.locate import SURE, Located, prepare
from vision.recognize.manifest import Manifest, ModelEntry, Role
from vision.recognize.reading import PigDetection
from vision.recognize.recognizer import Recognizer
from vision.recognize.slant import Slant

WARM_UP = 3
REST_S = 0.02
"""Seconds before each measurement, in which threads of the one before it stop spinning."""
PREDICT = "ultralytics predict"


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of one thing: the median of `runs`, and the slowest of twenty in twenty-one."""

    median: float
    slow: float
    runs: int


def bench(
    recognizer: Recognizer,
    manifest: Manifest,
    image: Image,
    runs: int,
    checkpoints: tuple[Path, Path] | None = None,
) -> dict[str, Timing]:
    """Time `runs` readings of a picture, uint8[H, W, 3] RGB, stage by stage.

    Where two pigs are not found, two boxes in the middle stand in for them, so that every stage
    does the work that it does for a throw. `checkpoints` are the locator's and the pose model's
    weights as they were trained, which Ultralytics then runs in torch too. It looks at the picture
    at as many scales and is given the same looks at each pig, ready made; it leaves out contact,
    fusion and decision.
    """
    boxes = _two_boxes(recognizer, image)
    parts: dict[str, Callable[[], object]] = dict(_stages(recognizer, image, boxes))
    parts["bare models"] = _bare(recognizer, image, boxes)
    parts["whole reading"] = _reading(recognizer, image)
    entries = (manifest.need(Role.LOCATOR), manifest.need(Role.POSE))
    exported = (manifest.folder / entries[0].file, manifest.folder / entries[1].file)
    scales = looked(recognizer.locator, image)
    sides = [max(recognizer.locator.input_size(image, scale)) for scale in scales]
    for name, files in ((PREDICT, exported), (f"{PREDICT} in torch", checkpoints)):
        predict = files and ultralytics_predict(files, entries, image, boxes, sides)
        if predict is not None:
            parts[name] = predict
    times: dict[str, list[float]] = {name: [] for name in parts}
    for turn in range(runs + WARM_UP):
        for name, work in parts.items():
            time.sleep(REST_S)
            work()
            started = time.perf_counter()
            work()
            if turn >= WARM_UP:
                times[name].append(1000 * (time.perf_counter() - started))
    return {
        name: Timing(float(np.median(t)), float(np.percentile(t, 95)), len(t))
        for name, t in times.items()
    }


def ratios(timings: Mapping[str, Timing]) -> dict[str, float]:
    """Give the whole reading against the bare models, and Ultralytics' predict against it."""
    whole = timings["whole reading"].median
    found = {"whole reading / bare models": whole / timings["bare models"].median}
    for name, timing in timings.items():
        if name.startswith(PREDICT):
            found[f"{name} / whole reading"] = timing.median / whole
    return found


def _two_boxes(recognizer: Recognizer, image: Image) -> list[Box]:
    found = [p.box for p in recognizer.locator(image)]
    if len(found) == 2:
        return found
    # A second look for pigs that are not there is no part of a reading of two.
    height, width = image.shape[:2]
    side, gap, x, y = height / 10, height / 100, width / 2, height / 2
    return [
        (x - gap - side, y - side / 2, x - gap, y + side / 2),
        (x + gap, y - side / 2, x + gap + side, y + side / 2),
    ]


def _stages(
    recognizer: Recognizer, image: Image, boxes: list[Box]
) -> Mapping[str, Callable[[], object]]:
    locator, pose = recognizer.locator, recognizer.pose
    scale = locator.scales(image)[0]
    size = locator.input_size(image, scale)
    batch, letterbox = prepare(image, size, scale)
    output = locator.network(batch)
    crops = [pose_crop(image, b, pose.size) for b in boxes]
    seen = pose.see(crops)
    contact = recognizer.contact(image, *boxes)
    look = Look(tuple(Located(b, 0.9) for b in boxes), seen.logs, contact, seen.attitudes)

    def judge() -> object:
        fused = fuse([recognizer.hear(look, image, lambda _boxes: Slant.unknown())[0]])
        pigs = [
            PigDetection(p.box, p.confidence, probabilities(row))
            for p, row in zip(fused.look.pigs, weigh(fused.look.log_poses), strict=True)
        ]
        return decide(pigs, fused.look.contact, Policy())

    return {
        "letterbox": lambda: prepare(image, size, scale),
        "locator": lambda: locator.network(batch),
        "boxes": lambda: locator.boxes(output, letterbox, image),
        "crops": lambda: [pose_crop(image, b, pose.size) for b in boxes],
        "pose": lambda: pose(crops),
        "contact": lambda: recognizer.contact(image, *boxes),
        "fuse and decide": judge,
    }


def _bare(recognizer: Recognizer, image: Image, boxes: list[Box]) -> Callable[[], object]:
    """Give the networks' runs alone, on tensors that are ready."""
    locator, pose = recognizer.locator, recognizer.pose
    batches = [prepare(image, locator.input_size(image, s), s)[0] for s in looked(locator, image)]
    crops = pose.prepare([pose_crop(image, b, pose.size) for b in boxes])
    runs: list[Callable[[], object]] = [partial(locator.network, batch) for batch in batches]
    runs.append(lambda: pose.run(crops))
    contact = recognizer.contact.network
    if contact is not None and recognizer.contact.looks_at(boxes[0], boxes[1]):
        pair = contact.prepare([pair_crop(image, boxes[0], boxes[1], contact.size)])
        runs.append(lambda: contact.run(pair))

    def run() -> None:
        for one in runs:
            one()

    return run


class Looks(Protocol):
    """What looks for pigs at several scales, like a `Locator`."""

    def scales(self, image: Image) -> tuple[float, ...]:
        """Give the scales, in their order."""

    def look(self, image: Image, scale: float) -> list[Located]:
        """Give the pigs found at one scale."""


def looked(locator: Looks, image: Image) -> tuple[float, ...]:
    """Give the scales that a reading looks at: the first with two sure pigs is the last."""
    scales = locator.scales(image)
    for number, scale in enumerate(scales, start=1):
        if sum(pig.confidence >= SURE for pig in locator.look(image, scale)) >= 2:
            return scales[:number]
    return scales


def _reading(recognizer: Recognizer, image: Image) -> Callable[[], object]:
    frame = Frame(image.copy(), 0, 0.0, "bench")
    return lambda: recognizer.read([frame])


def ultralytics_predict(
    files: tuple[Path, Path],
    entries: tuple[ModelEntry, ModelEntry],
    image: Image,
    boxes: list[Box],
    sides: list[int],
) -> Callable[[], object] | None:
    """Give the same work done by Ultralytics on these files; None where it is not installed.

    `sides` are the longer sides in pixels of the inputs at which the picture is looked at.
    """
    try:
        from ultralytics import YOLO
    except ImportError:
        return None
    locator: Any = YOLO(str(files[0]), task="detect")
    pose: Any = YOLO(str(files[1]), task="classify")
    bgr = np.ascontiguousarray(image[..., ::-1])
    pose_px = entries[1].input_px

    def predict() -> object:
        for side in sides:
            locator.predict(bgr, imgsz=side, verbose=False)
        crops = [pose_crop(bgr, b, round(pose_px * gaze.SPARE)) for b in boxes]
        looks = [gaze.look(crop, view, pose_px) for crop in crops for view in gaze.LEANED]
        return pose.predict(looks, imgsz=pose_px, verbose=False)

    return predict
