"""`sooee teach`: show the recognizer your own pigs, and keep what it learns as a profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vision.learn.teach import Lesson

_MODELS = click.option(
    "--models",
    type=click.Path(path_type=Path),
    help="A folder of models other than the shipped ones.",
)


@click.group(invoke_without_command=True)
@click.option("--camera", default=None, help="A camera's number or address, or a video file.")
@click.option("--name", default="my pigs", show_default=True, help="What the profile is called.")
@click.option(
    "--rounds",
    default=6,
    show_default=True,
    type=click.IntRange(2, 20),
    help="How often each pose is shown; two pigs a time.",
)
@click.option("--port", default=8767, show_default=True, type=click.IntRange(0, 65535))
@click.option("--browser/--no-browser", default=True, help="Open the page in the browser.")
@_MODELS
@click.pass_context
def command(
    ctx: click.Context,
    camera: str | None,
    name: str,
    rounds: int,
    port: int,
    browser: bool,
    models: Path | None,
) -> None:
    """Teach the recognizer your pigs in about five minutes, on a page that guides you.

    It shows which pose to lay next and takes a picture when both pigs lie still. At the end it
    says how many held-out pictures were read right before and after. If nothing is gained,
    nothing is changed. The shipped model is never touched.

    \b
    Example:
      sooee teach --camera 0 --name "kitchen pigs"
      sooee teach fit my-photos --name "kitchen pigs"
      sooee teach use "kitchen pigs"
      sooee teach use none
    """  # fmt: skip  # noqa: D301
    if ctx.invoked_subcommand is not None:
        return
    from vision.web.teach_server import Wishes, serve

    serve(Wishes(camera or "0", name, rounds, port, browser, models), tell=click.echo)


@command.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--name", default="my pigs", show_default=True, help="What the profile is called.")
@click.option("--use", "use_it", is_flag=True, help="Take it into use if it helps.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@_MODELS
def fit(folder: Path, name: str, use_it: bool, as_json: bool, models: Path | None) -> None:
    """Learn from the reviewed photographs of a set, and say whether it helps.

    \b
    Example:
      sooee teach fit my-photos --name "kitchen pigs" --use
    """  # noqa: D301
    from vision.learn.shots import gather
    from vision.learn.teach import teach
    from vision.photos.photo_set import PhotoSet
    from vision.recognize.embedding import Embedder
    from vision.recognize.profile import ProfileFolder, check_name

    check_name(name)
    embedder = Embedder.load(models)
    with PhotoSet.open(folder) as photos:
        shots = gather(photos, embedder.size)
    lesson = teach(shots, embedder, name)
    if lesson.profile is not None:
        shelf = ProfileFolder()
        shelf.put(lesson.profile)
        if use_it:
            shelf.use(name)
    if as_json:
        click.echo(json.dumps(_as_data(lesson)))
        return
    for line in told(lesson):
        click.echo(line)
    if lesson.profile is not None and not use_it:
        click.echo(f"take it into use: sooee teach use {name!r}")


def told(lesson: Lesson) -> list[str]:
    """Give what came of a lesson in lines."""
    lines = [
        f"{c.pose:15} {c.shots:4} shown, read right before {c.before:4}, after {c.after:4}"
        for c in lesson.poses
    ]
    lines.append(f"held out by {lesson.held_out_by}: {lesson.verdict}")
    lines.append(
        f"{lesson.mended} mended, {lesson.broken} broken, fitted in {lesson.seconds:.1f} s"
    )
    return lines


def _as_data(lesson: Lesson) -> dict[str, object]:
    return {
        "helps": lesson.profile is not None,
        "shots": lesson.shots,
        "before": lesson.before,
        "after": lesson.after,
        "mended": lesson.mended,
        "broken": lesson.broken,
        "held_out_by": lesson.held_out_by,
        "seconds": lesson.seconds,
        "poses": {c.pose: [c.shots, c.before, c.after] for c in lesson.poses},
    }


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a profile.")
def list_(as_json: bool) -> None:
    """List the profiles; the one in use is marked.

    \b
    Example:
      sooee teach list
    """  # noqa: D301
    from vision.recognize.profile import ProfileFolder

    shelf = ProfileFolder()
    active = shelf.active
    for name in shelf.names():
        profile = shelf.load(name)
        if as_json:
            click.echo(json.dumps({
                "name": name, "active": name == active, "before": profile.before,
                "after": profile.after, "shots": dict(profile.shots), "made": profile.made,
                "model": profile.model,
            }))  # fmt: skip
            continue
        mark = "*" if name == active else " "
        shots = sum(profile.shots.values())
        click.echo(
            f"{mark} {name}: {shots} pigs shown, held-out read right {profile.before:.0%} before, "
            f"{profile.after:.0%} after, {profile.made[:10]}"
        )
    if not as_json and active is None:
        click.echo("the shipped model alone is in use")


@command.command()
@click.argument("name")
def use(name: str) -> None:
    """Take a profile into use; `none` goes back to the shipped model alone.

    \b
    Example:
      sooee teach use "kitchen pigs"
      sooee teach use none
    """  # noqa: D301
    from vision.recognize.profile import NONE, ProfileFolder

    ProfileFolder().use(None if name == NONE else name)
    click.echo("the shipped model alone is in use" if name == NONE else f"{name} is in use")


@command.command()
@click.argument("name")
def remove(name: str) -> None:
    """Delete a profile.

    \b
    Example:
      sooee teach remove "kitchen pigs"
    """  # noqa: D301
    from vision.recognize.profile import ProfileFolder

    ProfileFolder().remove(name)
    click.echo(f"{name} is deleted")


@command.command()
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path))
def export(name: str, file: Path) -> None:
    """Write a profile to a file, for another computer.

    \b
    Example:
      sooee teach export "kitchen pigs" kitchen.pigs
    """  # noqa: D301
    from vision.photos.intake import write_atomically
    from vision.recognize.profile import ProfileFolder

    write_atomically(file, ProfileFolder().load(name).to_bytes())
    click.echo(str(file))


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path))
def import_(file: Path) -> None:
    """Take in a profile's file from another computer.

    \b
    Example:
      sooee teach import kitchen.pigs
    """  # noqa: D301
    from vision.recognize.profile import ProfileFolder, read_profile

    profile = read_profile(file)
    ProfileFolder().put(profile)
    click.echo(f"{profile.name}: take it into use with `sooee teach use {profile.name!r}`")
