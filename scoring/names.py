"""Names of players: what may be one, and which are the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from scoring.errors import PlayersError
from scoring.rules import MAX_PLAYERS, MIN_PLAYERS

MAX_NAME = 40

# Joiners show nothing themselves, but names in Persian and Hindi are written with them, and
# families among the emoji; only between two characters do they mean anything.
_JOINERS = re.compile("[\u200c\u200d]")
_JOINED = re.compile("(?<=[^\\s\u200c\u200d])[\u200c\u200d](?=[^\\s\u200c\u200d])")


def name_key(name: str) -> str:
    """Return what two names have in common that look the same, letter case aside."""
    bare = _JOINERS.sub("", " ".join(name.split()))
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", bare).casefold())


def checked_name(name: str) -> str:
    """Return a name trimmed and composed, a letter and its accent as one character.

    `PlayersError` when it is none.
    """
    return unicodedata.normalize("NFC", logged_name(name))


def checked_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return names trimmed and composed; a `PlayersError` when they cannot sit at one table."""
    return _seated(names, checked_name, name_key)


def logged_name(name: str) -> str:
    """Return a name of a log, trimmed; a `PlayersError` when it is none."""
    trimmed = " ".join(name.split()) if isinstance(name, str) else ""
    composed = unicodedata.normalize("NFC", trimmed)
    if not 1 <= len(composed) <= MAX_NAME or not _JOINED.sub("", trimmed).isprintable():
        raise PlayersError(f"a name has 1 to {MAX_NAME} printable characters, got {name!r}")
    return trimmed


def logged_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of a log as they were written, when they can sit at one table.

    Two spellings of one name were two people once; a game they played is still theirs.
    """
    return _seated(names, logged_name, str.casefold)


def _seated(
    names: Iterable[str], checked: Callable[[str], str], key: Callable[[str], str]
) -> tuple[str, ...]:
    if isinstance(names, str):
        raise PlayersError(f"players are several names, got {names!r}")
    seated = tuple(checked(n) for n in names)
    if not MIN_PLAYERS <= len(seated) <= MAX_PLAYERS:
        raise PlayersError(
            f"a game is for {MIN_PLAYERS} to {MAX_PLAYERS} players, got {len(seated)}"
        )
    if len({key(n) for n in seated}) < len(seated):
        raise PlayersError(f"players need names of their own, got {', '.join(seated)}")
    return seated
