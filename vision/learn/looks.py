"""What a network makes of shots, in every colouring and view that teaching tries."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.learn.shots import Shots
from vision.recognize.attitude import together
from vision.recognize.embedding import Embedder, Floats
from vision.recognize.gaze import PLAIN, VIEWS, Gaze, Recolour, View, look, pig_colour
from vision.recognize.linear import log_softmax
from vision.recognize.slant import Signs, Slant

RECOLOURS = ((15.0, 1.0), (15.0, 0.7), (8.0, 0.7))
"""Reaches and shares of lightness tried, beside leaving colours alone."""

Answers = tuple[Floats, Floats, Floats | None]
"""Vectors [N, D], log-probabilities [N, 7], and how the pigs are turned [N, 6] where it says."""


@dataclass(slots=True, eq=False)
class Looks:
    """The network's answers to the shots, made once for each recolouring and view."""

    shots: Shots
    embedder: Embedder
    recolours: tuple[Recolour | None, ...]
    seen: dict[tuple[Recolour | None, View], Answers] = field(default_factory=dict)
    coloured: dict[Recolour | None, tuple[Image, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, shots: Shots, embedder: Embedder) -> Looks:
        """Prepare to look; the pigs' colour is found first."""
        colour = pig_colour(shots.crops)
        tried = (Recolour(colour, reach, lightness) for reach, lightness in RECOLOURS)
        return cls(shots, embedder, (None, *tried))

    def at(self, recolour: Recolour | None, view: View) -> Answers:
        """Give the answers to all shots in one view."""
        key = (recolour, view)
        if key not in self.seen:
            shown = self._shown(recolour)
            size = self.embedder.size
            self.seen[key] = self.embedder.see([look(c, view, size) for c in shown])
        return self.seen[key]

    def _shown(self, recolour: Recolour | None) -> tuple[Image, ...]:
        """Give the crops recoloured, once for all views."""
        if recolour not in self.coloured:
            crops = self.shots.crops
            self.coloured[recolour] = crops if recolour is None else tuple(map(recolour, crops))
        return self.coloured[recolour]

    def rows(self, gaze: Gaze) -> tuple[Floats, Floats]:
        """Give vectors [V, N, D] and log-probabilities [V, N, 7] of every view."""
        seen = [self.at(gaze.recolour, view) for view in VIEWS[gaze.views]]
        return np.stack([v for v, _, _ in seen]), np.stack([logs for _, logs, _ in seen])

    def plain(self) -> Floats:
        """Give the log-probabilities [N, 7] that the shipped reader has for these shots."""
        return as_one(self.rows(PLAIN)[1])

    def signs(self, gaze: Gaze) -> Signs | None:
        """Give what the shots' attitudes say of where up is; None from a network without."""
        views = VIEWS[gaze.views]
        turned = [self.at(gaze.recolour, view)[2] for view in views]
        if not self.embedder.stances or any(t is None for t in turned):
            return None
        raw = np.stack([t for t in turned if t is not None], axis=1)
        return Signs.of(together(raw, views), self.shots.sights, self.embedder.stances)


def shown_slant(signs: Signs, labels: NDArray[np.int_], train: NDArray[np.bool_]) -> Slant:
    """Give where up is by the shots of `train`, whose poses are known.

    The camera may be met where it was, or moved (`Slant.doubted`).
    """
    rows = np.flatnonzero(train)
    shown = signs.lies[rows, :, labels[rows]] / signs.usual[rows, labels[rows], None]
    return Slant.unknown().hearing(np.log(shown)).doubted()


def as_one(logs: Floats) -> Floats:
    """Read the views [V, N, 7] of each shot as one."""
    return log_softmax(logs.mean(axis=0))
