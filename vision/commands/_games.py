"""What the commands about games share: options, and a game as data and in lines."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from scoring.rules import Rules
    from scoring.state import GameState

_F = TypeVar("_F", bound=Callable[..., Any])
_MOST_DIGITS = 100  # Python refuses to read numbers of thousands of digits


def database_option(function: _F) -> _F:
    """Add `--database`."""
    option = click.option(
        "--database", help="Where games are kept: a file or a PostgreSQL URL; or SOOEE_DATABASE."
    )
    return option(function)


def json_option(function: _F) -> _F:
    """Add `--json`."""
    option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line.")
    return option(function)


def language_option(function: _F) -> _F:
    """Add `--language`."""
    option = click.option(
        "--language",
        type=click.Choice(["en", "da"]),
        default=None,
        help="Language of the sentences; the system's by default.",
    )
    return option(function)


def odds_option(function: _F) -> _F:
    """Add `--odds`."""
    option = click.option(
        "--odds",
        default="kern",
        show_default=True,
        help="How pigs land: kern (real pigs, which may touch), kastegris, or a TOML file.",
    )
    return option(function)


def chosen_language(language: str | None) -> str:
    """Return the language asked for, or the system's: Danish or English."""
    if language is not None:
        return language
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    first = next((name for name in names if name), "")
    return "da" if first.lower().startswith("da") else "en"


def rules_of(name: str, target: str | None) -> Rules:
    """Return the rules of a game by name or file, with another target if one is given."""
    from scoring.rulefile import load_rules

    return load_rules(name) if target is None else load_rules(name, target=target_of(target))


def target_of(text: str) -> int | None:
    """Return the target that was typed, None for an endless game; how high it may be, rules say."""
    from scoring.rulefile import ENDLESS
    from scoring.rules import RulesError

    if text == ENDLESS:
        return None
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise RulesError(f"a target is a whole number above 0 or {ENDLESS}, got {text!r}")
    return int(text)


def echo_json(data: object) -> None:
    """Print one JSON object on a line of its own."""
    click.echo(json.dumps(data, ensure_ascii=False))


def game_data(game_id: str, state: GameState, created_at: str | None = None) -> dict[str, Any]:
    """Return a game as plain data."""
    from scoring.rulefile import ENDLESS

    last = state.last_throw
    return {
        "game": game_id,
        **({} if created_at is None else {"created_at": created_at}),
        "rules": state.rules.variant,
        "target": state.rules.target or ENDLESS,
        "players": [
            {"name": p.name, "score": p.score, "eliminated": p.eliminated} for p in state.players
        ],
        "active": state.active,
        "turn_points": state.turn_points,
        "last_throw": None if last is None else last.id,
        "over": state.over,
        "ending": state.ending,
        "winners": list(state.winners),
        "seq": state.seq,
    }


def game_line(game_id: str, state: GameState, created_at: str) -> str:
    """Return a game in one line: name, when, rules, scores, who won or is up."""
    from scoring.rulefile import ENDLESS

    pads = ", ".join(f"{p.name} {p.score}{' (out)' if p.eliminated else ''}" for p in state.players)
    if state.over:
        names = " and ".join(state.players[i].name for i in state.winners)
        how = f"won by {names}" if names else "won by nobody"
    else:
        how = f"{state.players[state.up].name}'s turn"
    when = created_at[:16].replace("T", " ")
    target = state.rules.target or ENDLESS
    return f"{game_id[:8]}  {when}  {state.rules.variant} to {target}  {pads}  {how}"


def standing_line(state: GameState) -> str:
    """Return the scores and the running turn in one line."""
    pads = ", ".join(f"{p.name} {p.score}" for p in state.players)
    if state.over:
        names = " and ".join(state.players[i].name for i in state.winners) or "nobody"
        return f"{pads}. Over: won by {names}."
    return f"{pads}. {state.players[state.up].name}'s turn: {state.turn_points}."
