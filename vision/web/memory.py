"""What the table remembers when the program ends: which game lies on it."""

from __future__ import annotations

from pathlib import Path

from scoring.errors import StoreError
from vision.web.files import write_private


class Memory:
    """A folder of the page's own: `game` holds the name of the game on the table."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._game = _read(folder / "game")

    @property
    def game(self) -> str | None:
        """The game that lay on the table last; None where none ever did."""
        return self._game

    def put(self, game_id: str) -> None:
        """Remember the game on the table; `StoreError` when the disk does not take it."""
        if game_id != self._game:
            self._write("game", game_id.encode())
            self._game = game_id

    def _write(self, name: str, data: bytes) -> None:
        path = self._folder / name
        try:
            write_private(path, data)
        except OSError as error:
            raise StoreError(f"cannot write {path}: {error.strerror or error}") from error


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except (OSError, ValueError):
        return None
