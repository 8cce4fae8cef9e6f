"""What a throw does to the thrower: an `Outcome` is a landing, its effect and its points."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.errors import ScoringError


class Effect(StrEnum):
    """What happens next.

    `score`: the points join the running turn. `lose_turn`: the turn's points are lost and the
    turn passes. `lose_all`: the whole score is lost too. `eliminate`: the thrower is out of the
    game. `rethrow`: nothing counted, the same player throws again.
    """

    SCORE = "score"
    LOSE_TURN = "lose_turn"
    LOSE_ALL = "lose_all"
    ELIMINATE = "eliminate"
    RETHROW = "rethrow"


class Landing(StrEnum):
    """The name of what was thrown, as people at the table say it.

    One pig in a scoring pose beside a pig on its side carries the pose's own name.
    """

    SIDER = "sider"
    RAZORBACK = "razorback"
    TROTTER = "trotter"
    SNOUTER = "snouter"
    LEANING_JOWLER = "leaning_jowler"
    DOUBLE_RAZORBACK = "double_razorback"
    DOUBLE_TROTTER = "double_trotter"
    DOUBLE_SNOUTER = "double_snouter"
    DOUBLE_LEANING_JOWLER = "double_leaning_jowler"
    MIXED_COMBO = "mixed_combo"
    PIG_OUT = "pig_out"
    OINKER = "oinker"
    PIGGYBACK = "piggyback"
    DICE = "dice"
    DOUBLES = "doubles"
    LOSING_FACE = "losing_face"
    SNAKE_EYES = "snake_eyes"
    OFF_TABLE = "off_table"
    LEANING = "leaning"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a throw is worth under the rules of a game; `points` is 0 unless the effect scores."""

    landing: Landing
    effect: Effect
    points: int = 0

    def __post_init__(self) -> None:
        scores = self.effect is Effect.SCORE
        if (self.points > 0) != scores:
            raise ScoringError(
                f"points go with a throw that scores, got {self.points} for {self.effect}"
            )
