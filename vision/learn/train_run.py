"""A training's folder: whether a run lies there, and whether it can be gone on with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vision.learn.training import TrainingError

BEFORE_AN_EPOCH = frozenset({"args.yaml"})
"""What a training writes before it has anything to lose."""


def last_of(out: Path) -> Path:
    """Give the checkpoint of the last epoch of a run."""
    return out / "weights" / "last.pt"


def best_of(out: Path) -> Path:
    """Give the checkpoint of the best epoch of a run."""
    return out / "weights" / "best.pt"


def check_free(out: Path) -> None:
    """Raise `TrainingError` where a new run would write over another or among other files."""
    if last_of(out).exists():
        raise TrainingError(
            f"a run is in {out} already: --resume goes on with it, or name another --out"
        )
    if any(p.is_file() and p.name not in BEFORE_AN_EPOCH for p in out.rglob("*")):
        raise TrainingError(f"{out} is not empty and holds no run: name another --out")


def is_finished(checkpoint: dict[str, Any]) -> bool:
    """Whether a checkpoint is a run's last: what going on would need has been taken out of it."""
    return checkpoint.get("epoch", -1) < 0 or checkpoint.get("optimizer") is None


def finished(out: Path) -> TrainingError:
    """Give the error that says that a run is finished, and what can be done."""
    best = best_of(out)
    return TrainingError(
        f"the training in {out} is finished, its model is {best.with_suffix('.onnx')}: to train "
        f"on from it, give --weights {best} and another --out, without --resume"
    )


def stopped(out: Path) -> str:
    """Say how to go on with a run that was stopped."""
    if last_of(out).exists():
        return "stopped: the same command with --resume goes on after the last whole epoch"
    return "stopped before the end of an epoch: give the same command again"
