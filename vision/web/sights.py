"""The pictures that belong to a throw: the whole table, both pigs, and each pig by itself."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from enum import StrEnum

from vision.capture.frame import Frame, Image
from vision.recognize.crop import PAIR_MARGIN, POSE_MARGIN, square_crop, union
from vision.recognize.reading import PigDetection, Reading

TABLE_WIDTH = 1280
PAIR_SIZE = 720
PIG_SIZE = 320
_QUALITY = 85


class Picture(StrEnum):
    """The names of a sight's pictures; the only names there are."""

    TABLE = "table"
    PAIR = "pair"
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class SightPig:
    """A pig of a sight; `box` is its place in the pair picture, 0 to 1."""

    box: tuple[float, float, float, float]
    pose: str
    probability: float


@dataclass(frozen=True, slots=True)
class Sight:
    """What the camera saw of one throw: JPEG files by name, and the pigs in them."""

    pictures: dict[Picture, bytes]
    pigs: tuple[SightPig, ...]


class Sights:
    """The newest sights, by number; the oldest are forgotten. Safe from any thread."""

    def __init__(self, keep: int = 120) -> None:
        self._keep = keep
        self._sights: OrderedDict[int, Sight] = OrderedDict()
        self._next = 1
        self._lock = threading.Lock()

    def add(self, sight: Sight) -> int:
        """Keep a sight; returns its number."""
        with self._lock:
            number, self._next = self._next, self._next + 1
            self._sights[number] = sight
            while len(self._sights) > self._keep:
                self._sights.popitem(last=False)
            return number

    def get(self, number: int) -> Sight | None:
        """Return a sight, or None when there is none (any more)."""
        return self._sights.get(number)


def take_sight(frame: Frame, reading: Reading) -> Sight:
    """Cut the pictures of a reading out of its frame."""
    pictures = {Picture.TABLE: jpeg(frame.image, TABLE_WIDTH)}
    pigs = reading.pigs
    for name, pig in zip((Picture.FIRST, Picture.SECOND), pigs, strict=False):
        pictures[name] = jpeg(square_crop(frame.image, pig.box, PIG_SIZE, POSE_MARGIN))
    if len(pigs) != 2:
        return Sight(pictures, ())
    both = union(pigs[0].box, pigs[1].box)
    pictures[Picture.PAIR] = jpeg(square_crop(frame.image, both, PAIR_SIZE, PAIR_MARGIN))
    return Sight(pictures, tuple(_placed(pig, both) for pig in pigs))


def jpeg(image: Image, width: int | None = None, quality: int = _QUALITY) -> bytes:
    """Return an RGB picture as JPEG, made smaller when it is wider than `width`."""
    import cv2

    if width is not None and image.shape[1] > width:
        height = max(1, round(image.shape[0] * width / image.shape[1]))
        image = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    bgr = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
    return bytes(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


def _placed(pig: PigDetection, both: tuple[float, float, float, float]) -> SightPig:
    """Give a pig's place in the square pair picture, as `square_crop` cuts it."""
    x0, y0, x1, y1 = both
    side = max(2, round(max(x1 - x0, y1 - y0) * (1.0 + PAIR_MARGIN)))
    left, top = round((x0 + x1 - side) / 2), round((y0 + y1 - side) / 2)
    a, b, c, d = pig.box
    box = ((a - left) / side, (b - top) / side, (c - left) / side, (d - top) / side)
    return SightPig(box, pig.pose, pig.probability)
