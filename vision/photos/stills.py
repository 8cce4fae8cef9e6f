"""Still pictures out of a video: one each time everything lies still anew."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from vision.capture.frame import Frame, FrameSource
from vision.capture.scene import SceneWatcher
from vision.capture.small import shrink
from vision.errors import CaptureError
from vision.photos import arrivals
from vision.photos.names import safe_stem
from vision.photos.photo_set import Photo, PhotoSet

# As long as the live table waits before it reads.
_SETTLE_S, _SETTLE_FRAMES = 0.25, 3


@dataclass(frozen=True, slots=True)
class Taken:
    """What a video gave: new photographs, and why it ended early, or nothing."""

    photos: tuple[Photo, ...]
    problem: str = ""


def pick_stills(source: FrameSource) -> Iterator[tuple[Frame, bool]]:
    """Go through an open source; gives each frame and whether it is a still to keep.

    A still is the first frame of each quiet spell in which nothing moves, no hand reaches in and
    the picture shows something.
    """
    watcher = SceneWatcher()
    taken = False
    for frame in source:
        scene = watcher.look(shrink(frame))
        if scene.moving or scene.hand or scene.blind:
            taken = False
        still = (
            not taken
            and not (scene.moving or scene.hand or scene.blind)
            and scene.quiet_s >= _SETTLE_S
            and scene.quiet_frames >= _SETTLE_FRAMES
        )
        taken = taken or still
        yield frame, still


def add_stills(
    photos: PhotoSet,
    source: FrameSource,
    *,
    session: str = "",
    camera: str = "",
    most: int = 1000,
    tell: Callable[[float, int], None] | None = None,
) -> Taken:
    """Take a video's stills into the set, as one session named for it unless told otherwise.

    `tell(time_s, stills)` is called about once a second of the video. A video that is cut short
    gives what it has.
    """
    name = safe_stem(source.name)
    found: list[Photo] = []
    told_s = 0.0
    try:
        with source:
            for frame, still in pick_stills(source):
                if still:
                    photo, new = arrivals.add(
                        photos,
                        _jpeg(frame),
                        f"{name}-{frame.index:06d}.jpg",
                        session=session or name,
                        camera=camera,
                        origin=f"video {source.name} at {frame.time_s:.2f} s",
                    )
                    found += [photo] if new else []
                if tell is not None and (still or frame.time_s - told_s >= 1.0):
                    told_s = frame.time_s
                    tell(frame.time_s, len(found))
                if len(found) >= most:
                    return Taken(tuple(found), f"stopped at {most} stills")
    except CaptureError as error:
        return Taken(tuple(found), str(error))
    return Taken(tuple(found))


def is_video(name: str) -> bool:
    """Whether a file is taken for a video by its name."""
    from vision.capture.sources import video

    return video.claims(Path(name).name)


def _jpeg(frame: Frame) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(frame.image).save(out, "JPEG", quality=95, subsampling=0)
    return out.getvalue()
