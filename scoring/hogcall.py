"""What a player shouts after "Sooee!": a landing or a number of points, and whether it came."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

from scoring.effects import Effect
from scoring.errors import CallError
from scoring.outcome import judge
from scoring.rules import Rules
from scoring.throw import AnyThrow, Pose, Throw


@dataclass(frozen=True, slots=True)
class Call:
    """A guess at the next throw: two poses, or the points it will give; exactly one of them.

    Which side a pig lies on is not part of a call: `dot_up` stands for "on its side". So two
    sides are the call "sider".
    """

    poses: tuple[Pose, Pose] | None = None
    points: int | None = None

    def __post_init__(self) -> None:
        if (self.poses is None) == (self.points is None):
            raise CallError("a call names either two poses or a number of points")
        if self.points is not None and (type(self.points) is not int or self.points < 1):
            raise CallError(f"a call names at least 1 point, got {self.points!r}")
        if self.poses is not None:
            throw = Throw(self.poses)
            if throw.poses == (Pose.DOT_UP, Pose.DOT_DOWN):
                raise CallError("Pig Out, Oinker and Piggyback may not be called")
            object.__setattr__(self, "poses", _folded(throw))

    def is_right(self, throw: AnyThrow, rules: Rules) -> bool:
        """Whether the throw is what was called; only a throw that scores can be."""
        outcome = judge(throw, rules)
        if outcome.effect is not Effect.SCORE or not isinstance(throw, Throw):
            return False
        if self.points is not None:
            return self.points == outcome.points
        return self.poses == _folded(throw)


@cache
def callable_points(rules: Rules) -> tuple[int, ...]:
    """Every number of points that one throw of two pigs can give, in rising order."""
    outcomes = (judge(Throw(pair), rules) for pair in combinations_with_replacement(Pose, 2))
    return tuple(sorted({o.points for o in outcomes if o.effect is Effect.SCORE}))


def check_call(call: Call, rules: Rules) -> None:
    """Refuse a number of points that no throw can give."""
    if call.points is not None and call.points not in callable_points(rules):
        possible = ", ".join(map(str, callable_points(rules)))
        raise CallError(f"no throw gives {call.points} points; it can be {possible}")


def _folded(throw: Throw) -> tuple[Pose, Pose]:
    """Forget which side: sides become `dot_up`, which also sorts first."""
    first, second = (Pose.DOT_UP if p.is_side else p for p in throw.poses)
    return (first, second)
