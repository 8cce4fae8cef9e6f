"""How each pig lies: a small classifier on a crop around each, all crops in one run.

Each crop is looked at straight and with the head leaned to either side, and the logarithms of
what the looks say are averaged: steadier than one look (docs/decisions/0014-leaned-looks.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.errors import ModelError
from vision.recognize.attitude import Attitudes, together
from vision.recognize.crop import Box, as_tensor, pose_crop
from vision.recognize.gaze import LEANED, SPARE, View, look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.recognize.manifest import ModelEntry
    from vision.recognize.runtime import ManyOutputs, Tensor

LEAST = 1e-7
"""The least probability taken as meant: below it float32 says nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What a classifier sees in N crops.

    `logs` are calibrated log-probabilities [N, classes]; `attitudes` how the pigs are turned,
    None from a network that does not say.
    """

    logs: NDArray[np.float64]
    attitudes: Attitudes | None = None


class Classifier:
    """Runs a classifier on square crops and gives calibrated log-probabilities."""

    def __init__(
        self, network: ManyOutputs, entry: ModelEntry, views: Sequence[View] = LEANED
    ) -> None:
        self._network = network
        self._entry = entry
        self._views = views
        _, height, width = network.input_shape
        side = entry.input_px
        self.size = round(side * SPARE)
        """The side of the crops it takes, in pixels: more than the network's, to turn in."""
        if (height or side, width or side) != (side, side):
            raise ModelError(
                f"{entry.file} takes {width}x{height} pixels, the manifest says {side}: "
                "export it again with `sooee train`"
            )

    def __call__(self, crops: Sequence[Image]) -> NDArray[np.float64]:
        """Give log-probabilities [N, classes] of crops, uint8[size, size, 3] RGB each."""
        return self.see(crops).logs

    def see(self, crops: Sequence[Image]) -> Seen:
        """Give what the network sees in crops, uint8[size, size, 3] RGB each."""
        if not crops:
            return Seen(np.empty((0, len(self._entry.classes))))
        output, *turned = self.all_of(self.prepare(crops))
        expected = (len(crops) * len(self._views), len(self._entry.classes))
        if output.shape != expected or not np.allclose(output.sum(axis=1), 1.0, atol=1e-2):
            raise ModelError(
                f"{self._entry.file} gives {list(output.shape)}; expected probabilities "
                f"{list(expected)} that sum to 1: export it again with `sooee train`"
            )
        logs = np.log(output.astype(np.float64).clip(LEAST))
        each = logs.reshape(len(crops), len(self._views), -1)
        named = calibrate(each.mean(axis=1), self._entry.temperature)
        if not turned:
            return Seen(named)
        raw = turned[0].astype(np.float64).reshape(len(crops), len(self._views), -1)
        return Seen(named, together(raw, self._views))

    def prepare(self, crops: Sequence[Image]) -> Tensor:
        """Lay all looks at all crops into one float32[N * views, 3, side, side], 0 to 1."""
        side = self._entry.input_px
        return as_tensor([look(crop, view, side) for crop in crops for view in self._views])

    def run(self, crops: Tensor) -> Tensor:
        """Give the probabilities of all crops' looks."""
        return self.all_of(crops)[0]

    def all_of(self, crops: Tensor) -> tuple[Tensor, ...]:
        """Run all crops at once, or in the batches that a model of a fixed batch size takes."""
        size = self._network.input_shape[0]
        if size is None or size == len(crops):
            return self._network.all_of(crops)
        short = -len(crops) % size
        filled = np.concatenate([crops, np.zeros((short, *crops.shape[1:]), np.float32)])
        parts = [self._network.all_of(filled[i : i + size]) for i in range(0, len(filled), size)]
        return tuple(np.concatenate(p)[: len(crops)] for p in zip(*parts, strict=True))


def calibrate(log_probabilities: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """Scale log-probabilities [N, classes] by a temperature (Guo et al. 2017), normalised again."""
    scaled = log_probabilities / temperature
    scaled = scaled - scaled.max(axis=-1, keepdims=True)
    total: NDArray[np.float64] = np.log(np.exp(scaled).sum(axis=-1, keepdims=True))
    return np.asarray(scaled - total, np.float64)


def see_poses(classifier: Classifier, image: Image, boxes: Sequence[Box]) -> Seen:
    """Give what the pose network sees of the pigs in these boxes."""
    return classifier.see([pose_crop(image, box, classifier.size) for box in boxes])


def read_poses(classifier: Classifier, image: Image, boxes: Sequence[Box]) -> NDArray[np.float64]:
    """Give the log-probabilities [N, 7] over `POSE_CLASSES` of the pigs in these boxes."""
    return see_poses(classifier, image, boxes).logs
