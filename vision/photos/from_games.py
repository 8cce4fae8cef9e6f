"""Throws that players put right, or settled when asked, become labelled photographs.

The table keeps each throw in a folder `GAME/NUMBER`: the picture that was read (`still.jpg`) and
what is known of it (`throw.json`). Players say what a throw was, two poses in no order; which
pig is which follows from what the model saw.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.errors import PictureError
from vision.photos import arrivals
from vision.photos.labels import LabelError, Labels, PigLabel, Source
from vision.photos.photo_set import PhotoSet, PhotoSetError
from vision.photos.proposal import Proposal
from vision.recognize.reading import (
    POSE_CLASSES,
    ContactEvidence,
    PigDetection,
    ReadingError,
)

TABLE = "the table"
"""Who stands by labels that players gave."""

CLIENT = "from-games"
_CLEAR = 4.0
"""A pairing of poses and pigs must be so many times likelier than the other to be believed."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of looking through games.

    `labelled` new photographs with labels, `doubtful` ones that want a look (which pig is which
    is not sure), `unlabelled` ones nobody said anything about, `known` ones that were here.
    """

    labelled: int
    doubtful: int
    unlabelled: int
    known: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptThrow:
    """One kept throw: its picture, the model's proposal, and what players said, or None."""

    picture: Path
    key: str
    source: str
    proposal: Proposal
    said: Mapping[str, Any] | None


def take(photos: PhotoSet, evidence: Path, *, everything: bool = False) -> Taken:
    """Take kept throws into a set: those that players spoke of, or with `everything` all.

    A throw that is here already is left as it is, also when its labels were changed since.
    """
    if not evidence.is_dir():
        raise PhotoSetError(f"{evidence}: no such folder; games keep their throws there")
    counts = {"labelled": 0, "doubtful": 0, "unlabelled": 0, "known": 0}
    problems: list[str] = []
    for facts in sorted(evidence.glob("*/*/throw.json")):
        try:
            kept = read_throw(facts)
            if kept.said is None and not everything:
                continue
            counts[_add(photos, kept)] += 1
        except (OSError, ValueError, KeyError, TypeError, PictureError) as error:
            key = facts.parent.relative_to(evidence).as_posix()
            problems.append(f"{key}: {error}")
    return Taken(**counts, problems=tuple(problems))


def read_throw(facts: Path) -> KeptThrow:
    """Read one kept throw; raises `ValueError`, `KeyError` or `TypeError` for what is none."""
    data = json.loads(facts.read_text(encoding="utf-8"))
    if data.get("version") != 1:
        raise ValueError(f"kept by another sooee (version {data.get('version')})")
    reading = data["reading"]
    pigs = tuple(
        PigDetection(tuple(p["box"]), float(p["confidence"]), _all_poses(p["probabilities"]))
        for p in reading["pigs"]
    )
    contact = reading["contact"]
    models = dict(data.get("models") or {})
    name = " ".join(f"{role}-{str(sha)[:8]}" for role, sha in sorted(models.items()))
    return KeptThrow(
        picture=facts.with_name("still.jpg"),
        key="/".join(facts.parts[-3:-1]),
        source=str(data.get("source", "")),
        proposal=Proposal(
            name or "unknown",
            pigs,
            contact and ContactEvidence(contact["probabilities"], contact["gap_mm"]),
        ),
        said=data.get("corrected"),
    )


def _all_poses(probabilities: Mapping[str, float]) -> dict[str, float]:
    if set(probabilities) != set(POSE_CLASSES):
        raise ReadingError(f"probabilities of {', '.join(probabilities)}")
    return {p: float(probabilities[p]) for p in POSE_CLASSES}


def _add(photos: PhotoSet, kept: KeptThrow) -> str:
    game = kept.key.partition("/")[0]
    photo, new = arrivals.add(
        photos,
        kept.picture.read_bytes(),
        f"{kept.key.replace('/', '-')}.jpg",
        session=f"game {game}",
        camera=kept.source,
        origin=f"throw {kept.key}, read by {kept.proposal.model}",
    )
    if not new:
        return "known"
    photos.propose(photo.id, kept.proposal)
    labels = None if kept.said is None else said_labels(kept.proposal, kept.said)
    if labels is None:
        return "unlabelled"
    photos.save(photo.id, labels, revision=photo.revision, client=CLIENT, who=TABLE)
    return "labelled" if labels.reviewed else "doubtful"


def said_labels(proposal: Proposal, said: Mapping[str, Any]) -> Labels | None:
    """Give the labels that players' words mean, None where they are of no two pigs.

    The two poses go to the two pigs in the way that the model finds likelier; where both ways
    are about as likely the labels are left for a person to look at.
    """
    poses = said.get("poses")
    if not isinstance(poses, list) or len(poses) != 2 or len(proposal.pigs) != 2:
        return None
    if not set(poses) <= set(POSE_CLASSES):
        raise LabelError(f"poses {poses!r}")
    straight, crossed = (_chance(proposal.pigs, order) for order in (poses, poses[::-1]))
    order = poses if straight >= crossed else poses[::-1]
    clear = poses[0] == poses[1] or max(straight, crossed) >= _CLEAR * min(straight, crossed)
    pigs = tuple(
        PigLabel(pig.box, pose, Source.MODEL if pig.pose == pose else Source.CORRECTION)
        for pig, pose in zip(proposal.pigs, order, strict=True)
    )
    return Labels.from_json(
        Labels(pigs).to_json()
        | {"contact": said.get("contact"), "reviewed": clear, "reviewed_by": TABLE if clear else ""}
    )


def _chance(pigs: tuple[PigDetection, ...], poses: list[str]) -> float:
    return pigs[0].probabilities[poses[0]] * pigs[1].probabilities[poses[1]]
