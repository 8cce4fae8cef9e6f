"""What was shown to teach on: one crop a confirmed pig of a photo set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.capture.frame import Image
from vision.errors import VisionError
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.proposer import frame_of
from vision.recognize.crop import pose_crop
from vision.recognize.embedding import Floats
from vision.recognize.gaze import SPARE
from vision.recognize.linear import Labels
from vision.recognize.reading import POSE_CLASSES
from vision.recognize.slant import sights

FEWEST_SHOTS = 12
FEWEST_POSES = 2


class TeachError(VisionError):
    """Too little was shown to learn from; the message says what is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Shots:
    """What was shown: one crop a pig.

    `crops` uint8[S, S, 3] RGB, `SPARE` times the network's input; `labels` [N] numbers of poses;
    `groups` [N] are held out together, `group_names` their names; `sights` [N, 3, 3] turn from
    the camera's axes to those of the line of sight to each pig, one and the same if not given.
    """

    crops: tuple[Image, ...]
    labels: Labels
    groups: Labels
    group_names: tuple[str, ...]
    sights: Floats = field(default_factory=lambda: np.empty((0, 3, 3)))

    def __post_init__(self) -> None:
        if not len(self.sights):
            ahead = np.broadcast_to(np.eye(3), (len(self.labels), 3, 3))
            object.__setattr__(self, "sights", ahead)

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
    seen: list[Floats] = []
    for number, photo in enumerate(shown, start=1):
        for crop, sight, pose in _crops(photos, photo, crop_size(size)):
            crops.append(crop)
            seen.append(sight)
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
    return Shots(
        tuple(crops), np.array(labels), numbers, tuple(str(n) for n in names), np.array(seen)
    )


def crop_size(network_px: int) -> int:
    """Give the side of the crops from which a network of `network_px` is shown views."""
    return round(network_px * SPARE)


def _crops(photos: PhotoSet, photo: Photo, size: int) -> Iterator[tuple[Image, Floats, str]]:
    if photo.labels is None or not photo.labels.pigs:
        return
    image = frame_of(photos, photo).image
    for pig in photo.labels.pigs:
        if pig.pose is not None:
            sight = sights([pig.box], (image.shape[1], image.shape[0]))[0]
            yield pose_crop(image, pig.box, size), sight, pig.pose


def _group(photo: Photo, shown: Sequence[Photo]) -> str:
    """Name what is held out together: the session, or the picture where there is only one."""
    one_session = len({p.session for p in shown}) < 2
    return f"picture {photo.name}" if one_session else f"session {photo.session}"
