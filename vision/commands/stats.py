"""`sooee stats`: what happened in one game or in all of them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from vision.commands._games import (
    chosen_language,
    database_option,
    echo_json,
    json_option,
    language_option,
    odds_option,
)

if TYPE_CHECKING:
    from scoring.landings import Landings
    from scoring.state import GameState
    from scoring.statistics import PlayerStatistics, Statistics
    from scoring.strategy.decisions import DecisionTally


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--decisions", is_flag=True, help="Hold decisions against the best ones; slower.")
@odds_option
@database_option
@json_option
@language_option
def command(
    *,
    games: tuple[str, ...],
    decisions: bool,
    odds: str,
    database: str | None,
    as_json: bool,
    language: str | None,
) -> None:
    """Count throws, landings, turns and luck, over all games or those named.

    \b
    Example:
      sooee stats
      sooee stats latest --decisions
      sooee stats --json
    """  # noqa: D301
    from scoring.statistics import statistics
    from scoring.store import Store

    with Store(database) as store:
        names = [store.find(g) for g in games] or [g.id for g in store.games()]
        states = [store.state(name) for name in names]
    found = statistics(states, odds)
    tallies = _tallies(states, odds) if decisions else {}
    if as_json:
        echo_json(_data(found, tallies))
        return
    for line in _lines(found, tallies, chosen_language(language)):
        click.echo(line)


def _tallies(states: list[GameState], odds: str) -> dict[str, DecisionTally]:
    """Sum each player's decisions up, by name without letter case."""
    from scoring.names import name_key
    from scoring.strategy.decisions import Decision, decisions, tally

    made: dict[str, list[Decision]] = {}
    for state in states:
        for decision in decisions(state, odds):
            name = name_key(state.players[decision.player].name)
            made.setdefault(name, []).append(decision)
    return {name: tally(known) for name, known in made.items()}


def _data(found: Statistics, tallies: dict[str, DecisionTally]) -> dict[str, Any]:
    from scoring.names import name_key

    data = asdict(found)
    for player in data["players"]:
        known = tallies.get(name_key(player["name"]))
        player["decisions"] = None if known is None else asdict(known)
    return data


def _lines(found: Statistics, tallies: dict[str, DecisionTally], language: str) -> list[str]:
    from scoring.names import name_key
    from scoring.words import word

    lines = [f"{found.games} games, {found.finished} finished, {found.throws} throws"]
    if found.virtual:
        lines[0] += f", {found.virtual} of them virtual"
    lines += [f"  {word(landing, language)}: {count}" for landing, count in found.outcomes]
    lines += _landing_lines(found.landings, language)
    for player in found.players:
        lines += _player_lines(player, tallies.get(name_key(player.name)))
    return lines


def _landing_lines(found: Landings, language: str) -> list[str]:
    from scoring.words import word

    if not found.pigs:
        return []
    lines = ["", f"{found.pigs} real pigs (share, 95 % interval; Kern, Kastegris)"]
    for share in found.shares:
        published = ", ".join(f"{100 * p:.1f}" for _, p in share.references)
        lines.append(
            f"  {word(share.pose, language)}: {share.count}  {100 * share.share:.1f} % "
            f"({100 * share.low:.1f} to {100 * share.high:.1f}; {published})"
        )
    for fit in found.fits:
        if fit.p_value is None or not fit.enough:
            lines.append(f"  {fit.reference}: {fit.pigs} pigs are too few for a test of fit")
        else:
            lines.append(
                f"  {fit.reference}: chi-square {fit.statistic:.1f} with {fit.freedom} degrees, "
                f"p = {fit.p_value:.3f}, on {fit.pigs} pigs"
            )
    return lines


def _player_lines(player: PlayerStatistics, made: DecisionTally | None) -> list[str]:
    lines = [
        "",
        f"{player.name}: {player.games} games, {player.wins} won",
        (
            f"  {player.turns} turns, {player.average_turn:.1f} points on average, best "
            f"{player.best_turn}"
        ),
        f"  {player.pig_outs} pig outs, {player.oinkers} oinkers, {player.piggybacks} piggybacks",
        f"  luck {player.luck:+.1f} points",
    ]
    if made is not None:
        lines.append(
            f"  {made.best} of {made.decisions} decisions were best; the others gave away "
            f"{100 * made.cost:.1f} points of win chance in all"
        )
    return lines
