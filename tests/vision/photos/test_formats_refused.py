"""Files of other tools that are wrong: refused by name, or read for what they mean."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vision.errors import VisionError
from vision.photos import arrivals
from vision.photos.labels import Labels, PigLabel
from vision.photos.photo_set import PhotoSet
from vision.photos.transfer import export_set, import_set

MakePicture = Callable[..., bytes]

LINE = "0 .5 .5 .1 .1"


class TestRefusals:
    def test_an_export_never_writes_over_anything(self, photos: PhotoSet, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "mine.txt").write_text("mine")
        with pytest.raises(VisionError, match="not empty"):
            export_set(photos, tmp_path / "out", "yolo")
        assert [p.name for p in (tmp_path / "out").iterdir()] == ["mine.txt"]

    def test_an_export_says_what_stays_behind_and_is_never_empty(
        self, photos: PhotoSet, make_picture: MakePicture, tmp_path: Path
    ) -> None:
        flags: list[dict[str, Any] | None] = [
            None, {}, {"unsure": True, "reviewed": True}, {"left_out": True}
        ]  # fmt: skip
        for n, flag in enumerate(flags):
            photo = arrivals.add(photos, make_picture(n), f"{n}.png")[0]
            if flag is not None:
                photos.save(photo.id, Labels(**flag), revision=0)
        outside = Labels((PigLabel((-50, -50, -10, -10), "trotter"),), reviewed=True)
        photo = arrivals.add(photos, make_picture(50), "out.png")[0]
        photos.save(photo.id, outside, revision=0)
        unnamed = Labels((PigLabel((1, 1, 9, 9), None),))
        photo = arrivals.add(photos, make_picture(51), "unnamed.png")[0]
        photos.save(photo.id, unnamed, revision=0)
        with pytest.raises(VisionError, match=r"nothing to export: .*1 not labelled"):
            export_set(photos, tmp_path / "out", "coco")
        assert not (tmp_path / "out").exists()
        done = export_set(photos, tmp_path / "out", "coco", unreviewed=True)
        assert done.photos == 2
        assert done.left_out == {
            "not labelled": 1,
            "left out by hand": 1,
            "with a box outside the picture": 1,
            "with a pig unnamed": 1,
        }

    @pytest.mark.parametrize(
        ("name", "files", "message"),
        [
            ("yolo", {"images/a.png": None}, "neither data.yaml nor classes.txt"),
            ("yolo", {"data.yaml": "names: 3", "images/a.png": None}, "no list of class names"),
            ("yolo", {"classes.txt": "sow", "images/a.png": None, "labels/a.txt": LINE},
             "unknown class 'sow'.*--map"),
            ("yolo", {"classes.txt": "other", "images/a.png": None, "labels/a.txt": "4" + LINE[1:]},
             "line 1: class 4 has no name"),
            ("yolo", {"classes.txt": "other", "images/a.png": None, "labels/a.txt": "0 .5 .5"},
             "line 1: expected"),
            ("yolo", {"classes.txt": "other", "images/a.png": None, "labels/a.txt": "0 320 9 9 9"},
             "line 1: shares"),
            ("coco", {"annotations/x.json": "[1]"}, "not a COCO file"),
            ("coco", {"annotations/x.json": "{"}, "cannot be read as JSON"),
            ("coco", {}, "neither a COCO file nor"),
            ("label-studio", {"tasks.json": "{}"}, "list of tasks"),
            ("label-studio", {"tasks.json": '[{"data": {}}]'}, "task 1"),
            ("cvat", {}, "no annotations.xml"),
            ("cvat", {"annotations.xml": "<annotations>"}, "read as XML"),
            ("cvat", {"annotations.xml": "<html/>"}, "expected CVAT"),
            ("cvat", {"annotations.xml": "<annotations><track/></annotations>"}, "for images"),
            ("cvat", {"annotations.xml": '<!DOCTYPE a [<!ENTITY b "c">]><annotations/>'},
             "document type"),
            ("cvat", {"annotations.xml": '<annotations><image name="a.png"/></annotations>'},
             "image 'a.png'"),
        ],
    )  # fmt: skip
    def test_files_that_are_not_what_they_say(
        self,
        tmp_path: Path,
        make_picture: MakePicture,
        name: str,
        files: dict[str, str | None],
        message: str,
    ) -> None:
        source = tmp_path / "in"
        source.mkdir()
        for path, text in files.items():
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            (source / path).write_bytes(make_picture(1) if text is None else text.encode())
        (tmp_path / "set").mkdir()
        with PhotoSet.open(tmp_path / "set") as photos:
            with pytest.raises(VisionError, match=message):
                import_set(photos, source, name)
            assert photos.photos() == []

    def test_an_unknown_format_and_a_folder_that_is_none(
        self, photos: PhotoSet, tmp_path: Path
    ) -> None:
        with pytest.raises(VisionError, match="unknown format"):
            import_set(photos, tmp_path, "voc")
        with pytest.raises(VisionError, match="no such file"):
            import_set(photos, tmp_path / "nowhere", "coco")


class TestWhatOtherToolsGetWrong:
    def test_of_several_annotations_the_newest_that_stands_counts(
        self, photos: PhotoSet, make_picture: MakePicture, tmp_path: Path
    ) -> None:
        # label-studio#5421: an export took an old annotation.
        def annotation(pose: str, day: int, **more: Any) -> dict[str, Any]:
            value = {"x": 0, "y": 0, "width": 50, "height": 50, "rectanglelabels": [pose]}
            result = {"original_width": 64, "original_height": 48, "value": value}
            stamp = f"2026-01-{day:02}T00:00:00Z"
            return {"updated_at": stamp, "result": [result]} | more

        task = {
            "data": {"image": "/data/upload/1/a.png"},
            "annotations": [
                annotation("trotter", 1),
                annotation("snouter", 3),
                annotation("razorback", 5, was_cancelled=True),
                annotation("dot_up", 2),
            ],
        }
        (tmp_path / "a.png").write_bytes(make_picture(1))
        (tmp_path / "tasks.json").write_text(json.dumps([task]))
        import_set(photos, tmp_path / "tasks.json", "label-studio")
        labels = photos.photos()[0].labels
        assert labels is not None
        assert [p.pose for p in labels.pigs] == ["snouter"]

    def test_turned_boxes_become_the_upright_ones_around_them(
        self, photos: PhotoSet, make_picture: MakePicture, tmp_path: Path
    ) -> None:
        # label-studio#5223, #2293: turned boxes came out shifted.
        (tmp_path / "a.png").write_bytes(make_picture(1, size=(200, 100)))
        (tmp_path / "annotations.xml").write_text(
            '<annotations><image id="0" name="a.png" width="200" height="100">'
            '<box label="trotter" xtl="80" ytl="40" xbr="120" ybr="60" rotation="90"/>'
            "</image></annotations>"
        )
        taken = import_set(photos, tmp_path, "cvat")
        assert "upright" in taken.problems[0]
        labels = photos.photos()[0].labels
        assert labels is not None
        assert labels.pigs[0].box == pytest.approx((90, 30, 110, 70))

    # Turned to the same size, boxes on the stored picture look like ones on the seen picture, and
    # are taken for these, as all tools of today write them.
    @pytest.mark.parametrize(
        ("held", "orientation"),
        [("upright", n) for n in range(1, 9)] + [("raw", n) for n in (1, 5, 6, 7, 8)],
    )
    def test_boxes_follow_a_picture_that_is_turned_on_the_way_in(
        self,
        photos: PhotoSet,
        tmp_path: Path,
        orientation: int,
        held: str,
    ) -> None:
        # X-AnyLabeling#381, labelImg#198: boxes drawn on the stored or on the seen picture.
        import numpy as np
        from PIL import Image, ImageOps

        raw = np.zeros((40, 80, 3), np.uint8)
        raw[5:15, 50:70] = 255
        exif = Image.Exif()
        exif[0x0112] = orientation
        picture = tmp_path / "a.png"
        Image.fromarray(raw).save(picture, exif=exif)
        with Image.open(picture) as image:
            seen = np.asarray(ImageOps.exif_transpose(image))
        told = raw if held == "raw" else seen
        ys, xs = np.nonzero(told[..., 0])
        box = [int(xs.min()), int(ys.min()), int(np.ptp(xs) + 1), int(np.ptp(ys) + 1)]
        size = {"width": told.shape[1], "height": told.shape[0]}
        document = {
            "images": [{"id": 1, "file_name": "a.png"} | size],
            "categories": [{"id": 9, "name": "Trotter"}],
            "annotations": [{"id": 1, "image_id": 1, "category_id": 9, "bbox": box}],
        }
        (tmp_path / "c.json").write_text(json.dumps(document))
        assert import_set(photos, tmp_path / "c.json", "coco").problems == ()
        ys, xs = np.nonzero(seen[..., 0])
        labels = photos.photos()[0].labels
        assert labels is not None
        assert labels.pigs[0].box == (xs.min(), ys.min(), xs.max() + 1, ys.max() + 1)

    def test_labels_for_another_size_are_not_guessed(
        self, photos: PhotoSet, make_picture: MakePicture, tmp_path: Path
    ) -> None:
        (tmp_path / "a.png").write_bytes(make_picture(1))
        document: dict[str, Any] = {
            "images": [{"id": 1, "file_name": "a.png", "width": 640, "height": 480}],
            "categories": [],
            "annotations": [],
        }
        (tmp_path / "c.json").write_text(json.dumps(document))
        taken = import_set(photos, tmp_path / "c.json", "coco")
        assert "labelled at 640x480" in taken.problems[0]
        assert photos.photos() == []
