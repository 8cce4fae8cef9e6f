"""`sooee advise`: throw again or bank, the win chance of each, and why."""

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
    rules_of,
)

if TYPE_CHECKING:
    from scoring.state import GameState


@click.command()
@click.argument("game", required=False)
@click.option("--own", type=click.IntRange(min=0), help="Points on the pad of who throws.")
@click.option("--other", type=click.IntRange(min=0), help="Points on the other player's pad.")
@click.option("--turn", type=click.IntRange(min=0), help="Points of the running turn.")
@click.option("--second", is_flag=True, help="Who throws is the second one of a round.")
@click.option("--rules", default="classic", show_default=True, help="A game or a rule file.")
@click.option("--target", help="Points that win, or endless; the game's own by default.")
@odds_option
@database_option
@json_option
@language_option
def command(
    *,
    game: str | None,
    own: int | None,
    other: int | None,
    turn: int | None,
    second: bool,
    rules: str,
    target: str | None,
    odds: str,
    database: str | None,
    as_json: bool,
    language: str | None,
) -> None:
    """Advise who is up in a GAME of the store, or a player with the points given.

    For two players the advice is exact; the first question about new rules takes some seconds.
    For more it is a rule of thumb, and says so.

    \b
    Example:
      sooee advise latest
      sooee advise --own 41 --other 49 --turn 22 --rules pig
      sooee advise --own 80 --other 60 --turn 12 --language da --json
    """  # noqa: D301
    from scoring.store import Store
    from scoring.strategy.advice import advise

    if (game is None) == (own is None and other is None and turn is None):
        raise click.UsageError("give either a GAME, or --own, --other and --turn")
    if game is None:
        state = _position(rules, target, own or 0, other or 0, turn or 0, second=second)
    else:
        with Store(database) as store:
            state = store.state(store.find(game))
    advice = advise(state, odds)
    spoken = chosen_language(language)
    if as_json:
        echo_json(
            {
                "advice": "bank" if advice.banks else "throw",
                "throw": advice.throw,
                "bank": advice.bank,
                "basis": advice.basis,
                "calls_ignored": advice.calls_ignored,
                "residual": advice.residual,
                "sentence": advice.sentence(spoken),
                "thumbs": [
                    {"name": t.name, "bank": t.banks, "text": t.in_language(spoken)}
                    for t in advice.thumbs
                ],
            }
        )
        return
    click.echo(advice.sentence(spoken))
    for thumb in advice.thumbs:
        label = "Tommelfingerregel" if spoken == "da" else "Rule of thumb"
        click.echo(f"  {label}: {thumb.in_language(spoken)}")


def _position(
    rules: str, target: str | None, own: int, other: int, turn: int, *, second: bool
) -> GameState:
    """Return a game of two in which the first named is up."""
    from scoring.state import GameState, Player

    chosen = rules_of(rules, target)
    if chosen.target is not None and max(own, other) >= chosen.target:
        raise click.UsageError(f"with a target of {chosen.target}, pads are below it")
    me, them = Player("I", own), Player("The other", other)
    players = (them, me) if second else (me, them)
    return GameState(chosen, players, up=int(second), turn_points=turn, turn_throws=int(turn > 0))
