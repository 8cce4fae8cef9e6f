"""`sooee bench`: how fast a reading is here, and against what."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click


@click.command()
@click.argument("image", required=False, type=click.Path(path_type=Path))
@click.option("--runs", type=click.IntRange(1, 1000), default=50, show_default=True)
@click.option(
    "--size", default="1920x1080", show_default=True, help="The picture's size in pixels."
)
@click.option("--models", type=click.Path(path_type=Path), help="Another folder of models.")
@click.option(
    "--checkpoints",
    nargs=2,
    type=click.Path(path_type=Path, exists=True),
    help="The locator's and the pose model's .pt files, for Ultralytics to run in torch.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    *,
    image: Path | None,
    runs: int,
    size: str,
    models: Path | None,
    checkpoints: tuple[Path, Path] | None,
    as_json: bool,
) -> None:
    """Time a reading stage by stage, the bare models, and Ultralytics where it is installed.

    Then the share of one core that watching takes while the table lies still. IMAGE is resized to
    --size; without one a frozen render with two pigs is read.

    \b
    Example:
      sooee bench
      sooee bench throw.jpg --runs 200 --json
    """  # noqa: D301
    from vision.learn.bench import bench, ratios
    from vision.learn.bench_picture import frozen_picture, picture_of_size
    from vision.learn.bench_watch import RATE, idle_shares
    from vision.recognize.manifest import load_manifest
    from vision.recognize.recognizer import Recognizer
    from vision.recognize.runtime import cores

    picture = picture_of_size(image or frozen_picture(), size)
    recognizer = Recognizer.load(models)
    timings = bench(recognizer, load_manifest(models), picture, runs, checkpoints)
    against = ratios(timings)
    idle = idle_shares(recognizer, picture)
    if as_json:
        times = {name: asdict(t) for name, t in timings.items()}
        told = {"cores": cores(), "size": size, "ms": times, "ratios": against, "idle": idle}
        click.echo(json.dumps(told))
        return
    click.echo(f"{size} picture, {runs} runs, {cores()} cores; milliseconds, median and 95 %")
    for name, timing in timings.items():
        click.echo(f"  {name:22}{timing.median:8.2f}{timing.slow:8.2f}")
    for name, ratio in against.items():
        click.echo(f"  {name:40}{ratio:6.2f}")
    click.echo(
        f"a still table at {RATE:.0f} pictures a second takes {idle['watching']:.0%} of one core, "
        f"and a camera's JPEG pictures {idle['unpacking']:.0%}"
    )
