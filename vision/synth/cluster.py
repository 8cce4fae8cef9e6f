"""Rendering on many machines, or on all cores of this one, by Dask.

The same blocks as `render_set`, made by whichever worker is free and written here. A block is
marked only when all of it is on this disk, so nothing is lost with a worker and nothing is made
twice; a picture depends on its seed and index alone, so who makes it does not show.
"""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from vision.errors import RenderError
from vision.synth.dataset import BLOCK, Job, block_mark, run_job
from vision.synth.recipe import load_recipe

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"
"""Stands for workers on this machine, one a core."""

_WAIT_S = 60.0
_TRIES = 5
"""A block that takes its worker down so often is at fault itself."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """One block's way to a worker: the recipe's text goes along, since files do not."""

    job: Job
    recipe_text: str


def render_on_cluster(
    cluster: str,
    recipe: str,
    count: int,
    seed: int,
    out: Path,
    first: int = 0,
    *,
    workers: int | None = None,
    block: int = BLOCK,
) -> Iterator[int]:
    """Render pictures `first` to `first + count` into `out`; yields how many are new.

    `cluster` is the address of a Dask scheduler (`tcp://host:8786`) or `local`. Blocks that are
    there already are skipped. Raises `RenderError` when the cluster cannot be reached or a block
    fails again and again.
    """
    load_recipe(recipe)
    text = _recipe_text(recipe)
    jobs = [
        Job(recipe, seed, a, min(a + block, first + count), str(out))
        for a in range(first, first + count, block)
    ]
    waiting = [j for j in jobs if not block_mark(j).exists()]
    if not waiting:
        return
    out.mkdir(parents=True, exist_ok=True)
    with connected(cluster, workers) as client:
        yield from _gathered(client, [Parcel(j, text) for j in waiting])


@contextmanager
def connected(cluster: str, workers: int | None = None) -> Iterator[Client]:
    """Reach a cluster, or begin one on this machine and end it afterwards."""
    try:
        from distributed import Client, LocalCluster
    except ModuleNotFoundError as error:
        raise RenderError(
            "a cluster needs one library more: python -m pip install 'sooee[cluster]'"
        ) from error
    if cluster == LOCAL:
        with (
            LocalCluster(
                n_workers=workers or os.cpu_count() or 1,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                silence_logs=50,
            ) as local,
            Client(local) as client,
        ):
            yield client
        return
    try:
        client = Client(cluster, timeout=_WAIT_S)
    except (OSError, ValueError, TimeoutError) as error:
        raise RenderError(
            f"no cluster at {cluster}: {error}; start `dask scheduler` there, and "
            "`dask worker ADDRESS` on each machine, in an environment with sooee"
        ) from error
    with client:
        yield client


def _gathered(client: Client, parcels: list[Parcel]) -> Iterator[int]:
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    futures = {
        client.submit(render_block, parcel, pure=False, retries=_TRIES): parcel
        for parcel in parcels
    }
    for future in as_completed(list(futures)):
        parcel = futures.pop(future)
        try:
            packed: bytes = future.result()
        except (KilledWorker, OSError, RenderError) as error:
            job = parcel.job
            raise RenderError(f"pictures {job.first} to {job.last} failed: {error}") from error
        _unpack(packed, parcel.job)
        future.release()
        yield parcel.job.last - parcel.job.first


def render_block(parcel: Parcel) -> bytes:
    """Render one block on a worker; gives its files, packed."""
    with tempfile.TemporaryDirectory(prefix="sooee-block-") as folder:
        place = Path(folder)
        job = replace(parcel.job, recipe=str(_recipe_file(parcel)), out=str(place / "set"))
        run_job(job)
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as pack:
            pack.add(place / "set", "set")
            pack.add(block_mark(job), "mark")
        return out.getvalue()


def _recipe_file(parcel: Parcel) -> Path:
    """Lay the recipe where every block of it finds the same file: studios are kept by its name."""
    digest = hashlib.sha256(parcel.recipe_text.encode()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"sooee-recipe-{digest}-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    file = folder / f"{Path(parcel.job.recipe).stem}.toml"
    if not file.exists():
        file.write_text(parcel.recipe_text, encoding="utf-8")
    return file


def _recipe_text(recipe: str) -> str:
    from vision.artefacts import artefact_dir

    path = Path(recipe)
    if path.suffix != ".toml":
        path = artefact_dir("datasets") / "recipes" / f"{recipe}.toml"
    return path.read_text(encoding="utf-8")


def _unpack(packed: bytes, job: Job) -> None:
    """Write a block's files here, and its mark last."""
    out = Path(job.out)
    mark = block_mark(job)
    mark.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(packed)) as pack:
        for member in pack:
            content = pack.extractfile(member)
            if not member.isfile() or content is None:
                continue
            inside = Path(member.name)
            if inside.is_absolute() or ".." in inside.parts:
                raise RenderError(f"a worker sent a file called {member.name}")
            target = mark if member.name == "mark" else out / inside.relative_to("set")
            target.parent.mkdir(parents=True, exist_ok=True)
            half = target.with_name(f".{target.name}.part")
            half.write_bytes(content.read())
            if target != mark:
                half.replace(target)
    mark.with_name(f".{mark.name}.part").replace(mark)
