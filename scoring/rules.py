"""The rules of one game: a table of points and the options the players agreed on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from types import MappingProxyType

from scoring.effects import Effect
from scoring.errors import ScoringError

MIN_PLAYERS = 1
MAX_PLAYERS = 12
MAX_POINTS = 1_000_000  # far above any game; keeps scores small enough for every consumer


class RulesError(ScoringError, ValueError):
    """Rules that contradict themselves, or a rule file that cannot be read."""


class GameEnd(StrEnum):
    """When a game with a target ends.

    `on_reach`: the moment score and running turn together reach the target. `on_bank`: when the
    points on the pad reach it. `finish_round`: after the round in which the pad reaches it, so
    that everyone has had the same number of turns; the highest score wins, ties are shared.
    """

    ON_REACH = "on_reach"
    ON_BANK = "on_bank"
    FINISH_ROUND = "finish_round"


class PiggybackPolicy(StrEnum):
    """What one pig on the other costs: out of the game, the whole score, or a new throw."""

    ELIMINATE = "eliminate"
    OINKER = "oinker"
    RETHROW = "rethrow"


class MishapPolicy(StrEnum):
    """What a pig off the table, or leaning on something, costs."""

    RETHROW = "rethrow"
    PIG_OUT = "pig_out"
    OINKER = "oinker"


class HogCallForm(StrEnum):
    """Whether others may call the throw, and in which form; `docs/rules.md` tells them apart."""

    OFF = "off"
    SEED = "seed"
    OFFICIAL = "official"


def _positive(name: str, value: object) -> None:
    if type(value) is not int or not 1 <= value <= MAX_POINTS:
        raise RulesError(f"{name} is a whole number from 1 to {MAX_POINTS}, got {value!r}")


@dataclass(frozen=True, slots=True)
class PigPoints:
    """Points of landings of two pigs.

    `double` multiplies the single value of two pigs in the same scoring pose; `sider` is both
    pigs on the same side together.
    """

    sider: int = 1
    razorback: int = 5
    trotter: int = 5
    snouter: int = 10
    leaning_jowler: int = 15
    double: int = 4

    def __post_init__(self) -> None:
        for f in fields(self):
            _positive(f.name, getattr(self, f.name))


@dataclass(frozen=True, slots=True)
class DicePoints:
    """Points of one or two dice.

    Any single `losing_face` loses the turn; `doubles` multiplies the sum of two equal dice;
    `double_losing` is what two losing faces give: points, or an effect that loses.
    """

    dice: int = 1
    losing_face: int = 1
    doubles: int = 1
    double_losing: int | Effect = Effect.LOSE_TURN

    def __post_init__(self) -> None:
        if type(self.dice) is not int or self.dice not in (1, 2):  # True is 1, and so is 1.0
            raise RulesError(f"dice is 1 or 2, got {self.dice!r}")
        if type(self.losing_face) is not int or not 1 <= self.losing_face <= 6:
            raise RulesError(f"losing_face is a face from 1 to 6, got {self.losing_face!r}")
        _positive("doubles", self.doubles)
        if isinstance(self.double_losing, Effect):
            if self.double_losing not in (Effect.LOSE_TURN, Effect.LOSE_ALL):
                raise RulesError(
                    "double_losing is a number of points, lose_turn or lose_all, "
                    f"got {self.double_losing}"
                )
        else:
            _positive("double_losing", self.double_losing)


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that decides what a throw does in one game.

    `target` is None for an endless game. `touching_chance` is the chance, 0 to below 1, that two
    *virtual* pigs touch; real pigs need no chance.
    """

    variant: str = "classic"
    points: PigPoints | DicePoints = PigPoints()
    target: int | None = 100
    game_end: GameEnd = GameEnd.ON_REACH
    piggyback: PiggybackPolicy = PiggybackPolicy.ELIMINATE
    off_table: MishapPolicy = MishapPolicy.RETHROW
    leaning: MishapPolicy = MishapPolicy.RETHROW
    hog_call: HogCallForm = HogCallForm.OFF
    touching_chance: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.variant, str):
            raise RulesError(f"variant is a name, got {self.variant!r}")
        if not isinstance(self.points, (PigPoints, DicePoints)):
            raise RulesError(f"points are those of pigs or of dice, got {self.points!r}")
        if self.target is not None:
            _positive("target", self.target)
        for name, kind in OPTION_KINDS.items():
            value = getattr(self, name)
            try:
                object.__setattr__(self, name, kind(value))
            except ValueError as error:
                expected = ", ".join(kind)
                raise RulesError(f"{name} is one of {expected}, got {value!r}") from error
        chance = self.touching_chance
        number = isinstance(chance, (int, float)) and not isinstance(chance, bool)
        if not number or not 0.0 <= chance < 1.0:
            raise RulesError(f"touching_chance is a chance from 0 to below 1, got {chance!r}")
        if self.uses_dice and self.hog_call is not HogCallForm.OFF:
            raise RulesError(f"hog_call is off in a game of dice, got {self.hog_call}")

    @property
    def uses_dice(self) -> bool:
        """Whether dice are thrown instead of pigs."""
        return isinstance(self.points, DicePoints)

    def with_options(self, **options: object) -> Rules:
        """Return the same game with some options changed; an unknown option is a `RulesError`."""
        unknown = sorted(set(options) - set(OPTIONS))
        if unknown:
            raise RulesError(f"no option {', '.join(unknown)}; options are {', '.join(OPTIONS)}")
        return replace(self, **options)  # type: ignore[arg-type]


OPTION_KINDS: Mapping[str, type[StrEnum]] = MappingProxyType(
    {
        "game_end": GameEnd,
        "piggyback": PiggybackPolicy,
        "off_table": MishapPolicy,
        "leaning": MishapPolicy,
        "hog_call": HogCallForm,
    }
)
OPTIONS = ("target", *OPTION_KINDS, "touching_chance")
