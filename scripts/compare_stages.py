"""One detector of poses against locate-and-classify, on the same pictures for as long.

    python scripts/compare_stages.py OUT FRAMES... --start START.pt --minutes 12

FRAMES are folders of `sooee render` of a recipe of frames. Both ways train from the same weights
for so many minutes of one core, the second one half of them each model, on crops of the very same
pictures, and read the frozen frames. Needs the `train` extra.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np
import torch
from ultralytics import YOLO
from ultralytics.models.yolo.detect import DetectionTrainer

from vision.artefacts import artefact_dir
from vision.capture.frame import Image
from vision.learn.evaluate import match
from vision.learn.evaluate_rates import rate
from vision.learn.evaluate_sets import TruePicture, load_set
from vision.learn.shelf import put_model
from vision.learn.train import (
    allow_bf16_on_cpu,
    export,
    train,
    trained_with,
    with_channels_last,
)
from vision.learn.training import load_training
from vision.recognize.crop import Box, pose_crop
from vision.recognize.manifest import Role
from vision.recognize.picture import open_picture
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.recognizer import Recognizer
from vision.synth.dataset import class_folder, save

CROP_PX, LOCATE_PX = 128, 640


@click.command()
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@click.argument("frames", type=click.Path(path_type=Path, exists=True), nargs=-1, required=True)
@click.option("--start", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--minutes", type=float, default=12.0, help="Of training, each way.")
def main(out: Path, frames: Sequence[Path], start: Path, minutes: float) -> None:
    """Lay the pictures out, train both ways, and read the frozen frames with each."""
    crops, whole = out / "crops", out / "frames"
    if not whole.exists():
        _lay_out(frames, crops, whole)
    told = out / "stages.json"
    done: dict[str, Any] = json.loads(told.read_text()) if told.exists() else {}
    ways = {"one stage": _one_stage, "two stages": _two_stages}
    for name, way in ways.items():
        if name not in done:
            began = time.monotonic()
            read = list(way(out, crops, whole, start, minutes))
            done[name] = _figures(read, (time.monotonic() - began) / 60)
            told.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
        click.echo(f"{name}: {done[name]}")


def _lay_out(folders: Sequence[Path], crops: Path, whole: Path) -> None:
    """Write every second-stage crop, and labels of poses for the one stage; a tenth watches."""
    number = 0
    for folder in folders:
        for truth in load_set(folder).pictures:
            split = "val" if number % 10 == 0 else "train"
            number += 1
            image = open_picture(truth.path)
            name = f"{folder.name}-{truth.path.stem}"
            (whole / "images" / split).mkdir(parents=True, exist_ok=True)
            (whole / "labels" / split).mkdir(parents=True, exist_ok=True)
            shutil.copy(truth.path, whole / "images" / split / f"{name}{truth.path.suffix}")
            lines = [_yolo_line(p.pose, p.box, image.shape) for p in truth.pigs]
            (whole / "labels" / split / f"{name}.txt").write_text("\n".join(lines))
            for i, pig in enumerate(truth.pigs):
                into = crops / split / class_folder(str(pig.pose))
                into.mkdir(parents=True, exist_ok=True)
                save(into / f"{name}-{i}.jpg", pose_crop(image, pig.box, CROP_PX))
    for split in ("train", "val"):  # classes that no frame shows keep their numbers
        for pose in POSE_CLASSES:
            (crops / split / class_folder(pose)).mkdir(parents=True, exist_ok=True)


def _yolo_line(pose: str | None, box: Box, shape: tuple[int, ...]) -> str:
    height, width = shape[:2]
    x0, y0, x1, y1 = box
    number = POSE_CLASSES.index(str(pose))
    middle = ((x0 + x1) / 2 / width, (y0 + y1) / 2 / height)
    return f"{number} {middle[0]} {middle[1]} {(x1 - x0) / width} {(y1 - y0) / height}"


def _detector(out: Path, whole: Path, start: Path, minutes: float, classes: Sequence[str]) -> Any:
    """Train Ultralytics' smallest detector for so long; gives its best checkpoint."""
    allow_bf16_on_cpu()
    data = out.with_suffix(".yaml")
    names = "".join(f"  {i}: {c}\n" for i, c in enumerate(classes))
    data.write_text(
        f"path: {whole.resolve()}\ntrain: images/train\nval: images/val\nnames:\n{names}"
    )
    model = YOLO("yolo26n.yaml")
    model.load(str(start))
    model.add_callback("on_train_start", lambda _trainer: torch.set_num_threads(1))
    model.train(
        trainer=with_channels_last(DetectionTrainer), data=str(data),
        project=str(out.resolve().parent), name=out.name, exist_ok=True,
        imgsz=LOCATE_PX, time=minutes / 60, batch=16, optimizer="AdamW", lr0=1e-3, lrf=0.02,
        cos_lr=True, warmup_epochs=0.5, warmup_bias_lr=0.0, fliplr=0.0, flipud=0.0, amp=False,
        device="cpu", plots=False, val=False, workers=1, single_cls=len(classes) == 1,
    )  # fmt: skip
    return YOLO(str(out / "weights" / "last.pt"))


Read = tuple[TruePicture, list[Box], list[str]]


def _one_stage(out: Path, _crops: Path, whole: Path, start: Path, minutes: float) -> Iterator[Read]:
    model = _detector(out / "one", whole, start, minutes, POSE_CLASSES)
    for truth in _frozen():
        boxes, classes = _surest_two(model, open_picture(truth.path))
        yield truth, boxes, [POSE_CLASSES[i] for i in classes]


def _two_stages(out: Path, crops: Path, whole: Path, start: Path, minutes: float) -> Iterator[Read]:
    model = _detector(out / "locator", whole, start, minutes / 2, ("pig",))
    settings = load_training("pose")
    # Ultralytics ends a training of crops by epochs; they are few enough to count in seconds.
    each = _seconds_an_epoch(crops, out, start)
    epochs = max(1, round(minutes / 2 * 60 / each))
    settings = replace(settings, epochs=epochs, strain=0.7, seed=1)
    best = train(settings, crops, out / "pose", start=start, threads=1)
    models = out / "models"
    shutil.copytree(artefact_dir("models"), models, dirs_exist_ok=True)
    put_model(
        models, Role.POSE, export(best, settings), recipe="compare", seed=1,
        trained_with=trained_with(), input_px=settings.image_px,
    )  # fmt: skip
    classifier = Recognizer.load(models).pose
    for truth in _frozen():
        image = open_picture(truth.path)
        boxes, _ = _surest_two(model, image)
        logs = classifier([pose_crop(image, b, classifier.size) for b in boxes])
        yield truth, boxes, [POSE_CLASSES[int(i)] for i in logs.argmax(axis=1)]


def _surest_two(detector: Any, image: Image) -> tuple[list[Box], list[int]]:
    found = detector.predict(image[..., ::-1], imgsz=LOCATE_PX, conf=0.05, verbose=False)[0].boxes
    best = found.conf.argsort(descending=True)[:2].tolist()
    return [tuple(found.xyxy[i].tolist()) for i in best], [int(found.cls[i]) for i in best]


def _seconds_an_epoch(crops: Path, out: Path, start: Path) -> float:
    settings = replace(load_training("pose"), epochs=2, strain=0.7)
    began = time.monotonic()
    train(settings, crops, out / "timed", start=start, threads=1)
    return (time.monotonic() - began) / 2


def _frozen() -> tuple[TruePicture, ...]:
    return load_set(artefact_dir("datasets") / "frames").pictures


def _figures(read: Sequence[Read], minutes: float) -> dict[str, Any]:
    found, right, groups = [], [], []
    for number, (truth, boxes, poses) in enumerate(read):
        pairs = match([p.box for p in truth.pigs], boxes)
        for i, pig in enumerate(truth.pigs):
            found.append(i in pairs)
            right.append(i in pairs and pig.is_read_right(poses[pairs[i]]))
            groups.append(number)
    shown = {
        "pigs found": rate(found, np.array(groups)),
        "pose right": rate(right, np.array(groups)),
    }
    said = {
        k: f"{100 * r.value:.1f} % ({100 * r.low:.1f} to {100 * r.high:.1f}, n = {r.count})"
        for k, r in shown.items()
    }
    return {**said, "minutes": round(minutes, 1)}


if __name__ == "__main__":
    main()
