"""Whether the gate does its work: `python scripts/plant_bad_model.py RENDERS WORK`.

Trains two pose models alike, from the one in use: one on RENDERS (folders `train` and `val` of
crops), one on the same crops with their labels shuffled. The second must be refused; put into use
by force, it must give way to the first; and two steps back the shipped models must be in use
again. Needs the train extra. Everything is kept in WORK, the user's own models are not touched.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.commands._gate import run_gate
from vision.learn.candidate import make_candidate
from vision.learn.train import export, train, trained_with
from vision.learn.training import load_training
from vision.recognize.installed import SHIPPED, Installed, models_in_use

TRAINING = """role = "pose"
model = "yolo26n-cls.yaml"
seed = 3
image_px = 96
epochs = {epochs}
batch = 32
rate = {rate}
warmup_epochs = 0.1
"""


def shuffle(renders: Path, into: Path) -> Path:
    """Lay the crops anew, each under the label of another one drawn at random."""
    rng = np.random.default_rng(1)
    for split in ("train", "val"):
        files = sorted(p for p in (renders / split).rglob("*") if p.suffix in (".jpg", ".png"))
        labels = [p.parent.name for p in files]
        for file, number in zip(files, rng.permutation(len(files)), strict=True):
            target = into / split / labels[number] / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                target.symlink_to(file.resolve())
    return into


def trained(name: str, renders: Path, work: Path, settings: Path, threads: int) -> Path:
    training = load_training(str(settings))
    start = models_in_use() / "pose.onnx"
    best = train(training, renders, work / name, start=start, threads=threads, tell=print)
    return make_candidate(
        export(best, training),
        training,
        renders,
        work / f"{name}-models",
        recipe=f"{renders.name}, labels {name}",
        trained_with=trained_with(),
    )


def judged(name: str, candidate: Path, sets: Sequence[Path]) -> bool:
    verdict, _ = run_gate(candidate, sets, ())
    for c in (*verdict.comparisons, *verdict.mistakes):
        print(
            f"{name}: {c.measure.what} {c.old.value:.1%} in use, {c.new.value:.1%} new, "
            f"{100 * c.low:+.1f} to {100 * c.high:+.1f} points, n = {c.new.count} ({c.name})"
        )
    print(f"{name}: {'let in' if verdict.accepted else 'refused'}: {verdict.why}", flush=True)
    return verdict.accepted


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("renders", type=Path)
    words.add_argument("work", type=Path)
    words.add_argument("--epochs", type=int, default=1)
    words.add_argument("--rate", type=float, default=0.0005)
    words.add_argument("--threads", type=int, default=1)
    words.add_argument("--set", dest="sets", type=Path, action="append", default=[])
    given = words.parse_args()
    work: Path = given.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    os.environ["XDG_DATA_HOME"] = str(work / "data")
    settings = work / "training.toml"
    settings.write_text(TRAINING.format(epochs=given.epochs, rate=given.rate), encoding="utf-8")
    mixed_up = shuffle(given.renders, work / "shuffled-crops")
    bad = trained("shuffled", mixed_up, work, settings, given.threads)
    good = trained("right", given.renders, work, settings, given.threads)
    installed = Installed()
    steps = [("shuffled labels", not judged("shuffled labels", bad, given.sets))]
    installed.install(bad)
    steps.append(("right labels", judged("right labels", good, given.sets)))
    while installed.state.before:
        print(f"back: {installed.back()}")
    steps.append(("way back", installed.state.current == SHIPPED))
    wrong = [name for name, as_it_must in steps if not as_it_must]
    print("as it must be" if not wrong else f"not as it must be: {', '.join(wrong)}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
