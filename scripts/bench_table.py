"""Watch filmed sessions and count: each throw once, phantoms, waits and lags, by disturbance.

    python scripts/bench_table.py frozen FOLDER                   traces of `film_sessions.py`
    python scripts/bench_table.py frozen FOLDER --only plain-1    one session of it
    python scripts/bench_table.py frozen FOLDER --reader models   the shipped recognizer in the loop

With the models the table is watched as live: a reading takes the time that its thread works
here (what other programs take does not count), the pictures that come meanwhile are missed but
for the newest, and a throw is told when it is read.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np

from scoring.throw import Contact, Pose, Throw
from vision.capture.frame import Frame
from vision.errors import RenderError
from vision.recognize.reading import Decision, Reading
from vision.recognize.recognizer import Recognizer
from vision.synth.session_recipe import load_sessions
from vision.synth.session_truth import SessionTruth, ThrowTruth, TruthReader
from vision.table.closer import Closer, closer
from vision.table.live import follow
from vision.table.reader import Reader, of_camera, tell_moved
from vision.table.state import StateChanged, TableEvent, ThrowSeen
from vision.table.tally import RealThrow, Tally, tally
from vision.table.trace import StillReader, Trace
from vision.table.watch import TableWatch

TRUTH = "truth.json"
QUIET_S = 0.3


@click.command()
@click.argument("sessions")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, help="Names of single sessions.")
@click.option("--reader", type=click.Choice(["truth", "models"]), default="truth")
@click.option("--models", type=click.Path(path_type=Path), help="Other models than the shipped.")
@click.option("--verbose", is_flag=True, help="Tell each throw that went wrong.")
@click.option("--json", "out", type=click.Path(path_type=Path), help="Write the figures there.")
def main(
    sessions: str, folder: Path, only: Sequence[str], reader: str, models: Path | None,
    verbose: bool, out: Path | None,
) -> None:  # fmt: skip
    """Watch the sessions of a file, as filmed in FOLDER, and count what was told."""
    recognizer = Recognizer.load(models) if reader == "models" else None
    by_kind: dict[str, Tally] = defaultdict(Tally)
    total = Tally()
    for recipe in load_sessions(sessions):
        if only and recipe.name not in only:
            continue
        try:
            truth = SessionTruth.load(folder / recipe.name / TRUTH)
        except RenderError:
            click.echo(f"{recipe.name:<24} is not filmed")
            continue
        events = watched(Trace.load(folder / recipe.name), truth, recognizer)
        counted = tally(events, [real(t) for t in truth.throws], beginnings(truth))
        by_kind[recipe.disturbance or "none"].add(counted)
        total.add(counted)
        click.echo(f"{recipe.name:<24} {told(counted)}")
        if verbose:
            complain(events, truth)
    click.echo("")
    for kind, counted in sorted(by_kind.items()):
        click.echo(f"{kind:<24} {told(counted)}")
    click.echo(f"{'all':<24} {told(total)}")
    if out is not None:
        figures = {k: measured(t) for k, t in [*sorted(by_kind.items()), ("all", total)]}
        out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


class Busy:
    """A reader that takes its time; `until_s`, on the frames' clock, says until when."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.until_s = float("-inf")

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read, and be busy for as long as that took."""
        return self._timed(self._reader, frames)

    def moved(self) -> None:
        """Tell the reader that the camera or the table was moved."""
        tell_moved(self._reader)

    def closer(self, how: Closer) -> Reader:
        """Give the reader that looks closer and is as busy."""
        eyes = closer(self._reader, how)
        return _Timed(lambda frames: self._timed(eyes, frames))

    def _timed(self, reader: Reader, frames: Sequence[Frame]) -> Reading:
        began = time.thread_time()
        reading = reader.read(frames)
        took = time.thread_time() - began
        self.until_s = max(self.until_s, frames[-1].time_s) + took
        return reading

    def missing(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """Leave out what a live camera's frames lose to the reading: all but the newest."""
        waiting: Frame | None = None
        for frame in frames:
            if waiting is not None and frame.time_s >= self.until_s:
                yield waiting
                waiting = None
            if frame.time_s < self.until_s:
                waiting = frame
            else:
                yield frame


@dataclass(frozen=True, slots=True)
class _Timed:
    read: Callable[[Sequence[Frame]], Reading]


def watched(trace: Trace, truth: SessionTruth, recognizer: Recognizer | None) -> list[TableEvent]:
    """Watch one session; throws are told when their reading is done."""
    watch = TableWatch(armed=True)
    if recognizer is None:
        size = (round(truth.size[0] / trace.scale), round(truth.size[1] / trace.scale))
        eyes = TruthReader(truth.scaled(1 / trace.scale, size))
        return list(follow(trace.frames(), eyes, watch))
    busy = Busy(StillReader(trace, of_camera(recognizer)))
    events: list[TableEvent] = []
    for event in follow(busy.missing(trace.frames()), busy, watch):
        late = isinstance(event, ThrowSeen)
        events.append(replace(event, time_s=busy.until_s) if late else event)
    return events


def beginnings(truth: SessionTruth) -> list[float]:
    """Give when a hand or a motion came into a view in which nothing had moved for a while."""
    spans = sorted([*truth.hands, *truth.moving])
    ends = [float("-inf"), *np.maximum.accumulate([b for _, b in spans])] if spans else []
    return [a for (a, _), end in zip(spans, ends, strict=False) if a - end >= QUIET_S]


def real(truth: ThrowTruth) -> RealThrow:
    """Give a throw of the truth; one that leans or lies in no named pose has no throw."""
    try:
        one, two = (Pose(p) for p in truth.poses)
    except ValueError:
        return RealThrow(truth.start_s, truth.rest_s, truth.until_s, None)
    throw = Throw((one, two), Contact(truth.contact))
    return RealThrow(truth.start_s, truth.rest_s, truth.until_s, throw)


def complain(events: Sequence[TableEvent], truth: SessionTruth) -> None:
    """Tell each throw that went wrong: when, and what was told meanwhile."""
    told_at = [e for e in events if isinstance(e, ThrowSeen)]
    for throw in truth.throws:
        mine = [e for e in told_at if throw.start_s <= e.time_s <= throw.until_s + 0.5]
        told_at = [e for e in told_at if e not in mine]
        wrong = len(mine) == 1 and not _right(mine[0], throw)
        late = len(mine) == 1 and mine[0].time_s - throw.rest_s > 1.0
        if len(mine) == 1 and not wrong and not late:
            continue
        click.echo(f"  rest {throw.rest_s:.2f} until {throw.until_s:.2f} {throw.poses}"
                   f" {throw.contact} {throw.gap_mm} mm")  # fmt: skip
        for event in events:
            if throw.start_s - 0.5 <= event.time_s <= throw.until_s + 0.5:
                click.echo(f"    {_line(event)}")
    for event in told_at:
        click.echo(f"  phantom {_line(event)}")
    changes = [e for e in events if isinstance(e, StateChanged)]
    for began in beginnings(truth):
        lags = tally(changes, [], [began]).lags_s
        if lags and lags[0] > 0.15:
            click.echo(f"  slow: began {began:.2f}, told {lags[0]:.2f} s later")


def _right(seen: ThrowSeen, throw: ThrowTruth) -> bool:
    return seen.reading.decision is Decision.ASK or seen.reading.throw == real(throw).throw


def _line(event: TableEvent) -> str:
    if isinstance(event, StateChanged):
        return f"{event.time_s:8.2f} {event.state} {event.reason}"
    if isinstance(event, ThrowSeen):
        reading = event.reading
        poses = [f"{p.pose} {p.probability:.2f}" for p in reading.pigs]
        return f"{event.time_s:8.2f} THROW {poses} {reading.decision} {reading.reason}"
    return f"{event.time_s:8.2f} {event}"


def measured(counted: Tally) -> dict[str, float | int | None]:
    """Give the figures of a tally as plain data."""
    return {
        "throws": counted.throws,
        "once": counted.once,
        "missed": counted.missed,
        "doubled": counted.doubled,
        "phantoms": counted.phantoms,
        "asked": counted.asked,
        "misread": counted.misread,
        "wait_median_s": quantile(counted.waits_s, 0.5),
        "wait_95_s": quantile(counted.waits_s, 0.95),
        "begun": len(counted.lags_s),
        "lag_95_s": quantile(counted.lags_s, 0.95),
        "lag_most_s": quantile(counted.lags_s, 1.0),
    }


def told(counted: Tally) -> str:
    """Give the figures of a tally as one line."""
    return "  ".join(f"{k} {'-' if v is None else v}" for k, v in measured(counted).items())


def quantile(values: Sequence[float], share: float) -> float | None:
    """Give a quantile in seconds, None of nothing."""
    return round(float(np.quantile(values, share)), 3) if values else None


if __name__ == "__main__":
    main()
