"""What one or two dice are worth in a game of Pig."""

from __future__ import annotations

from scoring.effects import Effect, Landing, Outcome
from scoring.rules import DicePoints
from scoring.throw import DiceThrow


def judge_dice(throw: DiceThrow, points: DicePoints) -> Outcome:
    """Return what the faces are worth; the number of dice must be the game's own."""
    faces = throw.faces
    losing = faces.count(points.losing_face)
    if len(faces) == 2 and losing == 2:
        value = points.double_losing
        if isinstance(value, Effect):
            return Outcome(Landing.SNAKE_EYES, value)
        return Outcome(Landing.SNAKE_EYES, Effect.SCORE, value)
    if losing:
        return Outcome(Landing.LOSING_FACE, Effect.LOSE_TURN)
    if len(faces) == 2 and faces[0] == faces[1]:
        return Outcome(Landing.DOUBLES, Effect.SCORE, points.doubles * sum(faces))
    return Outcome(Landing.DICE, Effect.SCORE, sum(faces))
