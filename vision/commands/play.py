"""`sooee play`: the page for the table: scoreboard, camera and corrections."""

from __future__ import annotations

from pathlib import Path

import click

PORT = 8400
DEMO_BANK_AT = 20


@click.command()
@click.argument("source", required=False)
@click.option("--camera", help="The same as SOURCE.")
@click.option("--no-camera", is_flag=True, help="Play without one; throws are entered by hand.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535))
@click.option("--lan", is_flag=True, help="Let phones in the house join from the start.")
@click.option("--public-url", help="The page's address where a proxy stands before it.")
@click.option("--database", help="Where games are kept: a file or a PostgreSQL URL.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the page keeps its settings; the user's data folder by default.",
)
@click.option("--language", help="The page's language, such as da; the browser's by default.")
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
@click.option("--bank-at", type=click.IntRange(min=1), help="Bank a turn by itself at so many.")
@click.option("--new", "fresh", is_flag=True, help="Do not go on with the last game.")
@click.option("--browser/--no-browser", default=None, help="Open the page at once.")
def command(
    *,
    source: str | None,
    camera: str | None,
    no_camera: bool,
    host: str,
    port: int,
    lan: bool,
    public_url: str | None,
    database: str | None,
    data: Path | None,
    language: str | None,
    models: Path | None,
    profile: str,
    bank_at: int | None,
    fresh: bool,
    browser: bool | None,
) -> None:
    """Show the page for the table; Ctrl+C ends it.

    SOURCE is a camera's number, a video file, an address (rtsp://, http://), demo (the clip
    that comes with the program), or phone (a phone's camera, by its browser). Without one the
    camera chosen last is used, or the first there is.

    \b
    Example:
      sooee play
      sooee play --camera demo
      sooee play --no-camera --lan --language da
    """  # noqa: D301
    from vision.web.run import Wishes, run

    if sum((source is not None, camera is not None, no_camera)) > 1:
        raise click.UsageError("give one of SOURCE, --camera and --no-camera")
    chosen = "off" if no_camera else source or camera
    if bank_at is None and chosen == "demo":
        bank_at = DEMO_BANK_AT
    run(
        Wishes(
            camera=chosen,
            host=host,
            port=port,
            lan=lan,
            public_url=public_url,
            database=database,
            data=data,
            language=language,
            models=models,
            profile=profile,
            bank_at=bank_at,
            fresh=fresh,
            browser=browser,
        ),
        click.echo,
    )
