"""Which photographs are learnt from and which are only measured on.

Photographs of one session show the same table, light and pigs; if some are trained on, the
others say nothing about a new table. So whole sessions, or whole cameras, go to one part, and
so do pictures that look alike. What was assigned once stays: a test set that moves is none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from vision.errors import VisionError

if TYPE_CHECKING:
    from vision.photos.photo_set import Photo


class SplitError(VisionError):
    """Photographs that cannot be split honestly."""


class TooFewGroupsError(SplitError):
    """There are fewer sessions, or cameras, than parts; `found` says how many."""

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(
            f"{found}: take photographs on another day or table (`sooee photos origin` says which "
            "were), or split into fewer parts"
        )


class Split(StrEnum):
    """What a photograph is for."""

    TRAIN = "train"
    VAL = "val"
    TEST = "test"


class By(StrEnum):
    """What is never torn apart: a session, a camera, or both."""

    SESSION = "session"
    CAMERA = "camera"
    BOTH = "both"


SHARES: Mapping[Split, float] = MappingProxyType(
    {Split.TRAIN: 0.7, Split.VAL: 0.15, Split.TEST: 0.15}
)


@dataclass(frozen=True, slots=True)
class Leak:
    """Two photographs of different parts that share what must not be shared."""

    first: int
    second: int
    why: str


def groups(photos: Sequence[Photo], by: By, alike: Iterable[tuple[int, int]]) -> list[list[Photo]]:
    """Give the photographs in groups that are never torn apart; `alike` are pairs of ids."""
    parent = {p.id: p.id for p in photos}

    def root(photo_id: int) -> int:
        while parent[photo_id] != photo_id:
            parent[photo_id] = parent[parent[photo_id]]
            photo_id = parent[photo_id]
        return photo_id

    first: dict[tuple[str, str], int] = {}
    for photo in photos:
        for key in _keys(photo, by):
            parent[root(photo.id)] = root(first.setdefault(key, photo.id))
    for a, b in alike:
        if a in parent and b in parent:
            parent[root(a)] = root(b)
    found: dict[int, list[Photo]] = defaultdict(list)
    for photo in photos:
        found[root(photo.id)].append(photo)
    return sorted(found.values(), key=lambda g: (-len(g), g[0].id))


def _keys(photo: Photo, by: By) -> list[tuple[str, str]]:
    keys = []
    if by in (By.SESSION, By.BOTH):
        keys.append(("session", photo.session))
    if by in (By.CAMERA, By.BOTH):
        keys.append(("camera", photo.camera))
    return keys


def assign(
    photos: Sequence[Photo],
    *,
    by: By = By.SESSION,
    alike: Iterable[tuple[int, int]] = (),
    shares: Mapping[Split, float] = SHARES,
) -> dict[int, Split]:
    """Give each photograph its part, by id; what has a part keeps it.

    The largest groups are placed first, each where its pigs, pose by pose, are most missing.
    Raises `SplitError` when there are too few groups to measure on anything unseen.
    """
    wanted = [s for s in Split if shares.get(s, 0) > 0]
    found = groups(photos, by, alike)
    if len(found) < len(wanted):
        what = {By.SESSION: "session", By.CAMERA: "camera", By.BOTH: "session and camera"}[by]
        raise TooFewGroupsError(
            f"{len(found)} group{'s' if len(found) != 1 else ''} by {what}, but "
            f"{len(wanted)} parts ({', '.join(wanted)})"
        )
    total = sum((_contents(g) for g in found), Counter())
    held: dict[Split, Counter[str]] = {s: Counter() for s in wanted}
    parts: dict[int, Split] = {}
    open_groups: list[list[Photo]] = []
    for group in found:
        known = {p.split for p in group if p.split is not None}
        if len(known) > 1:
            raise SplitError(
                f"session {group[0].session!r} lies in {' and '.join(sorted(known))} already: "
                "undo that with `sooee photos split --again`"
            )
        if known:
            _place(group, known.pop(), held, parts)
        else:
            open_groups.append(group)
    for number, group in enumerate(open_groups):
        empty = [s for s in wanted if not held[s]]
        choices = empty if len(open_groups) - number <= len(empty) else wanted
        best = max(choices, key=lambda s: _need(_contents(group), held[s], total, shares[s]))
        _place(group, best, held, parts)
    return parts


def _place(
    group: list[Photo], split: Split, held: dict[Split, Counter[str]], parts: dict[int, Split]
) -> None:
    held.setdefault(split, Counter()).update(_contents(group))
    parts.update({p.id: split for p in group})


def _contents(group: Iterable[Photo]) -> Counter[str]:
    """Count a group's pictures and its pigs by pose."""
    contents: Counter[str] = Counter()
    for photo in group:
        contents["pictures"] += 1
        for pig in photo.labels.pigs if photo.labels is not None else ():
            contents[pig.pose or "unnamed"] += 1
    return contents


def _need(group: Counter[str], held: Counter[str], total: Counter[str], share: float) -> float:
    """Say how much a part lacks of what this group has, in groups of this size."""
    lacking = (share * total[k] - held[k] - n / 2 for k, n in group.items() if n)
    return sum(lack / max(1, total[k]) for lack, k in zip(lacking, group, strict=True))


def leaks(
    photos: Sequence[Photo], by: By = By.SESSION, alike: Iterable[tuple[int, int]] = ()
) -> list[Leak]:
    """Give every tie between different parts: a shared session or camera, or alike pictures.

    One pair stands for each session and camera.
    """
    found: list[Leak] = []
    first: dict[tuple[str, str], Photo] = {}
    told: set[tuple[str, str]] = set()
    for photo in photos:
        for key in _keys(photo, by) if photo.split is not None else ():
            other = first.setdefault(key, photo)
            if other.split is not photo.split and key not in told:
                told.add(key)
                found.append(Leak(other.id, photo.id, f"{key[0]} {key[1]}"))
    splits = {p.id: p.split for p in photos}
    for a, b in alike:
        one, two = splits.get(a), splits.get(b)
        if one is not None and two is not None and one is not two:
            found.append(Leak(a, b, "look alike"))
    return found
