"""How each pig lies: a small classifier on a crop around each, all crops in one run.

Each crop is looked at straight and with the head leaned to either side, and the logarithms of
what the looks say are averaged: steadier than one look (docs/decisions/0014-leaned-looks.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.errors import ModelError
from vision.recognize.crop import Box, as_tensor, pose_crop
from vision.recognize.gaze import LEANED, SPARE, View, look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.recognize.manifest import ModelEntry
    from vision.recognize.runtime import Network, Tensor

LEAST = 1e-7
"""The least probability taken as meant: below it float32 says nothing."""


class Classifier:
    """Runs a classifier on square crops and gives calibrated log-probabilities."""

    def __init__(self, network: Network, entry: ModelEntry, views: Sequence[View] = LEANED) -> None:
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
        if not crops:
            return np.empty((0, len(self._entry.classes)))
        output = self.run(self.prepare(crops))
        expected = (len(crops) * len(self._views), len(self._entry.classes))
        if output.shape != expected or not np.allclose(output.sum(axis=1), 1.0, atol=1e-2):
            raise ModelError(
                f"{self._entry.file} gives {list(output.shape)}; expected probabilities "
                f"{list(expected)} that sum to 1: export it again with `sooee train`"
            )
        logs = np.log(output.astype(np.float64).clip(LEAST))
        each = logs.reshape(len(crops), len(self._views), -1)
        return calibrate(each.mean(axis=1), self._entry.temperature)

    def prepare(self, crops: Sequence[Image]) -> Tensor:
        """Lay all looks at all crops into one float32[N * views, 3, side, side], 0 to 1."""
        side = self._entry.input_px
        return as_tensor([look(crop, view, side) for crop in crops for view in self._views])

    def run(self, crops: Tensor) -> Tensor:
        """Run all crops at once, or in the batches that a model of a fixed batch size takes."""
        size = self._network.input_shape[0]
        if size is None or size == len(crops):
            return self._network(crops)
        short = -len(crops) % size
        filled = np.concatenate([crops, np.zeros((short, *crops.shape[1:]), np.float32)])
        parts = [self._network(filled[i : i + size]) for i in range(0, len(filled), size)]
        return np.concatenate(parts)[: len(crops)]


def calibrate(log_probabilities: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """Scale log-probabilities [N, classes] by a temperature (Guo et al. 2017), normalised again."""
    scaled = log_probabilities / temperature
    scaled = scaled - scaled.max(axis=-1, keepdims=True)
    total: NDArray[np.float64] = np.log(np.exp(scaled).sum(axis=-1, keepdims=True))
    return np.asarray(scaled - total, np.float64)


def read_poses(classifier: Classifier, image: Image, boxes: Sequence[Box]) -> NDArray[np.float64]:
    """Give the log-probabilities [N, 7] over `POSE_CLASSES` of the pigs in these boxes."""
    return classifier([pose_crop(image, box, classifier.size) for box in boxes])
