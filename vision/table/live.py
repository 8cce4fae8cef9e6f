"""Frames in, table events out: the loop over one camera or file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from vision.capture.area import Area
from vision.capture.foreground import Rebased
from vision.capture.frame import Frame
from vision.capture.scene import SceneWatcher
from vision.capture.small import shrink
from vision.capture.supervise import Trouble
from vision.table.closer import closer
from vision.table.evidence import Evidence
from vision.table.reader import AreaReader, Reader, tell_moved
from vision.table.state import TableEvent
from vision.table.watch import TableWatch

_MOST_LOOKS = 4


def follow(
    frames: Iterable[Frame | Trouble],
    reader: Reader,
    watch: TableWatch,
    evidence: Evidence | None = None,
    area: Area | None = None,
) -> Iterator[TableEvent]:
    """Follow a table frame by frame; each event is given before the next frame is looked at.

    `evidence` sees every frame, and may keep a throw when its event is given. With an `area`
    (the watch's own) nothing outside it is looked at but pigs off the table. Errors of the
    source come through after everything before them has been given.
    """
    scenes = SceneWatcher(area)
    camera = reader
    if area is not None:
        reader = AreaReader(reader, area)
    looked: deque[Frame] = deque(maxlen=_MOST_LOOKS)
    for frame in frames:
        if isinstance(frame, Trouble):
            tell_moved(camera)
            yield from watch.lost(frame.text, frame.time_s)
            continue
        if evidence is not None:
            evidence.frame(frame)
        small = shrink(frame)
        scene = scenes.look(small)
        if scene.rebased is Rebased.BUMP:
            tell_moved(camera)
        yield from watch.see(scene, small)
        if count := watch.wants_reading:
            looked.append(frame)
            eyes = reader if watch.closer is None else closer(reader, watch.closer)
            yield from watch.read(eyes.read(list(looked)[-count:]), scene, small)
