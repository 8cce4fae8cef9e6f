"""A set's health as JSON, as lines for a terminal, and as a page with pictures."""

from __future__ import annotations

import base64
import io
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from vision.errors import PictureError
from vision.photos.health import FEW, SMALL_PX, Health, Kind
from vision.photos.labels import PigLabel
from vision.photos.photo_set import Photo, PhotoSet
from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES

MOST_SHOWN = 24
"""Pictures of one kind on the page; the rest is counted."""

_SIDE = 220
_EDGES_PX = (20, 30, 45, 70, 100, 150, 220)


def as_data(photos: PhotoSet, health: Health) -> dict[str, Any]:
    """Give plain data; photographs by name."""
    names = {p.id: p.name for p in photos.photos()}
    return {
        "set": str(photos.folder),
        "photos": health.photos,
        "reviewed": health.reviewed,
        "left_out": health.left_out,
        "poses": health.poses,
        "contacts": health.contacts,
        "sizes_px": dict(size_bins(health.sizes_px)),
        "sessions": [asdict(s) for s in health.sessions],
        "findings": [
            {"kind": f.kind.value, "photo": names[f.photo], "detail": f.detail}
            for f in health.findings
        ],
        "alike": [[names[a.first], names[a.second], a.bits] for a in health.alike],
        "leaks": [[names[x.first], names[x.second], x.why] for x in health.leaks],
        "suspects": [asdict(s) | {"photo": names[s.photo]} for s in health.suspects],
        "notes": list(health.notes),
    }


def as_lines(health: Health) -> list[str]:
    """Give the few lines that a person reads first."""
    sessions = f"{len(health.sessions)} session{'s' if len(health.sessions) != 1 else ''}"
    counts = (f"{health.photos} photographs", f"{health.reviewed} reviewed", sessions)
    lines = [", ".join(counts) + f", {health.left_out} left out"]
    lines.append("pigs: " + ", ".join(f"{n} {p}" for p, n in health.poses["all"].items()))
    if health.rare:
        lines.append(f"fewer than {FEW}: {', '.join(health.rare)}")
    by_kind: dict[Kind, int] = defaultdict(int)
    for finding in health.findings:
        by_kind[finding.kind] += 1
    lines += [f"{n} x {kind.value}" for kind, n in by_kind.items()]
    if health.alike:
        lines.append(f"{len(health.alike)} pairs of pictures look alike")
    if health.suspects:
        lines.append(f"{len(health.suspects)} labels are likely wrong")
    if health.leaks:
        lines.append(f"{len(health.leaks)} LEAKS between splits: measured figures mean nothing")
    return [*lines, *health.notes]


def size_bins(sizes: Sequence[float]) -> list[tuple[str, int]]:
    """Count pigs by the length of their longer side."""
    edges = (0, *_EDGES_PX, float("inf"))
    bins = []
    for low, high in pairwise(edges):
        name = f"{low:.0f}+" if high == float("inf") else f"{low:.0f} to {high:.0f}"
        bins.append((name, sum(low <= s < high for s in sizes)))
    return bins


def as_html(photos: PhotoSet, health: Health) -> str:
    """Give one page that needs nothing beside it."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("vision.photos"), autoescape=True, undefined=StrictUndefined
    )
    by_id = {p.id: p for p in photos.photos()}
    kinds: dict[str, list[dict[str, str]]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    for finding in health.findings:
        counts[finding.kind.value] += 1
        photo = by_id[finding.photo]
        if counts[finding.kind.value] <= MOST_SHOWN:
            kinds[finding.kind.value].append(_shown(photos, photo, finding.detail))
    pairs = [
        (_shown(photos, by_id[a.first], ""), _shown(photos, by_id[a.second], f"{a.bits} bits"))
        for a in health.alike[:MOST_SHOWN]
    ]
    torn = [
        (
            _shown(photos, by_id[x.first], f"{by_id[x.first].split}"),
            _shown(photos, by_id[x.second], f"{by_id[x.second].split}: {x.why}"),
        )
        for x in health.leaks[:MOST_SHOWN]
    ]
    suspects = [
        _shown(
            photos,
            by_id[s.photo],
            f"labelled {s.labelled} ({s.labelled_probability:.1%}), "
            f"likelier {s.likelier} ({s.probability:.0%})",
            only=s.pig,
        )
        for s in health.suspects[:MOST_SHOWN]
    ]
    return environment.get_template("health.html.j2").render(
        name=photos.folder.name,
        health=health,
        poses=POSE_CLASSES,
        contacts=CONTACT_CLASSES,
        sizes=size_bins(health.sizes_px),
        kinds=dict(kinds),
        counts=dict(counts),
        pairs=pairs,
        torn=torn,
        suspects=suspects,
        few=FEW,
        small=SMALL_PX,
    )


def _shown(photos: PhotoSet, photo: Photo, text: str, only: int | None = None) -> dict[str, str]:
    """Give a small picture with its boxes drawn in, as a page takes it."""
    pigs = () if photo.labels is None else photo.labels.pigs
    chosen = pigs if only is None else pigs[only : only + 1]
    try:
        url = _picture(photos, photo, chosen, crop=only is not None)
    except (PictureError, OSError):
        url = ""
    return {"name": photo.name, "text": text, "url": url}


def _picture(photos: PhotoSet, photo: Photo, pigs: Sequence[PigLabel], *, crop: bool) -> str:
    from PIL import Image, ImageDraw

    with Image.open(photos.path(photo)) as opened:
        image = opened.convert("RGB")
    if crop and pigs:
        x0, y0, x1, y1 = pigs[0].box
        edge = 0.3 * max(x1 - x0, y1 - y0)
        left, top = x0 - edge, y0 - edge
        image = image.crop((round(left), round(top), round(x1 + edge), round(y1 + edge)))
    else:
        left = top = 0.0
    scale = _SIDE / max(image.size)
    image = image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
    draw = ImageDraw.Draw(image)
    for pig in pigs:
        x0, y0, x1, y1 = pig.box
        corners = ((x0 - left) * scale, (y0 - top) * scale, (x1 - left) * scale, (y1 - top) * scale)
        draw.rectangle(corners, outline=(255, 60, 140), width=2)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80)
    return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()
