"""What is said about stopping: rules of thumb, called that, beside the exact advice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scoring.rules import PigPoints
from scoring.state import GameState

BANK_AT = 23
AHEAD = range(15, 21)
CLOSE = 10


@dataclass(frozen=True, slots=True)
class Thumb:
    """One rule of thumb that has something to say here: its name, what it says, in words."""

    name: str
    banks: bool
    text: tuple[tuple[str, str], ...]

    def in_language(self, language: str) -> str:
        """Return the rule in a language; English where that is missing."""
        texts = dict(self.text)
        return texts.get(language, texts["en"])


_RULES: tuple[tuple[str, str, str, Callable[[GameState], bool | None]], ...] = (
    (
        "bank_at_23",
        f"Stop and bank with {BANK_AT} points or more in the turn.",
        f"Stop og bank pointene, når du har {BANK_AT} rundepoint eller flere.",
        lambda s: s.turn_points >= BANK_AT,
    ),
    (
        "bank_early_when_ahead",
        "Ahead, with 15 to 20 points in the turn: there is no reason to throw again.",
        "Har du 15 til 20 point i en tur og fører, er der ingen grund til at kaste igen.",
        lambda s: True if _lead(s) > 0 and s.turn_points in AHEAD else None,
    ),
    (
        "throw_on_when_behind",
        "Behind, collecting a few points at a time does not help: take more risk.",
        "Er du bagud, hjælper det ikke at samle få point ad gangen: tag større chancer.",
        lambda s: False if _lead(s) <= -30 and s.turn_points < BANK_AT else None,
    ),
    (
        "near_the_end_one_throw_at_a_time",
        "With fewer than ten points to go: throw, check, bank.",
        "Mangler du under ti point, så kast, tjek, bank.",
        lambda s: True if _missing(s) < CLOSE else None,
    ),
)


def thumbs(state: GameState) -> tuple[Thumb, ...]:
    """Return the rules of thumb that speak to the running turn; none before its first throw.

    They come from advice on pigs; for dice there are none.
    """
    if not state.can_bank or not isinstance(state.rules.points, PigPoints):
        return ()
    spoken = ((name, en, da, says(state)) for name, en, da, says in _RULES)
    return tuple(
        Thumb(name, banks, (("en", en), ("da", da)))
        for name, en, da, banks in spoken
        if banks is not None
    )


def _lead(state: GameState) -> int:
    """Return how far the pad is ahead of the best other player's; 0 for one who plays alone."""
    others = [state.players[i].score for i in state.standing if i != state.up]
    return state.players[state.up].score - max(others) if others else 0


def _missing(state: GameState) -> int:
    target = state.rules.target
    return CLOSE if target is None else target - state.players[state.up].score
