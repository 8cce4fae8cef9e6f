"""Teaching: a user's own pigs, shown in each pose, become a small layer on the pose network.

What was shown is held out session by session; only if the held-out shots are read better with
the layer than without is there a profile at all. Crops are turned in quarter turns, never
mirrored: the dot is on one flank only.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.errors import VisionError
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.proposer import frame_of
from vision.recognize.crop import pose_crop
from vision.recognize.embedding import Embedder, Floats
from vision.recognize.linear import Hold, Labels, fit, held_out
from vision.recognize.profile import Profile
from vision.recognize.reading import POSE_CLASSES

TURNS = 4
"""Each crop is seen in so many quarter turns; each turn counts a share of a shot."""

FEWEST_SHOTS = 12
FEWEST_POSES = 2
_PARTS = 3

HOLDS = tuple(Hold(hold, trust) for trust in (1.0, 0.5, 0.2) for hold in (3.0, 1.0, 0.3, 0.1, 0.03))
"""From the network's own answer to the shots' alone; the first of equals is taken."""


class TeachError(VisionError):
    """Too little was shown to learn from; the message says what is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Shots:
    """What was shown: one row a crop and turn.

    `vectors` [N, D], `logs` [N, 7] the network's own, `labels` [N], `groups` [N] held out
    together, `shot` [N] which crop, so that the turns of one are one.
    """

    vectors: Floats
    logs: Floats
    labels: Labels
    groups: Labels
    shot: Labels
    group_names: tuple[str, ...]

    @property
    def weights(self) -> Floats:
        """The rows' weights: the turns of one crop count one together."""
        return 1.0 / np.bincount(self.shot)[self.shot]

    @property
    def counts(self) -> Mapping[str, int]:
        """How many crops of each pose."""
        first = np.unique(self.shot, return_index=True)[1]
        found = Counter(POSE_CLASSES[i] for i in self.labels[first])
        return {p: found[p] for p in POSE_CLASSES if found[p]}


@dataclass(frozen=True, slots=True)
class PoseChange:
    """One pose: how many held-out shots, and how many read right before and after."""

    pose: str
    shots: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Lesson:
    """What came of teaching.

    `before` and `after` are held-out shots read right, of `shots`; `mended` and `broken` count
    those that changed. `profile` is None where nothing is gained: the old stays. `seconds` is
    the time to fit.
    """

    profile: Profile | None
    shots: int
    before: int
    after: int
    mended: int
    broken: int
    poses: tuple[PoseChange, ...]
    held_out_by: str
    hold: Hold
    seconds: float

    @property
    def verdict(self) -> str:
        """One sentence for a person."""
        figures = f"{self.before} of {self.shots} held-out shots read right before"
        if self.profile is None:
            return f"{figures}, {self.after} after: no gain, so nothing is changed"
        return f"{figures}, {self.after} after"


def gather(
    photos: PhotoSet, embedder: Embedder, tell: Callable[[int, int], None] | None = None
) -> Shots:
    """Look at every confirmed pig of a set; raises `TeachError` where there are too few."""
    shown = [p for p in photos.photos() if p.labels and p.labels.confirmed and not p.missing]
    crops: list[Image] = []
    labels: list[int] = []
    groups: list[str] = []
    for number, photo in enumerate(shown, start=1):
        for crop, pose in _crops(photos, photo, embedder.size):
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
    turned = [np.ascontiguousarray(np.rot90(c, k)) for c in crops for k in range(TURNS)]
    vectors, logs = embedder(turned)
    names, numbers = np.unique(groups, return_inverse=True)
    repeat = np.repeat(np.arange(len(crops)), TURNS)
    return Shots(
        vectors,
        logs,
        np.array(labels)[repeat],
        numbers[repeat],
        repeat,
        tuple(str(n) for n in names),
    )


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


def teach(shots: Shots, name: str, model: str) -> Lesson:
    """Fit a layer, and say by held-out groups whether it helps; `model` is the network's sha256.

    How hard the network is held is chosen inside each training part, so that the held-out
    figures are of shots that had no say in anything.
    """
    started = time.perf_counter()
    own = shots.shot
    after_logs = np.array(shots.logs)
    for group in np.unique(shots.groups):
        outside = shots.groups != group
        if not outside.any() or len(np.unique(shots.labels[outside])) < FEWEST_POSES:
            continue
        part = _part(shots, outside)
        layer = fit(part.vectors, part.labels, part.logs, choose(part), part.weights)
        after_logs[~outside] = layer(shots.vectors[~outside], shots.logs[~outside])
    hold = choose(shots)
    # The picture as it came is what would be read: its first turn stands for the shot.
    first = np.unique(own, return_index=True)[1]
    labels = shots.labels[first]
    before = shots.logs[first].argmax(axis=1) == labels
    after = after_logs[first].argmax(axis=1) == labels
    surer = _loss(after_logs[first], labels) < _loss(shots.logs[first], labels)
    layer = fit(shots.vectors, shots.labels, shots.logs, hold, shots.weights)
    seconds = time.perf_counter() - started
    made = datetime.now(UTC).isoformat(timespec="seconds")
    profile = Profile(
        name, model, layer, shots.counts, float(before.mean()), float(after.mean()), made
    )
    helps = bool(after.sum() > before.sum() and surer)
    return Lesson(
        profile=profile if helps else None,
        shots=len(first),
        before=int(before.sum()),
        after=int(after.sum()),
        mended=int((after & ~before).sum()),
        broken=int((before & ~after).sum()),
        poses=tuple(_by_pose(labels, before, after)),
        held_out_by=shots.group_names[0].partition(" ")[0],
        hold=hold,
        seconds=seconds,
    )


def choose(shots: Shots) -> Hold:
    """Choose how hard the network is held, by shots held out in three parts."""
    names = np.unique(shots.groups)
    parts = np.searchsorted(names, shots.groups) % _PARTS if len(names) > 1 else shots.shot % _PARTS
    seen = held_out(shots.vectors, shots.labels, shots.logs, parts, HOLDS, shots.weights)
    losses = [_loss(logs, shots.labels) for logs in seen]
    return HOLDS[int(np.argmin(np.round(losses, 4)))]


def _part(shots: Shots, chosen: NDArray[np.bool_]) -> Shots:
    numbers = np.unique(shots.shot[chosen], return_inverse=True)[1]
    return Shots(
        shots.vectors[chosen],
        shots.logs[chosen],
        shots.labels[chosen],
        shots.groups[chosen],
        numbers,
        shots.group_names,
    )


def _loss(logs: Floats, labels: Labels) -> float:
    return -float(logs[np.arange(len(labels)), labels].mean())


def _by_pose(
    labels: Labels, before: NDArray[np.bool_], after: NDArray[np.bool_]
) -> Iterator[PoseChange]:
    for number, pose in enumerate(POSE_CLASSES):
        of_pose = labels == number
        if of_pose.any():
            yield PoseChange(
                pose, int(of_pose.sum()), int(before[of_pose].sum()), int(after[of_pose].sum())
            )
