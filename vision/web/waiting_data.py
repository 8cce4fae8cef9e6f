"""A throw that waits as one piece of JSON with its pictures, and back."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass
from typing import Any

from vision.table.evidence import reading_data
from vision.table.state import ThrowSeen
from vision.web.sights import Picture, Sight, SightPig


@dataclass(frozen=True, slots=True)
class KeptThrow:
    """A throw as it was kept, by the number of its question; `seq` was the game's last event."""

    id: int
    seq: int
    seen: ThrowSeen
    sight: Sight


def encode(kept: KeptThrow) -> bytes:
    """Give a throw as JSON."""
    seen, sight = kept.seen, kept.sight
    data = {
        "version": 1,
        "id": kept.id,
        "seq": kept.seq,
        "frame": seen.index,
        "time_s": seen.time_s,
        "reading": reading_data(seen.reading) | {"time_s": seen.reading.time_s},
        "pictures": {name: b64encode(jpeg).decode() for name, jpeg in sight.pictures.items()},
        "pigs": [asdict(pig) for pig in sight.pigs],
    }
    return json.dumps(data).encode()


def decode(text: bytes) -> KeptThrow:
    """Read a throw; `ValueError`, `KeyError` or `TypeError` when it is none."""
    from vision.table.trace import reading_from_data

    data: dict[str, Any] = json.loads(text)
    reading = reading_from_data(data["reading"], 1.0, data["reading"]["time_s"])
    pictures = {Picture(name): b64decode(jpeg) for name, jpeg in data["pictures"].items()}
    pigs = tuple(
        SightPig((p["box"][0], p["box"][1], p["box"][2], p["box"][3]), p["pose"], p["probability"])
        for p in data["pigs"]
    )
    seen = ThrowSeen(data["frame"], data["time_s"], reading)
    return KeptThrow(data["id"], data["seq"], seen, Sight(pictures, pigs))
