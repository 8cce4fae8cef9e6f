"""How often pigs and dice land how: published tables, and what they mean under given rules."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import fsum, isclose, isfinite
from pathlib import Path
from types import MappingProxyType

from scoring.effects import Effect
from scoring.errors import ScoringError
from scoring.outcome import judge
from scoring.rules import DicePoints, Rules
from scoring.throw import AnyThrow, Contact, DiceThrow, Pose, Throw


class OddsError(ScoringError, ValueError):
    """Frequencies that are not frequencies, or a table that is not there."""


@dataclass(frozen=True, slots=True)
class Odds:
    """Every throw that can come, with its chance; the chances sum to 1."""

    name: str
    throws: tuple[tuple[AnyThrow, float], ...]

    def __post_init__(self) -> None:
        chances = [p for _, p in self.throws]
        if not chances or any(not isfinite(p) or p < 0 for p in chances):
            raise OddsError(f"{self.name}: chances are 0 or more, got {chances}")
        if not isclose(fsum(chances), 1.0, abs_tol=1e-9):
            raise OddsError(f"{self.name}: chances sum to 1, got {fsum(chances)}")


@dataclass(frozen=True, slots=True)
class Chances:
    """What one throw that counts does under given rules: each number of points, each loss.

    Throws that are thrown again are left out; the rest sums to 1.
    """

    points: tuple[tuple[int, float], ...]
    lose_turn: float = 0.0
    lose_all: float = 0.0
    eliminate: float = 0.0

    @property
    def score(self) -> float:
        """The chance that a throw scores."""
        return fsum(p for _, p in self.points)

    @property
    def mean(self) -> float:
        """Points that a throw gives on average, losses counted as 0."""
        return fsum(points * p for points, p in self.points)

    @property
    def bust(self) -> float:
        """The chance that a throw ends the turn, one way or another."""
        return self.lose_turn + self.lose_all + self.eliminate


def chances(odds: Odds, rules: Rules) -> Chances:
    """Return what a throw with these odds does under these rules."""
    points: dict[int, list[float]] = {}
    losses: dict[Effect, list[float]] = {}
    for throw, chance in odds.throws:
        outcome = judge(throw, rules)
        if outcome.effect is Effect.SCORE:
            points.setdefault(outcome.points, []).append(chance)
        else:
            losses.setdefault(outcome.effect, []).append(chance)
    again = fsum(losses.get(Effect.RETHROW, []))
    counting = 1.0 - again
    if counting < 1e-12:
        raise OddsError(f"{odds.name}: every throw would be thrown again")
    return Chances(
        points=tuple((n, fsum(ps) / counting) for n, ps in sorted(points.items()) if fsum(ps)),
        lose_turn=fsum(losses.get(Effect.LOSE_TURN, [])) / counting,
        lose_all=fsum(losses.get(Effect.LOSE_ALL, [])) / counting,
        eliminate=fsum(losses.get(Effect.ELIMINATE, [])) / counting,
    )


def pig_odds(
    name: str,
    frequencies: Mapping[Pose, float],
    *,
    touching: float = 0.0,
    stacked: float = 0.0,
) -> Odds:
    """Return the odds of two pigs that land independently; frequencies need not sum to 1.

    `touching` and `stacked` are the chances that the pigs touch, or one lies on the other,
    whatever their poses.
    """
    values = [_chance(name, frequencies.get(pose, 0.0)) for pose in Pose]
    total = fsum(values)
    if total <= 0.0:
        raise OddsError(f"{name}: at least one pose has a frequency above 0")
    single = dict(zip(Pose, (v / total for v in values), strict=True))
    pairs = [
        (pair, single[pair[0]] * single[pair[1]] * (1 if pair[0] is pair[1] else 2))
        for pair in combinations_with_replacement(Pose, 2)
    ]
    return _with_contact(name, pairs, touching, stacked)


def joint_pig_odds(
    name: str, counts: Sequence[Sequence[float]], *, touching: float = 0.0, stacked: float = 0.0
) -> Odds:
    """Return the odds of two pigs from a table of counts, first pig by second, in pose order."""
    total = fsum(fsum(row) for row in counts)
    pairs = [
        ((first, second), _chance(name, counts[i][j]) / total)
        for (i, first), (j, second) in product(enumerate(Pose), repeat=2)
    ]
    return _with_contact(name, pairs, touching, stacked)


def dice_odds(dice: int) -> Odds:
    """Return the odds of one or two fair dice."""
    faces = range(1, 7)
    each = Fraction(1, 6**dice)
    throws: dict[AnyThrow, Fraction] = {}
    for shown in product(faces, repeat=dice):
        throw = DiceThrow(shown)
        throws[throw] = throws.get(throw, Fraction(0)) + each
    return Odds(f"{dice} dice", tuple((t, float(p)) for t, p in throws.items()))


KASTEGRIS_FREQUENCIES: Mapping[Pose, float] = MappingProxyType(
    {
        Pose.DOT_UP: 0.302,
        Pose.DOT_DOWN: 0.349,
        Pose.RAZORBACK: 0.224,
        Pose.TROTTER: 0.088,
        Pose.SNOUTER: 0.030,
        Pose.LEANING_JOWLER: 0.007,
    }
)
"""The table of the Kastegris app, one pig."""

# Kern, Pig Data and Bayesian Inference on Multinomial Probabilities, Journal of Statistics
# Education 14(3), 2006: 6000 throws of two pigs, 23 of them touching. Rows and columns there:
# dot up, dot down, trotter, razorback, snouter, leaning jowler; here in the order of `Pose`.
KERN_COUNTS: tuple[tuple[int, ...], ...] = (
    (573, 656, 360, 139, 56, 12),
    (623, 731, 449, 185, 58, 17),
    (396, 473, 308, 124, 45, 8),
    (155, 180, 149, 45, 17, 5),
    (54, 67, 47, 13, 2, 1),
    (10, 10, 7, 0, 1, 1),
)
KERN_TOUCHING = 23
KERN_THROWS = 6000

PIG_TABLES = ("kern", "kastegris")


def load_odds(name: str, rules: Rules) -> Odds:
    """Return the odds of a game: a table's name, or the path of a TOML file of frequencies.

    Dice are fair whatever the name. `kern` are real pigs, which touch in 23 of 6000 throws;
    `kastegris` and files are independent pigs, which touch by the rules' `touching_chance`, or
    by `touching` and `stacked` of the file.
    """
    if isinstance(rules.points, DicePoints):
        return dice_odds(rules.points.dice)
    if name == "kern":
        return joint_pig_odds("kern", KERN_COUNTS, touching=KERN_TOUCHING / KERN_THROWS)
    if name == "kastegris":
        return pig_odds(name, KASTEGRIS_FREQUENCIES, touching=rules.touching_chance)
    if not name.endswith(".toml"):
        raise OddsError(
            f"no odds {name!r}; there are {', '.join(PIG_TABLES)}, or a path to a .toml file"
        )
    return _read(Path(name), rules)


def _read(path: Path, rules: Rules) -> Odds:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise OddsError(f"cannot read the odds {path}: {error}") from error
    known = {*Pose, "touching", "stacked"}
    unknown = sorted(set(data) - known)
    if unknown:
        expected = ", ".join([*Pose, "touching", "stacked"])
        raise OddsError(f"{path}: unknown key {', '.join(unknown)}; expected {expected}")
    values = {key: _chance(str(path), value) for key, value in data.items()}
    return pig_odds(
        str(path),
        {pose: values.get(pose, 0.0) for pose in Pose},
        touching=values.get("touching", rules.touching_chance),
        stacked=values.get("stacked", 0.0),
    )


def _with_contact(
    name: str,
    pairs: Iterable[tuple[tuple[Pose, Pose], float]],
    touching: float,
    stacked: float,
) -> Odds:
    chance_of = {Contact.TOUCHING: touching, Contact.STACKED: stacked}
    if min(touching, stacked) < 0.0 or touching + stacked > 1.0:
        raise OddsError(
            f"{name}: chances of contact are 0 or more and 1 or less together, "
            f"got touching {touching} and stacked {stacked}"
        )
    chance_of[Contact.APART] = 1.0 - touching - stacked
    merged: dict[AnyThrow, list[float]] = {}
    for poses, chance in pairs:
        for contact in Contact:
            if chance * chance_of[contact] > 0.0:
                merged.setdefault(Throw(poses, contact), []).append(chance * chance_of[contact])
    return Odds(name, tuple((throw, fsum(ps)) for throw, ps in merged.items()))


def _chance(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        raise OddsError(f"{name}: a frequency is a number from 0 up, got {value!r}")
    return float(value)
