"""Watch simulated sessions and count: each throw once, phantoms, waits and lags, by disturbance.

    python scripts/bench_table.py frozen                     a file of datasets/sessions, all of it
    python scripts/bench_table.py frozen --only plain-1      one session of it
    python scripts/bench_table.py frozen --reader models     with the shipped recognizer in the loop
    python scripts/bench_table.py frozen --traces FOLDER     records what it films, and reuses it

Filming takes minutes a session (it needs the `render` extra); a recorded trace seconds.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from scoring.throw import Contact, Pose, Throw
from vision.synth.session import plan_session
from vision.synth.session_recipe import SessionRecipe, load_sessions
from vision.synth.session_truth import SessionTruth, ThrowTruth, TruthReader
from vision.table.live import follow
from vision.table.reader import Reader
from vision.table.state import TableEvent
from vision.table.tally import RealThrow, Tally, tally
from vision.table.trace import Trace, record
from vision.table.watch import TableWatch

TRUTH = "truth.json"


@click.command()
@click.argument("sessions")
@click.option("--only", multiple=True, help="Names of single sessions.")
@click.option("--reader", type=click.Choice(["truth", "models"]), default="truth")
@click.option("--traces", type=click.Path(path_type=Path), help="Where traces are kept.")
@click.option("--json", "out", type=click.Path(path_type=Path), help="Write the figures there.")
def main(
    sessions: str, only: Sequence[str], reader: str, traces: Path | None, out: Path | None
) -> None:
    """Watch the sessions of a file and count what was told."""
    by_kind: dict[str, Tally] = defaultdict(Tally)
    total = Tally()
    for recipe in load_sessions(sessions):
        if only and recipe.name not in only:
            continue
        truth, events = watched(recipe, reader, traces)
        counted = tally(events, [real(t) for t in truth.throws], [a for a, _ in truth.hands])
        by_kind[recipe.disturbance or "none"].add(counted)
        total.add(counted)
        click.echo(f"{recipe.name:<24} {told(counted)}")
    click.echo("")
    for kind, counted in sorted(by_kind.items()):
        click.echo(f"{kind:<24} {told(counted)}")
    click.echo(f"{'all':<24} {told(total)}")
    if out is not None:
        figures = {k: measured(t) for k, t in [*sorted(by_kind.items()), ("all", total)]}
        out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def watched(
    recipe: SessionRecipe, reader: str, traces: Path | None
) -> tuple[SessionTruth, list[TableEvent]]:
    """Watch one session, from its trace where there is one."""
    folder = None if traces is None or reader == "models" else traces / recipe.name
    watch = TableWatch(armed=True)
    if folder is not None and (folder / TRUTH).exists():
        trace = Trace.load(folder)
        return SessionTruth.load(folder / TRUTH), list(follow(trace.frames(), trace, watch))
    session = plan_session(recipe)
    eyes = recognizer() if reader == "models" else TruthReader(session.truth)
    if folder is None:
        return session.truth, list(follow(session.frames(), eyes, watch))
    record(session.frames(), eyes, folder)
    session.truth.save(folder / TRUTH)
    trace = Trace.load(folder)
    return session.truth, list(follow(trace.frames(), trace, watch))


def recognizer() -> Reader:
    """Load the shipped models."""
    from vision.recognize.recognizer import Recognizer  # noqa: PLC0415 - only where wanted

    return Recognizer.load()


def real(truth: ThrowTruth) -> RealThrow:
    """Give a throw of the truth; one that leans or lies in no named pose has no throw."""
    try:
        one, two = (Pose(p) for p in truth.poses)
    except ValueError:
        return RealThrow(truth.start_s, truth.rest_s, truth.until_s, None)
    throw = Throw((one, two), Contact(truth.contact))
    return RealThrow(truth.start_s, truth.rest_s, truth.until_s, throw)


def measured(counted: Tally) -> dict[str, float | int | None]:
    """Give the figures of a tally as plain data."""
    return {
        "throws": counted.throws,
        "once": counted.once,
        "missed": counted.missed,
        "doubled": counted.doubled,
        "phantoms": counted.phantoms,
        "misread": counted.misread,
        "wait_median_s": quantile(counted.waits_s, 0.5),
        "wait_95_s": quantile(counted.waits_s, 0.95),
        "lag_95_s": quantile(counted.lags_s, 0.95),
    }


def told(counted: Tally) -> str:
    """Give the figures of a tally as one line."""
    return "  ".join(f"{k} {'-' if v is None else v}" for k, v in measured(counted).items())


def quantile(values: Sequence[float], share: float) -> float | None:
    """Give a quantile in seconds, None of nothing."""
    return round(float(np.quantile(values, share)), 3) if values else None


if __name__ == "__main__":
    main()
