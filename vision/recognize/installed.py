"""Which models are in use: the shipped ones, or those that this user installed over them.

Installed models are copies in the user's data folder, numbered; `state.json` says which is in
use and which were before. The shipped folder is never written.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from vision.artefacts import artefact_dir
from vision.errors import ModelError

ENVIRONMENT = "SOOEE_MODELS"
SHIPPED = "shipped"
_STATE = "state.json"


@dataclass(frozen=True, slots=True)
class State:
    """The name of the models in use, and of those before, the oldest first."""

    current: str = SHIPPED
    before: tuple[str, ...] = ()


def models_in_use() -> Path:
    """Give the folder of the models in use: `SOOEE_MODELS`, the installed, or the shipped."""
    chosen = os.environ.get(ENVIRONMENT, "").strip()
    if chosen:
        return Path(chosen).expanduser()
    return Installed().path


class Installed:
    """The models that this user installed."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else _default_folder()

    @property
    def state(self) -> State:
        """What is in use; the shipped models where nothing else is known."""
        try:
            data = json.loads((self.folder / _STATE).read_text(encoding="utf-8"))
            return State(str(data["current"]), tuple(str(n) for n in data["before"]))
        except FileNotFoundError:
            return State()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelError(
                f"{self.folder / _STATE} is damaged ({error}); delete it to use the shipped models"
            ) from error

    @property
    def path(self) -> Path:
        """The folder of the models in use."""
        return self._path(self.state.current)

    def install(self, candidate: Path) -> str:
        """Copy a folder of models and take it into use; gives the name it is kept under.

        Whoever calls this has checked that they load and are no worse.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        numbers = [int(p.name) for p in self.folder.iterdir() if p.name.isdigit()]
        name = f"{max(numbers, default=0) + 1:04d}"
        half = self.folder / f".{name}.half"
        shutil.rmtree(half, ignore_errors=True)
        try:
            shutil.copytree(candidate, half)
            half.rename(self.folder / name)
        except OSError as error:
            shutil.rmtree(half, ignore_errors=True)
            raise ModelError(f"cannot keep the models in {self.folder}: {error}") from error
        state = self.state
        self._write(State(name, (*state.before, state.current)))
        return name

    def back(self) -> str:
        """Go back to the models before; gives their name. `ModelError` where there are none."""
        state = self.state
        if not state.before:
            raise ModelError("the shipped models are in use; there is nothing to go back to")
        name = state.before[-1]
        if not self._path(name).is_dir():
            raise ModelError(f"the models {name} are gone from {self.folder}")
        self._write(State(name, state.before[:-1]))
        return name

    def _path(self, name: str) -> Path:
        return artefact_dir("models") if name == SHIPPED else self.folder / name

    def _write(self, state: State) -> None:
        half = self.folder / f".{_STATE}.half"
        half.write_text(
            json.dumps({"current": state.current, "before": list(state.before)}), encoding="utf-8"
        )
        half.replace(self.folder / _STATE)


def _default_folder() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("sooee", appauthor=False)) / "models"
