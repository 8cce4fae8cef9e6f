"""The figures as JSON, and as one HTML file that needs nothing beside it."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from vision.capture.frame import Image
from vision.learn.evaluate import PigRecord
from vision.learn.evaluate_figures import Figures
from vision.learn.evaluate_rates import Rate
from vision.learn.evaluate_sets import SIDER
from vision.recognize.manifest import Manifest, Metric, Role
from vision.recognize.reading import POSE_CLASSES


def as_data(manifest: Manifest, sets: Sequence[Figures], *, speed: bool = True) -> dict[str, Any]:
    """Give the report as plain data; without `speed` it is the same at every run."""
    return {
        "models": [
            {"role": m.role.value, "file": m.file, "sha256": m.sha256, "recipe": m.recipe}
            for m in manifest.models
        ],
        "sets": {f.name: _set_data(f, speed=speed) for f in sets},
    }


def as_html(manifest: Manifest, sets: Sequence[Figures], *, speed: bool = True) -> str:
    """Give the report as one HTML page, its pictures and charts inside."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("vision.learn"), autoescape=True, undefined=StrictUndefined
    )
    environment.filters["share"] = share
    environment.filters["told"] = told
    environment.filters["words"] = lambda name: str(name).replace("_", " ")
    shown = [
        _fields(f) | {"worst": [_worst(p) for p in f.worst]} | ({} if speed else {"speed": {}})
        for f in sets
    ]
    return environment.get_template("report.html.j2").render(
        models=manifest.models, sets=shown, poses=POSE_CLASSES, truths=(*POSE_CLASSES, SIDER)
    )


def share(value: float) -> str:
    """Write a share of 1 in per cent."""
    return "-" if math.isnan(value) else f"{100 * value:.2f} %"


def told(rate: Rate) -> str:
    """Write a rate with its interval and count."""
    return f"{share(rate.value)} ({share(rate.low)} to {share(rate.high)}, n = {rate.count})"


_ON_CARDS = {
    Role.LOCATOR: (
        "pigs found",
        "pictures with every pig found",
        "pictures where nothing else is called a pig",
    ),
    Role.POSE: (
        "pose right",
        "pose right, tilt under 40",
        "pose right, tilt 40 to 70",
        "dot side right, tilt under 40",
    ),
    Role.CONTACT: (
        "touching or stacked taken as apart",
        "taken as apart above 2 mm",
        "called touching above 2 mm",
    ),
}


def card_metrics(sets: Sequence[Figures]) -> dict[Role, dict[str, Metric]]:
    """Give the figures that belong on each model's card, named by the set they come from."""
    cards: dict[Role, dict[str, Metric]] = {}
    for role, names in _ON_CARDS.items():
        for figures in sets:
            for name in names:
                if name in figures.rates:
                    measured = figures.rates[name]
                    metric = Metric(round(measured.value, 5), measured.count)
                    cards.setdefault(role, {})[f"{figures.name}: {name}"] = metric
    return cards


def _fields(figures: Figures) -> dict[str, Any]:
    """Give the fields of a set by name, as they are."""
    return {name: getattr(figures, name) for name in Figures.__dataclass_fields__}


def _set_data(figures: Figures, *, speed: bool) -> dict[str, Any]:
    return {
        "pictures": figures.pictures,
        "rates": {name: _rounded(asdict(r)) for name, r in figures.rates.items()},
        "numbers": _rounded(figures.numbers),
        "confusion": {
            "poses": list(POSE_CLASSES),
            "truths": [*POSE_CLASSES, SIDER],
            "counts": figures.confusion,
        },
        "bins": {
            name: [{"bin": b.name} | _rounded(asdict(b.rate)) for b in bins]
            for name, bins in figures.bins.items()
        },
        "curves": {
            name: [[round(p.x, 4), round(p.y, 5)] for p in points]
            for name, points in figures.curves.items()
        },
        "worst": [
            {k: v for k, v in _worst(p, picture=False).items() if k != "picture"}
            for p in figures.worst
        ],
    } | ({"speed": figures.speed} if speed and figures.speed else {})


def _rounded(values: Mapping[str, float]) -> dict[str, float | None]:
    return {
        k: None if isinstance(v, float) and math.isnan(v) else round(v, 5)
        for k, v in values.items()
    }


def _worst(pig: PigRecord, *, picture: bool = True) -> dict[str, Any]:
    read = max(pig.read, key=pig.read.__getitem__)
    return {
        "file": pig.file.name,
        "truth": str(pig.truth.pose),
        "read": read,
        "chance": round(pig.read[read], 4),
        "right": pig.truth.is_read_right(read),
        "found": pig.found is not None,
        "tilt": pig.truth.tilt_deg,
        "picture": _data_url(pig.crop) if picture else "",
    }


def _data_url(image: Image) -> str:
    import cv2

    _, encoded = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 85])
    return "data:image/jpeg;base64," + base64.b64encode(encoded.tobytes()).decode()


def write_report(
    folder: Path, manifest: Manifest, sets: Sequence[Figures], *, speed: bool = True
) -> Path:
    """Write `report.html` and `report.json` into a folder, and give the path of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    data = json.dumps(as_data(manifest, sets, speed=speed), indent=1)
    (folder / "report.json").write_text(data + "\n", encoding="utf-8")
    page = folder / "report.html"
    page.write_text(as_html(manifest, sets, speed=speed), encoding="utf-8")
    return page
