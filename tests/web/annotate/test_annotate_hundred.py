"""A hundred pictures annotated through the page: no label lost or shifted, one key when right."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scoring.throw import Contact
from vision.photos import arrivals
from vision.photos.labels import Labels, PigLabel
from vision.photos.photo_set import PhotoSet
from vision.photos.proposal import Proposal
from vision.recognize.reading import POSE_CLASSES

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Task:
    """What is to be done on one picture: its truth, and what is wrong with the proposal."""

    photo_id: int
    truth: Labels
    wrong: str


def a_truth(rng: random.Random) -> Labels:
    pigs = []
    for left in (20, 340):
        x, y = left + rng.uniform(0, 180), rng.uniform(20, 380)
        box = (x, y, x + rng.uniform(40, 90), y + rng.uniform(40, 75))
        pigs.append(PigLabel(box, rng.choice(POSE_CLASSES)))
    return Labels(tuple(pigs), rng.choice(list(Contact)))


def a_proposal(truth: Labels, wrong: str, propose: Callable[..., Proposal]) -> Proposal:
    seen = [(p.box, p.pose or "") for p in truth.pigs]
    if wrong == "pose":
        seen[1] = (seen[1][0], POSE_CLASSES[(POSE_CLASSES.index(seen[1][1]) + 1) % 7])
    if wrong == "box":
        x0, y0, x1, y1 = seen[0][0]
        seen[0] = ((x0 + 12, y0 + 3, x1 + 12, y1 + 3), seen[0][1])
    if wrong == "missing":
        return propose(seen[:1], None)
    return propose(seen, truth.contact)


def put_right(desk: Any, task: Task) -> int:
    """Do what a person would; gives the keys pressed."""
    second = task.truth.pigs[1]
    digit = str(POSE_CLASSES.index(second.pose or "") + 1)
    keys: list[str] = []
    if task.wrong == "pose":
        keys = ["e", digit]
    if task.wrong == "box":
        keys = ["Shift+ArrowLeft", "ArrowLeft", "ArrowLeft", *["ArrowUp"] * 3]
    if task.wrong == "missing" and task.truth.contact is not None:
        desk.drag(second.box[:2], second.box[2:])
        keys = [digit, task.truth.contact.value[0]]
    desk.press(*keys, "r")
    return len(keys) + 1


@pytest.mark.slow
def test_no_label_is_lost_or_shifted(
    tmp_path: Path,
    table_picture: Callable[..., bytes],
    propose: Callable[..., Proposal],
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
) -> None:
    rng = random.Random(3)
    tasks: list[Task] = []
    with PhotoSet.open(tmp_path) as photos:
        for n in range(100):
            truth = a_truth(rng)
            data = table_picture(n, [p.box for p in truth.pigs])
            photo = arrivals.add(photos, data, f"r{n:03}.png")[0]
            wrong = {0: "pose", 1: "box", 2: "missing"}.get(n % 10, "")
            photos.propose(photo.id, a_proposal(truth, wrong, propose))
            tasks.append(Task(photo.id, truth, wrong))
    desk = open_page(serve(tmp_path).url)
    screen_px = 1 / desk.scale
    keys: Counter[int] = Counter()
    for task in tasks:
        desk.at(task.photo_id)
        keys[task.photo_id] = put_right(desk, task)
    desk.saved()
    with PhotoSet.open(tmp_path) as photos:
        for task in tasks:
            labels = photos.photo(task.photo_id).labels
            assert labels is not None, task
            assert labels.confirmed, task
            assert labels.reviewed_by == "Ada"
            assert labels.contact == task.truth.contact, task
            assert [p.pose for p in labels.pigs] == [p.pose for p in task.truth.pigs], task
            for n, (pig, true) in enumerate(zip(labels.pigs, task.truth.pigs, strict=True)):
                # A mouse goes by whole screen pixels.
                drawn = task.wrong == "missing" and n == 1
                assert pig.box == pytest.approx(true.box, abs=screen_px if drawn else 0.5), task
    right = sorted(keys[t.photo_id] for t in tasks if not t.wrong)
    assert right[len(right) // 2] <= 1
