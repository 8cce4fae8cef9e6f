"""Why the table is in its state, as a key that every language has words for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vision.capture import health
from vision.table import watch
from vision.web import phone

_KEYS = {
    watch.LAY_HERE: "lay_here",
    watch.ONLY_ONE: "only_one",
    watch.CAME_LATE: "came_late",
    watch.ONE_MISSING: "one_missing",
    watch.OFF_TABLE: "off_table",
    watch.UNSURE: "unsure",
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

KEYS = (*_KEYS.values(), "count", "other")
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
    return ReasonView(_KEYS.get(text, "other"), text)
