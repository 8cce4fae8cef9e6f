"""What to ask a person about a reading: do they touch, or which of the likeliest throws it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from scoring.outcome import judge
from scoring.rules import Rules
from scoring.throw import Contact, Pose, Throw
from vision.recognize.reading import OTHER, Reading
from vision.web.views import OutcomeView, outcome_view
from vision.web.wire import Pigs

LEAST_OPTIONS, MOST_OPTIONS = 2, 3
# A contact that is less likely than this is no answer worth a button of its own.
_LEAST = 0.02


class QuestionKind(StrEnum):
    """What is doubtful: whether they touch, how a pig lies, or whether it is a throw at all."""

    CONTACT = "contact"
    POSE = "pose"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer: a throw, its chance from 0 to 1 as the camera sees it, and its worth."""

    throw: Pigs
    probability: float
    outcome: OutcomeView


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is asked about a reading, and the answers to offer, the likeliest first."""

    kind: QuestionKind
    options: tuple[Option, ...]


def doubt(reading: Reading, rules: Rules) -> Doubt:
    """Return the question that a reading puts; no options when it does not show two pigs."""
    chances = _chances(reading)
    if not chances:
        return Doubt(QuestionKind.UNCLEAR, ())
    if any(p.pose == OTHER for p in reading.pigs):
        kind = QuestionKind.UNCLEAR
    else:
        kind = QuestionKind.CONTACT if _contact_is_it(reading) else QuestionKind.POSE
    if kind is QuestionKind.CONTACT:
        poses = max(chances, key=chances.__getitem__).poses
        throws = [Throw(poses, contact) for contact in Contact]
        throws = [t for t in throws if _worth_offering(t, chances)]
    else:
        throws = sorted(chances, key=chances.__getitem__, reverse=True)
        throws = [t for t in throws if t.contact is Contact.APART][:MOST_OPTIONS]
        throws = [t for i, t in enumerate(throws) if i < LEAST_OPTIONS or chances[t] >= _LEAST]
    if kind is QuestionKind.CONTACT and reading.contact is not None:
        # How the pigs lie is not in doubt: the chances are those of the contact alone.
        touch = reading.contact.probabilities
        return Doubt(kind, tuple(_option(t, touch[t.contact], rules) for t in throws))
    return Doubt(kind, tuple(_option(t, chances[t], rules) for t in throws))


def _worth_offering(throw: Throw, chances: dict[Throw, float]) -> bool:
    return throw.contact is not Contact.STACKED or chances.get(throw, 0.0) >= _LEAST


def _contact_is_it(reading: Reading) -> bool:
    """Tell whether the contact is less sure than the poses."""
    if reading.contact is None:
        return False
    apart = reading.contact.probabilities[Contact.APART]
    return apart < min(p.probability for p in reading.pigs)


def _chances(reading: Reading) -> dict[Throw, float]:
    """Return the chance of every throw; pigs and contact are independent, as real pigs are."""
    if reading.contact is None:
        return {}
    first, second = (p.probabilities for p in reading.pigs)
    touch = reading.contact.probabilities
    chances: dict[Throw, float] = {}
    for a, b, contact in product(Pose, Pose, Contact):
        throw = Throw((a, b), contact)
        chances[throw] = chances.get(throw, 0.0) + first[a] * second[b] * touch[contact]
    return chances


def _option(throw: Throw, chance: float, rules: Rules) -> Option:
    body = Pigs(poses=throw.poses, contact=throw.contact)
    return Option(body, round(chance, 4), outcome_view(judge(throw, rules)))
