"""Whether the pigs touch: `apart` needs evidence, everything else is left open.

Two witnesses are asked: the outlines (table visible all along between them proves a gap) and,
where boxes are near, a small network that has seen touching, stacked and near pairs from
everywhere (docs/decisions/0015-contact-model.md). Either may say apart, each where it is sure.

A gap of h·tan(tilt) hides behind a pig of height h (15 mm high: 2.6 mm at 10 degrees, 5.5 mm at
20), so a picture never proves touching. The probabilities below say how often pigs with such a
picture are apart; with no visible gap they stay well below what the decision accepts.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scoring.throw import Contact
from vision.capture.frame import Image
from vision.recognize.crop import Box, pair_crop
from vision.recognize.outline import BOX_CLEAR_MM, Gap, box_gap_mm, measure_gap
from vision.recognize.pose import LEAST, Classifier
from vision.recognize.reading import CONTACT_CLASSES, ContactEvidence

NEVER_SURE = 0.999
"""The most that a visible gap proves: an outline may miss a hoof."""

UNSEEN_APART = 0.9
"""How likely pigs are apart whose outlines just meet.

Most hide a gap: outlines meet in one throw of ten or so, pigs touch in 0.4 of a hundred.
"""

HALF_SURE_MM = 0.35
"""The visible gap at which half of the remaining doubt is gone."""

SURE_APART = 0.99
"""A witness this sure that pigs lie apart is enough; the network is asked first."""

LEANS_APART = 0.95
"""The outlines are believed only where the network leans this far to apart as well.

Paint, a shadow or a dark leg can pass for table: of 147 touching or stacked development pairs the
outlines took five for apart on their own, four of which the network took for less than 0.93; of
359 pairs 2 to 40 mm apart 340 are told all the same, against 346.
"""

APART_ODDS = 5.0
"""How much likelier apart is than the network, which learnt on as many pairs of either, takes it.

Of real pairs 250 lie apart for each that touches (Kern: 0.4 %); so much of it was chosen on 205
touching or stacked development pairs that fewer than 2 % of them are taken as apart.
"""


class ContactReader:
    """Reads the contact of two pigs; without a network by their outlines alone."""

    def __init__(self, network: Classifier | None = None) -> None:
        self.network = network

    def looks_at(self, a: Box, b: Box) -> bool:
        """Whether two pigs in these boxes are near enough for the network to be asked."""
        return self.network is not None and box_gap_mm(a, b) < BOX_CLEAR_MM

    def __call__(self, image: Image, a: Box, b: Box) -> ContactEvidence:
        """Read two pigs in these boxes of a picture, uint8[H, W, 3] RGB."""
        if self.network is None or not self.looks_at(a, b):
            return _by_outlines(measure_gap(image, a, b))
        logs = self.network([pair_crop(image, a, b, self.network.size)])[0]
        seen = weigh_contact(np.exp(logs))
        if seen[Contact.APART] >= SURE_APART:
            return ContactEvidence(seen)
        outlines = _by_outlines(measure_gap(image, a, b))
        both = (seen[Contact.APART] >= LEANS_APART) and (
            outlines.probabilities[Contact.APART] >= SURE_APART
        )
        if both:
            return outlines
        return ContactEvidence(seen, outlines.gap_mm)


def weigh_contact(balanced: NDArray[np.float64]) -> dict[str, float]:
    """Weigh the network's probabilities [3] over `CONTACT_CLASSES` with `APART_ODDS`."""
    odds = balanced * [APART_ODDS, 1.0, 1.0]
    odds[0] = min(odds[0], NEVER_SURE / (1.0 - NEVER_SURE) * max(odds[1] + odds[2], LEAST))
    return dict(zip(CONTACT_CLASSES, (odds / odds.sum()).tolist(), strict=True))


def _by_outlines(gap: Gap) -> ContactEvidence:
    return ContactEvidence(judge_gap(gap), max(gap.seen_mm, 0.0))


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
