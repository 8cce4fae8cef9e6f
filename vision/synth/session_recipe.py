"""Recipes of simulated sessions at a table: `datasets/sessions/NAME.toml`, many in one file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from vision.artefacts import artefact_dir
from vision.errors import RenderError
from vision.synth.disturb import Kind


@dataclass(frozen=True, slots=True)
class SessionRecipe:
    """One session: everything else follows from the seed.

    `throws` rounds, `fps` 10 to 60, `size` in pixels, at most one `disturbance`, of `strength` 1
    as at a usual table; `pig_px` how long a pig is in the picture, `tilt_deg` the camera's tilt.
    """

    name: str
    seed: int
    throws: int = 10
    fps: float = 30.0
    size: tuple[int, int] = (640, 360)
    disturbance: Kind | None = None
    strength: float = 1.0
    pig_px: float = 45.0
    tilt_deg: float = 40.0

    def __post_init__(self) -> None:
        if not 10.0 <= self.fps <= 60.0:
            raise RenderError(f"session {self.name}: 10 to 60 frames a second, got {self.fps}")
        if self.throws < 1:
            raise RenderError(f"session {self.name}: at least one throw, got {self.throws}")


def load_sessions(name_or_path: str) -> tuple[SessionRecipe, ...]:
    """Load the sessions of a file by its name in `datasets/sessions`, or by its path."""
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = artefact_dir("datasets") / "sessions" / f"{name_or_path}.toml"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RenderError(f"no sessions {name_or_path!r}: there is no file {path.name}") from error
    except tomllib.TOMLDecodeError as error:
        raise RenderError(f"sessions {path.name} are not TOML: {error}") from error
    sessions = raw.get("session", [])
    if not isinstance(sessions, list) or not sessions:
        raise RenderError(f"sessions {path.name} hold no [[session]]")
    return tuple(_recipe(entry, path.name) for entry in sessions)


def _recipe(entry: dict[str, Any], file: str) -> SessionRecipe:
    unknown = set(entry) - {f.name for f in fields(SessionRecipe)}
    if unknown:
        raise RenderError(f"a session of {file} has unknown keys: {', '.join(sorted(unknown))}")
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()}
    try:
        if "disturbance" in values:
            values["disturbance"] = Kind(values["disturbance"])
        return SessionRecipe(**values)
    except (TypeError, ValueError) as error:
        raise RenderError(f"a session of {file} is wrong: {error}") from error
