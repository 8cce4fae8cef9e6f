"""Reading pictures of known truth, and keeping what was read beside what is there."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Frame, Image
from vision.learn.evaluate_sets import SIDER, EvaluationSet, TruePicture, TruePig
from vision.recognize.crop import Box, pose_crop
from vision.recognize.decide import Policy, probabilities, risk
from vision.recognize.locate import iou
from vision.recognize.picture import open_picture
from vision.recognize.pose import Classifier, read_poses
from vision.recognize.reading import Decision, PigDetection, Reading
from vision.recognize.recognizer import Recognizer

SAME_PIG = 0.5
"""The least intersection over union of a box that was found with the true one."""

THUMBNAIL_PX = 128


@dataclass(frozen=True, slots=True, eq=False)
class PigRecord:
    """One true pig of picture number `picture`, and what was read of it.

    `given` are the log-probabilities [7] that the pose model gives on the true box; `found` the
    detection that matched, None where the locator missed it; `crop` is what the model saw.
    """

    picture: int
    truth: TruePig
    given: NDArray[np.float64]
    found: PigDetection | None
    crop: Image
    file: Path
    lights: int | None = None

    @property
    def read(self) -> dict[str, float]:
        """The probabilities that count: as read where found, else on the true box."""
        return dict(self.found.probabilities) if self.found else probabilities(self.given)

    @property
    def chance_of_truth(self) -> float:
        """The probability that was given to what is there."""
        names = ("dot_up", "dot_down") if self.truth.pose == SIDER else (str(self.truth.pose),)
        return sum(self.read[name] for name in names)


@dataclass(frozen=True, slots=True, eq=False)
class PictureRecord:
    """One whole picture: its reading, how many boxes hold no pig, and how long it took."""

    truth: TruePicture
    reading: Reading
    false_pigs: int
    milliseconds: float

    @property
    def is_throw(self) -> bool:
        """Whether it shows what can be scored: two pigs in poses of the game."""
        poses = [pig.pose for pig in self.truth.pigs]
        return len(poses) == 2 and all(p is not None and p != "other" for p in poses)

    @property
    def is_right(self) -> bool:
        """Whether the likeliest throw is the true one, contact included where it is known."""
        throw, truth = self.reading.throw, self.truth
        if throw is None or (truth.located and not self.is_throw):
            return False
        if truth.contact is not None and throw.contact != truth.contact:
            return False
        if not truth.located:
            return True
        a, b = throw.poses
        one, other = truth.pigs
        straight = one.is_read_right(a) and other.is_read_right(b)
        return straight or (one.is_read_right(b) and other.is_read_right(a))

    @property
    def accepted(self) -> bool:
        """Whether nobody would be asked."""
        return self.reading.decision is Decision.ACCEPT

    @property
    def is_known(self) -> bool:
        """Whether enough is known of the truth to call an accepted reading right or wrong."""
        if not self.truth.located:
            return self.truth.contact is not None
        return all(pig.pose is not None for pig in self.truth.pigs)

    @property
    def taken_as_apart(self) -> bool:
        """Whether the pigs count as apart without anybody being asked."""
        contact = self.reading.contact
        return contact is not None and contact.probabilities["apart"] >= Policy().least_apart

    @property
    def chance(self) -> float:
        """How probable the reading says it is right; 0 where it is no throw."""
        contact = self.reading.contact
        if contact is None or self.reading.throw is None:
            return 0.0
        return risk(self.reading.pigs, contact)[0]


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """All that was read of one set; a set of crops has no pictures."""

    name: str
    pigs: tuple[PigRecord, ...]
    pictures: tuple[PictureRecord, ...]


def read_set(
    recognizer: Recognizer, chosen: EvaluationSet, told: Callable[[int], None] = lambda _: None
) -> Records:
    """Read every picture of a set; `told` is called with the number of each that is done."""
    pigs: list[PigRecord] = []
    pictures: list[PictureRecord] = []
    for number, truth in enumerate(chosen.pictures):
        if truth.crop:
            crop = read_crop(truth.path, recognizer.pose.size)
            logs = recognizer.pose([crop])[0]
            pigs.append(
                PigRecord(number, truth.pigs[0], logs, None, crop, truth.path, truth.lights)
            )
        else:
            image = open_picture(truth.path)
            started = time.perf_counter()
            reading = recognizer.read([Frame(image, number, 0.0, str(truth.path))])
            milliseconds = 1000 * (time.perf_counter() - started)
            matches = match([p.box for p in truth.pigs], [p.box for p in reading.pigs])
            false_pigs = len(reading.pigs) - len(matches) if truth.located else 0
            pictures.append(PictureRecord(truth, reading, false_pigs, milliseconds))
            pigs += _read_pigs(recognizer.pose, number, pictures[-1], image, matches)
        told(number)
    return Records(chosen.name, tuple(pigs), tuple(pictures))


def read_crop(path: Path, size: int) -> Image:
    """Open a picture that is a crop already, at the size that a classifier takes."""
    import cv2

    image = open_picture(path)
    how = cv2.INTER_AREA if image.shape[0] > size else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, (size, size), interpolation=how), np.uint8)


def _read_pigs(
    classifier: Classifier,
    number: int,
    picture: PictureRecord,
    image: Image,
    matches: dict[int, int],
) -> list[PigRecord]:
    true = picture.truth.pigs
    given = read_poses(classifier, image, [p.box for p in true])
    return [
        PigRecord(
            number,
            pig,
            given[i],
            picture.reading.pigs[matches[i]] if i in matches else None,
            pose_crop(image, pig.box, THUMBNAIL_PX),
            picture.truth.path,
            picture.truth.lights,
        )
        for i, pig in enumerate(true)
    ]


def match(true: list[Box], found: list[Box]) -> dict[int, int]:
    """Say which found box is each true one, the best overlaps first, each used once."""
    pairs = [(iou(t, f), i, j) for i, t in enumerate(true) for j, f in enumerate(found)]
    matches: dict[int, int] = {}
    for overlap, i, j in sorted(pairs, key=lambda p: (-p[0], p[1], p[2])):
        if overlap >= SAME_PIG and i not in matches and j not in matches.values():
            matches[i] = j
    return matches
