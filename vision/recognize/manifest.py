"""`models/manifest.toml`: the model files, what each was made with, and their hashes."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from vision.artefacts import artefact_dir
from vision.errors import ModelError
from vision.recognize.installed import models_in_use
from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES
from vision.recognize.stances import Stance

MANIFEST = "manifest.toml"
VERSION = 1
MEND = "reinstall sooee, or rebuild the models as models/README.md says"
"""What to do about a model file that is not what it should be."""


class Role(StrEnum):
    """What a model is for."""

    LOCATOR = "locator"
    POSE = "pose"
    CONTACT = "contact"


CLASSES: Mapping[Role, tuple[str, ...]] = MappingProxyType(
    {Role.LOCATOR: ("pig",), Role.POSE: POSE_CLASSES, Role.CONTACT: CONTACT_CLASSES}
)
"""The classes that a model of each role must have, in the order of its output."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One measured figure and the number of things it was measured on."""

    value: float
    count: int


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One shipped model.

    `file` lies beside the manifest; `bytes` and `sha256` are its size and hash; `input_px` the
    longer side of its input in pixels; `temperature` divides the logits of a classifier;
    `threshold` is the least confidence of a locator's box; `stances` where up is for a pig in each
    pose, as this pose model sees it. The rest says where it comes from.
    """

    role: Role
    file: str
    sha256: str
    bytes: int
    classes: tuple[str, ...]
    input_px: int
    recipe: str
    seed: int
    trained_with: str
    licence: str
    temperature: float = 1.0
    threshold: float = 0.25
    stances: tuple[Stance, ...] = ()
    metrics: Mapping[str, Metric] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        expected = CLASSES[self.role]
        if self.classes != expected:
            raise ModelError(
                f"the {self.role} model {self.file} has the classes {', '.join(self.classes)}; "
                f"this version expects {', '.join(expected)}: {MEND}"
            )
        if Path(self.file).name != self.file:
            raise ModelError(f"a model lies beside its manifest, got the path {self.file!r}")
        if self.input_px < 1 or self.temperature <= 0 or not 0 < self.threshold < 1:
            raise ModelError(
                f"{self.file}: expected input_px of 1 or more, temperature above 0 and a threshold "
                f"in 0 to 1, got {self.input_px}, {self.temperature} and {self.threshold}"
            )

    @property
    def card(self) -> str:
        """The name of the file that describes this model for a person."""
        return f"{Path(self.file).stem}.md"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The models of one folder, at most one a role."""

    folder: Path
    models: tuple[ModelEntry, ...]

    def __post_init__(self) -> None:
        roles = [m.role for m in self.models]
        twice = sorted({r for r in roles if roles.count(r) > 1})
        if twice:
            raise ModelError(f"{self.folder / MANIFEST} names two models for {', '.join(twice)}")

    def get(self, role: Role) -> ModelEntry | None:
        """Give the model of this role, or None where there is none."""
        return next((m for m in self.models if m.role is role), None)

    def need(self, role: Role) -> ModelEntry:
        """Give the model of this role, or raise `ModelError`."""
        entry = self.get(role)
        if entry is None:
            raise ModelError(f"{self.folder / MANIFEST} names no {role} model: {MEND}")
        return entry

    def read_checked(self, entry: ModelEntry) -> bytes:
        """Give the bytes of a model file; `ModelError` where they are not the manifest's."""
        path = self.folder / entry.file
        try:
            content = path.read_bytes()
        except FileNotFoundError as error:
            raise ModelError(f"the model file {path} is missing: {MEND}") from error
        except OSError as error:
            raise ModelError(f"cannot read the model file {path}: {error.strerror}") from error
        if len(content) < entry.bytes:
            raise ModelError(
                f"the model file {path} is cut short ({len(content):,} of {entry.bytes:,} bytes): "
                f"{MEND}"
            )
        got = hashlib.sha256(content).hexdigest()
        if got != entry.sha256:
            raise ModelError(
                f"the model file {path} is not the one the manifest names (sha256 {got[:12]}…, "
                f"expected {entry.sha256[:12]}…): {MEND}"
            )
        return content


def load_manifest(folder: Path | None = None) -> Manifest:
    """Read the manifest of `folder`, by default of the models in use; `ModelError` if it is bad."""
    folder = models_in_use() if folder is None else folder
    path = folder / MANIFEST
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ModelError(_missing(folder)) from error
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ModelError(f"{path} is not valid TOML ({error}): {MEND}") from error
    version = document.get("version")
    if version != VERSION:
        raise ModelError(
            f"{path} is a manifest of version {version}, this program reads version {VERSION}: "
            "install the sooee that these models came with"
        )
    tables = document.get("model", [])
    try:
        return Manifest(folder, tuple(_entry(t) for t in tables))
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path} has a faulty entry ({error}): {MEND}") from error


def _missing(folder: Path) -> str:
    """Say that a folder holds no models, and which one does where that is plain."""
    if folder == artefact_dir("models"):
        return f"there are no models: {folder / MANIFEST} is missing: {MEND}"
    if not folder.is_dir():
        return f"there are no models in {folder}: there is no such folder"
    below = folder / "models"
    named = f"; {below} has one: name that" if (below / MANIFEST).is_file() else ""
    return f"there are no models in {folder}: it has no {MANIFEST}{named}"


def _entry(table: Mapping[str, Any]) -> ModelEntry:
    fields = dict(table)
    metrics = {
        name: Metric(float(m["value"]), int(m["count"]))
        for name, m in dict(fields.pop("metrics", {})).items()
    }
    for name, kind in _KINDS.items():
        if not isinstance(fields.get(name, kind()), kind):
            raise TypeError(f"{name} = {fields[name]!r}")
    fields["role"] = Role(fields["role"])
    fields["classes"] = tuple(fields["classes"])
    fields["stances"] = tuple(
        Stance(str(pose), float(share), (float(x), float(y), float(z)), float(firmness))
        for pose, share, x, y, z, firmness in fields.get("stances", ())
    )
    return ModelEntry(**fields, metrics=MappingProxyType(metrics))


_KINDS: Mapping[str, type] = {
    "file": str,
    "sha256": str,
    "bytes": int,
    "classes": list,
    "input_px": int,
    "temperature": float,
    "threshold": float,
    "stances": list,
}
