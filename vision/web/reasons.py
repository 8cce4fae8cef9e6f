"""Why the table is in its state, as a key that every language has words for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vision.capture import health
from vision.table import looks, watch
from vision.web import phone

BROKEN = "the watch over the table has stopped; choose the camera again"

_KEYS = {
    BROKEN: "broken",
    watch.LAY_HERE: "lay_here",
    watch.ONLY_ONE: "only_one",
    watch.CAME_LATE: "came_late",
    watch.ONE_MISSING: "one_missing",
    watch.OFF_TABLE: "off_table",
    watch.ONE_UNREAD: "one_unread",
    looks.UNSURE: "unsure",
    looks.HARD_TO_SEE: "hard",
    watch.CHANGED: "changed",
    watch.HAND_STAYS: "hand_stays",
    watch.BUMPED: "bumped",
    watch.RELIT: "relit",
    health.BLACK: "black",
    health.WHITE: "white",
    health.FROZEN: "frozen",
    "reset": "reset",
    phone.WAITING: "phone_waiting",
}
_COUNT = re.compile(r"^(\d+) pigs are seen")
# What the recognizer says of a reading that it is not sure of (`vision.recognize.decide`).
_READINGS = (
    (re.compile(r" is .+ \(\d+ ?%\) or "), "either"),
    (re.compile(r"they may touch|very close"), "close"),
    (re.compile(r"may lie on the other"), "stacked"),
    (re.compile(r"leans on something"), "strange"),
    (re.compile(r"hard to make out"), "hard"),
    (re.compile(r"do not agree"), "unsure"),
    (re.compile(r"^Only one pig"), "one_missing"),
)

KEYS = tuple(dict.fromkeys((*_KEYS.values(), *(k for _, k in _READINGS), "count", "other")))
"""Every key there is; each language has `reason.KEY`."""


@dataclass(frozen=True, slots=True)
class ReasonView:
    """`key` is one of `KEYS`, `n` a number it speaks of; `text` the English of the program."""

    key: str
    text: str
    n: int | None = None


def reason_of(text: str) -> ReasonView | None:
    """Return the reason that a text of the table gives; None when it gives none."""
    if not text:
        return None
    if counted := _COUNT.match(text):
        return ReasonView("count", text, int(counted[1]))
    said = next((key for pattern, key in _READINGS if pattern.search(text)), "other")
    return ReasonView(_KEYS.get(text, said), text)
