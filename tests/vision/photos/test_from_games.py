"""What players say of a throw becomes labels of the picture it was read from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scoring.throw import Contact, Pose, Throw
from vision.photos.from_games import take
from vision.photos.labels import Source
from vision.photos.photo_set import PhotoSet, PhotoSetError
from vision.photos.proposal import Proposal

Propose = Callable[..., Proposal]
LEFT, RIGHT = (10.0, 10.0, 40.0, 35.0), (60.0, 20.0, 95.0, 50.0)


@pytest.fixture
def keep(
    tmp_path: Path, make_picture: Callable[..., bytes], propose: Propose
) -> Callable[..., Path]:
    """Lay down a throw as the table keeps it."""
    count = 0

    def one(
        *poses: tuple[str, float], said: dict[str, Any] | None = None, key: str = "", **more: Any
    ) -> Path:
        nonlocal count
        count += 1
        folder = tmp_path / "evidence" / (key or f"g1/{count:06d}")
        folder.mkdir(parents=True)
        boxes = (LEFT, RIGHT)[: len(poses)]
        pigs = [(b, p, s) for b, (p, s) in zip(boxes, poses, strict=True)]
        read = propose(*pigs, contact="apart" if len(poses) == 2 else None).to_json()
        facts = {
            "version": 1,
            "source": "camera 0",
            "models": {"pose": "ab" * 32},
            "reading": {k: read[k] for k in ("pigs", "contact")},
            "corrected": said,
        }
        (folder / "throw.json").write_text(json.dumps(facts | more))
        (folder / "still.jpg").write_bytes(make_picture(count, size=(120, 80), kind="JPEG"))
        return folder

    return one


def test_a_correction_becomes_a_label(
    photos: PhotoSet, keep: Callable[..., Path], tmp_path: Path
) -> None:
    keep(
        ("trotter", 0.9),
        ("dot_up", 0.5),
        said={"poses": ["snouter", "trotter"], "contact": "touching"},
    )
    keep(("trotter", 0.9), ("dot_up", 0.9))
    taken = take(photos, tmp_path / "evidence")
    assert (taken.labelled, taken.doubtful, taken.unlabelled, taken.problems) == (1, 0, 0, ())
    (photo,) = photos.photos()
    assert photo.session == "game g1"
    assert photo.camera == "camera 0"
    assert photo.origin == "throw g1/000001, read by pose-abababab"
    assert photo.disagrees
    labels = photo.labels
    assert labels is not None
    assert labels.confirmed
    assert labels.contact is Contact.TOUCHING
    assert [(p.box, p.pose, p.source) for p in labels.pigs] == [
        (LEFT, "trotter", Source.MODEL),
        (RIGHT, "snouter", Source.CORRECTION),
    ]


def test_where_it_is_not_sure_which_pig_is_which_a_person_looks(
    photos: PhotoSet, keep: Callable[..., Path], tmp_path: Path
) -> None:
    keep(
        ("dot_up", 0.5),
        ("dot_up", 0.5),
        said={"poses": ["snouter", "trotter"], "contact": "apart"},
    )
    assert take(photos, tmp_path / "evidence").doubtful == 1
    labels = photos.photos()[0].labels
    assert labels is not None
    assert not labels.reviewed


def test_the_same_throw_comes_in_once_and_later_work_on_it_stays(
    photos: PhotoSet, keep: Callable[..., Path], tmp_path: Path
) -> None:
    keep(
        ("trotter", 0.9), ("dot_up", 0.9), said={"poses": ["trotter", "dot_up"], "contact": "apart"}
    )
    take(photos, tmp_path / "evidence")
    (photo,) = photos.photos()
    assert photo.labels is not None
    changed = photos.save(photo.id, photo.labels.with_pigs(()), revision=photo.revision)
    assert take(photos, tmp_path / "evidence").known == 1
    assert photos.photos() == [changed]


def test_everything_comes_in_as_proposals_when_asked(
    photos: PhotoSet, keep: Callable[..., Path], tmp_path: Path
) -> None:
    keep(("trotter", 0.9), ("dot_up", 0.9))
    keep(("trotter", 0.9), said={"poses": ["trotter", "dot_up"], "contact": "apart"})
    keep(("trotter", 0.9), ("dot_up", 0.9), said={"other": "off the table"})
    taken = take(photos, tmp_path / "evidence", everything=True)
    assert (taken.labelled, taken.unlabelled) == (0, 3)
    assert all(p.labels is None and p.proposal is not None for p in photos.photos())


def test_broken_throws_are_named_and_the_others_taken(
    photos: PhotoSet, keep: Callable[..., Path], tmp_path: Path
) -> None:
    said = {"poses": ["trotter", "dot_up"], "contact": "apart"}
    pair = (("trotter", 0.9), ("dot_up", 0.9))
    keep(*pair, said=said)
    keep(*pair, said=said, version=9)
    (keep(*pair, said=said) / "throw.json").write_text("{")
    (keep(*pair, said=said) / "still.jpg").unlink()
    (keep(*pair, said=said) / "still.jpg").write_bytes(b"no picture")
    keep(*pair, said={"poses": ["flying", "dot_up"]})
    taken = take(photos, tmp_path / "evidence")
    assert taken.labelled == 1
    assert len(taken.problems) == 5
    with pytest.raises(PhotoSetError, match="no such folder"):
        take(photos, tmp_path / "nowhere")


def test_what_the_table_really_keeps_is_what_is_read(
    photos: PhotoSet, tmp_path: Path, propose: Propose
) -> None:
    import numpy as np

    from vision.capture.frame import Frame
    from vision.recognize.reading import Decision, Reading
    from vision.table.evidence import Evidence
    from vision.table.state import ThrowSeen

    seen = propose((LEFT, "trotter", 0.9), (RIGHT, "dot_up", 0.6), contact="apart")
    reading = Reading(seen.pigs, seen.contact, Decision.ASK, "do they touch?")
    evidence = Evidence(tmp_path / "kept", models={"pose": "cd" * 32})
    image = np.random.default_rng(0).integers(0, 255, (80, 120, 3), dtype=np.uint8)
    evidence.frame(Frame(image, 0, 0.0, "camera 1"))
    key = evidence.keep("game-7", None, ThrowSeen(0, 0.0, reading))
    evidence.answered(key, 12, Throw((Pose.TROTTER, Pose.DOT_UP), Contact.TOUCHING))
    evidence.close()
    taken = take(photos, tmp_path / "kept")
    assert (taken.labelled, taken.problems) == (1, ())
    (photo,) = photos.photos()
    assert photo.origin.startswith("throw game-7/000012, read by pose-cdcdcdcd")
    assert photo.labels is not None
    assert photo.labels.contact is Contact.TOUCHING
