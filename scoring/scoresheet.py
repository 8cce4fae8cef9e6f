"""The pad as people write it: a readable score sheet in plain text."""

from __future__ import annotations

from scoring.rulefile import load_variant, variant_names
from scoring.state import GameState
from scoring.story import TurnEnd, TurnRecord, turns
from scoring.words import word

_TEXT = {
    "en": {
        "round": "Round",
        "target": "to {target}",
        "endless": "endless",
        "won": "Won: {names} ({how})",
        "shared": "Shared: {names} ({how})",
        "nobody": "Nobody won ({how})",
        "up": "{name}'s turn, {points} points so far",
        "call": "Hog Call",
    },
    "da": {
        "round": "Runde",
        "target": "til {target}",
        "endless": "uendelig",
        "won": "Vinder: {names} ({how})",
        "shared": "Delt sejr: {names} ({how})",
        "nobody": "Ingen vandt ({how})",
        "up": "{name} har turen, {points} point indtil nu",
        "call": "Hog Call",
    },
}
_SIGNS = {
    TurnEnd.PIG_OUT: "-",
    TurnEnd.OINKER: "0!",
    TurnEnd.PIGGYBACK: "†",
    TurnEnd.OPEN: "…",
    TurnEnd.STOPPED: "·",
}


def score_sheet(state: GameState, language: str = "en", when: str = "") -> str:
    """Return the sheet: a column a player, a row a round, each turn and the pad after it."""
    text = _TEXT["da" if language == "da" else "en"]
    rows = _rows(state)
    table = [[text["round"], *(p.name for p in state.players)]]
    table += [[str(n), *row] for n, row in enumerate(rows, start=1)]
    table.append(["=", *(str(p.score) for p in state.players)])
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = [_heading(state, language, when), ""]
    for number, row in enumerate(table):
        lines.append("  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)).rstrip())
        if number in (0, len(table) - 2):
            lines.append("  ".join("-" * w for w in widths))
    lines += ["", _footer(state, language), *_legend(state, language)]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def _rows(state: GameState) -> list[list[str]]:
    """Return a row a round; a round begins when the turn comes round to an earlier seat."""
    rows: list[list[str]] = []
    last = len(state.players)
    for record in turns(state):
        if record.player <= last:
            rows.append([""] * len(state.players))
        rows[-1][record.player] = _cell(record)
        last = record.player
    return rows


def _cell(record: TurnRecord) -> str:
    pad = record.pads[record.player]
    sign = _SIGNS.get(record.end)
    if record.end is TurnEnd.OPEN:
        return f"({record.points}){sign}"
    return f"{sign} {pad}" if sign else f"+{record.points} {pad}"


def _heading(state: GameState, language: str, when: str) -> str:
    rules = state.rules
    text = _TEXT["da" if language == "da" else "en"]
    known = rules.variant in variant_names()
    title = load_variant(rules.variant).title_in(language) if known else rules.variant
    target = text["target"].format(target=rules.target) if rules.target else text["endless"]
    return ", ".join(part for part in (title, target, when) if part)


def _footer(state: GameState, language: str) -> str:
    text = _TEXT["da" if language == "da" else "en"]
    if state.ending is None:
        return text["up"].format(name=state.players[state.up].name, points=state.turn_points)
    names = ", ".join(state.players[i].name for i in state.winners)
    key = ("nobody", "won", "shared")[min(len(state.winners), 2)]
    return text[key].format(names=names, how=word(state.ending, language))


def _legend(state: GameState, language: str) -> list[str]:
    used = {record.end for record in turns(state)}
    signs = [f"{sign} {word(end, language)}" for end, sign in _SIGNS.items() if end in used]
    return [", ".join(signs)] if signs else []
