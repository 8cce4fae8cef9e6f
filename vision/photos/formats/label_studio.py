"""Label Studio: `tasks.json`, `label_config.xml` and `images/`.

Boxes are in per cent of the picture, from its upper left corner. Of several annotations of a
task the newest that was not cancelled counts; predictions become a model's labels, not reviewed.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import quoteattr

from vision.photos.formats.exchange import (
    FormatError,
    Incoming,
    Outgoing,
    Reader,
    completed,
    read_extras,
    read_json,
    write_extras,
)
from vision.photos.labels import Box, LabelError, Labels, PigLabel, Source
from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES


def write(photos: Sequence[Outgoing], folder: Path) -> None:
    """Write photographs as tasks with one annotation each."""
    (folder / "images").mkdir()
    tasks, notes = [], []
    for number, photo in enumerate(photos, start=1):
        shutil.copyfile(photo.file, folder / "images" / photo.file_name)
        notes.append((f"images/{photo.file_name}", photo, photo.labels))
        results = [_box_result(pig, n, photo) for n, pig in enumerate(photo.labels.pigs)]
        if photo.labels.contact is not None:
            results.append(
                {
                    "id": "contact",
                    "type": "choices",
                    "from_name": "contact",
                    "to_name": "image",
                    "value": {"choices": [photo.labels.contact.value]},
                }
            )
        tasks.append(
            {
                "id": number,
                "data": {"image": f"/data/local-files/?d=images/{photo.file_name}"},
                "annotations": [{"id": number, "result": results, "was_cancelled": False}],
                "predictions": [],
            }
        )
    (folder / "tasks.json").write_text(json.dumps(tasks, ensure_ascii=False), encoding="utf-8")
    (folder / "label_config.xml").write_text(_config(), encoding="utf-8")
    write_extras(folder, notes)


def _config() -> str:
    labels = "".join(f"    <Label value={quoteattr(p)}/>\n" for p in POSE_CLASSES)
    choices = "".join(f"    <Choice value={quoteattr(c)}/>\n" for c in CONTACT_CLASSES)
    return (
        '<View>\n  <Image name="image" value="$image"/>\n'
        f'  <RectangleLabels name="label" toName="image">\n{labels}  </RectangleLabels>\n'
        f'  <Choices name="contact" toName="image">\n{choices}  </Choices>\n</View>\n'
    )


def _box_result(pig: PigLabel, number: int, photo: Outgoing) -> dict[str, Any]:
    if pig.pose is None:
        raise FormatError(f"{photo.name}: a pig without a pose")
    x0, y0, x1, y1 = pig.box
    return {
        "id": f"pig{number}",
        "type": "rectanglelabels",
        "from_name": "label",
        "to_name": "image",
        "original_width": photo.width,
        "original_height": photo.height,
        "image_rotation": 0,
        "value": {
            "x": 100 * x0 / photo.width,
            "y": 100 * y0 / photo.height,
            "width": 100 * (x1 - x0) / photo.width,
            "height": 100 * (y1 - y0) / photo.height,
            "rotation": 0,
            "rectanglelabels": [pig.pose],
        },
    }


def read(path: Path, reader: Reader) -> Iterator[Incoming]:
    """Read a file of tasks, or the folder that holds `tasks.json`."""
    file = path / "tasks.json" if path.is_dir() else path
    tasks = read_json(file)
    if not isinstance(tasks, list):
        raise FormatError(f"{file}: expected Label Studio's list of tasks (export as JSON)")
    extras = read_extras(file.parent)
    for number, task in enumerate(tasks, start=1):
        try:
            name = _picture_name(task["data"])
            results, source = _newest(task)
            labels, size = _labels(results, source, reader, name)
        except (KeyError, TypeError, ValueError, LabelError) as error:
            raise FormatError(f"{file}: task {number} is not one of boxes: {error!r}") from error
        picture = reader.find(name, file.parent / "images", file.parent)
        if picture is None:
            continue
        incoming = Incoming(picture, labels, name=picture.name, size=size)
        yield completed(incoming, extras.get(f"images/{picture.name}"))


def _picture_name(data: Mapping[str, Any]) -> str:
    """Give the picture's name: a path, a URL, or local storage's `?d=`."""
    values = [data.get("image"), *data.values()]
    value = next((v for v in values if isinstance(v, str) and "." in v), None)
    if value is None:
        raise ValueError("its data name no picture")
    parts = urlsplit(value)
    inner = parse_qs(parts.query).get("d")
    return inner[0] if inner else unquote(parts.path)


def _newest(task: Mapping[str, Any]) -> tuple[list[dict[str, Any]], Source]:
    """Give the results of the newest annotation that stands, else of the newest prediction."""
    standing = [a for a in task.get("annotations", []) if not a.get("was_cancelled")]
    if standing:
        latest = max(standing, key=lambda a: str(a.get("updated_at") or a.get("created_at") or ""))
        return list(latest["result"]), Source.HAND
    predictions = task.get("predictions") or []
    if predictions:
        latest = max(predictions, key=lambda a: str(a.get("created_at") or ""))
        return list(latest["result"]), Source.MODEL
    return [], Source.HAND


def _labels(
    results: list[dict[str, Any]], source: Source, reader: Reader, name: str
) -> tuple[Labels, tuple[int, int] | None]:
    pigs: list[PigLabel] = []
    contact: str | None = None
    size: tuple[int, int] | None = None
    for result in results:
        value = result.get("value", {})
        if "rectanglelabels" in value:
            size = int(result["original_width"]), int(result["original_height"])
            if result.get("image_rotation"):
                reader.problems.append(f"{name}: labelled on a turned view, left out")
                continue
            pose = reader.pose(str(value["rectanglelabels"][0]))
            if value.get("rotation"):
                reader.problems.append(f"{name}: a turned box became the upright one around it")
            if pose is not None:
                pigs.append(PigLabel(_box(value, *size), pose, source))
        elif "choices" in value and value["choices"] and value["choices"][0] in CONTACT_CLASSES:
            contact = str(value["choices"][0])
        else:
            reader.problems.append(f"{name}: a {result.get('type')} is no box, left out")
    labels = Labels(tuple(pigs)).to_json()
    if contact is not None and len(pigs) == 2:
        labels["contact"] = contact
    return Labels.from_json(labels), size


def _box(value: Mapping[str, Any], width: int, height: int) -> Box:
    """Give the upright box around a box that is turned about its upper left corner."""
    x, y = value["x"] / 100 * width, value["y"] / 100 * height
    w, h = value["width"] / 100 * width, value["height"] / 100 * height
    angle = math.radians(float(value.get("rotation") or 0))
    cos, sin = math.cos(angle), math.sin(angle)
    corners = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)]
    xs = [x + a * cos - b * sin for a, b in corners]
    ys = [y + a * sin + b * cos for a, b in corners]
    return min(xs), min(ys), max(xs), max(ys)
