"""Every format gives back what it was given, reads what other tools write, and is read by them.

The files of other tools in `golden/tools` were written by their own converters
(`other_tools.py`, with datumaro 1.13 and label-studio-sdk 2.1). Where an interpreter that has
the tools is named in `SOOEE_FORMATS_PYTHON` or made by `make formats-env`, what we export is
read by them as well.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoring.throw import Contact
from vision.photos import arrivals
from vision.photos.formats.exchange import unique_stems
from vision.photos.labels import Labels, PigLabel, Source
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.split import Split
from vision.photos.transfer import FORMATS, export_set, import_set
from vision.recognize.reading import POSE_CLASSES

MakePicture = Callable[..., bytes]

HERE = Path(__file__).parent
TOOLS = HERE / "golden" / "tools"
WHOLE = [f for f in FORMATS if f != "yolo-classify"]


@pytest.fixture
def full_set(full_folder: Path, tmp_path: Path) -> Iterator[PhotoSet]:
    """Give a set with everything that formats stumble over."""
    with PhotoSet.open(shutil.copytree(full_folder, tmp_path / "full")) as opened:
        yield opened


@pytest.fixture(scope="session")
def full_folder(make_picture: MakePicture, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("full")
    with PhotoSet.open(folder) as photos:
        fill(photos, make_picture)
    return folder


def fill(photos: PhotoSet, make_picture: MakePicture) -> None:
    (photos.folder / "images").mkdir()
    (photos.folder / "images" / "på bordet.png").write_bytes(make_picture(90))
    rng = random.Random(7)
    for n, pose in enumerate(POSE_CLASSES):
        arrivals.add(
            photos,
            make_picture(n, size=(641 + n, 479 - n), kind="JPEG" if n % 2 else "PNG"),
            "same.jpg" if n % 2 else "same.png",
            session=f"day {n % 3}",
            camera="c",
        )
        del pose
    assert arrivals.refresh(photos) == []
    splits: dict[int, Split | None] = {}
    for n, photo in enumerate(photos.photos()):
        pigs = []
        for k in range(n % 4):
            x, y = rng.uniform(0, photo.width - 40), rng.uniform(0, photo.height - 40)
            w, h = rng.uniform(9, 40), rng.uniform(9, 40)
            source = list(Source)[(n + k) % 3]
            pigs.append(PigLabel((x, y, x + w, y + h), POSE_CLASSES[(n + k) % 7], source))
        contact = list(Contact)[n % 3] if len(pigs) == 2 else None
        labels = Labels(tuple(pigs), contact, True, "Åse")
        photos.save(photo.id, labels, revision=0)
        splits[photo.id] = list(Split)[n % 3]
    edge = photos.photos()[-1]
    whole = PigLabel((0, 0, edge.width, edge.height), "other")
    photos.save(edge.id, Labels((whole,), None, True, "Åse"), revision=edge.revision)
    photos.set_split(splits)


def by_content(photos: PhotoSet) -> dict[str, Photo]:
    return {p.sha256: p for p in photos.photos()}


@pytest.mark.parametrize("name", WHOLE)
def test_a_round_trip_keeps_everything(full_set: PhotoSet, tmp_path: Path, name: str) -> None:
    done = export_set(full_set, tmp_path / "out", name)
    assert done.photos == len(full_set.photos())
    assert done.left_out == {}
    (tmp_path / "back").mkdir()
    with PhotoSet.open(tmp_path / "back") as back:
        taken = import_set(back, tmp_path / "out", name)
        assert (taken.added, taken.problems) == (done.photos, ())
        got = by_content(back)
        for sha, photo in by_content(full_set).items():
            assert got[sha].labels == photo.labels
            assert got[sha].split == photo.split
            assert got[sha].session == photo.session
        again = import_set(back, tmp_path / "out", name)
        assert (again.added, again.labelled, again.unchanged) == (0, 0, done.photos)


@pytest.mark.parametrize("name", WHOLE)
def test_without_our_notes_boxes_are_within_half_a_pixel(
    full_set: PhotoSet, tmp_path: Path, name: str
) -> None:
    export_set(full_set, tmp_path / "out", name)
    (tmp_path / "out" / "sooee.json").unlink()
    (tmp_path / "back").mkdir()
    with PhotoSet.open(tmp_path / "back") as back:
        import_set(back, tmp_path / "out", name)
        got = by_content(back)
        for sha, photo in by_content(full_set).items():
            assert photo.labels is not None
            labels = got[sha].labels
            assert labels is not None
            assert not labels.reviewed, "nobody here has stood by it"
            pairs = zip(photo.labels.pigs, labels.pigs, strict=True)
            for was, is_now in pairs:
                assert is_now.pose == was.pose
                assert is_now.box == pytest.approx(was.box, abs=0.5)
            if name in ("label-studio", "cvat", "coco"):
                assert labels.contact == photo.labels.contact


def test_crops_keep_every_pig(full_set: PhotoSet, tmp_path: Path) -> None:
    done = export_set(full_set, tmp_path / "out", "yolo-classify")
    (tmp_path / "back").mkdir()
    with PhotoSet.open(tmp_path / "back") as back:
        taken = import_set(back, tmp_path / "out", "yolo-classify")
        assert taken.added + taken.unchanged == done.pigs
        wanted = sorted(
            (p.pose or "", round(p.box[2] - p.box[0], 3))
            for photo in full_set.photos()
            for p in (photo.labels or Labels()).pigs
        )
        got = sorted(
            (p.pose or "", round(p.box[2] - p.box[0], 3))
            for photo in back.photos()
            for p in (photo.labels or Labels()).pigs
        )
        assert got == wanted


def test_changes_made_in_another_tool_win_over_our_notes(
    full_set: PhotoSet, tmp_path: Path
) -> None:
    export_set(full_set, tmp_path / "out", "coco")
    file = tmp_path / "out" / "annotations" / "instances_train.json"
    document = json.loads(file.read_text())
    document["annotations"][0]["bbox"][0] += 2.0
    changed = document["annotations"][0]["image_id"]
    file.write_text(json.dumps(document))
    before = by_content(full_set)
    import_set(full_set, tmp_path / "out", "coco", replace_labels=True)
    moved = [s for s, p in by_content(full_set).items() if p.labels != before[s].labels]
    assert len(moved) == 1
    labels = by_content(full_set)[moved[0]].labels
    was = before[moved[0]].labels
    assert labels is not None
    assert was is not None
    assert not labels.reviewed
    assert labels.pigs[0].box[0] == pytest.approx(was.pigs[0].box[0] + 2)
    assert before[moved[0]].width == next(
        i["width"] for i in document["images"] if i["id"] == changed
    )


def test_known_labels_are_kept_unless_told(full_set: PhotoSet, tmp_path: Path) -> None:
    export_set(full_set, tmp_path / "out", "yolo")
    photo = next(p for p in full_set.photos() if p.labels and p.labels.pigs)
    mine = Labels(unsure=True)
    full_set.save(photo.id, mine, revision=photo.revision)
    import_set(full_set, tmp_path / "out", "yolo")
    assert full_set.photo(photo.id).labels == mine
    import_set(full_set, tmp_path / "out", "yolo", replace_labels=True)
    assert full_set.photo(photo.id).labels == photo.labels


BOXES: dict[str, list[list[Any]]] = json.loads((TOOLS / "spec" / "boxes.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("label-studio", "yolo-to-label-studio"),
        ("coco", "coco-datumaro"),
        ("cvat", "cvat-datumaro"),
        ("yolo", "yolo-datumaro"),
    ],
)
def test_files_made_by_other_tools_are_read(photos: PhotoSet, name: str, folder: str) -> None:
    taken = import_set(photos, TOOLS / folder, name)
    assert taken.problems == ()
    got = {p.name.replace("-2", ""): p for p in photos.photos()}
    assert set(got) == set(BOXES)
    for picture, boxes in BOXES.items():
        labels = got[picture].labels
        assert labels is not None
        assert [p.pose for p in labels.pigs] == [b[0] for b in boxes]
        for pig, box in zip(labels.pigs, boxes, strict=True):
            assert pig.box == pytest.approx(box[1:], abs=0.5)


def test_a_folder_of_classes_made_by_another_tool_is_read(photos: PhotoSet) -> None:
    taken = import_set(
        photos, TOOLS / "classify-datumaro", "yolo-classify", renamed={"no_label": "-"}
    )
    assert taken.problems == ()
    got = {p.name: [g.pose for g in (p.labels or Labels()).pigs] for p in photos.photos()}
    assert got == {n: [b[0][0]] for n, b in BOXES.items() if b}


def interpreters() -> list[str]:
    named = os.environ.get("SOOEE_FORMATS_PYTHON", "").split(os.pathsep)
    made = HERE.parents[2] / ".venv-formats" / "bin" / "python"
    return [p for p in (sys.executable, *named, str(made)) if p and shutil.which(p)]


@pytest.fixture(scope="session")
def tool_interpreters() -> dict[str, str]:
    """Give for each tool an interpreter that has it."""
    found: dict[str, str] = {}
    for python in interpreters():
        told = subprocess.run(
            [python, str(HERE / "other_tools.py"), "tools"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        for tool in json.loads(told.stdout):
            found.setdefault(tool, python)
    return found


@pytest.mark.parametrize(
    ("name", "tool"),
    [
        ("coco", "coco-pycocotools"),
        ("coco", "coco-datumaro"),
        ("cvat", "cvat-datumaro"),
        ("yolo", "yolo-ultralytics"),
        ("yolo", "yolo-datumaro"),
        ("yolo-classify", "classify-datumaro"),
        ("yolo-classify", "classify-ultralytics"),
        ("label-studio", "label-studio-coco"),
        ("label-studio", "label-studio-yolo"),
    ],
)
def test_other_tools_read_what_we_export(
    full_set: PhotoSet,
    tmp_path: Path,
    tool_interpreters: dict[str, str],
    name: str,
    tool: str,
) -> None:
    if tool not in tool_interpreters:
        pytest.skip(f"no interpreter has {tool}: `make formats-env`, or SOOEE_FORMATS_PYTHON")
    export_set(full_set, tmp_path / "out", name)
    done = subprocess.run(
        [tool_interpreters[tool], str(HERE / "other_tools.py"), "read", tool, tmp_path / "out"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    read: dict[str, list[list[Any]]] = json.loads(done.stdout)
    names = unique_stems([p.name for p in full_set.photos()])
    if name == "yolo-classify":
        got = sorted(box[0].partition("_")[2] for boxes in read.values() for box in boxes)
        poses = [p.pose for f in full_set.photos() for p in (f.labels or Labels()).pigs]
        assert got == sorted(p for p in poses if p is not None)
        return
    by_stem = {Path(k).stem if Path(k).suffix else k: v for k, v in read.items()}
    for stem, photo in zip(names, full_set.photos(), strict=True):
        assert photo.labels is not None
        got_boxes = sorted(b for b in by_stem.get(stem, []) if len(b) == 5)
        wanted = sorted([p.pose, *p.box] for p in photo.labels.pigs)
        assert [b[0] for b in got_boxes] == [b[0] for b in wanted], stem
        for got_box, box in zip(got_boxes, wanted, strict=True):
            assert got_box[1:] == pytest.approx(box[1:], abs=0.5)


def test_stems_are_unique_whatever_the_folders_and_endings() -> None:
    assert unique_stems(["a.jpg", "a.png", "b/a.png", "A.jpg", "images/x.y.png"]) == [
        "a",
        "a-2",
        "b__a",
        "A-3",
        "images__x.y",
    ]


def test_a_reviewer_can_be_named_on_the_way_in(photos: PhotoSet) -> None:
    import_set(
        photos, TOOLS / "coco-datumaro", "coco", reviewed_by="Bo", session="s", camera="phone"
    )
    for photo in photos.photos():
        assert photo.labels is not None
        assert photo.labels.confirmed
        assert photo.labels.reviewed_by == "Bo"
        assert (photo.session, photo.camera) == ("s", "phone")


def test_a_model_class_can_be_renamed_or_left_out(
    photos: PhotoSet, make_picture: MakePicture, tmp_path: Path
) -> None:
    (tmp_path / "classes.txt").write_text("Sow\nPot\n")
    for folder in ("images", "labels"):
        (tmp_path / folder).mkdir()
    (tmp_path / "images" / "a.png").write_bytes(make_picture(1))
    (tmp_path / "labels" / "a.txt").write_text("0 .5 .5 .2 .2\n1 .2 .2 .1 .1\n")
    import_set(photos, tmp_path, "yolo", renamed={"Sow": "snouter", "Pot": "-"})
    labels = photos.photos()[0].labels
    assert labels is not None
    assert [p.pose for p in labels.pigs] == ["snouter"]
    assert replace(labels, reviewed=True).confirmed
