"""Where the pigs are: one detector over the whole frame, letterboxed once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.errors import ModelError
from vision.recognize.crop import Box, as_tensor

if TYPE_CHECKING:
    from vision.recognize.manifest import ModelEntry
    from vision.recognize.runtime import Network, Tensor

STRIDE = 32
"""The network's input sides are multiples of this."""

GREY = 114
"""What the letterbox is filled with, as in training."""

SURE = 0.6
"""Two pigs this sure need no second look."""

SAME_PIG = 0.5
"""Two boxes whose intersection over union is above this are one pig."""


FURTHER = (1.3, 0.7, 0.5)
"""Scales of further looks, to the first one's: nearer for small pigs, then further for large."""


@dataclass(frozen=True, slots=True)
class Located:
    """One box with the locator's confidence, 0 to 1."""

    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class Letterbox:
    """How a picture was laid into the network's input: scaled, then shifted by (left, top)."""

    scale: float
    left: int
    top: int

    def back(self, boxes: NDArray[np.float32]) -> NDArray[np.float64]:
        """Give boxes [N, 4] of the input in pixels of the picture."""
        shift = np.array([self.left, self.top, self.left, self.top], np.float64)
        return (boxes.astype(np.float64) - shift) / self.scale


class Locator:
    """Finds pigs; the network is loaded once, the input is as long as the picture needs."""

    def __init__(self, network: Network, entry: ModelEntry) -> None:
        self.network = network
        self._entry = entry

    @property
    def threshold(self) -> float:
        """The least confidence of a box that is looked at."""
        return self._entry.threshold

    def __call__(self, image: Image) -> list[Located]:
        """Give the pigs of a picture, uint8[H, W, 3] RGB, the most confident first.

        Where fewer than two are sure, it is looked at again at other scales until two are, and
        else the look that is surest of its two best counts: pigs are found best at the size they
        had in training.
        """
        looks: list[list[Located]] = []
        for scale in self.scales(image):
            looks.append(self.look(image, scale))
            if sum(pig.confidence >= SURE for pig in looks[-1]) >= 2:
                return looks[-1]
        return max(looks, key=_sureness)

    def look(self, image: Image, scale: float) -> list[Located]:
        """Give the pigs that are found with the picture at one scale."""
        batch, letterbox = prepare(image, self.input_size(image, scale), scale)
        return self.boxes(self.network(batch), letterbox, image)

    def boxes(self, output: Tensor, letterbox: Letterbox, image: Image) -> list[Located]:
        """Turn the network's output into boxes of the picture, each pig once."""
        rows = decode(output, self._entry)
        rows = rows[rows[:, 4] >= self._entry.threshold]
        height, width = image.shape[:2]
        boxes = letterbox.back(rows[:, :4]).clip(0, [width, height, width, height])
        found = []
        for box, confidence in zip(boxes, rows[:, 4], strict=True):
            x0, y0, x1, y1 = (float(v) for v in box)
            if x1 - x0 >= 2 and y1 - y0 >= 2:
                found.append(Located((x0, y0, x1, y1), min(1.0, float(confidence))))
        return distinct(found)

    def scales(self, image: Image) -> tuple[float, ...]:
        """Give the scale of the first look and of those that follow a doubt.

        A picture is shrunk to the input, never enlarged: a small one is a close-up, whose pigs
        would become larger than any in training (of 142 render crops at twice their size not
        one pig was found, at half 76 %).
        """
        first = min(1.0, self._entry.input_px / max(image.shape[:2]))
        further = (min(1.0, s * first) for s in FURTHER)
        return (first, *(s for s in further if s != first))

    def input_size(self, image: Image, scale: float) -> tuple[int, int]:
        """Give the (height, width) of the input: the model's, or just enough for the picture."""
        _, height, width = self.network.input_shape
        if height is not None and width is not None:
            return height, width
        rows, columns = (
            STRIDE * math.ceil(max(1, round(side * scale)) / STRIDE) for side in image.shape[:2]
        )
        return rows, columns


def _sureness(found: list[Located]) -> float:
    return sum(pig.confidence for pig in found[:2])


def distinct(found: list[Located]) -> list[Located]:
    """Leave out boxes of a pig that a surer box holds already; the surest first."""
    kept: list[Located] = []
    for pig in sorted(found, key=lambda p: -p.confidence):
        if all(iou(pig.box, k.box) < SAME_PIG for k in kept):
            kept.append(pig)
    return kept


def prepare(image: Image, size: tuple[int, int], scale: float) -> tuple[Tensor, Letterbox]:
    """Lay a picture into float32[1, 3, H, W], 0 to 1, its proportions kept, centred on grey.

    It is scaled by `scale`, or by less where it would not fit `size` (height, width).
    """
    import cv2

    height, width = size
    scale = min(scale, height / image.shape[0], width / image.shape[1])
    rows = max(1, round(image.shape[0] * scale))
    columns = max(1, round(image.shape[1] * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    top, left = (height - rows) // 2, (width - columns) // 2
    canvas = np.full((height, width, 3), GREY, np.uint8)
    canvas[top : top + rows, left : left + columns] = cv2.resize(
        image, (columns, rows), interpolation=how
    )
    return as_tensor([canvas]), Letterbox(scale, left, top)


def decode(output: Tensor, entry: ModelEntry) -> Tensor:
    """Give rows (x0, y0, x1, y1, confidence) in pixels of the input, one row a box.

    Understands both forms of a YOLO export: end-to-end [1, N, 6] and, for one class, the raw
    [1, 5, anchors] of centres and sizes, which still needs its overlapping boxes suppressed.
    """
    if output.ndim == 3 and output.shape[2] == 6:
        return output[0, :, :5]
    if output.ndim == 3 and output.shape[1] == 4 + len(entry.classes):
        return _suppress(output[0].T, entry.threshold)
    raise ModelError(
        f"{entry.file} gives {list(output.shape)}; a locator gives [1, N, 6] or [1, 5, N]: "
        "export it again with `sooee train`"
    )


def _suppress(raw: Tensor, threshold: float) -> Tensor:
    import cv2

    raw = raw[raw[:, 4] >= threshold]
    corners = np.concatenate([raw[:, :2] - raw[:, 2:4] / 2, raw[:, 2:4]], axis=1)
    kept = cv2.dnn.NMSBoxes(corners.tolist(), raw[:, 4].tolist(), threshold, SAME_PIG)
    corners[:, 2:] += corners[:, :2]
    rows = np.concatenate([corners, raw[:, 4:5]], axis=1)
    return np.asarray(rows[np.asarray(kept, np.intp).reshape(-1)], np.float32)


def iou(a: Box | NDArray[np.float64], b: Box) -> float:
    """Give the intersection over union of two boxes, 0 to 1."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    inside = width * height
    areas = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return float(inside / (areas - inside))
