"""`sooee photos`: sets of photographs taken in, exchanged, split and checked."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vision.photos.photo_set import PhotoSet

_FORMATS = click.Choice(["yolo", "yolo-classify", "coco", "label-studio", "cvat"])
_SET = click.argument("folder", type=click.Path(path_type=Path))


@click.group()
def command() -> None:
    """Keep sets of photographs: add, import, export, split, check.

    A set is a folder with pictures and one file, sooee-photos.db, that holds every label.

    \b
    Example:
      sooee photos add my-pigs evening.mp4 --session friday --camera webcam
      sooee annotate my-pigs
      sooee photos split my-pigs
      sooee photos check my-pigs --html health.html
    """  # noqa: D301


@command.command()
@_SET
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--session", default="", help="One evening at one table; never torn apart later.")
@click.option("--camera", default="", help="The camera's name; by default what the file says.")
def add(folder: Path, files: tuple[Path, ...], session: str, camera: str) -> None:
    """Take pictures and videos into a set; without FILES, what lies in the folder already.

    Pictures are copied; of videos a still is taken each time everything lies still.

    \b
    Example:
      sooee photos add my-pigs *.jpg evening.mp4 --session friday
    """  # noqa: D301
    from vision.errors import VisionError
    from vision.photos import arrivals

    folder.mkdir(exist_ok=True)
    counted: Counter[str] = Counter()
    with _open(folder) as photos:
        before = len(photos.photos())
        for problem in arrivals.refresh(photos):
            click.echo(f"left out: {problem.reason}", err=True)
        counted["new"] = len(photos.photos()) - before
        for file in _files(files):
            try:
                new, twice = _add(photos, file, session, camera)
            except (VisionError, OSError) as error:
                click.echo(f"left out: {error}", err=True)
                counted["left out"] += 1
                continue
            counted["new"] += new
            counted["here already"] += twice
    told = (f"{counted[k]} {k}" for k in ("new", "here already", "left out") if counted[k])
    click.echo(", ".join(told) or "nothing new")


def _open(folder: Path) -> PhotoSet:
    from vision.photos.photo_set import PhotoSet

    return PhotoSet.open(folder)


def _files(given: tuple[Path, ...]) -> list[Path]:
    found: list[Path] = []
    for path in given:
        found += sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    return found


def _add(photos: PhotoSet, file: Path, session: str, camera: str) -> tuple[int, int]:
    from vision.photos import arrivals
    from vision.photos.stills import add_stills, is_video

    if is_video(file.name):
        from vision.capture.sources.video import VideoFile

        taken = add_stills(photos, VideoFile(file), session=session, camera=camera)
        if taken.problem:
            click.echo(f"{file.name}: {taken.problem}", err=True)
        return len(taken.photos), 0
    _, new = arrivals.add(photos, file.read_bytes(), file.name, session=session, camera=camera)
    return int(new), int(not new)


@command.command("import")
@_SET
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--format", "format_name", type=_FORMATS, required=True)
@click.option("--pictures", type=click.Path(path_type=Path), help="Where its pictures lie.")
@click.option(
    "--map",
    "maps",
    multiple=True,
    metavar="NAME=POSE",
    help="What a class of the file means here; NAME=- leaves it out.",
)
@click.option("--session", default="", help="One evening at one table.")
@click.option("--camera", default="", help="The camera's name.")
@click.option("--reviewed-by", default="", help="Who stands by these labels.")
@click.option("--replace", is_flag=True, help="Put them in the place of labels here already.")
def import_(
    folder: Path,
    source: Path,
    format_name: str,
    pictures: Path | None,
    maps: tuple[str, ...],
    session: str,
    camera: str,
    reviewed_by: str,
    replace: bool,
) -> None:
    """Take labelled pictures of another tool into a set.

    \b
    Example:
      sooee photos import my-pigs export.json --format label-studio --pictures upload
      sooee photos import my-pigs old-set --format yolo --map "pig on back=razorback"
    """  # fmt: skip  # noqa: D301
    from vision.photos.transfer import import_set

    renamed = {}
    for pair in maps:
        name, equals, pose = pair.rpartition("=")
        if not equals or not name:
            raise click.UsageError(f"--map takes NAME=POSE, got {pair!r}")
        renamed[name] = pose
    folder.mkdir(exist_ok=True)
    with _open(folder) as photos:
        done = import_set(
            photos,
            source,
            format_name,
            renamed=renamed,
            pictures=pictures,
            session=session,
            camera=camera,
            reviewed_by=reviewed_by,
            replace_labels=replace,
        )
    for problem in done.problems:
        click.echo(problem, err=True)
    click.echo(
        f"{done.added} new photographs, {done.labelled} labelled anew, {done.unchanged} as before, "
        f"{len(done.problems)} remarks"
    )


@command.command()
@_SET
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--format", "format_name", type=_FORMATS, required=True)
@click.option("--unreviewed", is_flag=True, help="Also labels that nobody stands by yet.")
def export(folder: Path, target: Path, format_name: str, unreviewed: bool) -> None:
    """Write a set's reviewed photographs to a new folder, as another tool reads them.

    \b
    Example:
      sooee photos export my-pigs yolo-set --format yolo
    """  # noqa: D301
    from vision.photos.transfer import export_set

    with _open(folder) as photos:
        done = export_set(photos, target, format_name, unreviewed=unreviewed)
    click.echo(f"{target}: {done.photos} photographs, {done.pigs} pigs")
    for reason, count in done.left_out.items():
        click.echo(f"stayed behind: {count} {reason}")


@command.command()
@_SET
@click.option("--session", default=None, help="The session they belong to.")
@click.option("--camera", default=None, help="The camera they were taken with.")
@click.option("--match", default="*", show_default=True, help="Which: names as *.jpg or day1/*.")
def origin(folder: Path, session: str | None, camera: str | None, match: str) -> None:
    """Say when and with what photographs were taken; splits go by it.

    \b
    Example:
      sooee photos origin my-pigs --match "IMG_2*" --session "friday, kitchen" --camera phone
    """  # noqa: D301
    from fnmatch import fnmatch

    from vision.photos.photo_set import PhotoSetError

    with _open(folder) as photos:
        ids = [p.id for p in photos.photos() if fnmatch(p.name, match)]
        if not ids:
            raise PhotoSetError(
                f"no photograph of {folder} is called {match!r}; nothing is changed"
            )
        photos.set_origin(ids, session=session, camera=camera)
    click.echo(f"{len(ids)} photographs")


@command.command()
@_SET
@click.option(
    "--by",
    type=click.Choice(["session", "camera", "both"]),
    default="session",
    show_default=True,
    help="What is never torn apart.",
)
@click.option(
    "--shares", default="70,15,15", show_default=True, help="Per cent for train, val and test."
)
@click.option("--again", is_flag=True, help="Forget how it was split before.")
def split(folder: Path, by: str, shares: str, again: bool) -> None:
    """Say which sessions are trained on and which only measured on; never by picture.

    What has been split stays as it is; new sessions are added where they are missing most.
    Pictures that look alike stay together.

    \b
    Example:
      sooee photos split my-pigs --shares 80,20,0
    """  # fmt: skip  # noqa: D301
    from vision.photos.alike import HashLibraryError, find_alike
    from vision.photos.split import By, Split, leaks
    from vision.photos.splitting import split_set, where

    parts = [float(s) for s in shares.split(",")] if _numbers(shares) else []
    if len(parts) != 3 or min(parts) < 0 or sum(parts) <= 0:
        raise click.UsageError(f"--shares takes three numbers such as 70,15,15, got {shares!r}")
    wanted = {s: p / sum(parts) for s, p in zip(Split, parts, strict=True)}
    with _open(folder) as photos:
        try:
            alike = [(a.first, a.second) for a in find_alike(photos)]
        except HashLibraryError as error:
            click.echo(str(error), err=True)
            alike = []
        given = split_set(photos, By(by), wanted, alike=alike, again=again)
        found = leaks(photos.photos(), By(by), alike)
    counts = Counter(p.split for p in given)
    click.echo(", ".join(f"{counts[s]} {s.value}" for s in Split))
    for line in where(given, By(by)):
        click.echo(line)
    for leak in found:
        click.echo(f"leak: {leak.why}", err=True)


def _numbers(text: str) -> bool:
    return all(part.strip().replace(".", "", 1).isdigit() for part in text.split(","))


@command.command()
@_SET
@click.option("--html", "page", type=click.Path(path_type=Path), help="Write a page with pictures.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--model/--no-model", default=True, help="Look for likely wrong labels.")
def check(folder: Path, page: Path | None, as_json: bool, model: bool) -> None:
    """Say what a set is good for and what is wrong with it; exit code 1 on leaks between splits.

    \b
    Example:
      sooee photos check my-pigs --html health.html
    """  # noqa: D301
    from vision.photos.health import check as look
    from vision.photos.health_report import as_data, as_html, as_lines
    from vision.photos.intake import write_atomically
    from vision.recognize.embedding import Embedder

    with _open(folder) as photos:
        health = look(
            photos,
            Embedder.load if model else None,
            tell=lambda text: click.echo(text, err=True),
        )
        if page is not None:
            write_atomically(page, as_html(photos, health).encode())
        if as_json:
            click.echo(json.dumps(as_data(photos, health), ensure_ascii=False))
        else:
            for line in as_lines(health):
                click.echo(line)
    if health.leaks:
        click.get_current_context().exit(1)


@command.command("from-games")
@_SET
@click.option(
    "--evidence",
    type=click.Path(path_type=Path),
    help="Where games kept their throws; by default the user's data folder.",
)
@click.option(
    "--everything",
    is_flag=True,
    help="Also throws nobody spoke of; they come in as the model's proposals.",
)
def from_games(folder: Path, evidence: Path | None, everything: bool) -> None:
    """Take the throws that players corrected, or settled when asked, as labelled photographs.

    Nothing leaves this computer; only you decide by this command that throws become data.

    \b
    Example:
      sooee photos from-games my-pigs
    """  # fmt: skip  # noqa: D301
    from vision.photos.from_games import take
    from vision.table.evidence import default_folder

    folder.mkdir(exist_ok=True)
    with _open(folder) as photos:
        taken = take(photos, evidence or default_folder(), everything=everything)
    for problem in taken.problems:
        click.echo(problem, err=True)
    click.echo(
        f"{taken.labelled} labelled, {taken.doubtful} to look at, {taken.unlabelled} without "
        f"labels, {taken.known} here already"
    )
