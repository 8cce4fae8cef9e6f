"""What is wrong with a picture of the table, and what to do, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from vision.capture.frame import Frame, Image
from vision.recognize.reading import PigDetection

FEW_PIXELS = 48.0
"""A pig's box shorter than this, in pixels, is too small for its dot to be seen."""

MOST_TILT = 40.0
"""Degrees from straight above; beyond, pigs hide too much of what lies between them."""

_DARK = 45.0
_BRIGHT = 225.0
_CLIPPED = 250
_GLARE_SHARE = 0.02
_SHARP = 25.0
_BESIDE = 0.5


class Problem(StrEnum):
    """What can be wrong; each has its words in `WORDS`."""

    DARK = "dark"
    BRIGHT = "bright"
    BLURRED = "blurred"
    GLARE = "glare"
    FAR = "far"
    TILTED = "tilted"


WORDS = {
    Problem.DARK: "It is too dark: switch on a lamp over the table.",
    Problem.BRIGHT: "The picture is too bright: turn the lamp away from the table or the camera.",
    Problem.BLURRED: "The pigs are blurred: let the camera focus on the table, or wipe its lens.",
    Problem.GLARE: "A lamp is mirrored on the table: move the lamp, or lay a cloth down.",
    Problem.FAR: "The pigs are too small: bring the camera closer, or choose a larger picture.",
    Problem.TILTED: (
        "The camera looks from too far aside to see whether pigs touch: raise it over the table."
    ),
}


@dataclass(frozen=True, slots=True)
class Advice:
    """A problem and what was measured; `text` says what to do."""

    problem: Problem
    measured: float

    @property
    def text(self) -> str:
        """What to do about it."""
        return WORDS[self.problem]


def advise(
    frame: Frame, pigs: Sequence[PigDetection] = (), tilt_deg: float | None = None
) -> list[Advice]:
    """Look for what keeps a table from being read well; nothing found is an empty list.

    Sharpness and size are judged by the pigs, where there are any.
    """
    import cv2

    grey = np.asarray(cv2.cvtColor(frame.image, cv2.COLOR_RGB2GRAY), np.uint8)
    mean = float(grey[::4, ::4].mean())
    found = []
    if mean < _DARK:
        found.append(Advice(Problem.DARK, mean))
    if mean > _BRIGHT:
        found.append(Advice(Problem.BRIGHT, mean))
    elif (glare := _glare(frame.image)) > _GLARE_SHARE:
        found.append(Advice(Problem.GLARE, glare))
    if pigs:
        sharpness = min(_sharpness(grey, pig) for pig in pigs)
        if sharpness < _SHARP:
            found.append(Advice(Problem.BLURRED, sharpness))
        length = min(max(p.box[2] - p.box[0], p.box[3] - p.box[1]) for p in pigs)
        if length < FEW_PIXELS:
            found.append(Advice(Problem.FAR, length))
    if tilt_deg is not None and tilt_deg > MOST_TILT:
        found.append(Advice(Problem.TILTED, tilt_deg))
    return found


def _glare(image: Image) -> float:
    """Give the share of the picture that is a large spot without any colour left."""
    import cv2

    clipped = (image[::4, ::4].min(axis=2) >= _CLIPPED).astype(np.uint8)
    spots = cv2.morphologyEx(clipped, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    return float(spots.mean())


def _sharpness(grey: Image, pig: PigDetection) -> float:
    """Give the variance of the Laplacian around a pig seen 100 pixels long.

    At one size for all, or a far pig would look sharper than a near one.
    """
    import cv2

    x0, y0, x1, y1 = pig.box
    margin = _BESIDE * max(x1 - x0, y1 - y0) / 2
    left, top = max(0, int(x0 - margin)), max(0, int(y0 - margin))
    crop = grey[top : int(y1 + margin), left : int(x1 + margin)]
    factor = 100.0 / max(x1 - x0, y1 - y0)
    crop = np.asarray(cv2.resize(crop, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
    return float(cv2.Laplacian(crop, cv2.CV_64F).var())
