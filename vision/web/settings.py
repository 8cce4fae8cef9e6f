"""What the host chose on the settings screen, kept between evenings."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path

from vision.web.errors import UnkeptError
from vision.web.files import write_private


class Guests(StrEnum):
    """What those who joined may do: score and correct like the host, or only look on."""

    SCORE = "score"
    WATCH = "watch"


@dataclass(frozen=True, slots=True)
class Settings:
    """`camera` is the word it is chosen by, None for whichever there is, `off` for none.

    `contact_automatic`: pigs that seem to touch count as the camera says, without a question.
    `keep_pictures`: what the camera saw of each throw stays on this computer, to be replayed and
    learned from. `bank_by_hand`: an open hand held still over the table banks the turn.
    """

    camera: str | None = None
    guests: Guests = Guests.SCORE
    contact_automatic: bool = False
    keep_pictures: bool = True
    bank_by_hand: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "guests", Guests(self.guests))


class SettingsFile:
    """Reads and writes the settings; a file that cannot be read counts as none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._listeners: list[Callable[[Settings], None]] = []
        self.now = _load(path)

    def subscribe(self, listener: Callable[[Settings], None]) -> None:
        """Call `listener` with every change."""
        self._listeners.append(listener)

    def change(self, **changes: object) -> Settings:
        """Change some settings, and keep them."""
        with self._lock:
            self.now = replace(self.now, **changes)  # type: ignore[arg-type]
            text = json.dumps(asdict(self.now), indent=2)
            try:
                write_private(self._path, text.encode())
            except OSError as error:
                raise UnkeptError(
                    f"cannot write {self._path}: {error.strerror}; the change lasts until "
                    "the program ends"
                ) from error
            finally:
                for listener in tuple(self._listeners):
                    listener(self.now)
        return self.now


def _load(path: Path) -> Settings:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        known = {f.name for f in fields(Settings)}
        return Settings(**{k: v for k, v in data.items() if k in known})
    except (OSError, ValueError, TypeError, AttributeError):
        return Settings()
