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
    watch.MAY_LAY_HERE: "may_lay_here",
    watch.ONLY_ONE: "only_one",
    watch.CAME_LATE: "came_late",
    watch.ONE_MISSING: "one_missing",
    watch.OFF_TABLE: "off_table",
    watch.ONE_UNREAD: "one_unread",
    looks.UNSURE: "unsure",
    looks.HARD_TO_SEE: "hard",
    watch.MOVED: "moved",
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
# What the sources of pictures say (`vision.capture.sources`), the camera's name in the first group.
_SOURCES = (
    (re.compile(r"^(.+?) does not answer"), "no_answer"),
    (re.compile(r"^(.+?) answers, but (?:gives no video|sends no pictures)"), "no_video"),
    (re.compile(r"^(.+?) (?:is no address|names no host)"), "no_address"),
    (re.compile(r"^(.+?) (?:stopped sending|stopped giving pictures|has ended)"), "stopped"),
    (re.compile(r"^(.+?) (?:opens but )?gives no picture"), "no_picture"),
    (re.compile(r"^(.+?) does not open"), "not_opened"),
    (re.compile(r"^(.+?) may not be used by you"), "not_yours"),
    (re.compile(r"^there is no (camera.*?)(?: \(|;)"), "not_there"),
    (re.compile(r"^no camera is '(.*?)'"), "not_there"),
    (re.compile(r"^there is no video file '(.*?)'"), "no_file"),
    (re.compile(r"^'(.*?)' cannot be read as a video"), "broken_file"),
    (re.compile(r"^'(.*?)' ends at frame"), "cut_file"),
)

KEYS = tuple(
    dict.fromkeys((*_KEYS.values(), *(k for _, k in (*_READINGS, *_SOURCES)), "count", "other"))
)
"""Every key there is; each language has `reason.KEY`."""


@dataclass(frozen=True, slots=True)
class ReasonView:
    """`key` is one of `KEYS`; `text` is the English of the program.

    `n` is a number it speaks of, `name` what the camera is called.
    """

    key: str
    text: str
    n: int | None = None
    name: str | None = None


def reason_of(text: str) -> ReasonView | None:
    """Return the reason that a text of the table gives; None when it gives none."""
    if not text:
        return None
    if counted := _COUNT.match(text):
        return ReasonView("count", text, int(counted[1]))
    for pattern, key in _SOURCES:
        if text not in _KEYS and (named := pattern.search(text)):
            return ReasonView(key, text, name=named[1])
    said = next((key for pattern, key in _READINGS if pattern.search(text)), "other")
    return ReasonView(_KEYS.get(text, said), text)
