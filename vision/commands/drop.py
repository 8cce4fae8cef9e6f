"""`sooee drop`: throw simulated pigs, and count or keep how they land."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from vision.synth.landings import Line
    from vision.synth.recipe import Recipe


@click.command(
    epilog="Examples: sooee drop --throws 5000; "
    "sooee drop --pairs 2000 --recipe crops --out pairs.npz"
)
@click.option("--throws", type=click.IntRange(1), default=500, help="Throws of two pigs.")
@click.option("--pigs", type=click.IntRange(1), default=100, help="Different pigs thrown.")
@click.option("--seed", type=click.IntRange(0), default=0, help="The same seed, the same throws.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--pairs", type=click.IntRange(1), help="Make so many pairs at rest instead.")
@click.option("--recipe", default="crops", help="Pairs: the recipe whose pigs they are.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Pairs: the file, .npz."
)
def command(
    throws: int,
    pigs: int,
    seed: int,
    as_json: bool,
    pairs: int | None,
    recipe: str,
    out: Path | None,
) -> None:
    """Throw pairs of simulated pigs and set how they land beside Kern's 6,000 real throws.

    With --pairs, lay pairs of pigs against, onto and close to each other by physics, and keep
    where they came to rest: renders of touching and stacked pigs draw from that file.
    """
    from vision.synth.recipe import load_recipe

    if pairs is not None:
        if out is None:
            raise click.UsageError("--pairs needs --out, the file to keep them in")
        _make_pairs(load_recipe(recipe), pairs, seed, out)
        return
    _count(throws, pigs, seed, as_json)


def _count(throws: int, pigs: int, seed: int, as_json: bool) -> None:
    import json
    from dataclasses import asdict

    from tqdm import tqdm

    from vision.synth.landings import THROWN, Landings, compare, throw_many
    from vision.synth.pool import PigPool

    tally, done = Landings(), 0
    with tqdm(total=throws, unit="throw", disable=None) as bar:
        for tally in throw_many(PigPool(9, pigs, lean=THROWN), throws, seed):
            bar.update(tally.throws - done)
            done = tally.throws
    lines = compare(tally)
    if as_json:
        click.echo(
            json.dumps(
                {
                    "throws": tally.throws,
                    "pigs_apart": tally.pigs,
                    "mirrored_jowlers": tally.mirrored,
                    "unsettled": tally.unsettled,
                    "lines": [asdict(line) for line in lines],
                }
            )
        )
        return
    click.echo(f"{tally.throws} throws, {tally.pigs} pigs apart")
    for line in lines:
        click.echo(_row(line))


def _row(line: Line) -> str:
    share = f"{line.share:7.2%} ({line.low:.2%} to {line.high:.2%})"
    kern = "" if line.kern is None else f"  Kern {line.kern:.2%}"
    met = {None: "", True: "  met", False: "  missed"}[line.met]
    return f"{line.name:16}{line.count:6d} {share}{kern}{met}"


def _make_pairs(recipe: Recipe, count: int, seed: int, out: Path) -> None:
    from tqdm import tqdm

    from vision.synth.pair_making import make_pairs
    from vision.synth.pairs import PairPool, save_pairs
    from vision.synth.pool import PigPool

    pool = PigPool(*recipe.shapes, spread=recipe.shape_spread)
    made = list(tqdm(make_pairs(pool, count, seed), total=count, unit="pair", disable=None))
    save_pairs(PairPool.of(pool, made), out)
    kinds = {
        kind: sum(p.contact == kind for p in made)
        for kind in dict.fromkeys(p.contact for p in made)
    }
    click.echo(f"{out}: " + ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
