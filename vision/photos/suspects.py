"""Labels that are likely wrong: what a layer fitted to all other sessions says against them.

The pose network's embedding of each pig's crop goes into a softmax regression fitted on the
pigs of the other folds; a label that gets next to no probability there, while another gets
nearly all, wants a second look (confident learning: Northcutt et al. 2021).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.proposer import frame_of
from vision.recognize.crop import pose_crop
from vision.recognize.embedding import Embedder, Floats
from vision.recognize.linear import Hold, held_out
from vision.recognize.reading import POSE_CLASSES

FEWEST = 20
"""Fewer labelled pigs than this say nothing about each other."""

UNLIKELY, LIKELY = 0.1, 0.6
_FOLDS = 5
_HOLD = Hold(0.3, trust=0.5)


@dataclass(frozen=True, slots=True)
class Suspect:
    """One pig whose label is doubted: the photograph, which pig, and the probabilities."""

    photo: int
    pig: int
    labelled: str
    likelier: str
    probability: float
    labelled_probability: float


def find_suspects(
    photos: PhotoSet,
    embedder: Embedder,
    shown: Sequence[Photo],
    tell: Callable[[int, int], None] | None = None,
) -> tuple[Suspect, ...]:
    """Look for likely wrong poses among the labels of `shown`, the surest first."""
    named = [
        (photo, n, pig.pose)
        for photo in shown
        if photo.labels is not None and not photo.missing
        for n, pig in enumerate(photo.labels.pigs)
        if pig.pose is not None
    ]
    if len(named) < FEWEST:
        return ()
    vectors, logs = _embedded(photos, embedder, named, tell)
    labels = np.array([POSE_CLASSES.index(pose) for _, _, pose in named])
    (seen,) = held_out(vectors, labels, logs, _folds(named), [_HOLD])
    chances = np.exp(seen)
    found = []
    for (photo, n, pose), row, label in zip(named, chances, labels, strict=True):
        best = int(row.argmax())
        if row[label] <= UNLIKELY and row[best] >= LIKELY:
            found.append(
                Suspect(photo.id, n, pose, POSE_CLASSES[best], float(row[best]), float(row[label]))
            )
    return tuple(sorted(found, key=lambda s: s.labelled_probability))


def _embedded(
    photos: PhotoSet,
    embedder: Embedder,
    named: Sequence[tuple[Photo, int, str]],
    tell: Callable[[int, int], None] | None,
) -> tuple[Floats, Floats]:
    vectors, logs = [], []
    opened, image = -1, None
    for number, (photo, n, _) in enumerate(named, start=1):
        if photo.id != opened:
            opened, image = photo.id, frame_of(photos, photo).image
        if image is None or photo.labels is None:
            continue
        vector, log = embedder([pose_crop(image, photo.labels.pigs[n].box, embedder.size)])
        vectors.append(vector)
        logs.append(log)
        if tell is not None:
            tell(number, len(named))
    return np.concatenate(vectors), np.concatenate(logs)


def _folds(named: Sequence[tuple[Photo, int, str]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Put sessions into folds; with fewer than two sessions, photographs."""
    sessions = sorted({photo.session for photo, _, _ in named})
    if len(sessions) >= 2:
        number = {s: i % _FOLDS for i, s in enumerate(sessions)}
        return np.array([number[photo.session] for photo, _, _ in named])
    return np.array([photo.id % _FOLDS for photo, _, _ in named])
