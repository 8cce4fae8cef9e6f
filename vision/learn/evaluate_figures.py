"""What the records of a set come to: rates, matrices, curves and the worst crops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from vision.learn.evaluate import PictureRecord, PigRecord, Records
from vision.learn.evaluate_rates import (
    Bin,
    Point,
    Rate,
    binned,
    rate,
    reliability,
    risk_coverage,
)
from vision.learn.evaluate_sets import SIDER
from vision.recognize.reading import OTHER, POSE_CLASSES

INF = float("inf")
TILTS = (("0-20", 0, 20), ("20-40", 20, 40), ("40-55", 40, 55), ("55-70", 55, 70), ("70+", 70, 91))
SIZES = (
    ("under 30", 0, 30),
    ("30-50", 30, 50),
    ("50-80", 50, 80),
    ("80-120", 80, 120),
    ("120+", 120, INF),
)
LIGHTS = (("1", 1, 2), ("2", 2, 3), ("3", 3, 4), ("4+", 4, INF))
GAPS = (
    ("touching", -1, 0),
    ("0-0.5", 0, 0.5),
    ("0.5-1", 0.5, 1),
    ("1-2", 1, 2),
    ("2-5", 2, 5),
    ("over 5", 5, INF),
)
WORST = 30

SIDES = ("dot_up", "dot_down", SIDER)


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """All that is reported of one set.

    `bins` are bar charts by name, `curves` line charts; `confusion` counts true poses (rows, with
    `sider` last) against read ones; `worst` are the pigs read worst; `speed` is milliseconds a
    picture, and the only part that differs from run to run.
    """

    name: str
    pictures: int
    rates: dict[str, Rate]
    confusion: list[list[int]]
    bins: dict[str, list[Bin]]
    curves: dict[str, list[Point]]
    numbers: dict[str, float]
    worst: list[PigRecord]
    speed: dict[str, float] = field(default_factory=dict)


def figures(records: Records) -> Figures:
    """Work out all figures of a set."""
    posed = [p for p in records.pigs if p.truth.pose is not None]
    bins = _pose_bins(posed)
    rates = _pose_rates(posed)
    numbers: dict[str, float] = {}
    curves: dict[str, list[Point]] = {}
    scored = [p for p in posed if p.truth.pose != SIDER]
    if scored:
        confidence = np.array([max(p.read.values()) for p in scored])
        hits = np.array([_right(p) for p in scored], np.float64)
        bins["pose: right, by confidence"], numbers["calibration error (ECE)"] = reliability(
            confidence, hits
        )
        curves["wrong among the surest pigs, by share taken"] = risk_coverage(confidence, 1 - hits)
    if records.pictures:
        rates = _locator_rates(records) | rates | _throw_rates(records.pictures)
        bins |= _contact_bins(records.pictures)
        throws = [p for p in records.pictures if p.is_throw]
        curves["wrong among the surest throws, by share taken"] = risk_coverage(
            np.array([p.chance for p in throws]),
            np.array([not p.is_right for p in throws], np.float64),
        )
    worst = sorted(posed, key=lambda p: (_right(p), p.chance_of_truth))[:WORST]
    return Figures(
        records.name,
        len({p.picture for p in records.pigs} | set(range(len(records.pictures)))),
        {name: r for name, r in rates.items() if r.count},
        _confusion(posed),
        {name: b for name, b in bins.items() if any(x.rate.count for x in b)},
        {name: c for name, c in curves.items() if c},
        numbers,
        worst,
        _speed(records.pictures),
    )


def _right(pig: PigRecord) -> bool:
    return pig.truth.is_read_right(max(pig.read, key=pig.read.__getitem__))


def _rate(pigs: Iterable[PigRecord], hit: Callable[[PigRecord], bool] = _right) -> Rate:
    chosen = list(pigs)
    return rate([hit(p) for p in chosen], [p.picture for p in chosen])


def _between(pig: PigRecord, low: float, high: float) -> bool:
    return pig.truth.tilt_deg is not None and low <= pig.truth.tilt_deg < high


def _pose_rates(pigs: Sequence[PigRecord]) -> dict[str, Rate]:
    game = [p for p in pigs if p.truth.pose != OTHER]
    sides = [p for p in game if p.truth.pose in ("dot_up", "dot_down") and _is_side(p)]
    rates = {
        "pose right": _rate(game),
        "pose right, tilt under 40": _rate(p for p in game if _between(p, 0, 40)),
        "pose right, tilt 40 to 70": _rate(p for p in game if _between(p, 40, 70)),
        "dot side right, tilt under 40": _rate(p for p in sides if _between(p, 0, 40)),
        "dot side right": _rate(sides),
    }
    for pose in (*POSE_CLASSES, SIDER):
        rates[f"{pose.replace('_', ' ')} right"] = _rate(p for p in pigs if p.truth.pose == pose)
    return rates


def _is_side(pig: PigRecord) -> bool:
    return max(pig.read, key=pig.read.__getitem__) in SIDES


def _pose_bins(pigs: Sequence[PigRecord]) -> dict[str, list[Bin]]:
    game = [p for p in pigs if p.truth.pose != OTHER]
    hits, groups = [_right(p) for p in game], [p.picture for p in game]
    sizes = [p.truth.size_px if p.truth.size_px > 1 else None for p in game]
    return {
        "pose right, by tilt in degrees": binned(
            hits, [p.truth.tilt_deg for p in game], TILTS, groups
        ),
        "pose right, by size in pixels": binned(hits, sizes, SIZES, groups),
        "pose right, by number of lights": binned(hits, [p.lights for p in game], LIGHTS, groups),
    }


def _confusion(pigs: Sequence[PigRecord]) -> list[list[int]]:
    rows = (*POSE_CLASSES, SIDER)
    counts = np.zeros((len(rows), len(POSE_CLASSES)), np.int64)
    for pig in pigs:
        read = max(pig.read, key=pig.read.__getitem__)
        counts[rows.index(str(pig.truth.pose)), POSE_CLASSES.index(read)] += 1
    table: list[list[int]] = counts.tolist()
    return table


def _locator_rates(records: Records) -> dict[str, Rate]:
    pictures = [(i, p) for i, p in enumerate(records.pictures) if p.truth.located]
    full = [p for p in records.pigs if records.pictures[p.picture].truth.located]
    missed = {p.picture for p in full if p.found is None}
    with_pigs = [i for i, p in pictures if p.truth.pigs]
    false = np.array([p.false_pigs for _, p in pictures], np.float64)
    return {
        "pigs found": _rate(full, lambda p: p.found is not None),
        "pictures with every pig found": rate([i not in missed for i in with_pigs]),
        "pictures where nothing else is called a pig": rate(false == 0),
        "false pigs a picture": rate(false),
    }


def _called(picture: PictureRecord) -> bool:
    contact = picture.reading.contact
    return contact is not None and contact.state != "apart"


def _gap(picture: PictureRecord) -> float | None:
    truth = picture.truth
    return -1.0 if truth.contact in ("touching", "stacked") else truth.gap_mm


def _contact_bins(pictures: Sequence[PictureRecord]) -> dict[str, list[Bin]]:
    bins: dict[str, list[Bin]] = {}
    for name, low, high in (("", 0.0, INF), (", tilt under 20", 0, 20), (", tilt 20 up", 20, 91)):
        pairs = [p for p in _pairs(pictures) if not name or low <= _tilt(p) < high]
        gaps = [_gap(p) for p in pairs]
        make = partial(binned, measures=gaps, edges=GAPS, groups=range(len(pairs)))
        bins[f"taken as apart, by gap in mm{name}"] = make([p.taken_as_apart for p in pairs])
        bins[f"called touching or stacked, by gap in mm{name}"] = make([_called(p) for p in pairs])
    return bins


def _pairs(pictures: Iterable[PictureRecord]) -> list[PictureRecord]:
    return [p for p in pictures if p.reading.contact is not None and _gap(p) is not None]


def _tilt(picture: PictureRecord) -> float:
    tilts = [p.tilt_deg for p in picture.truth.pigs if p.tilt_deg is not None]
    return max(tilts, default=float("nan"))


def _throw_rates(pictures: Sequence[PictureRecord]) -> dict[str, Rate]:
    throws = [p for p in pictures if p.is_throw]
    touching = [p for p in pictures if p.truth.contact in ("touching", "stacked")]
    wide = [p for p in _pairs(pictures) if p.truth.contact == "apart" and (_gap(p) or 0) >= 2]
    accepted = [p for p in pictures if p.accepted]
    known = [p for p in accepted if p.truth.located or p.truth.contact is not None]
    return {
        "touching or stacked taken as apart": rate([p.taken_as_apart for p in touching]),
        "called touching above 2 mm": rate([_called(p) for p in wide]),
        "taken as apart above 2 mm": rate([p.taken_as_apart for p in wide]),
        "throws read right, accepted or not": rate([p.is_right for p in throws]),
        "throws accepted": rate([p.accepted for p in throws]),
        "throws that lie apart accepted": rate(
            [p.accepted for p in throws if p.truth.contact == "apart"]
        ),
        "accepted readings that are right": rate([p.is_right for p in known]),
        "other pictures accepted": rate([p.accepted for p in pictures if not p.is_throw]),
    }


def _speed(pictures: Sequence[PictureRecord]) -> dict[str, float]:
    if not pictures:
        return {}
    times = [p.milliseconds for p in pictures]
    return {
        "median ms a picture": round(float(np.median(times)), 1),
        "95 % of pictures within ms": round(float(np.percentile(times, 95)), 1),
    }
