"""How much quicker two workers render than one: `python scripts/measure_cluster.py`.

Each cluster first renders a few pictures, so that its workers have their tables and pigs ready;
then the same pictures are rendered by one worker and by two, in turn, and compared.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import tempfile
import time
from pathlib import Path

from distributed import LocalCluster

from vision.synth.cluster import render_on_cluster

BLOCK = 20


def timed(workers: int, recipe: str, count: int, folder: Path) -> tuple[float, str]:
    """Render with so many workers; gives the seconds and a hash of all that was made."""
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as cluster:
        address = cluster.scheduler_address
        warm = folder / f"warm-{workers}"
        for _ in render_on_cluster(address, recipe, 4 * workers, 5, warm, block=2):
            pass
        out = folder / f"set-{workers}"
        began = time.monotonic()
        for _ in render_on_cluster(address, recipe, count, 6, out, block=BLOCK):
            pass
        seconds = time.monotonic() - began
    digest = hashlib.sha256()
    for path in sorted(p for p in out.rglob("*") if p.is_file()):
        digest.update(path.relative_to(out).as_posix().encode() + path.read_bytes())
    return seconds, digest.hexdigest()


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--recipe", default="crops-test")
    words.add_argument("--count", type=int, default=240)
    given = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = {n: timed(n, given.recipe, given.count, Path(folder)) for n in (1, 2)}
    load = os.getloadavg()[0]
    for workers, (seconds, _) in made.items():
        print(f"{workers} workers: {given.count} pictures in {seconds:.1f} s")
    alike = "the same pictures" if made[1][1] == made[2][1] else "NOT the same pictures"
    print(f"two are {made[1][0] / made[2][0]:.2f} times as fast; {alike}; load {load:.1f}")


if __name__ == "__main__":
    main()
