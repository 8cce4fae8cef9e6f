"""`sooee annotate`: the page on which photographs are labelled."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vision.photos.photo_set import PhotoSet


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; 0.0.0.0 lets tablets and phones in, with a code.",
)
@click.option(
    "--port",
    default=8766,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on; 0 takes a free one.",
)
@click.option("--browser/--no-browser", default=True, help="Open the page in the browser.")
@click.option("--model/--no-model", default=True, help="Let the model propose labels.")
@click.option("--who", default=None, help="What the reviewer is called; by default the login.")
def command(
    folder: Path, host: str, port: int, *, browser: bool, model: bool, who: str | None
) -> None:
    """Label the photographs in FOLDER, in the browser.

    Pictures already there are taken in; more may be dropped on the page, videos too. Everything
    is saved at once, in one file in the folder. End with Ctrl+C.

    \b
    Example:
      sooee annotate my-pigs
    """  # noqa: D301
    from vision.photos.photo_set import PhotoSet
    from vision.web.annotate_server import Served, listen, serve

    with PhotoSet.open(folder) as photos:
        _take_in(photos)
        serve(
            photos,
            listen(host, port),
            Served(model=model, browser=browser, who=_login() if who is None else who),
            tell=click.echo,
        )


def _take_in(photos: PhotoSet) -> None:
    from vision.photos import arrivals

    last = 0

    def tell(done: int, of: int) -> None:
        nonlocal last
        if done - last >= 200 or (done == of and last):
            last = done
            click.echo(f"looked at {done} of {of} pictures", err=True)

    for problem in arrivals.refresh(photos, tell):
        click.echo(f"left out: {problem.reason}", err=True)


def _login() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # no such user in the system's book
        return ""
