"""What the camera sees, as the page shows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from scoring.throw import Contact
from vision.recognize.reading import Reading
from vision.table.state import TableState
from vision.web.reasons import ReasonView


class CameraMode(StrEnum):
    """How the camera is doing.

    `off`: played by hand. `waiting`: a clip that starts with the first viewer. `live` and
    `clip`: pictures come. `ended`: the clip is over. `failed`: no pictures, and why.
    """

    OFF = "off"
    STARTING = "starting"
    WAITING = "waiting"
    LIVE = "live"
    CLIP = "clip"
    ENDED = "ended"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class PigView:
    """A pig in the picture; `box` is (x0, y0, x1, y1) as shares of its width and height."""

    box: tuple[float, float, float, float]
    pose: str
    probability: float


@dataclass(frozen=True, slots=True)
class ContactView:
    """How the pigs lie to each other, with its probability and the gap between them."""

    state: Contact
    probability: float
    gap_mm: float | None


@dataclass(frozen=True, slots=True)
class CameraView:
    """The camera and the table under it; `pigs` are those of the newest reading, while they lie.

    `source` is the word the camera was chosen by; `width` and `height` are its picture's; `area`
    the corners of the throwing area as shares of them; `hand_left_s` counts down while an open
    hand asks to bank.
    """

    mode: CameraMode = CameraMode.OFF
    source: str | None = None
    state: TableState | None = None
    reason: ReasonView | None = None
    width: int = 0
    height: int = 0
    pigs: tuple[PigView, ...] = ()
    contact: ContactView | None = None
    area: tuple[tuple[float, float], ...] = ()
    hand_left_s: float | None = None


_FOLDERS = re.compile(r"(?:[A-Za-z]:)?[/\\\\](?:[^/\\\\'\"\s]+[/\\\\])+")


def discreet(text: str) -> str:
    """Return a source or a message without folders of the host and passwords in addresses."""
    if "://" in text:
        return re.sub(r"(?<=://)[^/@\s]*@", "", text)
    return _FOLDERS.sub("", text)


def pigs_of(reading: Reading, width: int, height: int) -> tuple[PigView, ...]:
    """Return the pigs of a reading as shares of its picture."""
    views = []
    for pig in reading.pigs:
        x0, y0, x1, y1 = pig.box
        box = (x0 / width, y0 / height, x1 / width, y1 / height)
        views.append(PigView(box, pig.pose, pig.probability))
    return tuple(views)


def contact_of(reading: Reading) -> ContactView | None:
    """Return how the two pigs of a reading lie to each other."""
    seen = reading.contact
    if seen is None:
        return None
    return ContactView(seen.state, seen.probabilities[seen.state], seen.gap_mm)


NO_CAMERA = CameraView()
"""Nothing looks at the table."""
