"""What other annotation tools' own readers and converters make of files.

Run by an interpreter that has them: they pin versions of Pillow and OpenCV that the project
does not use, so they live in an environment of their own (`make formats-env`).

    python other_tools.py read TOOL PATH      prints {picture: [[label, x0, y0, x1, y1], …]}
    python other_tools.py write TOOL SPEC OUT writes the same as that tool does
    python other_tools.py tools               prints the tools that this interpreter has

SPEC is a folder of pictures with `boxes.json` of the printed form.
"""

from __future__ import annotations

import importlib.util
import json
import logging
import shutil
import sys
from pathlib import Path
from typing import Any

Boxes = dict[str, list[list[Any]]]

POSES = ["dot_up", "dot_down", "razorback", "trotter", "snouter", "leaning_jowler", "other"]

DATUMARO = {
    "coco-datumaro": "coco_instances",
    "cvat-datumaro": "cvat",
    "yolo-datumaro": "yolo",
    "classify-datumaro": "imagenet_with_subset_dirs",
}
NEEDS = {
    **dict.fromkeys(DATUMARO, "datumaro"),
    "coco-pycocotools": "pycocotools",
    "label-studio-coco": "label_studio_sdk",
    "label-studio-yolo": "label_studio_sdk",
    "yolo-to-label-studio": "label_studio_sdk",
    "yolo-ultralytics": "ultralytics",
    "classify-ultralytics": "ultralytics",
}


def read(tool: str, path: Path) -> Boxes:
    if tool == "coco-pycocotools":
        return _pycocotools(path)
    if tool == "classify-datumaro":
        # It takes no empty folder, and of several parts only ones that have every class.
        for folder in sorted(path.glob("*/*")):
            if not any(folder.iterdir()):
                folder.rmdir()
        parts = [_datumaro("imagenet", p) for p in sorted(path.iterdir()) if p.is_dir()]
        return {name: boxes for part in parts for name, boxes in part.items()}
    if tool in DATUMARO:
        return _datumaro(DATUMARO[tool], path)
    if tool.startswith("label-studio"):
        return _label_studio(tool.rsplit("-", 1)[1], path)
    if tool == "classify-ultralytics":
        return _ultralytics_classify(path)
    return _ultralytics(path)


def _pycocotools(path: Path) -> Boxes:
    from pycocotools.coco import COCO

    found: Boxes = {}
    for file in sorted(path.glob("annotations/*.json")):
        coco = COCO(str(file))
        for image in coco.loadImgs(coco.getImgIds()):
            boxes = []
            for annotation in coco.loadAnns(coco.getAnnIds(imgIds=image["id"])):
                x, y, w, h = annotation["bbox"]
                name = coco.loadCats(annotation["category_id"])[0]["name"]
                boxes.append([name, x, y, x + w, y + h])
            found[image["file_name"]] = boxes
    return found


def _datumaro(name: str, path: Path) -> Boxes:
    import datumaro as dm

    data = dm.Dataset.import_from(str(path), name)
    labels = data.categories()[dm.AnnotationType.label]
    found: Boxes = {}
    for item in data:
        boxes = []
        for a in item.annotations:
            if a.type == dm.AnnotationType.bbox:
                boxes.append([labels[a.label].name, a.x, a.y, a.x + a.w, a.y + a.h])
            elif a.type == dm.AnnotationType.label:
                boxes.append([labels[a.label].name])
            elif a.type == dm.AnnotationType.polygon:  # COCO boxes arrive as outlines
                x, y, w, h = a.get_bbox()
                boxes.append([labels[a.label].name, x, y, x + w, y + h])
        found[item.id] = boxes
    return found


def _label_studio(target: str, path: Path) -> Boxes:
    from label_studio_sdk.converter import Converter

    out = path.parent / f"{path.name}-{target}"
    converter = Converter(str(path / "label_config.xml"), str(path), download_resources=False)
    options: dict[str, Any] = {"output_image_dir": str(out / "images"), "is_dir": False}
    (out / "images").mkdir(parents=True)
    if target == "coco":
        converter.convert_to_coco(str(path / "tasks.json"), str(out), **options)
        document = json.loads((out / "result.json").read_text(encoding="utf-8"))
        names = {c["id"]: c["name"] for c in document["categories"]}
        files = {i["id"]: Path(i["file_name"]).name for i in document["images"]}
        found: Boxes = {f: [] for f in files.values()}
        for a in document["annotations"]:
            x, y, w, h = a["bbox"]
            found[files[a["image_id"]]].append([names[a["category_id"]], x, y, x + w, y + h])
        return found
    options["output_label_dir"] = str(out / "labels")
    (out / "labels").mkdir()
    converter.convert_to_yolo(str(path / "tasks.json"), str(out), **options)
    names_list = (out / "classes.txt").read_text(encoding="utf-8").split()
    return _yolo_lines(out / "labels", names_list, path / "images")


def _yolo_lines(labels: Path, names: list[str], images: Path) -> Boxes:
    from PIL import Image

    found: Boxes = {}
    for file in sorted(labels.rglob("*.txt")):
        picture = next(p for p in images.rglob("*") if p.stem == file.stem)
        with Image.open(picture) as image:
            width, height = image.size
        boxes = []
        for line in file.read_text(encoding="utf-8").splitlines():
            number, x, y, w, h = (float(v) for v in line.split())
            left, top = (x - w / 2) * width, (y - h / 2) * height
            boxes.append([names[int(number)], left, top, left + w * width, top + h * height])
        found[picture.name] = boxes
    return found


def _ultralytics(path: Path) -> Boxes:
    from ultralytics.data.dataset import YOLODataset
    from ultralytics.data.utils import check_det_dataset

    data = check_det_dataset(str(path / "data.yaml"), autodownload=False)
    found: Boxes = {}
    for split in ("train", "val", "test"):
        if not data.get(split):
            continue
        dataset = YOLODataset(img_path=data[split], data=data, task="detect", augment=False)
        for label in dataset.labels:
            height, width = label["shape"]
            boxes = []
            for (number,), (x, y, w, h) in zip(label["cls"], label["bboxes"], strict=True):
                left, top = (x - w / 2) * width, (y - h / 2) * height
                boxes.append(
                    [
                        data["names"][int(number)],
                        *(float(v) for v in (left, top, left + w * width, top + h * height)),
                    ]
                )
            found[Path(label["im_file"]).name] = boxes
    return found


def _ultralytics_classify(path: Path) -> Boxes:
    from ultralytics.cfg import get_cfg
    from ultralytics.data.dataset import ClassificationDataset

    found: Boxes = {}
    for split in sorted(p for p in path.iterdir() if p.is_dir()):
        dataset = ClassificationDataset(str(split), get_cfg(), augment=False)
        for file, number, *_ in dataset.samples:
            found[Path(file).name] = [[dataset.base.classes[number]]]
    return found


def write(tool: str, spec: Path, out: Path) -> None:
    boxes: Boxes = json.loads((spec / "boxes.json").read_text(encoding="utf-8"))
    if tool == "yolo-to-label-studio":
        _write_label_studio(spec, boxes, out)
    elif tool in DATUMARO:
        _write_datumaro(DATUMARO[tool], spec, boxes, out)
    else:
        raise SystemExit(f"{tool} writes nothing")


def _write_label_studio(spec: Path, boxes: Boxes, out: Path) -> None:
    from label_studio_sdk.converter.imports.yolo import convert_yolo_to_ls
    from PIL import Image

    yolo = out / "yolo"
    (yolo / "images").mkdir(parents=True)
    (yolo / "labels").mkdir()
    (yolo / "classes.txt").write_text("\n".join(POSES), encoding="utf-8")
    for name, found in boxes.items():
        shutil.copyfile(spec / name, yolo / "images" / name)
        with Image.open(spec / name) as image:
            w, h = image.size
        lines = [
            f"{POSES.index(label)} {(x0 + x1) / 2 / w} {(y0 + y1) / 2 / h} "
            f"{(x1 - x0) / w} {(y1 - y0) / h}"
            for label, x0, y0, x1, y1 in found
        ]
        text = "\n".join(lines)
        (yolo / "labels" / f"{Path(name).stem}.txt").write_text(text, encoding="utf-8")
    convert_yolo_to_ls(str(yolo), str(out / "tasks.json"))
    shutil.move(yolo / "images", out / "images")
    shutil.rmtree(yolo)


def _write_datumaro(name: str, spec: Path, boxes: Boxes, out: Path) -> None:
    import datumaro as dm

    classify = name.startswith("imagenet")
    splits = ("train", "val") if name == "yolo" else ("train",)  # its YOLO wants both
    items = []
    for number, (picture, found) in enumerate(boxes.items()):
        annotations = [
            dm.Label(POSES.index(label))
            if classify
            else dm.Bbox(x0, y0, x1 - x0, y1 - y0, label=POSES.index(label), id=n)
            for n, (label, x0, y0, x1, y1) in enumerate(found)
        ]
        if classify:
            annotations = annotations[:1]
        media = dm.Image.from_file(path=str(spec / picture))
        items.append(
            dm.DatasetItem(
                id=Path(picture).stem,
                subset=splits[number % len(splits)],
                media=media,
                annotations=annotations,
            )
        )
    data = dm.Dataset.from_iterable(items, categories=POSES)
    data.export(str(out), name if name != "yolo" else "yolo_ultralytics", save_media=True)


def main() -> None:
    logging.disable(logging.CRITICAL)
    if sys.argv[1] == "tools":
        have = [t for t, module in NEEDS.items() if importlib.util.find_spec(module)]
        sys.stdout.write(json.dumps(have))
    elif sys.argv[1] == "read":
        real, sys.stdout = sys.stdout, sys.stderr  # some tools print
        found = read(sys.argv[2], Path(sys.argv[3]))
        real.write(json.dumps(found))
    else:
        write(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))


if __name__ == "__main__":
    main()
