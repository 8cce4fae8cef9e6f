"""How a model is trained, as a small TOML file: `datasets/training/ROLE.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from vision.artefacts import artefact_dir
from vision.errors import VisionError
from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES


class TrainingError(VisionError):
    """A training cannot be started or went wrong; the message says what to do."""


ROLES = ("pose", "locator", "contact")
"""The roles of the manifest."""

CLASSES = {"pose": POSE_CLASSES, "contact": CONTACT_CLASSES, "locator": ("pig",)}
"""Class names of the roles of the manifest, in the order of their numbers."""


@dataclass(frozen=True, slots=True)
class Training:
    """One training's settings.

    `role` is one of `ROLES`; `model` an Ultralytics yaml; `image_px` the side of the
    network's input; `rate` the first learning rate, `final_rate` its last share of it; `turn_deg`
    and `erase` augment crops, `strain`, 0 to 1, varies their shape, colours and noise as well;
    `attitude` is the weight in the loss of how a pig is turned, learnt beside its pose (0: not);
    `bf16` computes in bfloat16 where the processor gains by it;
    `stop_after` ends a training after so many epochs of its schedule (0: it runs to the end).
    Nothing is ever flipped: a mirrored pig is another pose.
    """

    role: str
    model: str
    seed: int = 0
    image_px: int = 96
    epochs: int = 10
    batch: int = 64
    optimizer: str = "AdamW"
    rate: float = 1e-3
    final_rate: float = 0.02
    warmup_epochs: float = 1.0
    weight_decay: float = 0.01
    dropout: float = 0.0
    turn_deg: float = 15.0
    erase: float = 0.0
    strain: float = 0.0
    attitude: float = 0.0
    bf16: bool = True
    stop_after: int = 0

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise TrainingError(
                f"a training's role is one of {', '.join(ROLES)}, got {self.role!r}"
            )
        if not self.model.endswith(".yaml"):  # of another name Ultralytics would fetch weights
            raise TrainingError(
                f"a training's model is one of Ultralytics' .yaml, got {self.model!r}; weights to "
                "start from are named with --weights"
            )
        if self.epochs < 1 or self.batch < 1 or self.image_px % 32:
            raise TrainingError(
                f"a training has 1 epoch and batch or more and image_px in steps of 32, got "
                f"{self.epochs}, {self.batch}, {self.image_px}"
            )
        if self.attitude and (self.role != "pose" or not self.strain):
            raise TrainingError("an attitude is learnt by a pose training with strain above 0")


def load_training(name_or_path: str) -> Training:
    """Load a training by its role's name in `datasets/training`, or by a TOML file's path."""
    path, shipped = Path(name_or_path), artefact_dir("datasets") / "training"
    if path.suffix != ".toml":
        path = shipped / f"{name_or_path}.toml"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        known = ", ".join(sorted(p.stem for p in shipped.glob("*.toml"))) or "none"
        raise TrainingError(
            f"no training {name_or_path!r}: a TOML file that is there, or one of {known}"
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise TrainingError(f"training {path.name} is not TOML: {error}") from error
    unknown = set(raw) - {f.name for f in fields(Training)}
    if unknown:
        raise TrainingError(f"training {path.name} has unknown keys: {', '.join(sorted(unknown))}")
    return Training(**raw)
