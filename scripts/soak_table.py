"""Watch a drawn table for hours of its own time, and show whether memory or handles grow.

Example: python scripts/soak_table.py --hours 8
"""

from __future__ import annotations

import resource
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import cv2
import numpy as np

from scoring.ledger import Ledger
from scoring.rulefile import load_rules
from scoring.store import Store
from vision.capture.frame import Frame, Image
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)
from vision.table.evidence import Evidence
from vision.table.live import follow
from vision.table.referee import Referee
from vision.table.session import play_through
from vision.table.telling import JsonTeller
from vision.table.watch import TableWatch

FPS = 30
WIDTH, HEIGHT = 320, 180
RADIUS = 12
CYCLE_S = 12.0


def cycle(number: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Give where the two pigs of a throw lie."""
    rng = np.random.default_rng(number)
    x, y = (int(v) for v in rng.integers((40, 60), (140, 140)))
    return (x, y), (x + 100, int(rng.integers(60, 140)))


class Drawn:
    """An endless film of throws, and the reader that knows what is drawn."""

    def __init__(self, hours: float) -> None:
        rng = np.random.default_rng(0)
        grain = rng.integers(80, 130, (23, 40), dtype=np.uint8)
        self._table = np.asarray(cv2.resize(grain, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC))
        self._noise = rng.normal(0, 1.2, (16, HEIGHT, WIDTH)).round().astype(np.int16)
        self._frames = int(hours * 3600 * FPS)
        self.pigs: tuple[tuple[int, int], ...] = ()

    def frames(self) -> Iterator[Frame]:
        """Draw: an empty table, pigs that fly in and lie, a hand that takes them."""
        for index in range(self._frames):
            time_s = index / FPS
            number, second = divmod(time_s, CYCLE_S)
            self.pigs, hand = self._at(int(number), second)
            yield Frame(self._draw(index, hand), index, time_s, "drawn")

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read what is drawn."""
        del frames
        poses = {c: float(c == "trotter") for c in POSE_CLASSES}
        pigs = tuple(
            PigDetection((x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS), 0.9, poses)
            for x, y in self.pigs
        )
        apart = ContactEvidence({c: float(c == "apart") for c in CONTACT_CLASSES})
        two = len(pigs) == 2
        decision = Decision.ACCEPT if two else Decision.ASK
        return Reading(pigs, apart if two else None, decision, "drawn")

    def _at(self, number: int, second: float) -> tuple[tuple[tuple[int, int], ...], int]:
        places = cycle(number)
        if second < 1.0 or second > 11.0:
            return (), 0
        if second < 1.5:
            away = int(200 * (1.5 - second))
            return tuple((x + away, y) for x, y in places), 0
        hand = int(max(0.0, 1 - abs(second - 10.0)) * HEIGHT)
        return (places if second < 10.0 else ()), hand

    def _draw(self, index: int, hand: int) -> Image:
        grey = self._table.astype(np.int16) + self._noise[index * 5 % 16]
        picture = np.repeat(grey.clip(0, 255).astype(np.uint8)[..., None], 3, axis=2)
        for x, y in self.pigs:
            cv2.ellipse(picture, ((x, y), (24, 15), 30), (225.0, 140.0, 130.0), -1)
            cv2.circle(picture, (x + 6, y + 3), 2, (10.0, 10.0, 10.0), -1)
        if hand:
            cv2.rectangle(picture, (100, 0), (200, hand), (200.0, 150.0, 120.0), -1)
        return picture


class Counted:
    """Lets frames through and says what the program holds, once an hour of the table's time."""

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = frames

    def __iter__(self) -> Iterator[Frame]:
        for frame in self._frames:
            if frame.index % (FPS * 1800) == FPS * 60:
                click.echo(_held(frame.time_s))
            yield frame


def _held(time_s: float) -> str:
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    megabytes = pages * resource.getpagesize() / 1e6
    handles = sum(1 for _ in Path("/proc/self/fd").iterdir())
    return (
        f"{time_s / 3600:5.2f} h: {megabytes:6.1f} MB, "
        f"{threading.active_count()} threads, {handles} handles"
    )


@click.command()
@click.option("--hours", default=8.0, show_default=True, help="Hours of the table's own time.")
def main(hours: float) -> None:
    """Watch a drawn table for hours of its own time, and show whether anything grows."""
    film = Drawn(hours)
    throws = 0

    def count(line: str) -> None:
        nonlocal throws
        throws += '"event": "throw"' in line

    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
        ledger = Ledger.start(store, load_rules(target=None), ("Anna", "Bo"))
        evidence = Evidence(Path(folder) / "evidence", cap_bytes=20_000_000)
        watch = TableWatch(armed=True)
        events = follow(Counted(film.frames()), film, watch, evidence)
        play_through(events, Referee(ledger, bank_at=20), JsonTeller(count), evidence)
        evidence.close()
    click.echo(f"{throws} throws logged of {int(hours * 3600 / CYCLE_S)}")


if __name__ == "__main__":
    main()
