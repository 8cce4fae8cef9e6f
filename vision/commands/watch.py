"""`sooee watch`: a table watched without a page, each throw logged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from scoring.ledger import Ledger
    from scoring.rules import Rules
    from scoring.store import Store
    from vision.capture.area import Area
    from vision.table.evidence import Evidence

_T = TypeVar("_T")

DEMO = "demo"
DEMO_BANK_AT = 20


@click.command()
@click.argument("source")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--players", help="Names of the players, with commas; two players by default.")
@click.option("--rules", default="classic", show_default=True, help="A game or a rule file.")
@click.option("--target", help="Points that win, or endless; the game's own by default.")
@click.option("--game", help="Go on with a game of the store: its name's beginning, or latest.")
@click.option("--database", help="Where games are kept: a file or a PostgreSQL URL.")
@click.option(
    "--bank-at",
    type=click.IntRange(min=1),
    help="Bank a turn by itself as soon as it has so many points; in the demo 20.",
)
@click.option(
    "--bank-by-hand", is_flag=True, help="An open hand held still over the table banks the turn."
)
@click.option(
    "--contact",
    type=click.Choice(["ask", "automatic"]),
    default="ask",
    show_default=True,
    help="Ask about pigs that may touch, or take what is likeliest.",
)
@click.option(
    "--evidence/--no-evidence",
    default=None,
    help="Keep pictures and a replay of each throw; by default of cameras, not of files.",
)
@click.option(
    "--models",
    type=click.Path(path_type=Path),
    help="A folder of models other than the shipped ones.",
)
@click.option(
    "--profile",
    default="active",
    show_default=True,
    help="A profile of `sooee teach`: its name, active, or none.",
)
def command(
    *,
    source: str,
    as_json: bool,
    players: str | None,
    rules: str,
    target: str | None,
    game: str | None,
    database: str | None,
    bank_at: int | None,
    bank_by_hand: bool,
    contact: str,
    evidence: bool | None,
    models: Path | None,
    profile: str,
) -> None:
    """Watch a table through SOURCE, and log each throw once.

    SOURCE is a camera's number, a video file, a picture or a folder of pictures, an address
    (rtsp://, http://), or demo: the clip that comes with the program.

    A throw that cannot be read for sure is told as a question and not counted. Turns end as the
    rules say; with --bank-at they also end at so many points.

    \b
    Example:
      sooee watch demo
      sooee watch 0 --players Anna,Bo --rules kastegris --target 50
      sooee watch evening.mp4 --json > throws.jsonl
    """  # noqa: D301
    from scoring.rules import RulesError
    from scoring.store import Store
    from vision.capture.supervise import watched
    from vision.commands._games import rules_of
    from vision.recognize.decide import Policy
    from vision.recognize.profile import load_taught
    from vision.table.live import follow
    from vision.table.reader import of_camera
    from vision.table.referee import Referee
    from vision.table.session import play_through
    from vision.table.telling import JsonTeller, WordTeller
    from vision.table.watch import TableWatch

    if game and (players is not None or target):
        raise click.UsageError("--game goes on with a game as it is: leave out --players, --target")
    chosen = rules_of(rules, target)
    if chosen.uses_dice:
        raise RulesError(f"{chosen.variant} is thrown with dice; the camera reads pigs")
    teller = JsonTeller(_line) if as_json else WordTeller(_line)
    with watched(source) as frames:
        policy = Policy(contact_automatic=contact == "automatic")
        recognizer, _ = load_taught(models, policy, profile)
        shown = _begun(frames)
        with Store(database) as store:
            ledger = _ledger(store, game, chosen, players)
            if bank_at is None and source == DEMO:
                bank_at = DEMO_BANK_AT
            area = _area(source) if frames.live else None
            watch = TableWatch(armed=not frames.live, area=area, bank_by_hand=bank_by_hand)
            keeper = (
                _keeper(ledger, models) if (evidence is None and frames.live) or evidence else None
            )
            teller.begin(ledger.game_id, ledger.state)
            try:
                events = follow(shown, of_camera(recognizer), watch, keeper, area)
                play_through(events, Referee(ledger, bank_at=bank_at), teller, keeper)
            except KeyboardInterrupt:
                pass  # the way to stop watching a camera
            finally:
                teller.end(ledger.state)
                if keeper is not None:
                    keeper.close()


def _begun(frames: Iterable[_T]) -> Iterator[_T]:
    """Wait for the first frame, so that a source that gives none begins no game."""
    rest = iter(frames)
    return chain(list(islice(rest, 1)), rest)


def _ledger(store: Store, game: str | None, rules: Rules, players: str | None) -> Ledger:
    from scoring.ledger import Ledger

    if game:
        return Ledger(store, store.find(game))
    names = ["Player 1", "Player 2"] if players is None else players.split(",")
    return Ledger.start(store, rules, names)


def _area(source: str) -> Area | None:
    from vision.capture.calibrate import Calibrations, source_key

    known = Calibrations().get(source_key(source))
    return None if known is None else known.area


def _keeper(ledger: Ledger, models: Path | None) -> Evidence:
    from vision.recognize.manifest import load_manifest
    from vision.table.evidence import Evidence, default_folder

    hashes = {str(m.role): m.sha256 for m in load_manifest(models).models}
    keeper = Evidence(default_folder(), models=hashes)
    ledger.subscribe(keeper.hear)
    return keeper


def _line(text: str) -> None:
    click.echo(text)
