"""Recorded tables: small grey pictures and what was read, to try the watch on without a model.

A trace is a folder with `table.mkv` (the small pictures, one a frame, motion JPEG) and
`trace.jsonl`: a first line with the film's measures, then one line a frame with its time and,
now and then, the reading. It replays minutes of a table in seconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.capture.frame import Frame
from vision.capture.opencv import hush
from vision.capture.small import shrink
from vision.capture.sources.video import VideoFile
from vision.errors import CaptureError
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)
from vision.table.evidence import reading_data
from vision.table.reader import Reader

FILM, FACTS = "table.mkv", "trace.jsonl"
_EVERY_S = 0.1
_FPS = 30.0


def record(frames: Iterable[Frame], reader: Reader, folder: Path) -> int:
    """Record a table into a folder; gives the number of frames. Reads ten times a second."""
    import cv2

    hush()
    folder.mkdir(parents=True, exist_ok=True)
    writer: cv2.VideoWriter | None = None
    count, next_s = 0, float("-inf")
    with (folder / FACTS).open("w", encoding="utf-8") as lines:
        for frame in frames:
            small = shrink(frame)
            height, width = small.grey.shape
            if writer is None:
                packing = cv2.VideoWriter.fourcc(*"MJPG")
                film = str(folder / FILM)
                writer = cv2.VideoWriter(film, packing, _FPS, (width, height), isColor=False)
                lines.write(json.dumps({"version": 1, "scale": small.scale}) + "\n")
            writer.write(small.grey)
            facts: dict[str, Any] = {"time_s": round(frame.time_s, 4)}
            if frame.time_s >= next_s:
                facts["reading"] = reading_data(reader.read([frame]))
                next_s = frame.time_s + _EVERY_S
            lines.write(json.dumps(facts) + "\n")
            count += 1
    if writer is not None:
        writer.release()
    return count


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded table: its frames again, and a reader that remembers.

    The frames are the small pictures, in their own times; the reader's boxes fit them.
    """

    folder: Path
    times_s: tuple[float, ...]
    readings: tuple[Reading, ...]

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
        return cls(folder, times, readings)

    def frames(self) -> Iterator[Frame]:
        """Give the frames again."""
        with VideoFile(self.folder / FILM) as film:
            for frame, time_s in zip(film, self.times_s, strict=False):
                yield Frame(frame.image, frame.index, time_s, self.folder.name)

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Give what was read nearest to the newest frame's time."""
        time_s = frames[-1].time_s
        return min(self.readings, key=lambda r: abs(r.time_s - time_s))


def reading_from_data(data: dict[str, Any], scale: float, time_s: float) -> Reading:
    """Make a reading from plain data (`reading_data`), in a picture `scale` times smaller."""
    pigs = tuple(
        PigDetection(
            (p["box"][0] / scale, p["box"][1] / scale, p["box"][2] / scale, p["box"][3] / scale),
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
