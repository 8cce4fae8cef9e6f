"""Sessions and cameras are never torn apart; what was assigned stays; leaks are found."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.photos.labels import Labels, PigLabel
from vision.photos.photo_set import Photo
from vision.photos.split import By, Split, SplitError, assign, leaks

KEYS = {By.SESSION: ("session",), By.CAMERA: ("camera",), By.BOTH: ("session", "camera")}


def photo(
    number: int,
    session: str,
    camera: str = "c",
    pose: str = "trotter",
    split: Split | None = None,
) -> Photo:
    return Photo(
        id=number,
        name=f"{number}.png",
        width=9,
        height=9,
        sha256="",
        session=session,
        camera=camera,
        origin="",
        missing=False,
        labels=Labels((PigLabel((0, 0, 5, 5), pose),), reviewed=True),
        revision=1,
        proposal=None,
        disagrees=False,
        split=split,
        look=None,
        stamp=number,
    )


some_photos = st.lists(
    st.tuples(
        st.sampled_from("abcdefgh"),
        st.sampled_from("wxyz"),
        st.sampled_from(["trotter", "snouter"]),
    ),
    min_size=1,
    max_size=60,
).map(lambda rows: [photo(n, *row) for n, row in enumerate(rows, start=1)])


@given(some_photos, st.sampled_from(list(By)), st.data())
def test_nothing_is_torn_apart(photos: list[Photo], by: By, data: st.DataObject) -> None:
    ids = st.sampled_from([p.id for p in photos])
    alike = data.draw(st.lists(st.tuples(ids, ids), max_size=5))
    try:
        parts = assign(photos, by=by, alike=alike)
    except SplitError:
        return
    assert set(parts) == {p.id for p in photos}
    for key in KEYS[by]:
        seen: dict[str, set[Split]] = {}
        for p in photos:
            seen.setdefault(getattr(p, key), set()).add(parts[p.id])
        assert all(len(s) == 1 for s in seen.values())
    assert all(parts[a] is parts[b] for a, b in alike)
    assert set(parts.values()) == set(Split), "no part is empty"
    assigned = [photo_with(p, parts[p.id]) for p in photos]
    assert leaks(assigned, by, alike) == []
    assert assign(assigned, by=by, alike=alike) == parts, "what is split stays"


def photo_with(p: Photo, split: Split) -> Photo:
    from dataclasses import replace

    return replace(p, split=split)


def test_parts_come_near_their_shares_pose_by_pose() -> None:
    photos = [
        photo(100 * s + k, f"s{s}", pose="snouter" if k == 0 else "trotter")
        for s in range(20)
        for k in range(10)
    ]
    counts = Counter(assign(photos).values())
    assert counts[Split.TRAIN] == pytest.approx(140, abs=20)
    assert counts[Split.VAL] == pytest.approx(30, abs=10)


def test_one_session_cannot_be_split_honestly() -> None:
    with pytest.raises(SplitError, match="1 group by session"):
        assign([photo(n, "only") for n in range(1, 50)])
    parts = assign([photo(n, "only") for n in range(1, 5)], shares={Split.TRAIN: 1.0})
    assert set(parts.values()) == {Split.TRAIN}


def test_new_sessions_go_where_they_are_missing_and_old_ones_stay() -> None:
    old = [photo(1, "a", split=Split.TEST), photo(2, "b", split=Split.TRAIN)]
    parts = assign([*old, photo(3, "c"), photo(4, "a")])
    assert parts == {1: Split.TEST, 2: Split.TRAIN, 3: Split.VAL, 4: Split.TEST}


def test_a_torn_session_is_not_patched_over() -> None:
    torn = [
        photo(1, "a", split=Split.TEST),
        photo(2, "a", split=Split.TRAIN),
        photo(3, "b"),
        photo(4, "c"),
    ]
    with pytest.raises(SplitError, match="test and train already"):
        assign(torn)
    assert [leak.why for leak in leaks(torn)] == ["session a"]


def test_leaks_by_camera_and_by_likeness() -> None:
    photos = [
        photo(1, "a", "x", split=Split.TRAIN),
        photo(2, "b", "x", split=Split.TEST),
        photo(3, "c", "y", split=Split.TEST),
        photo(4, "d", "z"),
    ]
    assert leaks(photos) == []
    assert [leak.why for leak in leaks(photos, By.CAMERA)] == ["camera x"]
    assert [(x.first, x.second, x.why) for x in leaks(photos, alike=[(1, 3), (2, 3), (1, 4)])] == [
        (1, 3, "look alike")
    ]
