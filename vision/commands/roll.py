"""`sooee roll`: virtual pigs and dice, for a table without any."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vision.commands._games import (
    chosen_language,
    database_option,
    echo_json,
    json_option,
    language_option,
    odds_option,
    standing_line,
)

if TYPE_CHECKING:
    from random import Random

    from scoring.rules import Rules
    from scoring.throw import AnyThrow


@click.command()
@click.option("--rules", default="kastegris", show_default=True, help="A game or a rule file.")
@odds_option
@click.option("--count", default=1, show_default=True, type=click.IntRange(1, 1_000_000))
@click.option("--seed", type=int, help="The same seed gives the same throws.")
@click.option("--into", help="Count the throws in a game of the store: its name, or latest.")
@database_option
@json_option
@language_option
def command(
    *,
    rules: str,
    odds: str,
    count: int,
    seed: int | None,
    into: str | None,
    database: str | None,
    as_json: bool,
    language: str | None,
) -> None:
    """Throw virtual pigs, or dice where the game is one of dice.

    Pigs land by the odds given, each by itself. Those of kastegris never touch, unless the game
    sets a chance for it.

    \b
    Example:
      sooee roll
      sooee roll --count 3 --seed 7 --odds kastegris
      sooee roll --rules two-dice --json
      sooee roll --into latest
    """  # noqa: D301
    from itertools import islice
    from random import Random

    from scoring.odds import load_odds
    from scoring.rulefile import load_rules
    from scoring.virtual import draws

    generator = Random(seed)  # noqa: S311  # a game, no secret
    if into is not None:
        _into(into, database, odds, generator, count, as_json=as_json, language=language)
        return
    chosen = load_rules(rules)
    for throw in islice(draws(load_odds(odds, chosen), generator), count):
        _tell(throw, chosen, as_json=as_json, language=chosen_language(language))


def _into(
    game: str,
    database: str | None,
    odds: str,
    generator: Random,
    count: int,
    *,
    as_json: bool,
    language: str | None,
) -> None:
    from itertools import islice

    from scoring.commands import MakeThrow
    from scoring.events import Source
    from scoring.ledger import Ledger
    from scoring.odds import load_odds
    from scoring.store import Store
    from scoring.virtual import draws

    with Store(database) as store:
        ledger = Ledger(store, store.find(game))
        rules = ledger.state.rules
        for throw in islice(draws(load_odds(odds, rules), generator), count):
            ledger.act(MakeThrow(throw, Source.VIRTUAL))
            _tell(throw, rules, as_json=as_json, language=chosen_language(language))
        if not as_json:
            click.echo(standing_line(ledger.state))


def _tell(throw: AnyThrow, rules: Rules, *, as_json: bool, language: str) -> None:
    from scoring.codec import throw_to_data
    from scoring.notation import format_throw
    from scoring.outcome import judge
    from scoring.words import word

    outcome = judge(throw, rules)
    if as_json:
        echo_json(
            throw_to_data(throw)
            | {"outcome": outcome.landing, "effect": outcome.effect, "points": outcome.points}
        )
        return
    name = word(outcome.landing, language)
    click.echo(f"{format_throw(throw)}: {name}, {outcome.points}")
