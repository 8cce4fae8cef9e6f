"""`sooee evaluate`: how well the models read pictures whose truth is known."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vision.errors import VisionError

if TYPE_CHECKING:
    from vision.learn.evaluate import Records
    from vision.learn.evaluate_sets import EvaluationSet
    from vision.recognize.recognizer import Recognizer

FROZEN = ("poses", "frames", "contacts")
"""The sets of `datasets/` that are measured when none is named."""


@click.command()
@click.argument("sets", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--real",
    type=click.Path(path_type=Path),
    help="A folder of photographs with labels.json, measured too.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("evaluation"),
    show_default=True,
    help="The folder that report.html and report.json are written into.",
)
@click.option("--models", type=click.Path(path_type=Path), help="Another folder of models.")
@click.option("--json", "as_json", is_flag=True, help="Print the report's JSON as well.")
@click.option("--no-speed", is_flag=True, help="Leave times out: the report is then always alike.")
@click.option(
    "--card", is_flag=True, help="Write the figures into the cards and manifest of --models."
)
def command(
    *,
    sets: tuple[Path, ...],
    real: Path | None,
    out: Path,
    models: Path | None,
    as_json: bool,
    no_speed: bool,
    card: bool,
) -> None:
    """Measure the models on pictures whose truth is known, and write one report.

    Without SETS, the frozen sets that come with sooee. A set is a folder of pictures with labels
    (NAME.json beside NAME.jpg, a folder a class, YOLO or COCO), or a COCO file.

    \b
    Example:
      sooee evaluate --real ../shared/real
      sooee evaluate my-photos --out my-report
    """  # noqa: D301
    from vision.artefacts import artefact_dir
    from vision.learn.evaluate_figures import figures
    from vision.learn.evaluate_report import as_data, card_metrics, told, write_report
    from vision.learn.evaluate_sets import load_set
    from vision.learn.shelf import set_metrics
    from vision.recognize.manifest import load_manifest
    from vision.recognize.recognizer import Recognizer

    if card and models is None:
        raise click.UsageError("--card writes into a folder of models; name it with --models")
    frozen = [artefact_dir("datasets") / name for name in FROZEN]
    paths = list(sets) or [p for p in frozen if p.is_dir()]
    chosen = [load_set(p) for p in (*paths, *([real] if real is not None else []))]
    if not chosen:
        raise VisionError("there are no frozen sets here: name a folder of labelled pictures")
    recognizer = Recognizer.load(models)
    manifest = load_manifest(models)
    results = [figures(_read(recognizer, each)) for each in chosen]
    page = write_report(out, manifest, results, speed=not no_speed)
    if card:
        for role, metrics in card_metrics(results).items():
            if manifest.get(role) is not None:
                set_metrics(manifest.folder, role, metrics)
    if as_json:
        click.echo(json.dumps(as_data(manifest, results, speed=not no_speed)))
        return
    for result in results:
        click.echo(f"{result.name}: {result.pictures} pictures")
        for name, value in result.rates.items():
            click.echo(f"  {name}: {told(value)}")
    click.echo(f"Written: {page}")


def _read(recognizer: Recognizer, chosen: EvaluationSet) -> Records:
    from vision.learn.evaluate import read_set

    with click.progressbar(length=len(chosen.pictures), label=chosen.name, file=sys.stderr) as bar:
        return read_set(recognizer, chosen, lambda _: bar.update(1))
