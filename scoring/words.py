"""The table's words in English and Danish; `docs/glossary.md` explains them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scoring.effects import Landing
from scoring.state import Ending
from scoring.story import TurnEnd
from scoring.throw import Pose

LANGUAGES = ("en", "da")

_LANDINGS: Mapping[Landing, tuple[str, str]] = MappingProxyType(
    {
        Landing.SIDER: ("Sider", "På siden"),
        Landing.RAZORBACK: ("Razorback", "På ryggen"),
        Landing.TROTTER: ("Trotter", "På alle fire"),
        Landing.SNOUTER: ("Snouter", "På trynen"),
        Landing.LEANING_JOWLER: ("Leaning Jowler", "På tryne og øre"),
        Landing.DOUBLE_RAZORBACK: ("Double Razorback", "Dobbelt ryg"),
        Landing.DOUBLE_TROTTER: ("Double Trotter", "Dobbelt alle fire"),
        Landing.DOUBLE_SNOUTER: ("Double Snouter", "Dobbelt tryne"),
        Landing.DOUBLE_LEANING_JOWLER: ("Double Leaning Jowler", "Dobbelt tryne og øre"),
        Landing.MIXED_COMBO: ("Mixed Combo", "Blandet kast"),
        Landing.PIG_OUT: ("Pig Out", "Grise-ud"),
        Landing.OINKER: ("Oinker", "Grisene rører hinanden"),
        Landing.PIGGYBACK: ("Piggyback", "Gris oven på gris"),
        Landing.DICE: ("Dice", "Terninger"),
        Landing.DOUBLES: ("Doubles", "To ens"),
        Landing.LOSING_FACE: ("A one", "En etter"),
        Landing.SNAKE_EYES: ("Snake eyes", "To ettere"),
        Landing.OFF_TABLE: ("Off the table", "På gulvet"),
        Landing.LEANING: ("Leaning on something", "Op ad noget"),
        Landing.LATE: ("One pig late", "Ikke kastet samtidig"),
    }
)
_POSES: Mapping[Pose, tuple[str, str]] = MappingProxyType(
    {
        Pose.DOT_UP: ("side, dot up", "side, prik opad"),
        Pose.DOT_DOWN: ("side, dot down", "side, prik nedad"),
        Pose.RAZORBACK: ("back", "ryg"),
        Pose.TROTTER: ("feet", "alle fire"),
        Pose.SNOUTER: ("snout", "tryne"),
        Pose.LEANING_JOWLER: ("snout and ear", "tryne og øre"),
    }
)
_ENDS: Mapping[TurnEnd, tuple[str, str]] = MappingProxyType(
    {
        TurnEnd.BANKED: ("banked", "banket"),
        TurnEnd.PIG_OUT: ("pig out", "grise-ud"),
        TurnEnd.OINKER: ("oinker", "rørte hinanden"),
        TurnEnd.PIGGYBACK: ("out", "ude"),
        TurnEnd.MOVED_ON: ("banked", "banket"),
        TurnEnd.WON: ("won", "vandt"),
        TurnEnd.STOPPED: ("stopped", "stoppet"),
        TurnEnd.OPEN: ("running", "i gang"),
    }
)
_ENDINGS: Mapping[Ending, tuple[str, str]] = MappingProxyType(
    {
        Ending.TARGET: ("reached the target", "nåede målet"),
        Ending.LAST_STANDING: ("last one standing", "sidste spiller tilbage"),
        Ending.ALL_OUT: ("everybody is out", "alle er ude"),
        Ending.STOPPED: ("called a day", "spillet blev stoppet"),
    }
)

# Kept apart: members of different kinds are equal as text.
_TABLES: Mapping[type, Mapping[Any, tuple[str, str]]] = MappingProxyType(
    {Landing: _LANDINGS, Pose: _POSES, TurnEnd: _ENDS, Ending: _ENDINGS}
)


def word(thing: Landing | Pose | TurnEnd | Ending, language: str = "en") -> str:
    """Return the word for people; English for every language but Danish."""
    return _TABLES[type(thing)][thing][language == "da"]
