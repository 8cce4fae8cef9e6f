"""How quick the annotation page is with many photographs: `python scripts/measure_annotate.py`.

Makes a set of 5,000 pictures with proposals in a folder (kept for the next time), opens the real
page in Chromium, accepts one picture after the other, and prints how long it took from the key
to the next picture on the screen, and to the answer that says it is on the disk; and, as a busy
machine stretches both, the processor time of the server and of the page's own thread a picture.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

from vision.photos import arrivals
from vision.photos.labels import Labels
from vision.photos.photo_set import PhotoSet
from vision.photos.proposal import Proposal
from vision.recognize.reading import POSE_CLASSES, PigDetection

PORT = 8791
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"


def make(folder: Path, count: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(1)
    grain = Image.fromarray(rng.integers(60, 200, (45, 80, 3), dtype=np.uint8))
    table = grain.resize((1280, 720), Image.Resampling.BICUBIC)
    chances = {c: 0.9 if c == "trotter" else 0.1 / 6 for c in POSE_CLASSES}
    with PhotoSet.open(folder) as photos:
        have = len(photos.photos())
        for n in range(have, count):
            picture = table.copy()
            x, y = int(rng.integers(0, 1200)), int(rng.integers(0, 650))
            picture.paste((230, 150, 150), (x, y, x + 70, y + 50))
            picture.putpixel((0, 0), (n % 256, n // 256, 0))
            out = io.BytesIO()
            picture.save(out, "JPEG", quality=85)
            photo, _ = arrivals.add(photos, out.getvalue(), f"p{n:05}.jpg", session=f"s{n // 100}")
            pig = PigDetection((x, y, x + 70, y + 50), 0.9, chances)
            photos.propose(photo.id, Proposal("measured", (pig,)))
        for photo in photos.photos():
            if photo.labels is not None and photo.labels.reviewed:
                photos.save(photo.id, Labels(), revision=photo.revision)


def marks(page: Any, name: str) -> dict[int, float]:
    """Give the first mark of this name for each photograph, in milliseconds."""
    found: list[list[float]] = page.evaluate(
        f"performance.getEntriesByName({name!r}).map(e => [e.detail, e.startTime])"
    )
    first: dict[int, float] = {}
    for photo_id, at in found:
        first.setdefault(int(photo_id), at)
    return first


class Spent:
    """Seconds of processor that server and page have used."""

    names = ("server", "page, all tasks", "page, scripts", "page, style and layout")

    def __init__(self, page: Any, server: int) -> None:
        self._chrome = page.context.new_cdp_session(page)
        self._chrome.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._server = Path(f"/proc/{server}/stat")

    def now(self) -> tuple[float, float, float, float]:
        fields = self._server.read_text(encoding="ascii").rpartition(")")[2].split()
        ticks = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        said = self._chrome.send("Performance.getMetrics")["metrics"]
        of = {m["name"]: float(m["value"]) for m in said}
        laid = of["LayoutDuration"] + of["RecalcStyleDuration"]
        return ticks, of["TaskDuration"], of["ScriptDuration"], laid


def measure(folder: Path, presses: int) -> None:
    program = "import sys; from vision.cli import main; main(sys.argv[1:])"
    words = ["annotate", str(folder), "--no-browser", "--no-model", "--port", str(PORT)]
    started = time.monotonic()
    server = subprocess.Popen(  # noqa: S603 -- our own program
        [sys.executable, "-c", program, *words], stdout=subprocess.PIPE, text=True
    )
    next(iter(server.stdout or ()))
    print(f"server ready after {time.monotonic() - started:.1f} s")
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            page = chromium.new_page(viewport={"width": 1400, "height": 900})
            page.goto(f"http://127.0.0.1:{PORT}/")
            page.wait_for_selector(".view[data-photo]:not([data-photo=''])")
            opened = page.evaluate("performance.now()")
            print(f"page ready after {opened:.0f} ms")
            page.wait_for_timeout(1000)  # the opening's own work is over
            spent = Spent(page, server.pid)
            before = spent.now()
            for _ in range(presses):
                here = page.locator(".view").get_attribute("data-photo")
                page.keyboard.press("r")
                page.wait_for_selector(f".view:not([data-photo='{here}'])")
                page.wait_for_timeout(120)  # a person looks
            page.wait_for_selector(".save[data-state='saved']")
            report(page)
            for name, begin, end in zip(spent.names, before, spent.now(), strict=True):
                print(f"{name}: {1000 * (end - begin) / presses:.1f} ms of processor a picture")
            chromium.close()
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=30)


def report(page: Any) -> None:
    pressed, shown, saved = (marks(page, name) for name in ("accept", "shown", "saved"))
    order = sorted(pressed, key=pressed.__getitem__)
    next_shown = [shown[b] - pressed[a] for a, b in pairwise(order)]
    on_disk = [saved[a] - pressed[a] for a in order if a in saved]
    for name, values in (("key to next picture shown", next_shown), ("key to saved", on_disk)):
        ordered = sorted(values)
        print(
            f"{name}: median {statistics.median(ordered):.1f} ms, "
            f"95 % {ordered[int(0.95 * len(ordered))]:.1f} ms, most {ordered[-1]:.1f} ms, "
            f"n = {len(ordered)}"
        )


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("folder", type=Path, nargs="?", default=Path("build/measure-annotate"))
    words.add_argument("--count", type=int, default=5000)
    words.add_argument("--presses", type=int, default=60)
    given = words.parse_args()
    make(given.folder, given.count)
    measure(given.folder, given.presses)


if __name__ == "__main__":
    main()
