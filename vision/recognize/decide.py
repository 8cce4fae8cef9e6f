"""Accept a reading where being wrong is unlikely and cheap; ask a person otherwise, and say why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scoring.effects import Effect
from scoring.outcome import judge
from scoring.rules import Rules
from scoring.throw import Contact, Pose, Throw
from vision.recognize.pose import LEAST, calibrate
from vision.recognize.reading import (
    CONTACT_CLASSES,
    OTHER,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
)

NATURAL: Mapping[str, float] = {
    "dot_up": 0.302,
    "dot_down": 0.350,
    "razorback": 0.224,
    "trotter": 0.088,
    "snouter": 0.030,
    "leaning_jowler": 0.006,
}
"""How often real pigs land so (Kern 2006, 11,954 pigs)."""

NO_POSE = 0.03
"""How often a pig that lies still is in no pose of the game: a guess, and a generous one."""

PRIOR_CAP = 1.0
"""The most, in nats, that the natural odds may weigh one pose against another.

Their whole range is 4: enough to talk a model out of a leaning jowler that it plainly sees.
"""

COSTS = {Effect.LOSE_TURN: -10.0, Effect.LOSE_ALL: -50.0, Effect.ELIMINATE: -100.0}
"""What losing a turn, a score or a place is worth in points, in the middle of a game."""

NAMES = {
    "dot_up": "a sider, dot up",
    "dot_down": "a sider, dot down",
    "razorback": "a razorback",
    "trotter": "a trotter",
    "snouter": "a snouter",
    "leaning_jowler": "a leaning jowler",
    OTHER: "in no pose of the game",
}


@dataclass(frozen=True, slots=True)
class Policy:
    """When a reading is accepted without asking.

    `least_probability` that the throw is read right; `most_loss` is the points that a wrong
    reading costs, times its probability; `least_apart` the probability of apart that counts as
    evidence; `least_confidence` the locator's of each pig. With `contact_automatic` touching and
    stacked are accepted too, as the likeliest says, instead of being asked about.
    """

    least_probability: float = 0.90
    most_loss: float = 1.0
    least_apart: float = 0.99
    least_confidence: float = 0.4
    contact_automatic: bool = False


def weigh(log_poses: NDArray[np.float64], cap: float = PRIOR_CAP) -> NDArray[np.float64]:
    """Weigh log-probabilities [N, 7] of a balanced model with the natural odds.

    Between poses they are raised to the power that makes their whole range `cap` nats, so that
    their order counts: a snouter is likelier than a leaning jowler, five to one. That a pig is in
    no pose has its own odds in full: a model that learnt from as many such pigs as of any pose
    doubts many that a blurred or noisy camera shows (docs/decisions/0018-no-pose-is-rare.md).
    """
    return calibrate(log_poses + _odds(cap), 1.0)


def _odds(cap: float) -> NDArray[np.float64]:
    poses = np.log([NATURAL[c] for c in POSE_CLASSES[:-1]])
    softened = poses * cap / np.ptp(poses)
    no_pose = softened.mean() + np.log(len(poses) * NO_POSE / (1 - NO_POSE))
    return np.append(softened, no_pose)  # `OTHER` is the last class


def decide(
    pigs: Sequence[PigDetection],
    contact: ContactEvidence | None,
    policy: Policy,
    agreement: float = 1.0,
) -> tuple[Decision, str]:
    """Accept or ask, with one sentence for a person that says why."""
    doubt = _doubt(pigs, contact, policy, agreement)
    if doubt is not None:
        return Decision.ASK, doubt
    if contact is None or contact.state is Contact.APART:
        return Decision.ACCEPT, "Both pigs are read clearly, with table visible between them."
    return Decision.ACCEPT, f"Both pigs are read clearly; they look {contact.state}."


def _doubt(
    pigs: Sequence[PigDetection],
    contact: ContactEvidence | None,
    policy: Policy,
    agreement: float,
) -> str | None:
    if len(pigs) != 2 or contact is None:
        return _miscount(len(pigs))
    if agreement <= 0.5:
        return "The frames do not agree on how many pigs there are."
    strange = _strange(pigs, policy)
    if strange is not None:
        return strange
    if contact.probabilities[Contact.APART] < policy.least_apart and not policy.contact_automatic:
        return _closeness(contact)
    right, loss = risk(pigs, contact)
    if right < policy.least_probability or loss > policy.most_loss:
        return _either(pigs)
    return None


def _strange(pigs: Sequence[PigDetection], policy: Policy) -> str | None:
    for pig, name in zip(pigs, _places(pigs), strict=True):
        if pig.pose == OTHER:
            return f"{name} leans on something, is partly out of the picture, or is no pig."
        if pig.confidence < policy.least_confidence:
            return f"{name} is hard to make out."
    return None


def _either(pigs: Sequence[PigDetection]) -> str:
    pig, name = min(zip(pigs, _places(pigs), strict=True), key=lambda p: p[0].probability)
    first, second = sorted(pig.probabilities, key=pig.probabilities.__getitem__)[:-3:-1]
    return (
        f"{name} is {NAMES[first]} ({pig.probabilities[first]:.0%}) "
        f"or {NAMES[second]} ({pig.probabilities[second]:.0%})."
    )


def risk(pigs: Sequence[PigDetection], contact: ContactEvidence) -> tuple[float, float]:
    """Give the probability that the likeliest throw is right, and the points expected to be lost.

    The two pigs and their contact are taken as independent, as real pigs are (Kern: p = 0.29).
    """
    first, second = (np.array([p.probabilities[c] for c in POSE_CLASSES]) for p in pigs)
    touch = np.array([contact.probabilities[c] for c in CONTACT_CLASSES])
    chance = first[:, None, None] * second[None, :, None] * touch[None, None, :]
    at = np.unravel_index(int(chance.argmax()), chance.shape)
    # Two pigs alike but for their order are the same throw.
    right = chance[at] + (chance[at[1], at[0], at[2]] if at[0] != at[1] else 0.0)
    worth = _worth()
    return float(right), float((chance * np.abs(worth - worth[at])).sum())


@cache
def _worth() -> NDArray[np.float64]:
    """Give what each throw is worth in points, [7, 7, 3]; one with an `other` is thrown again."""
    rules = Rules()
    worth = np.zeros((len(POSE_CLASSES), len(POSE_CLASSES), len(CONTACT_CLASSES)))
    for i, first in enumerate(Pose):
        for j, second in enumerate(Pose):
            for k, contact in enumerate(Contact):
                outcome = judge(Throw((first, second), contact), rules)
                worth[i, j, k] = outcome.points + COSTS.get(outcome.effect, 0.0)
    return worth


def _miscount(count: int) -> str:
    if count == 0:
        return "No pig is in sight."
    if count == 1:
        return "Only one pig is in sight; the other may be hidden, or off the table."
    return f"{count} things look like pigs; two were expected."


def _closeness(contact: ContactEvidence) -> str:
    if contact.state is Contact.STACKED:
        return "One pig may lie on the other."
    if not contact.gap_mm:
        return "No table is visible between the pigs: they may touch."
    return f"The pigs are very close ({contact.gap_mm:.1f} mm): they may touch."


def _places(pigs: Sequence[PigDetection]) -> tuple[str, str]:
    """Name the two pigs by where they are in the picture."""
    (ax, ay), (bx, by) = (((p.box[0] + p.box[2]) / 2, (p.box[1] + p.box[3]) / 2) for p in pigs)
    if abs(ax - bx) >= abs(ay - by):
        names = ("The pig on the left", "The pig on the right")
        return names if ax <= bx else names[::-1]
    names = ("The upper pig", "The lower pig")
    return names if ay <= by else names[::-1]


def probabilities(log_poses: NDArray[np.float64]) -> dict[str, float]:
    """Name the probabilities of one pig over `POSE_CLASSES`, from their logarithms [7]."""
    values = np.exp(log_poses).clip(LEAST)
    return dict(zip(POSE_CLASSES, (values / values.sum()).tolist(), strict=True))
