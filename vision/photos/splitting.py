"""Splitting a whole set: who takes part, what is said when it cannot be, which session went where.

`split.py` decides; here its decision is asked for and written down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.split import By, Split, SplitError, TooFewGroupsError, assign


def split_set(
    photos: PhotoSet,
    by: By,
    shares: Mapping[Split, float],
    *,
    alike: Iterable[tuple[int, int]] = (),
    again: bool = False,
) -> list[Photo]:
    """Give the reviewed photographs their parts, and write them down; gives those that have one.

    With `again` what was split before is forgotten, unless there is no new split. `SplitError`
    says what is missing: where pictures wait for a review, that comes first.
    """
    shown = photos.photos()
    usable = [p for p in shown if p.labels is not None and p.labels.confirmed]
    if again:
        usable = [replace(p, split=None) for p in usable]
    try:
        parts = assign(usable, by=by, alike=alike, shares=shares)
    except TooFewGroupsError as error:
        waiting = sum(p.labels is None or not p.labels.reviewed for p in shown)
        if not waiting:
            raise
        raise SplitError(
            f"{waiting} of {len(shown)} photographs are not reviewed, and only reviewed ones are "
            f"split ({error.found}): `sooee annotate {photos.folder}`"
        ) from error
    forgotten: dict[int, Split | None] = dict.fromkeys(p.id for p in shown) if again else {}
    photos.set_split(forgotten | parts, by)
    return [replace(p, split=parts[p.id]) for p in usable]


def where(photos: Sequence[Photo], by: By) -> list[str]:
    """Say for each part which sessions or cameras it got, and how many pictures of each."""
    lines = []
    for part in Split:
        counted = Counter(_name(p, by) for p in photos if p.split is part)
        if counted:
            lines.append(f"{part}: " + ", ".join(f"{n} ({c})" for n, c in counted.items()))
    return lines


def _name(photo: Photo, by: By) -> str:
    session, camera = photo.session or "no session", photo.camera or "no camera"
    names = {By.SESSION: session, By.CAMERA: camera, By.BOTH: f"{session} with {camera}"}
    return names[by]
