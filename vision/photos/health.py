"""What a photo set is good for, and what is wrong with it: counts and findings."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from vision.errors import ModelError
from vision.photos.alike import Alike, HashLibraryError, find_alike
from vision.photos.labels import PigLabel, overlap
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.split import Leak, leaks
from vision.photos.suspects import Suspect, find_suspects
from vision.recognize.embedding import Embedder
from vision.recognize.reading import POSE_CLASSES

SMALL_PX = 20
"""Pigs shorter than this are too small for the dot to be seen."""

SAME_BOX = 0.8
"""Two boxes of one picture that overlap this much are one pig, boxed twice."""

FEW = 20
"""Fewer pigs of a pose than this teach and measure little."""

_FEWEST_FOR_TILT = 12
_MOST_DOUBT_DEG = 15.0


class Kind(StrEnum):
    """What may be wrong with a photograph."""

    MISSING_FILE = "missing file"
    NO_LABELS = "not labelled"
    UNNAMED = "a pig without a pose"
    NO_CONTACT = "two pigs, contact not said"
    ODD_COUNT = "neither one nor two pigs"
    OUTSIDE = "a box beyond the picture's edge"
    SMALL = "a pig too small to read"
    TWICE = "one pig boxed twice"
    UNSURE = "marked unsure"
    DISAGREES = "the model sees something else"
    NO_SPLIT = "reviewed, but in no split"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at on one photograph; `detail` for a person."""

    kind: Kind
    photo: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SessionHealth:
    """One session: its photographs and pigs; `tilt_deg` with its standard error, or None.

    The tilt is that of the camera from straight down. Nobody has measured it: it is worked out
    from how pigs grow towards the camera, taking the focal length for the picture's width.
    """

    session: str
    cameras: tuple[str, ...]
    photos: int
    reviewed: int
    pigs: int
    splits: tuple[str, ...]
    tilt_deg: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Health:
    """Everything that the check says of a set.

    `poses` counts named pigs by split (`all` for the whole set) and pose; `contacts` pairs by
    contact. `sizes_px` are the pigs' longer sides. `notes` say what could not be looked for.
    """

    photos: int
    reviewed: int
    left_out: int
    poses: dict[str, dict[str, int]]
    contacts: dict[str, int]
    sizes_px: tuple[float, ...]
    sessions: tuple[SessionHealth, ...]
    findings: tuple[Finding, ...]
    alike: tuple[Alike, ...]
    leaks: tuple[Leak, ...]
    suspects: tuple[Suspect, ...]
    notes: tuple[str, ...]

    @property
    def rare(self) -> tuple[str, ...]:
        """Poses of which the set has fewer than `FEW`."""
        return tuple(p for p in POSE_CLASSES if self.poses["all"].get(p, 0) < FEW)


def check(
    photos: PhotoSet,
    load_embedder: Callable[[], Embedder] | None = Embedder.load,
    tell: Callable[[str], None] = lambda _: None,
) -> Health:
    """Look at a whole set; `tell` says what is being done. Changes nothing but kept hashes."""
    notes: list[str] = []
    alike: tuple[Alike, ...] = ()
    tell("looking for pictures that look alike")
    try:
        alike = find_alike(photos)
    except HashLibraryError as error:
        notes.append(str(error))
    shown = photos.photos()
    suspects: tuple[Suspect, ...] = ()
    if load_embedder is not None:
        tell("looking for labels that are likely wrong")
        try:
            suspects = find_suspects(photos, load_embedder(), [p for p in shown if _counts(p)])
        except ModelError as error:
            notes.append(f"likely wrong labels were not looked for: {error}")
    used = [p for p in shown if _counts(p)]
    pigs = [(p, pig) for p in used if p.labels is not None for pig in p.labels.pigs]
    pairs = ((a.first, a.second) for a in alike)
    return Health(
        photos=len(shown),
        reviewed=sum(p.labels is not None and p.labels.reviewed for p in used),
        left_out=sum(p.labels is not None and p.labels.left_out for p in shown),
        poses=_by_pose(pigs),
        contacts=dict(
            Counter(p.labels.contact.value for p in used if p.labels and p.labels.contact)
        ),
        sizes_px=tuple(_length(pig) for _, pig in pigs),
        sessions=tuple(_sessions(used)),
        findings=tuple(f for p in shown for f in _findings(p, any(q.split for q in shown))),
        alike=alike,
        leaks=tuple(leaks(used, photos.split_by, pairs)),
        suspects=suspects,
        notes=tuple(notes),
    )


def _counts(photo: Photo) -> bool:
    return not photo.missing and not (photo.labels is not None and photo.labels.left_out)


def _length(pig: PigLabel) -> float:
    x0, y0, x1, y1 = pig.box
    return max(x1 - x0, y1 - y0)


def _by_pose(pigs: Iterable[tuple[Photo, PigLabel]]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {"all": Counter()}
    for photo, pig in pigs:
        if pig.pose is None:
            continue
        counts["all"][pig.pose] += 1
        counts.setdefault(photo.split or "none", Counter())[pig.pose] += 1
    return {str(s): {p: c[p] for p in POSE_CLASSES} for s, c in counts.items()}


def _findings(photo: Photo, splits_exist: bool) -> list[Finding]:
    """Give what is to be seen on one photograph, whole first, then pig by pig."""
    labels = photo.labels
    if photo.missing:
        return [Finding(Kind.MISSING_FILE, photo.id)]
    if labels is None:
        return [Finding(Kind.NO_LABELS, photo.id)]
    if labels.left_out:
        return []
    count = len(labels.pigs)
    whole = {
        Kind.UNNAMED: any(p.pose is None for p in labels.pigs),
        Kind.NO_CONTACT: count == 2 and labels.contact is None,
        Kind.ODD_COUNT: count > 2,
        Kind.UNSURE: labels.unsure,
        Kind.DISAGREES: photo.disagrees and labels.reviewed,
        Kind.NO_SPLIT: splits_exist and labels.confirmed and photo.split is None,
    }
    found = [Finding(kind, photo.id) for kind, holds in whole.items() if holds]
    for number, pig in enumerate(labels.pigs):
        found += _pig_findings(photo, pig, labels.pigs[number + 1 :])
    return found


def _pig_findings(photo: Photo, pig: PigLabel, others: Sequence[PigLabel]) -> list[Finding]:
    x0, y0, x1, y1 = pig.box
    found = []
    if x0 < -1 or y0 < -1 or x1 > photo.width + 1 or y1 > photo.height + 1:
        found.append(Finding(Kind.OUTSIDE, photo.id, _told(pig)))
    if _length(pig) < SMALL_PX:
        found.append(Finding(Kind.SMALL, photo.id, f"{_length(pig):.0f} px"))
    if any(overlap(pig.box, other.box) >= SAME_BOX for other in others):
        found.append(Finding(Kind.TWICE, photo.id, _told(pig)))
    return found


def _told(pig: PigLabel) -> str:
    return f"{pig.pose or 'unnamed'} at {', '.join(f'{v:.0f}' for v in pig.box)}"


def _sessions(photos: Sequence[Photo]) -> list[SessionHealth]:
    by_session: dict[str, list[Photo]] = defaultdict(list)
    for photo in photos:
        by_session[photo.session].append(photo)
    return [
        SessionHealth(
            session=name,
            cameras=tuple(sorted({p.camera for p in members})),
            photos=len(members),
            reviewed=sum(p.labels is not None and p.labels.reviewed for p in members),
            pigs=sum(len(p.labels.pigs) for p in members if p.labels is not None),
            splits=tuple(sorted({p.split.value for p in members if p.split is not None})),
            tilt_deg=estimate_tilt(members),
        )
        for name, members in sorted(by_session.items())
    ]


def estimate_tilt(photos: Sequence[Photo]) -> tuple[float, float] | None:
    """Give the camera's tilt from straight down, and its standard error, in degrees.

    With a tilt t, what lies v pixels below the middle of a picture is nearer: its size goes with
    1 + (v / f) tan(t), so the logarithm of the pigs' sizes climbs with v at tan(t) / f. A pose's
    own size is taken off first. None where there are too few pigs or the doubt is too large.
    """
    heights, sizes, poses = [], [], []
    for photo in photos:
        for pig in photo.labels.pigs if photo.labels is not None else ():
            middle = (pig.box[1] + pig.box[3]) / 2 - photo.height / 2
            heights.append(middle / photo.width)
            sizes.append(math.log(math.sqrt(pig.area) / photo.width))
            poses.append(pig.pose or "")
    if len(sizes) < _FEWEST_FOR_TILT or np.std(heights) < 0.02:
        return None
    v, size = np.array(heights), np.array(sizes)
    for pose in set(poses):
        same = np.array([p == pose for p in poses])
        size[same] -= size[same].mean()
        v[same] -= v[same].mean()
    spread = float((v**2).sum())
    if spread <= 0:
        return None
    slope = float((v * size).sum()) / spread
    left = len(size) - len(set(poses)) - 1
    if left < 3:
        return None
    error = math.sqrt(float(((size - slope * v) ** 2).sum()) / left / spread)
    tilt = math.degrees(math.atan(slope))
    doubt = math.degrees(error / (1 + slope**2))
    return (tilt, doubt) if doubt <= _MOST_DOUBT_DEG else None
