"""Recipes of render sets: one small TOML file each, `datasets/recipes/NAME.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from vision.artefacts import artefact_dir
from vision.errors import RenderError

KINDS = ("crops", "pairs", "frames")

OTHER_KINDS = ("unsettled", "leaning", "out", "nothing")
"""What a crop of class `other` shows: a pig in no pose, against a thing, half out, or no pig."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a set of renders is drawn from; every chance is 0 to 1.

    `kind` is `crops` (one pig each, `crop_px` square, labelled by pose), `pairs` (two pigs each,
    `crop_px` square, labelled by contact) or `frames` (whole pictures `frame_px`, labelled with
    boxes). `shapes` is the seed and number of pigs, `surfaces` the seed and number of table tops,
    `things` the seed and number of other objects: sets that must share none of them have other
    seeds. `pairs` is the seed and number of pairs laid by physics: a share `paired` of frames
    shows one of them. `labels` weighs the poses of crops, `others` the
    `OTHER_KINDS` among those of class `other`, `contacts` the contacts of pairs, whose
    gaps are `least_gap` mm or more. A share `photographs` of the table tops is made of photographs,
    which `scripts/fetch_photographs.py` fetches. `all_inside` keeps every pig of a frame whole and
    clear of the others.
    """

    name: str
    kind: str
    shapes: tuple[int, int] = (1, 240)
    surfaces: tuple[int, int] = (1, 48)
    things: tuple[int, int] = (1, 60)
    pairs: tuple[int, int] = (1, 600)
    shape_spread: float = 1.0
    tilt_deg: tuple[float, float] = (0.0, 78.0)
    pig_px: tuple[float, float] = (20.0, 200.0)
    crop_px: int = 128
    frame_px: tuple[int, int] = (640, 384)
    frame_spread: float = 0.3
    pig_counts: tuple[float, ...] = (0.1, 0.15, 0.6, 0.1, 0.05)
    all_inside: bool = False
    labels: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    others: tuple[float, ...] = (0.32, 0.12, 0.2, 0.36)
    contacts: tuple[float, ...] = (1.0, 1.0, 1.0)
    least_gap: float = 0.0
    paired: float = 0.0
    sister: float = 0.55
    thing: float = 0.3
    photographs: float = 0.0
    plain_table: float = 0.22
    no_shadow: float = 0.15
    imperfection: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise RenderError(f"a recipe's kind is {' or '.join(KINDS)}, got {self.kind!r}")
        for name in ("paired", "sister", "thing", "photographs", "plain_table", "no_shadow"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise RenderError(f"{name} of recipe {self.name} is a chance, 0 to 1")
        if len(self.labels) != 7:
            raise RenderError(f"labels of recipe {self.name} are 7 weights, got {len(self.labels)}")
        if len(self.others) != len(OTHER_KINDS):
            raise RenderError(
                f"others of recipe {self.name} are {len(OTHER_KINDS)} weights, "
                f"got {len(self.others)}"
            )
        if len(self.contacts) != 3:
            raise RenderError(
                f"contacts of recipe {self.name} are 3 weights, got {len(self.contacts)}"
            )


def load_recipe(name_or_path: str) -> Recipe:
    """Load a recipe by its name in `datasets/recipes`, or by the path of a TOML file."""
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = artefact_dir("datasets") / "recipes" / f"{name_or_path}.toml"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        known = ", ".join(sorted(p.stem for p in path.parent.glob("*.toml"))) or "none"
        raise RenderError(f"no recipe {name_or_path!r} (known: {known})") from error
    except tomllib.TOMLDecodeError as error:
        raise RenderError(f"recipe {path.name} is not TOML: {error}") from error
    known_keys = {f.name for f in fields(Recipe)}
    unknown = set(raw) - known_keys
    if unknown:
        raise RenderError(f"recipe {path.name} has unknown keys: {', '.join(sorted(unknown))}")
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in raw.items()}
    return Recipe(**{"name": path.stem, **values})
