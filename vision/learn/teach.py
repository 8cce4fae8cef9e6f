"""Teaching: a user's own pigs, shown in each pose, become a profile on the pose network.

A profile says how to look (the pigs' colour shifted to what the network knows, one view or
several), adds a small layer, and knows how the camera looks at the table: pigs in known poses
say where up is. What was shown is held out session by session; only if the
held-out shots prove that they are read better with the profile is there one at all.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from vision.learn.looks import Looks, as_one, shown_slant
from vision.learn.proof import Proof
from vision.learn.shots import FEWEST_POSES, Shots
from vision.recognize.embedding import Embedder, Floats
from vision.recognize.gaze import PLAIN, Gaze
from vision.recognize.linear import Hold, Labels, fit, held_out
from vision.recognize.profile import Profile
from vision.recognize.reading import POSE_CLASSES

_PARTS = 3

SHARE = 0.5
"""How far to go towards the layer: all the way it harms as often as it helps."""

HOLDS = tuple(
    Hold(hold, trust, SHARE) for trust in (1.0, 0.5, 0.2) for hold in (3.0, 1.0, 0.3, 0.1, 0.03)
)
"""From the network's own answer to the shots' alone, all half way; the first of equals is taken."""

SEVERAL = (PLAIN.views, "near", "around")
"""Views tried, those of the shipped reader first: the first of equals is taken."""


@dataclass(frozen=True, slots=True)
class Way:
    """What a profile may be: with the layer or looks alone, with where up is or without."""

    layer: bool
    slant: bool

    def held(self, hold: Hold) -> Hold:
        """Give the hold of a layer, of share 0 where there is none."""
        return hold if self.layer else replace(hold, share=0.0)


WAYS = (Way(True, True), Way(False, True), Way(True, False), Way(False, False))
"""Ways tried; of those that prove a gain the one that reads most held-out shots right is taken."""


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
    those that changed. `profile` is None where no gain is proved: the old stays. `gaze` and
    `hold` are what was chosen on all shots (a `hold` of share 0 adds no layer); `seconds` is the
    time for everything after the crops.
    """

    profile: Profile | None
    shots: int
    before: int
    after: int
    mended: int
    broken: int
    poses: tuple[PoseChange, ...]
    held_out_by: str
    gaze: Gaze
    hold: Hold
    way: Way
    seconds: float

    @property
    def verdict(self) -> str:
        """One sentence for a person."""
        figures = f"{self.before} of {self.shots} held-out shots read right before"
        if self.profile is None:
            short = "no gain" if self.after <= self.before else "that may be chance"
            return f"{figures}, {self.after} after: {short}, so nothing is changed"
        return f"{figures}, {self.after} after"


def teach(shots: Shots, embedder: Embedder, name: str) -> Lesson:
    """Make a profile, and say by held-out groups whether it helps.

    Everything is chosen inside each training part, so that the held-out figures are of shots
    that had no say in anything but the pigs' colour.
    """
    started = time.perf_counter()
    looks = Looks.of(shots, embedder)
    before_logs = looks.plain()
    ways = [w for w in WAYS if not w.slant or looks.signs(PLAIN) is not None]
    after_logs = {way: np.array(before_logs) for way in ways}
    for group in np.unique(shots.groups):
        train = shots.groups != group
        if train.any() and len(np.unique(shots.labels[train])) >= FEWEST_POSES:
            gaze, hold = choose(looks, train)
            for way, logs in after_logs.items():
                logs[~train] = _read(looks, gaze, way, hold, train)[~train]
    proofs = {way: Proof.of(before_logs, logs, shots.labels) for way, logs in after_logs.items()}
    helping = [way for way in ways if proofs[way].helps(len(ways))]
    way = max(helping or ways[:1], key=lambda w: int(proofs[w].after.sum()))
    proof = proofs[way]
    everything = np.ones(len(shots.labels), bool)
    gaze, chosen = choose(looks, everything)
    hold = way.held(chosen)
    vectors, logs = looks.rows(gaze)
    signs = looks.signs(gaze) if way.slant else None
    profile = Profile(
        name=name,
        model=embedder.sha256,
        gaze=gaze,
        layer=fit(*_stacked(vectors, logs, shots.labels), hold, _shares(vectors)),
        slant=None if signs is None else shown_slant(signs, shots.labels, everything).logs,
        shots=shots.counts,
        before=float(proof.before.mean()),
        after=float(proof.after.mean()),
        made=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    return Lesson(
        profile=profile if helping else None,
        shots=len(shots.labels),
        before=int(proof.before.sum()),
        after=int(proof.after.sum()),
        mended=proof.mended,
        broken=proof.broken,
        poses=tuple(_by_pose(shots.labels, proof.before, proof.after)),
        held_out_by=shots.group_names[0].partition(" ")[0],
        gaze=gaze,
        hold=hold,
        way=way,
        seconds=time.perf_counter() - started,
    )


def choose(looks: Looks, train: NDArray[np.bool_]) -> tuple[Gaze, Hold]:
    """Choose by the shots of `train` how to look, and how hard to hold the network.

    How to look is chosen by what the network itself makes of it; the hold by shots held out in
    three parts.
    """
    labels = looks.shots.labels[train]

    def own_loss(gaze: Gaze) -> float:
        return round(_loss(as_one(looks.rows(gaze)[1][:, train]), labels), 3)

    recolour = min(looks.recolours, key=lambda r: own_loss(Gaze(r)))
    gaze = min((Gaze(recolour, views) for views in SEVERAL), key=own_loss)
    vectors, logs = (a[:, train] for a in looks.rows(gaze))
    groups = looks.shots.groups[train]
    names = np.unique(groups)
    parts = np.searchsorted(names, groups) % _PARTS
    if len(names) == 1:
        parts = np.arange(len(labels)) % _PARTS
    stacked = _stacked(vectors, logs, labels)
    seen = held_out(*stacked, np.tile(parts, len(vectors)), HOLDS, _shares(vectors))
    losses = [_loss(as_one(s.reshape(logs.shape)), labels) for s in seen]
    return gaze, HOLDS[int(np.argmin(np.round(losses, 3)))]


def _read(looks: Looks, gaze: Gaze, way: Way, hold: Hold, train: NDArray[np.bool_]) -> Floats:
    """Give what a profile taught on `train` makes of every shot."""
    vectors, logs = looks.rows(gaze)
    inside = vectors[:, train], logs[:, train]
    labels = looks.shots.labels
    layer = fit(*_stacked(*inside, labels[train]), way.held(hold), _shares(inside[0]))
    read = as_one(np.stack([layer(v, x) for v, x in zip(vectors, logs, strict=True)]))
    signs = looks.signs(gaze) if way.slant else None
    if signs is None:
        return read
    belief = shown_slant(signs, labels, train).logs
    return signs.weigh(read, np.broadcast_to(belief, (len(read), len(belief))))


def _stacked(vectors: Floats, logs: Floats, labels: Labels) -> tuple[Floats, Labels, Floats]:
    """Give every view of every shot as a row."""
    views = len(vectors)
    return (
        vectors.reshape(-1, vectors.shape[-1]),
        np.tile(labels, views),
        logs.reshape(-1, logs.shape[-1]),
    )


def _shares(vectors: Floats) -> Floats:
    """Give the rows' weights: the views of one shot count one together."""
    views, shots = vectors.shape[:2]
    return np.full(views * shots, 1.0 / views)


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
