"""`sooee render`: make a set of labelled renders."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(
    epilog="Example: sooee render --recipe crops --count 1000 --seed 7 --out renders/crops"
)
@click.option("--recipe", required=True, help="Name in datasets/recipes, or a TOML file.")
@click.option("--count", type=click.IntRange(1), required=True, help="How many pictures.")
@click.option("--first", type=click.IntRange(0), default=0, help="Index of the first one.")
@click.option("--seed", type=click.IntRange(0), default=0, help="The same seed, the same pictures.")
@click.option("--workers", type=click.IntRange(1), default=2, help="Processes; one a core is best.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Where to."
)
@click.option(
    "--cluster", help="Render on a Dask cluster: its scheduler's address, or local for all cores."
)
def command(
    recipe: str, count: int, first: int, seed: int, workers: int, out: Path, cluster: str | None
) -> None:
    """Render pigs with labels in YOLO's format and a JSON sidecar.

    A run that was stopped goes on where it was when it is started again.
    """
    import time

    from tqdm import tqdm

    from vision.synth.cluster import render_on_cluster
    from vision.synth.dataset import render_set
    from vision.synth.recipe import load_recipe

    load_recipe(recipe)  # before there is a bar
    start, made = time.monotonic(), 0
    with tqdm(total=count, unit="picture") as bar:
        blocks = (
            render_set(recipe, count, seed, out, workers, first)
            if cluster is None
            else render_on_cluster(cluster, recipe, count, seed, out, first)
        )
        for new in blocks:
            made += new
            bar.update(new)
            hour = made / (time.monotonic() - start) * 3600
            bar.set_postfix_str(f"{hour:,.0f} an hour")
        bar.update(count - bar.n)
    click.echo(f"{made} new pictures in {out}, {count - made} were there already")
