"""Whether the pigs touch: `apart` needs evidence, everything else is left open.

A gap of h·tan(tilt) hides behind a pig of height h (15 mm high: 2.6 mm at 10 degrees, 5.5 mm at
20), so a picture never proves touching. The probabilities below say how often pigs with such a
picture are apart; with no visible gap they stay well below what the decision accepts.
"""

from __future__ import annotations

import math

from vision.capture.frame import Image
from vision.recognize.crop import Box
from vision.recognize.outline import Gap, measure_gap
from vision.recognize.reading import CONTACT_CLASSES, ContactEvidence

NEVER_SURE = 0.999
"""The most that a visible gap proves: an outline may miss a hoof."""

UNSEEN_APART = 0.9
"""How likely pigs are apart whose outlines just meet.

Most hide a gap: outlines meet in one throw of ten or so, pigs touch in 0.4 of a hundred.
"""

HALF_SURE_MM = 0.35
"""The visible gap at which half of the remaining doubt is gone."""

BOX_CLEAR_MM = 4.0
"""Boxes this far from each other need no outline: a locator's box is not that wrong."""


def read_contact(image: Image, a: Box, b: Box) -> ContactEvidence:
    """Read the contact of the two pigs in these boxes of a picture, uint8[H, W, 3] RGB."""
    gap = measure_gap(image, a, b)
    return ContactEvidence(judge_gap(gap), gap_mm=max(gap.seen_mm, 0.0))


def judge_gap(gap: Gap) -> dict[str, float]:
    """Turn what was measured into probabilities over `CONTACT_CLASSES`."""
    seen = max(gap.seen_mm, gap.box_mm if gap.box_mm >= BOX_CLEAR_MM else 0.0)
    apart = 1.0 - (1.0 - UNSEEN_APART) * math.exp2(-seen / HALF_SURE_MM)
    if seen == 0.0:
        apart *= 1.0 - 0.7 * gap.overlap
    apart = min(apart, NEVER_SURE)
    stacked = min(0.9, gap.overlap)
    shares = (apart, (1.0 - apart) * (1.0 - stacked), (1.0 - apart) * stacked)
    return dict(zip(CONTACT_CLASSES, shares, strict=True))
