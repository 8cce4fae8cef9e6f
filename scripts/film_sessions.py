"""Film simulated sessions into traces, for `bench_table.py`; go on where an earlier run stopped.

    python scripts/film_sessions.py frozen FOLDER

A session takes about a minute of one core (it needs the `render` extra) and 70 MB. One of each
disturbance is filmed first.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import click

from vision.synth.renderers import open_renderer
from vision.synth.session import SURFACES, plan_session
from vision.synth.session_recipe import SessionRecipe, load_sessions
from vision.synth.textures import texture_stack
from vision.table.trace import record_stills

TRUTH = "truth.json"


@click.command()
@click.argument("sessions")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, help="Names of single sessions.")
def main(sessions: str, folder: Path, only: Sequence[str]) -> None:
    """Film the sessions of a file that FOLDER does not hold yet."""
    renderer = open_renderer("raster", texture_stack(*SURFACES))
    for recipe in ordered(load_sessions(sessions)):
        if (only and recipe.name not in only) or (folder / recipe.name).exists():
            continue
        began = time.process_time()
        session = plan_session(recipe)
        planned = time.process_time()
        draft = folder / f".{recipe.name}"
        shutil.rmtree(draft, ignore_errors=True)
        count = record_stills(session.shots(renderer), draft)
        session.truth.save(draft / TRUTH)
        draft.rename(folder / recipe.name)
        spent = f"{planned - began:.0f} s to plan, {time.process_time() - planned:.0f} s to film"
        click.echo(f"{recipe.name}: {count} pictures, {spent}")
    renderer.close()


def ordered(recipes: Sequence[SessionRecipe]) -> list[SessionRecipe]:
    """Put the first session of each disturbance first, then the second of each, and so on."""
    seen: dict[str, int] = {}
    places = []
    for recipe in recipes:
        kind = recipe.disturbance or "none"
        seen[kind] = seen.get(kind, 0) + 1
        places.append(seen[kind])
    return [r for _, r in sorted(zip(places, recipes, strict=True), key=lambda pair: pair[0])]


if __name__ == "__main__":
    main()
