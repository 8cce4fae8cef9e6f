"""`sooee games`: the games of the store, and everything that can be done to one without a page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vision.commands._games import (
    chosen_language,
    database_option,
    echo_json,
    game_data,
    game_line,
    json_option,
    language_option,
    rules_of,
    standing_line,
    target_of,
)

if TYPE_CHECKING:
    from scoring.commands import Command
    from scoring.state import GameState

_LATER = click.option(
    "--later",
    type=click.Choice(["kept", "dealt_anew"]),
    help="Whether later throws stay with who threw them, or are dealt out again in order.",
)


@click.group(invoke_without_command=True)
@click.option(
    "--limit",
    type=click.IntRange(1, 1_000_000),
    default=20,
    show_default=True,
    help="How many games to list.",
)
@database_option
@json_option
@click.pass_context
def command(ctx: click.Context, *, limit: int, database: str | None, as_json: bool) -> None:
    """List the games, the newest first; the commands below do something to one.

    A GAME is the beginning of its name, or latest. A throw is written as `trotter snouter`,
    `dot_up trotter touching`, `3 4` (dice), `off_table`, `leaning` or `late`.

    \b
    Example:
      sooee games
      sooee games new --players Anna,Bo --target 50
      sooee games correct latest 7 "snouter dot_up"
      sooee games export latest --format csv > evening.csv
    """  # noqa: D301
    ctx.obj = database
    if ctx.invoked_subcommand is not None:
        return
    from scoring.store import Store

    with Store(database) as store:
        for info in store.games(limit=limit):
            state = store.state(info.id)
            if as_json:
                echo_json(game_data(info.id, state, info.created_at))
            else:
                click.echo(game_line(info.id, state, info.created_at))


@command.command()
@click.option("--players", required=True, help="Names with commas, in the order of turns.")
@click.option("--rules", default="classic", show_default=True, help="A game or a rule file.")
@click.option("--target", help="Points that win, or endless; the game's own by default.")
@click.option("--option", "options", multiple=True, help="A rule option, as game_end=on_bank.")
@json_option
@click.pass_obj
def new(
    database: str | None,
    *,
    players: str,
    rules: str,
    target: str | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Start a game, and print its name."""
    from scoring.ledger import Ledger
    from scoring.rules import RulesError
    from scoring.store import Store

    chosen = rules_of(rules, target)
    for option in options:
        name, equals, value = option.partition("=")
        if not equals:
            raise RulesError(f"an option is written name=value, got {option!r}")
        chosen = chosen.with_options(**{name: _value(name, value)})
    with Store(database) as store:
        game = Ledger.start(store, chosen, players.split(","))
        _tell(game.game_id, game.state, as_json=as_json, text=game.game_id)


@command.command()
@click.argument("game")
@json_option
@language_option
@click.pass_obj
def show(database: str | None, *, game: str, as_json: bool, language: str | None) -> None:
    """Print the score sheet of a game; with --json also every throw and its number."""
    from scoring.notation import format_throw
    from scoring.scoresheet import score_sheet
    from scoring.store import Store

    with Store(database) as store:
        name = store.find(game)
        records = store.records(name)
        state = store.state(name)
    if not as_json:
        when = records[0].at[:16].replace("T", " ")
        click.echo(score_sheet(state, chosen_language(language), when), nl=False)
        return
    throws = [
        {
            "id": e.id,
            "player": e.player,
            "throw": format_throw(e.throw),
            "outcome": None if e.outcome is None else e.outcome.landing,
            "points": None if e.outcome is None else e.outcome.points,
            "counted": e.counted,
        }
        for e in state.history
        if e.throw is not None
    ]
    echo_json(game_data(name, state, records[0].at) | {"throws": throws})


@command.command()
@click.argument("game")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["json", "csv", "sheet"]),
    default="json",
    show_default=True,
    help="JSON and CSV hold the whole game and can be imported; a sheet is for reading.",
)
@click.option("--out", type=click.Path(path_type=Path), help="A file; standard output by default.")
@language_option
@click.pass_obj
def export(
    database: str | None, *, game: str, kind: str, out: Path | None, language: str | None
) -> None:
    """Write a game as JSON, CSV or a score sheet."""
    from scoring.errors import StoreError
    from scoring.exchange import to_csv, to_json
    from scoring.scoresheet import score_sheet
    from scoring.store import Store

    with Store(database) as store:
        name = store.find(game)
        records = store.records(name)
        state = store.state(name)
    if kind == "json":
        text = to_json(name, records) + "\n"
    elif kind == "csv":
        text = to_csv(records)
    else:
        text = score_sheet(state, chosen_language(language), records[0].at[:10])
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise StoreError(f"cannot write {out}: {error}") from error
    click.echo(f"wrote {out}")


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@click.pass_obj
def import_(database: str | None, *, file: Path, as_json: bool) -> None:
    """Read a game from JSON or CSV that was exported before, as a new game of the store."""
    from scoring.errors import StoreError
    from scoring.exchange import from_text
    from scoring.store import Store

    try:
        with file.open(encoding="utf-8-sig", newline="") as opened:
            text = opened.read()
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"cannot read {file}: {error}") from error
    events = from_text(text)
    with Store(database) as store:
        name = store.create(events)
        _tell(name, store.state(name), as_json=as_json, text=name)


@command.command()
@click.argument("game")
@click.argument("throw")
@json_option
@click.pass_obj
def throw(database: str | None, *, game: str, throw: str, as_json: bool) -> None:
    """Count a throw."""
    from scoring.commands import MakeThrow
    from scoring.notation import parse_throw

    _act(database, game, lambda _: MakeThrow(parse_throw(throw)), as_json=as_json)


@command.command()
@click.argument("game")
@json_option
@click.pass_obj
def bank(database: str | None, *, game: str, as_json: bool) -> None:
    """Write the turn's points down; the turn passes."""
    from scoring.commands import Bank

    _act(database, game, lambda _: Bank(), as_json=as_json)


@command.command()
@click.argument("game")
@click.argument("player")
@click.argument("what")
@json_option
@click.pass_obj
def call(database: str | None, *, game: str, player: str, what: str, as_json: bool) -> None:
    """Call the next throw for PLAYER: two poses, or points."""
    from scoring.commands import CallHog
    from scoring.notation import parse_call

    _act(
        database,
        game,
        lambda state: CallHog(state.seat(player), parse_call(what)),
        as_json=as_json,
    )


@command.command()
@click.argument("game")
@json_option
@click.pass_obj
def stop(database: str | None, *, game: str, as_json: bool) -> None:
    """Call it a day: the highest score on the pad wins."""
    from scoring.commands import Stop

    _act(database, game, lambda _: Stop(), as_json=as_json)


@command.command()
@click.argument("game")
@click.argument("number", type=int)
@click.argument("throw")
@_LATER
@json_option
@click.pass_obj
def correct(
    database: str | None, *, game: str, number: int, throw: str, later: str | None, as_json: bool
) -> None:
    """Say what throw NUMBER really was; `show --json` lists the numbers."""
    from scoring.commands import CorrectThrow
    from scoring.notation import parse_throw

    _act(
        database,
        game,
        lambda _: CorrectThrow(number, parse_throw(throw), **_later(later)),
        as_json=as_json,
    )


@command.command()
@click.argument("game")
@click.argument("number", type=int)
@_LATER
@json_option
@click.pass_obj
def remove(
    database: str | None, *, game: str, number: int, later: str | None, as_json: bool
) -> None:
    """Say that the throw, bank or call NUMBER never happened."""
    from scoring.commands import Remove

    _act(database, game, lambda _: Remove(number, **_later(later)), as_json=as_json)


@command.command()
@click.argument("game")
@click.option("--steps", default=1, show_default=True, help="How many to take back.")
@json_option
@click.pass_obj
def undo(database: str | None, *, game: str, steps: int, as_json: bool) -> None:
    """Take back what was done last."""
    from scoring.commands import Undo

    _act(database, game, lambda _: Undo(steps), as_json=as_json)


@command.command()
@click.argument("game")
@click.option("--steps", default=1, show_default=True, help="How many to do again.")
@json_option
@click.pass_obj
def redo(database: str | None, *, game: str, steps: int, as_json: bool) -> None:
    """Do again what was taken back last."""
    from scoring.commands import Redo

    _act(database, game, lambda _: Redo(steps), as_json=as_json)


def _act(
    database: str | None, game: str, command_of: Callable[[GameState], Command], *, as_json: bool
) -> None:
    from scoring.ledger import Ledger
    from scoring.store import Store

    with Store(database) as store:
        ledger = Ledger(store, store.find(game))
        state = ledger.act(command_of(ledger.state))
        _tell(ledger.game_id, state, as_json=as_json, text=standing_line(state))


def _tell(name: str, state: GameState, *, as_json: bool, text: str) -> None:
    if as_json:
        echo_json(game_data(name, state))
    else:
        click.echo(text)


def _later(later: str | None) -> dict[str, Any]:
    from scoring.events import Later

    return {} if later is None else {"later": Later(later)}


def _value(name: str, text: str) -> object:
    """Return the value of a rule option as the rules take it; most are words."""
    if name == "target":
        return target_of(text)
    if name != "touching_chance":
        return text
    try:
        return float(text)
    except ValueError:
        return text  # the rules say what was expected
