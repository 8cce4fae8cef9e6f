"""Recorded tables: small grey pictures and what was read, to try the watch on without a model.

A trace is a folder with `table.mkv` (the small pictures, one a frame, without any loss: motion
is judged by levels that JPEG swallows, and by others that it makes) and
`trace.jsonl`: a first line with the film's measures, then one line a frame with its time and,
now and then, the reading. It replays minutes of a table in seconds. With `stills`, full pictures
of the table where it lay still (JPEG, named by the frame's number), any models can read it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from vision.capture.frame import Frame, Image
from vision.capture.opencv import hush
from vision.capture.settle import Settle
from vision.capture.small import Small, shrink
from vision.capture.sources.video import VideoFile
from vision.errors import CaptureError
from vision.recognize.picture import open_picture
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)
from vision.table.closer import Closer, closer
from vision.table.evidence import reading_data
from vision.table.reader import Reader, tell_moved

if TYPE_CHECKING:
    import cv2

FILM, FACTS, STILLS = "table.mkv", "trace.jsonl", "stills"
_EVERY_S = 0.1
_FPS = 30.0
_QUIET_S = 0.1
_FAR_S = 0.3
_OLD_S = 4.0


class Recorder:
    """Writes a trace, picture by picture; the folder is made, and a trace in it written over."""

    def __init__(self, folder: Path) -> None:
        hush()
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._film: cv2.VideoWriter | None = None
        self._settle = Settle()
        self._next_s = float("-inf")
        self._lines = (folder / FACTS).open("w", encoding="utf-8")
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._lines.close()
        if self._film is not None:
            self._film.release()

    def add(self, small: Small, reading: Reading | None = None) -> None:
        """Write the next small picture, and what was read then, if anything was."""
        if self._film is None:
            self._film = self._begin(small)
        self._film.write(small.grey)
        facts: dict[str, Any] = {"time_s": round(small.time_s, 4)}
        if reading is not None:
            facts["reading"] = reading_data(reading)
        self._lines.write(json.dumps(facts) + "\n")
        self.count += 1

    def add_still(self, small: Small, full: Image | None) -> None:
        """Write the next small picture; ten times a second keep `full`, RGB, of a still table."""
        quiet = self._settle.look(small).quiet_s >= _QUIET_S
        if full is not None and quiet and small.time_s >= self._next_s:
            self._keep(full)
            self._next_s = small.time_s + _EVERY_S
        self.add(small)

    def _keep(self, full: Image) -> None:
        import cv2

        folder = self._folder / STILLS
        folder.mkdir(exist_ok=True)
        how = [cv2.IMWRITE_JPEG_QUALITY, 95, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x111111]
        code = cv2.imencode(".jpg", full[..., ::-1], how)[1]
        (folder / f"{self.count:06d}.jpg").write_bytes(code.tobytes())

    def _begin(self, small: Small) -> cv2.VideoWriter:
        import cv2

        height, width = small.grey.shape
        self._lines.write(json.dumps({"version": 1, "scale": small.scale}) + "\n")
        packing = cv2.VideoWriter.fourcc(*"FFV1")
        film = str(self._folder / FILM)
        return cv2.VideoWriter(film, packing, _FPS, (width, height), isColor=False)


def record(frames: Iterable[Frame], reader: Reader, folder: Path) -> int:
    """Record a table into a folder; gives the number of frames. Reads ten times a second."""
    next_s = float("-inf")
    with Recorder(folder) as recorder:
        for frame in frames:
            reading = None
            if frame.time_s >= next_s:
                reading = reader.read([frame])
                next_s = frame.time_s + _EVERY_S
            recorder.add(shrink(frame), reading)
    return recorder.count


def record_stills(shots: Iterable[tuple[Small, Image | None]], folder: Path) -> int:
    """Record small pictures, and of still tables the full ones, to be read later, by any models.

    Gives the number of pictures.
    """
    with Recorder(folder) as recorder:
        for small, full in shots:
            recorder.add_still(small, full)
    return recorder.count


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded table: its frames again, and a reader that remembers.

    The frames are the small pictures, in their own times; the reader's boxes fit them. `scale`
    is the pixels of the table's own pictures to one of these.
    """

    folder: Path
    times_s: tuple[float, ...]
    readings: tuple[Reading, ...]
    scale: float

    @classmethod
    def load(cls, folder: Path) -> Trace:
        """Load a trace; `CaptureError` when it is none."""
        try:
            text = (folder / FACTS).read_text(encoding="utf-8")
            first, *rest = (json.loads(line) for line in text.splitlines())
            scale = float(first["scale"])
            times = tuple(float(facts["time_s"]) for facts in rest)
            readings = tuple(
                reading_from_data(facts["reading"], scale, facts["time_s"])
                for facts in rest
                if "reading" in facts
            )
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise CaptureError(f"'{folder}' is no recorded table: {error}") from error
        return cls(folder, times, readings, scale)

    def frames(self) -> Iterator[Frame]:
        """Give the frames again."""
        with VideoFile(self.folder / FILM) as film:
            for frame, time_s in zip(film, self.times_s, strict=False):
                yield Frame(frame.image, frame.index, time_s, self.folder.name)

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Give what was read nearest to the newest frame's time."""
        time_s = frames[-1].time_s
        return min(self.readings, key=lambda r: abs(r.time_s - time_s))


class StillReader:
    """Reads a trace's frames by the full pictures kept of them, with any reader.

    Raises `CaptureError` for a frame that none was kept of, nor of the four seconds before.
    """

    def __init__(self, trace: Trace, reader: Reader) -> None:
        self._trace = trace
        self._reader = reader
        self._kept = sorted(int(p.stem) for p in (trace.folder / STILLS).glob("*.jpg"))

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read one or more frames of the same still table, the newest last."""
        reading = self._reader.read([self._full(frame) for frame in frames])
        scale = self._trace.scale
        pigs = tuple(replace(p, box=_smaller(p.box, scale)) for p in reading.pigs)
        return replace(reading, pigs=pigs)

    def moved(self) -> None:
        """Tell the reader that the camera or the table was moved."""
        tell_moved(self._reader)

    def closer(self, how: Closer) -> Reader:
        """Give the reader that looks closer at the full pictures."""
        eyes = closer(self._reader, how.scaled(self._trace.scale))
        return StillReader(self._trace, eyes)

    def _full(self, frame: Frame) -> Frame:
        # What flies is no still table: then the table counts as it last lay, never as it will.
        times, now_s = self._trace.times_s, frame.time_s
        known = [i for i in self._kept if -_OLD_S <= times[i] - now_s <= _FAR_S]
        index = min(known, key=lambda i: abs(times[i] - now_s), default=-1)
        if index < 0:
            raise CaptureError(
                f"no full picture was kept of '{self._trace.folder}' at {frame.time_s:.2f} s"
            )
        image = open_picture(self._trace.folder / STILLS / f"{index:06d}.jpg")
        return replace(frame, image=image)


def reading_from_data(data: dict[str, Any], scale: float, time_s: float) -> Reading:
    """Make a reading from plain data (`reading_data`), in a picture `scale` times smaller."""
    pigs = tuple(
        PigDetection(
            _smaller(p["box"], scale),
            p["confidence"],
            {c: p["probabilities"][c] for c in POSE_CLASSES},
        )
        for p in data["pigs"]
    )
    contact = data["contact"]
    return Reading(
        pigs,
        contact
        and ContactEvidence(
            {c: contact["probabilities"][c] for c in CONTACT_CLASSES}, contact["gap_mm"]
        ),
        Decision(data["decision"]),
        data["reason"],
        data["frames"],
        time_s,
    )


def _smaller(box: Sequence[float], scale: float) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = (v / scale for v in box)
    return x0, y0, x1, y1
