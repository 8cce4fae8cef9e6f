"""The reason for an advice in one sentence, in English and Danish."""

from __future__ import annotations

from dataclasses import dataclass

NEARLY_EQUAL = 0.001  # win chances closer than this make no difference worth a word
DANGER = 0.25  # a rival this likely to win with the next turn is a reason of its own


@dataclass(frozen=True, slots=True)
class Facts:
    """What the sentence speaks of; chances from 0 to 1, None where they are not known.

    `worth_it` is the number of turn points up to which a throw brings more than it risks.
    `rival_reaches` is the chance that the strongest other player wins with the next turn,
    throwing without a stop; 1 where that player has the target already.
    """

    banks: bool
    throw: float | None
    bank: float | None
    exact: bool
    started: bool
    turn_points: int
    wins_now: bool
    score_chance: float
    mean_points: float
    worth_it: float
    rival: str | None
    rival_reaches: float


def sentence(facts: Facts, language: str = "en") -> str:
    """Return what to do and why; Danish for `da`, English for everything else."""
    words = _DANISH if language == "da" else _ENGLISH
    number = _danish_number if language == "da" else _english_number
    values = {
        "turn": str(facts.turn_points),
        "score": number(100 * facts.score_chance, 0),
        "mean": number(facts.mean_points, 1),
        "rival": facts.rival or "",
        "danger": number(100 * facts.rival_reaches, 0),
        "throw": number(100 * (facts.throw or 0.0), 1),
        "bank": number(100 * (facts.bank or 0.0), 1),
    }
    if not facts.started:
        return words["first"].format(**values)
    if facts.wins_now:
        return words["wins"].format(**values)
    key = "bank" if facts.banks else "throw"
    text = words[f"{key}_{_reason(facts)}"].format(**values)
    if facts.throw is None or facts.bank is None:
        return words[f"{key}_by_turn"].format(text=text, **values)
    if facts.exact and abs(facts.throw - facts.bank) < NEARLY_EQUAL:
        return words["equal"].format(**values)
    return words[f"{key}_{'exact' if facts.exact else 'duel'}"].format(text=text, **values)


def _reason(facts: Facts) -> str:
    if facts.throw is None or facts.banks:
        return "points"
    if facts.rival_reaches >= 1.0:
        return "last"
    if facts.rival_reaches >= DANGER:
        return "danger"
    return "points" if facts.turn_points <= facts.worth_it else "behind"


def _english_number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}"


def _danish_number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace(".", ",")


_ENGLISH = {
    "first": "Throw: a turn starts with a throw.",
    "wins": "Bank: that wins the game.",
    "equal": "Throw or bank, it makes no difference: both win {throw} % of games.",
    "throw_points": "a throw scores {score} % of the time and risks only {turn} points",
    "throw_last": "{rival} has the target and this is the last turn",
    "throw_behind": "the {turn} points of the turn are too few to win with",
    "throw_danger": "{rival} wins with the next turn {danger} % of the time",
    "bank_points": "the {turn} points of the turn are worth more than what a throw brings",
    "throw_exact": (
        "Throw again: that wins {throw} % of games and banking {bank} %, because {text}."
    ),
    "bank_exact": (
        "Bank: that wins {bank} % of games and throwing again {throw} %, because {text}."
    ),
    "throw_duel": (
        "Throw again, as a rule of thumb: against {rival} alone it would win {throw} % of games "
        "and banking {bank} %, because {text}."
    ),
    "bank_duel": (
        "Bank, as a rule of thumb: against {rival} alone it would win {bank} % of games "
        "and throwing again {throw} %, because {text}."
    ),
    "throw_by_turn": (
        "Throw again, as a rule of thumb: {text}, and brings {mean} points on average."
    ),
    "bank_by_turn": "Bank, as a rule of thumb: {text}, {mean} on average.",
}
_DANISH = {
    "first": "Kast: en tur begynder med et kast.",
    "wins": "Bank: så har du vundet.",
    "equal": "Kast eller bank, det er lige godt: begge dele vinder {throw} % af spillene.",
    "throw_points": "et kast giver point {score} % af gangene og sætter kun {turn} point på spil",
    "throw_last": "{rival} har nået målet, og det her er den sidste tur",
    "throw_behind": "rundens {turn} point er for få til at vinde med",
    "throw_danger": "{rival} vinder i sin næste tur {danger} % af gangene",
    "bank_points": "rundens {turn} point er mere værd end det, et kast giver",
    "throw_exact": (
        "Kast igen: det vinder {throw} % af spillene og at banke {bank} %, fordi {text}."
    ),
    "bank_exact": (
        "Bank: det vinder {bank} % af spillene og at kaste igen {throw} %, fordi {text}."
    ),
    "throw_duel": (
        "Kast igen, som tommelfingerregel: mod {rival} alene ville det vinde {throw} % af "
        "spillene og at banke {bank} %, fordi {text}."
    ),
    "bank_duel": (
        "Bank, som tommelfingerregel: mod {rival} alene ville det vinde {bank} % af "
        "spillene og at kaste igen {throw} %, fordi {text}."
    ),
    "throw_by_turn": (
        "Kast igen, som tommelfingerregel: {text}, og giver {mean} point i gennemsnit."
    ),
    "bank_by_turn": "Bank, som tommelfingerregel: {text}, {mean} i gennemsnit.",
}
