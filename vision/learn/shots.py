"""What was shown to teach on: one crop a confirmed pig of a photo set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.capture.frame import Image
from vision.errors import VisionError
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.proposer import frame_of
from vision.recognize.crop import pose_crop
from vision.recognize.gaze import SPARE
from vision.recognize.linear import Labels
from vision.recognize.reading import POSE_CLASSES

FEWEST_SHOTS = 12
FEWEST_POSES = 2


class TeachError(VisionError):
    """Too little was shown to learn from; the message says what is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Shots:
    """What was shown: one crop a pig.

    `crops` uint8[S, S, 3] RGB, `SPARE` times the network's input; `labels` [N] numbers of poses;
    `groups` [N] are held out together, `group_names` their names.
    """

    crops: tuple[Image, ...]
    labels: Labels
    groups: Labels
    group_names: tuple[str, ...]

    @property
    def counts(self) -> Mapping[str, int]:
        """How many of each pose."""
        found = Counter(POSE_CLASSES[i] for i in self.labels)
        return {p: found[p] for p in POSE_CLASSES if found[p]}


def gather(photos: PhotoSet, size: int, tell: Callable[[int, int], None] | None = None) -> Shots:
    """Cut out every confirmed pig of a set for a network of `size` pixels.

    Raises `TeachError` where there are too few.
    """
    shown = [p for p in photos.photos() if p.labels and p.labels.confirmed and not p.missing]
    crops: list[Image] = []
    labels: list[int] = []
    groups: list[str] = []
    for number, photo in enumerate(shown, start=1):
        for crop, pose in _crops(photos, photo, crop_size(size)):
            crops.append(crop)
            labels.append(POSE_CLASSES.index(pose))
            groups.append(_group(photo, shown))
        if tell is not None:
            tell(number, len(shown))
    if len(crops) < FEWEST_SHOTS or len(set(labels)) < FEWEST_POSES:
        raise TeachError(
            f"{len(crops)} pigs in {len(set(labels))} poses were shown; "
            f"{FEWEST_SHOTS} pigs in {FEWEST_POSES} poses are the least to learn from"
        )
    names, numbers = np.unique(groups, return_inverse=True)
    return Shots(tuple(crops), np.array(labels), numbers, tuple(str(n) for n in names))


def crop_size(network_px: int) -> int:
    """Give the side of the crops from which a network of `network_px` is shown views."""
    return round(network_px * SPARE)


def _crops(photos: PhotoSet, photo: Photo, size: int) -> Iterator[tuple[Image, str]]:
    if photo.labels is None or not photo.labels.pigs:
        return
    image = frame_of(photos, photo).image
    for pig in photo.labels.pigs:
        if pig.pose is not None:
            yield pose_crop(image, pig.box, size), pig.pose


def _group(photo: Photo, shown: Sequence[Photo]) -> str:
    """Name what is held out together: the session, or the picture where there is only one."""
    one_session = len({p.session for p in shown}) < 2
    return f"picture {photo.name}" if one_session else f"session {photo.session}"
