"""Videos dropped on the annotation page: received to a file, their stills picked one by one."""

from __future__ import annotations

import asyncio
import errno
import logging
import queue
import shutil
import tempfile
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vision.errors import PictureError, VisionError
from vision.photos.names import safe_stem
from vision.photos.photo_set import PhotoSet
from vision.photos.stills import add_stills, is_video
from vision.photos.store import StoreFullError
from vision.web.annotate_thumbs import CACHE
from vision.web.annotate_troubles import STOPPED, key_of

log = logging.getLogger(__name__)

MAX_VIDEO_BYTES = 4 * 2**30
_KEEP = 20


@dataclass(frozen=True, slots=True)
class Job:
    """One video: how far it is read, in its own seconds, and how many stills it gave."""

    number: int
    name: str
    file: Path
    session: str
    camera: str
    time_s: float = 0.0
    stills: int = 0
    state: str = "waiting"  # waiting, working, done
    problem: str = ""


class VideoJobs:
    """One background thread that reads videos in the order they came."""

    def __init__(self, photos: PhotoSet) -> None:
        self._photos = photos
        self._jobs: dict[int, Job] = {}
        self._lock = threading.Lock()
        self._queue: queue.Queue[int | None] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._stopping = False

    def progress(self) -> list[dict[str, Any]]:
        """Give every video of this run."""
        with self._lock:
            jobs = list(self._jobs.values())
        return [
            {
                "job": j.number,
                "name": j.name,
                "time_s": round(j.time_s, 1),
                "stills": j.stills,
                "state": j.state,
                "problem": j.problem,
                "code": key_of(j.problem) if j.problem else "",
            }
            for j in jobs
        ]

    async def receive(
        self, chunks: AsyncIterator[bytes], name: str, *, session: str, camera: str
    ) -> int:
        """Write a video beside the set and put it in line; gives its number."""
        if not is_video(name):
            raise PictureError(f"{name}: not a video by its name")
        folder = self._photos.folder / CACHE / "videos"
        folder.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(dir=folder))
        file = place / f"{safe_stem(name)}{Path(name).suffix.lower()}"
        try:
            with file.open("wb") as out:
                async for chunk in chunks:
                    await asyncio.to_thread(out.write, chunk)
        except OSError as error:
            shutil.rmtree(place, ignore_errors=True)
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise StoreFullError(f"{name}: the disk is full; free some space") from error
            raise PictureError(f"{name}: cannot be written: {error.strerror}") from error
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
        return self._put(name, file, session, camera)

    def stop(self) -> None:
        """End after the still in hand."""
        self._stopping = True
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join(timeout=30)

    def _put(self, name: str, file: Path, session: str, camera: str) -> int:
        with self._lock:
            number = max(self._jobs, default=0) + 1
            self._jobs[number] = Job(number, name, file, session, camera)
            done = [n for n, j in self._jobs.items() if j.state == "done"]
            for old in done[:-_KEEP]:
                del self._jobs[old]
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="videos", daemon=True)
                self._thread.start()
        self._queue.put(number)
        return number

    def _run(self) -> None:
        while not self._stopping:
            number = self._queue.get()
            if number is None:
                return
            self._read(number)

    def _read(self, number: int) -> None:
        from vision.capture.sources.video import VideoFile

        job = self._jobs[number]

        def tell(time_s: float, stills: int) -> None:
            self._note(number, time_s=time_s, stills=stills, state="working")
            if self._stopping:
                raise _Stopped

        try:
            taken = add_stills(
                self._photos,
                VideoFile(job.file, job.name),
                session=job.session,
                camera=job.camera,
                tell=tell,
            )
            problem = taken.problem.replace(str(job.file), job.name)
            self._note(number, stills=len(taken.photos), problem=problem, state="done")
        except _Stopped:
            self._note(number, state="done", problem=STOPPED)
        except (VisionError, OSError) as error:
            log.warning("%s: %s", job.name, error)
            self._note(number, state="done", problem=str(error))
        finally:
            shutil.rmtree(job.file.parent, ignore_errors=True)

    def _note(self, number: int, **changes: Any) -> None:
        with self._lock:
            self._jobs[number] = replace(self._jobs[number], **changes)


class _Stopped(Exception):  # noqa: N818 -- no error: a way out of the reader
    """The program ends."""
