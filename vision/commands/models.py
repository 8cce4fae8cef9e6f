"""`sooee models`: which models there are, whether they are whole, and putting new ones there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from vision.learn.gate import Verdict
    from vision.learn.gate_measures import Comparison
    from vision.recognize.manifest import ModelEntry

_FOLDER = click.option(
    "--models",
    "folder",
    type=click.Path(path_type=Path),
    help="Another folder than that of the models in use.",
)
_WRITTEN = click.option(
    "--models",
    "folder",
    type=click.Path(path_type=Path),
    help="The folder that is written; it must be named, here or before the command.",
)
_WRITERS = ("add", "calibrate")
"""The commands that write into a folder of models."""


@click.group(invoke_without_command=True)
@_FOLDER
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a model.")
@click.pass_context
def command(ctx: click.Context, folder: Path | None, as_json: bool) -> None:
    """List the models, and check that each loads and is the one its manifest names.

    \b
    Example:
      sooee models
      sooee models add pose best.onnx --models mine --recipe crops-v1 --seed 7 --input 128 \\
          --trained-with "ultralytics 8.4"
    """  # noqa: D301
    if ctx.invoked_subcommand is not None:
        ctx.obj = folder
        if folder is not None and ctx.invoked_subcommand not in _WRITERS:
            raise click.UsageError(
                f"--models says nothing to `{ctx.invoked_subcommand}`, which goes by the models in "
                "use; SOOEE_MODELS names others"
            )
        if as_json:
            raise click.UsageError(f"--json goes after `{ctx.invoked_subcommand}`, if at all")
        return
    from vision.recognize.manifest import load_manifest
    from vision.recognize.runtime import open_network

    manifest = load_manifest(folder)
    for entry in manifest.models:
        open_network(manifest, entry)
        click.echo(json.dumps(_as_data(entry)) if as_json else _told(entry))


@command.command()
@click.argument("role", type=click.Choice(["locator", "pose", "contact"]))
@click.argument("onnx", type=click.Path(path_type=Path))
@click.option("--recipe", required=True, help="The recipe of its training pictures.")
@click.option("--seed", required=True, type=int, help="The seed of its training.")
@click.option("--input", "input_px", required=True, type=int, help="Longer side of its input, px.")
@click.option("--trained-with", required=True, help="The program that trained it, with version.")
@click.option("--licence", default="AGPL-3.0-or-later", show_default=True)
@click.option("--temperature", type=float, default=1.0, show_default=True)
@click.option("--threshold", type=float, default=0.25, show_default=True)
@_WRITTEN
def add(role: str, onnx: Path, folder: Path | None, **fields: Any) -> None:
    """Put a trained model on the shelf: copy it, write its manifest entry and its card.

    \b
    Example:
      sooee models add locator best.onnx --models mine --recipe frames-v1 --seed 7 --input 640 \\
          --trained-with "ultralytics 8.4"
    """  # noqa: D301
    from vision.learn.shelf import put_model
    from vision.recognize.manifest import Role

    entry = put_model(_named(folder), Role(role), onnx, **fields)
    click.echo(_told(entry))


@command.command()
@click.argument("candidate", type=click.Path(path_type=Path))
@click.option(
    "--photos",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A photo set whose test part is compared on as well; may be given again.",
)
@click.option(
    "--set",
    "sets",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Another folder of labelled throws to compare on, in place of the frozen ones.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def use(candidate: Path, photos: tuple[Path, ...], sets: tuple[Path, ...], as_json: bool) -> None:
    """Take new models into use, if they read no fewer throws right and make no more mistakes.

    CANDIDATE is a folder with a manifest. Both the new and those in use read the frozen sets and
    the test parts of photo sets; exit code 1 if the new are refused. Mistakes are pairs that touch
    taken as apart, and wrong readings accepted. The shipped models are kept.

    \b
    Example:
      sooee models use runs/candidate --photos my-pigs
      sooee models back
    """  # fmt: skip  # noqa: D301
    from vision.commands._gate import run_gate

    verdict, name = run_gate(candidate, sets, photos)
    if as_json:
        click.echo(json.dumps(_verdict_data(verdict, name)))
    else:
        for c in (*verdict.comparisons, *verdict.mistakes):
            click.echo(_compared(c))
        kept = "" if name else "; the models in use are unchanged"
        word = f"in use as {name}" if name else "refused"
        click.echo(f"{word}: {verdict.why}{kept}")
    if not verdict.accepted:
        click.get_current_context().exit(1)


def _compared(c: Comparison) -> str:
    points = f"{100 * c.difference:+.1f} ({100 * c.low:+.1f} to {100 * c.high:+.1f}) points"
    return (
        f"{c.name}: {c.measure.what} {c.old.value:.1%} old, {c.new.value:.1%} new, {points}; "
        f"{c.mended} mended, {c.broken} broken, n = {c.new.count}"
    )


def _verdict_data(verdict: Verdict, name: str | None) -> dict[str, Any]:
    return {
        "accepted": verdict.accepted,
        "why": verdict.why,
        "name": name,
        "sets": [_as_numbers(c) for c in verdict.comparisons],
        "mistakes": [_as_numbers(c) for c in verdict.mistakes],
    }


def _as_numbers(c: Comparison) -> dict[str, Any]:
    return {
        "name": c.name, "measure": c.measure.what, "count": c.new.count, "old": c.old.value,
        "new": c.new.value, "difference": c.difference, "low": c.low, "high": c.high,
        "mended": c.mended, "broken": c.broken,
    }  # fmt: skip


@command.command()
def back() -> None:
    """Go back to the models that were in use before.

    \b
    Example:
      sooee models back
    """  # noqa: D301
    from vision.recognize.installed import Installed

    click.echo(f"in use: {Installed().back()}")


@command.command()
@click.argument("crops", type=click.Path(path_type=Path))
@click.option("--role", type=click.Choice(["pose", "contact"]), default="pose", show_default=True)
@_WRITTEN
def calibrate(crops: Path, role: str, folder: Path | None) -> None:
    """Fit a model's temperature on CROPS, a folder a class, that it was not trained on.

    \b
    Example:
      sooee models calibrate renders/calibration --models mine
    """  # noqa: D301
    from vision.learn.calibrate import calibrate_model
    from vision.recognize.manifest import Role

    found = calibrate_model(_named(folder), crops, Role(role))
    click.echo(
        f"temperature {found.temperature:g}; calibration error {found.error_before:.4f} before, "
        f"{found.error_after:.4f} after, on {found.count} crops"
    )


def _named(folder: Path | None) -> Path:
    """Give the folder to write, named after the command or before it: never one by default."""
    before: Path | None = click.get_current_context().obj
    named = folder or before
    if named is None:
        raise click.UsageError(
            "name the folder to write with --models FOLDER; the shipped models are not written "
            "over unless they are named"
        )
    return named


def _told(entry: ModelEntry) -> str:
    figures = ", ".join(f"{name} {m.value:.4g} (n={m.count})" for name, m in entry.metrics.items())
    return (
        f"{entry.role}: {entry.file}, {entry.bytes / 1e6:.1f} MB, {entry.input_px} px, "
        f"recipe {entry.recipe}" + (f"; {figures}" if figures else "")
    )


def _as_data(entry: ModelEntry) -> dict[str, Any]:
    return {
        "role": entry.role.value,
        "file": entry.file,
        "sha256": entry.sha256,
        "bytes": entry.bytes,
        "classes": list(entry.classes),
        "input_px": entry.input_px,
        "recipe": entry.recipe,
        "seed": entry.seed,
        "trained_with": entry.trained_with,
        "licence": entry.licence,
        "metrics": {n: {"value": m.value, "count": m.count} for n, m in entry.metrics.items()},
    }
