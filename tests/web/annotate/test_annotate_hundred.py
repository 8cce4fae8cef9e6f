"""A hundred frozen renders annotated through the page: none lost or shifted, one key when right.

The model proposes; faults are planted in some of its proposals, and it makes its own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from scoring.throw import Contact
from vision.artefacts import artefact_dir
from vision.learn.evaluate_sets import TruePicture, load_set
from vision.photos import arrivals
from vision.photos.labels import Labels, PigLabel, overlap
from vision.photos.photo_set import PhotoSet
from vision.photos.proposal import SAME_PIG, Proposal
from vision.photos.proposer import frame_of, load_recognizer
from vision.recognize.reading import POSE_CLASSES

log = logging.getLogger(__name__)

Box = tuple[float, float, float, float]
COUNT = 100
SHIFT = (12, 3)


@dataclass(frozen=True)
class Task:
    """One picture: what is proposed, and what is to be on the disk in the end.

    The first `kept` of `goal` are proposed pigs, the others must be drawn. `extra` are the
    places of proposed pigs that are none. `shifted`: the first box was moved by `SHIFT`.
    """

    photo_id: int
    proposed: Labels
    goal: Labels
    kept: int
    extra: tuple[int, ...]
    shifted: bool

    @property
    def correct(self) -> bool:
        """Whether nothing is to be done but to accept."""
        return self.proposed.pigs == self.goal.pigs and self.proposed.contact == self.goal.contact


def planted(proposal: Proposal, fault: str) -> Proposal:
    """Spoil a proposal."""
    if not proposal.pigs:
        return proposal
    first, *others = proposal.pigs
    if fault == "pose":
        chances = [first.probabilities[p] for p in POSE_CLASSES]
        turned = dict(zip(POSE_CLASSES, [chances[-1], *chances[:-1]], strict=True))
        first = replace(first, probabilities=turned)
    if fault == "box":
        first = replace(first, box=moved(first.box, *SHIFT))
    if fault == "missing":
        return replace(proposal, pigs=tuple(others), contact=None)
    return replace(proposal, pigs=(first, *others))


def moved(box: Box, dx: float, dy: float) -> Box:
    return box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy


def make_task(photo_id: int, truth: TruePicture, proposal: Proposal, *, shifted: bool) -> Task:
    proposed = proposal.labels()
    left = list(truth.pigs)
    pigs: list[PigLabel] = []
    extra: list[int] = []
    for number, pig in enumerate(proposed.pigs):
        box = moved(pig.box, -SHIFT[0], -SHIFT[1]) if shifted and number == 0 else pig.box
        same = max(left, key=lambda p: overlap(p.box, box), default=None)
        if same is None or overlap(same.box, box) < SAME_PIG:
            extra.append(number)
            continue
        left.remove(same)
        pigs.append(replace(pig, box=box, pose=same.pose))
    drawn = [PigLabel(p.box, p.pose) for p in left]
    assert truth.contact is not None
    goal = Labels((*pigs, *drawn), Contact(truth.contact))
    return Task(photo_id, proposed, goal, len(pigs), tuple(extra), shifted)


class Hands:
    """Counts the keys that a person presses, and knows which pig is selected."""

    def __init__(self, desk: Any) -> None:
        self.desk = desk
        self.keys = 0

    def press(self, *keys: str) -> None:
        self.desk.press(*keys)
        self.keys += len(keys)

    def select(self, place: int, pigs: int, selected: int) -> int:
        self.press(*["e"] * ((place - selected) % pigs))
        return place

    def draw(self, box: Box) -> None:
        """Draw a box, also over another."""
        self.desk.page.keyboard.down("Shift")
        self.desk.drag(box[:2], box[2:])
        self.desk.page.keyboard.up("Shift")

    def put_right(self, task: Task) -> None:
        """Do what is to be done on the picture in view, and accept it."""
        pigs = list(task.proposed.pigs)
        selected = 0
        for place in reversed(task.extra):
            self.select(place, len(pigs), selected)
            self.press("Delete")
            del pigs[place]
            selected = min(place, len(pigs) - 1)
        for place, (pig, goal) in enumerate(zip(pigs, task.goal.pigs, strict=False)):
            if pig.box != goal.box:
                selected = self.select(place, len(pigs), selected)
                self.press("Shift+ArrowLeft", "ArrowLeft", "ArrowLeft", *["ArrowUp"] * 3)
            if pig.pose != goal.pose:
                selected = self.select(place, len(pigs), selected)
                self.press(digit(goal))
        for goal in task.goal.pigs[task.kept :]:
            self.draw(goal.box)
            self.press(digit(goal))
        said = task.proposed.contact if len(task.proposed.pigs) == task.kept == 2 else None
        if task.goal.contact is not None and task.goal.contact != said:
            self.press(task.goal.contact.value[0])
        self.press("r")


def digit(pig: PigLabel) -> str:
    assert pig.pose is not None
    return str(POSE_CLASSES.index(pig.pose) + 1)


def make_tasks(folder: Path, pictures: Sequence[TruePicture]) -> list[Task]:
    recognizer, model = load_recognizer()
    tasks = []
    with PhotoSet.open(folder) as photos:
        for n, picture in enumerate(pictures):
            photo, _ = arrivals.add(photos, picture.path.read_bytes(), picture.path.name)
            fault = {0: "pose", 1: "box", 2: "missing"}.get(n % 10, "")
            reading = recognizer.read([frame_of(photos, photo)])
            proposal = planted(Proposal.of(reading, model), fault)
            photos.propose(photo.id, proposal)
            shifted = fault == "box" and bool(proposal.pigs)
            tasks.append(make_task(photo.id, picture, proposal, shifted=shifted))
    return tasks


@pytest.mark.slow
def test_no_label_is_lost_or_shifted(
    tmp_path: Path, serve: Callable[..., Any], open_page: Callable[..., Any]
) -> None:
    frozen = load_set(artefact_dir("datasets") / "frames").pictures
    tasks = make_tasks(tmp_path, frozen[:: len(frozen) // COUNT][:COUNT])
    desk = open_page(serve(tmp_path).url)
    screen_px = 1 / desk.scale
    keys = {}
    for task in tasks:
        desk.at(task.photo_id)
        hands = Hands(desk)
        hands.put_right(task)
        keys[task.photo_id] = hands.keys
    desk.saved()
    with PhotoSet.open(tmp_path) as photos:
        for task in tasks:
            labels = photos.photo(task.photo_id).labels
            assert labels is not None, task
            assert labels.confirmed, task
            assert labels.reviewed_by == "Ada"
            assert labels.contact == task.goal.contact, task
            assert [p.pose for p in labels.pigs] == [p.pose for p in task.goal.pigs], task
            for n, (pig, goal) in enumerate(zip(labels.pigs, task.goal.pigs, strict=True)):
                # A mouse goes by whole screen pixels, a label by hundredths of one.
                off = 0.5 if n < task.kept else screen_px + 0.01
                assert pig.box == pytest.approx(goal.box, abs=off), task
    assert len(tasks) == COUNT
    right = [keys[t.photo_id] for t in tasks if t.correct]
    log.info("%d proposals correct; keys a picture: %s", len(right), sorted(keys.values()))
    assert len(right) >= COUNT // 4, "too few to say how many keys a correct one takes"
    assert median(right) <= 1
