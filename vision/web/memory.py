"""What the table remembers when the program ends: its game, and the throws that wait."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from scoring.errors import StoreError
from vision.web.files import write_private
from vision.web.waiting_data import KeptThrow, decode, encode


class Memory:
    """A folder of the page's own.

    `game` holds the name of the game on the table, `GAME/NUMBER.json` a throw of a game that
    waits, and `NUMBER.event` the event that it is about to become: whoever finds that event in
    the log knows that the throw waits no more, and was only not taken off in time.
    `StoreError` when the disk does not take something.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._game = _text(folder / "game")
        self._kept: set[int] = set()

    @property
    def game(self) -> str | None:
        """The game that lay on the table last; None where none ever did."""
        return self._game

    def put(self, game_id: str) -> None:
        """Remember the game on the table."""
        if game_id != self._game:
            self._write(self._folder / "game", game_id.encode())
            self._game = game_id

    def waiting(self, game_id: str, logged: Callable[[int], bool]) -> list[KeptThrow]:
        """Give the throws that wait in a game, the oldest first, and go on keeping those.

        `logged` tells whether an event is a throw in the game's log. A file that cannot be read
        counts as none.
        """
        found = []
        for path in sorted((self._folder / game_id).glob("*.json")):
            event = _text(path.with_suffix(".event"))
            if event is not None and event.isdecimal() and logged(int(event)):
                with suppress(OSError):  # else it is known by its event the next time, too
                    _remove(path)
                continue
            try:
                found.append(decode(path.read_bytes()))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        self._kept = {kept.id for kept in found}
        return found

    def keeps(self, number: int) -> bool:
        """Tell whether a throw that waits is on the disk."""
        return number in self._kept

    def keep(self, game_id: str, throws: Iterable[KeptThrow]) -> None:
        """Keep these throws of the game."""
        for kept in throws:
            self._write(self._path(game_id, kept.id), encode(kept))
            self._kept.add(kept.id)

    def forget_but(self, game_id: str, numbers: set[int]) -> None:
        """Forget the throws of the game that wait no more."""
        for number in self._kept - numbers:
            try:
                _remove(self._path(game_id, number))
            except OSError as error:
                path = self._path(game_id, number)
                raise StoreError(f"cannot remove {path}: {error.strerror or error}") from error
            self._kept.discard(number)

    def becomes(self, game_id: str, number: int, event: int | None) -> None:
        """Note which event a throw that is kept is about to become, or that it did not."""
        if number in self._kept:
            path = self._path(game_id, number).with_suffix(".event")
            self._write(path, b"" if event is None else str(event).encode())

    def _path(self, game_id: str, number: int) -> Path:
        return self._folder / game_id / f"{number:09d}.json"

    def _write(self, path: Path, data: bytes) -> None:
        try:
            write_private(path, data)
        except OSError as error:
            raise StoreError(f"cannot write {path}: {error.strerror or error}") from error


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8").strip() or None
    except (OSError, ValueError):
        return None


def _remove(path: Path) -> None:
    """Remove a throw; the event that it became last, so that it is never taken for a new one."""
    path.unlink(missing_ok=True)
    path.with_suffix(".event").unlink(missing_ok=True)
