"""Teaching: a user's own pigs, shown in each pose, become a profile on the pose network.

A profile says how to look (the pigs' colour shifted to what the network knows, one view or
several) and adds a small layer. What was shown is held out session by session; only if the
held-out shots prove that they are read better with the profile is there one at all.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.learn.proof import Proof
from vision.learn.shots import FEWEST_POSES, Shots
from vision.recognize.embedding import Embedder, Floats
from vision.recognize.gaze import PLAIN, VIEWS, Gaze, Recolour, View, look, pig_colour
from vision.recognize.linear import Hold, Labels, fit, held_out, log_softmax
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

RECOLOURS = ((15.0, 1.0), (15.0, 0.7), (8.0, 0.7))
"""Reaches and shares of lightness tried, beside leaving colours alone."""

WAYS: tuple[Callable[[Hold], Hold], ...] = (
    lambda hold: hold,
    lambda hold: replace(hold, share=0.0),
)
"""What a profile may be, the first that proves a gain is taken: with the layer, or looks alone."""


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
    seconds: float

    @property
    def verdict(self) -> str:
        """One sentence for a person."""
        figures = f"{self.before} of {self.shots} held-out shots read right before"
        if self.profile is None:
            short = "no gain" if self.after <= self.before else "that may be chance"
            return f"{figures}, {self.after} after: {short}, so nothing is changed"
        return f"{figures}, {self.after} after"


@dataclass(slots=True, eq=False)
class Looks:
    """The network's answers to the shots, made once for each recolouring and view."""

    shots: Shots
    embedder: Embedder
    recolours: tuple[Recolour | None, ...]
    seen: dict[tuple[Recolour | None, View], tuple[Floats, Floats]] = field(default_factory=dict)
    coloured: dict[Recolour | None, tuple[Image, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, shots: Shots, embedder: Embedder) -> Looks:
        """Prepare to look; the pigs' colour is found first."""
        colour = pig_colour(shots.crops)
        tried = (Recolour(colour, reach, lightness) for reach, lightness in RECOLOURS)
        return cls(shots, embedder, (None, *tried))

    def at(self, recolour: Recolour | None, view: View) -> tuple[Floats, Floats]:
        """Give vectors [N, D] and log-probabilities [N, 7] of all shots in one view."""
        key = (recolour, view)
        if key not in self.seen:
            shown = self._shown(recolour)
            self.seen[key] = self.embedder([look(c, view, self.embedder.size) for c in shown])
        return self.seen[key]

    def _shown(self, recolour: Recolour | None) -> tuple[Image, ...]:
        """Give the crops recoloured, once for all views."""
        if recolour not in self.coloured:
            crops = self.shots.crops
            self.coloured[recolour] = crops if recolour is None else tuple(map(recolour, crops))
        return self.coloured[recolour]

    def rows(self, gaze: Gaze) -> tuple[Floats, Floats]:
        """Give vectors [V, N, D] and log-probabilities [V, N, 7] of every view."""
        seen = [self.at(gaze.recolour, view) for view in VIEWS[gaze.views]]
        return np.stack([v for v, _ in seen]), np.stack([logs for _, logs in seen])

    def plain(self) -> Floats:
        """Give the log-probabilities [N, 7] that the shipped reader has for these shots."""
        return _together(self.rows(PLAIN)[1])


def teach(shots: Shots, embedder: Embedder, name: str) -> Lesson:
    """Make a profile, and say by held-out groups whether it helps.

    Everything is chosen inside each training part, so that the held-out figures are of shots
    that had no say in anything but the pigs' colour.
    """
    started = time.perf_counter()
    looks = Looks.of(shots, embedder)
    before_logs = looks.plain()
    after_logs = {way: np.array(before_logs) for way in WAYS}
    for group in np.unique(shots.groups):
        train = shots.groups != group
        if train.any() and len(np.unique(shots.labels[train])) >= FEWEST_POSES:
            gaze, hold = choose(looks, train)
            for way, logs in after_logs.items():
                logs[~train] = _read(looks, gaze, way(hold), train)[~train]
    proofs = {way: Proof.of(before_logs, logs, shots.labels) for way, logs in after_logs.items()}
    helping = [way for way in WAYS if proofs[way].helps(len(WAYS))]
    way = helping[0] if helping else WAYS[0]
    proof = proofs[way]
    gaze, chosen = choose(looks, np.ones(len(shots.labels), bool))
    hold = way(chosen)
    vectors, logs = looks.rows(gaze)
    profile = Profile(
        name=name,
        model=embedder.sha256,
        gaze=gaze,
        layer=fit(*_stacked(vectors, logs, shots.labels), hold, _shares(vectors)),
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
        seconds=time.perf_counter() - started,
    )


def choose(looks: Looks, train: NDArray[np.bool_]) -> tuple[Gaze, Hold]:
    """Choose by the shots of `train` how to look, and how hard to hold the network.

    How to look is chosen by what the network itself makes of it; the hold by shots held out in
    three parts.
    """
    labels = looks.shots.labels[train]

    def own_loss(gaze: Gaze) -> float:
        return round(_loss(_together(looks.rows(gaze)[1][:, train]), labels), 3)

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
    losses = [_loss(_together(s.reshape(logs.shape)), labels) for s in seen]
    return gaze, HOLDS[int(np.argmin(np.round(losses, 3)))]


def _read(looks: Looks, gaze: Gaze, hold: Hold, train: NDArray[np.bool_]) -> Floats:
    """Give what a profile taught on `train` makes of every shot."""
    vectors, logs = looks.rows(gaze)
    inside = vectors[:, train], logs[:, train]
    layer = fit(*_stacked(*inside, looks.shots.labels[train]), hold, _shares(inside[0]))
    return _together(np.stack([layer(v, x) for v, x in zip(vectors, logs, strict=True)]))


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


def _together(logs: Floats) -> Floats:
    """Read the views [V, N, 7] of each shot as one."""
    return log_softmax(logs.mean(axis=0))


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
