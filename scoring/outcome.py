"""`judge`: what a throw is worth under the rules of a game."""

from __future__ import annotations

from scoring.dice import judge_dice
from scoring.effects import Effect, Landing, Outcome
from scoring.rules import DicePoints, MishapPolicy, PiggybackPolicy, PigPoints, Rules
from scoring.throw import AnyThrow, Contact, DiceThrow, Mishap, MishapKind, Pose, Throw, ThrowError

_PIGGYBACK = {
    PiggybackPolicy.ELIMINATE: Effect.ELIMINATE,
    PiggybackPolicy.OINKER: Effect.LOSE_ALL,
    PiggybackPolicy.RETHROW: Effect.RETHROW,
}
_MISHAP = {
    MishapPolicy.RETHROW: Effect.RETHROW,
    MishapPolicy.PIG_OUT: Effect.LOSE_TURN,
    MishapPolicy.OINKER: Effect.LOSE_ALL,
}
_DOUBLES = {
    Pose.RAZORBACK: Landing.DOUBLE_RAZORBACK,
    Pose.TROTTER: Landing.DOUBLE_TROTTER,
    Pose.SNOUTER: Landing.DOUBLE_SNOUTER,
    Pose.LEANING_JOWLER: Landing.DOUBLE_LEANING_JOWLER,
}


def judge(throw: AnyThrow, rules: Rules) -> Outcome:
    """Return landing, effect and points of a throw.

    How the pigs touch goes before how they lie. `ThrowError` when the throw is of another game:
    pigs where dice are thrown, or another number of dice.
    """
    if isinstance(throw, Mishap):
        return _judge_mishap(throw, rules)
    if isinstance(throw, DiceThrow):
        if not isinstance(rules.points, DicePoints):
            raise ThrowError(f"{rules.variant} is thrown with two pigs, got dice")
        if len(throw.faces) != rules.points.dice:
            raise ThrowError(
                f"{rules.variant} is thrown with {rules.points.dice} dice, got {len(throw.faces)}"
            )
        return judge_dice(throw, rules.points)
    if not isinstance(rules.points, PigPoints):
        raise ThrowError(f"{rules.variant} is thrown with dice, got pigs")
    if throw.contact is Contact.STACKED:
        return Outcome(Landing.PIGGYBACK, _PIGGYBACK[rules.piggyback])
    if throw.contact is Contact.TOUCHING:
        return Outcome(Landing.OINKER, Effect.LOSE_ALL)
    return _judge_poses(throw, rules.points)


def pose_points(pose: Pose, points: PigPoints) -> int:
    """Return what one pig gives by itself; 0 on its side."""
    return 0 if pose.is_side else int(getattr(points, pose))


def _judge_mishap(throw: Mishap, rules: Rules) -> Outcome:
    """Only a throw of both pigs together counts, so a late one is always thrown again."""
    policy = {
        MishapKind.OFF_TABLE: rules.off_table,
        MishapKind.LEANING: rules.leaning,
        MishapKind.LATE: MishapPolicy.RETHROW,
    }[throw.kind]
    return Outcome(Landing(throw.kind), _MISHAP[policy])


def _judge_poses(throw: Throw, points: PigPoints) -> Outcome:
    first, second = throw.poses  # sorted, sides first
    if second.is_side:
        if first is second:
            return Outcome(Landing.SIDER, Effect.SCORE, points.sider)
        return Outcome(Landing.PIG_OUT, Effect.LOSE_TURN)
    value = pose_points(second, points)
    if first is second:
        return Outcome(_DOUBLES[first], Effect.SCORE, points.double * value)
    if first.is_side:
        return Outcome(Landing(second), Effect.SCORE, value)
    return Outcome(Landing.MIXED_COMBO, Effect.SCORE, value + pose_points(first, points))
