"""What a user lays, one after the other, when teaching: every pose, turned each round."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.throw import Contact, Pose
from vision.errors import VisionError

ROUNDS = 6
"""Two pigs a shot: six rounds are twelve pigs a pose."""

TOUCHING_ROUND = 3
"""In this round, counted from 0, the pigs are to touch."""


class PlanError(VisionError):
    """A step that is not in the plan."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to lay: both pigs in `pose` (None: any way), with this contact.

    `turn_deg` is by how much they should be turned from the first round's way.
    """

    round: int
    pose: Pose | None
    contact: Contact
    turn_deg: int

    @property
    def session(self) -> str:
        """What is held out together when the lesson is judged."""
        return f"round {self.round + 1}"


def plan(rounds: int = ROUNDS) -> tuple[Step, ...]:
    """Give every step: the six poses each round, and one pig on the other at the end."""
    if rounds < 2:
        raise PlanError("two rounds are the least: one is held out while the other teaches")
    steps = [
        Step(
            number,
            pose,
            Contact.TOUCHING if number == TOUCHING_ROUND else Contact.APART,
            number * 360 // rounds,
        )
        for number in range(rounds)
        for pose in Pose
    ]
    return (*steps, Step(rounds - 1, None, Contact.STACKED, 0))
