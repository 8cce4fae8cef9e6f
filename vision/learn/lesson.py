"""A lesson at the table: what to lay next, a shot once the pigs lie still, what came of it."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from vision.capture.frame import Frame, Image
from vision.capture.scene import Scene, SceneWatcher
from vision.capture.small import shrink
from vision.capture.supervise import Trouble
from vision.learn.lesson_plan import Step
from vision.photos import arrivals
from vision.photos.labels import Box, Labels, PigLabel
from vision.photos.photo_set import PhotoSet

# As long as the live table waits before it reads.
_SETTLE_S, _SETTLE_FRAMES = 0.3, 4
_LOOK_EVERY_S = 0.4
PIGS = 2


class Stage(StrEnum):
    """Where a lesson is: what the page says in words."""

    NO_CAMERA = "no_camera"
    LAY = "lay"  # waiting for something to be laid
    MOVING = "moving"
    COUNT = "count"  # still, but not two pigs
    TAKEN = "taken"  # a shot was just taken: lay the next
    PAUSED = "paused"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture taken: the step it is of, and its photograph in the set."""

    step: int
    photo: int


@dataclass(frozen=True, slots=True)
class Progress:
    """What a page shows of a lesson.

    `step` is the number of the step to lay, `boxes` the pigs found last, in pixels of a frame of
    `size`; `missed` whether a shot was asked for and there were not two pigs; `trouble` why there
    is no picture.
    """

    stage: Stage
    step: int
    shots: tuple[Shot, ...]
    boxes: tuple[Box, ...]
    size: tuple[int, int]
    trouble: str
    missed: bool = False


class LessonRoom:
    """Follows one camera and takes shots; pages look at it and press its buttons.

    `locate` gives the boxes of the pigs in a picture. Everything but `watch` may be called by
    any thread.
    """

    def __init__(
        self,
        photos: PhotoSet,
        steps: Sequence[Step],
        locate: Callable[[Image], Sequence[Box]],
        *,
        sitting: str,
        camera: str = "",
    ) -> None:
        self._photos = photos
        self.steps = tuple(steps)
        self._locate = locate
        self._sitting = sitting
        self._camera = camera
        self._lock = threading.RLock()
        self._watcher = SceneWatcher()
        self._stage = Stage.LAY
        self._step = 0
        self._shots: list[Shot] = []
        self._boxes: tuple[Box, ...] = ()
        self._frame: Frame | None = None
        self._armed = True
        self._next_look_s = 0.0
        self._trouble = ""
        self._missed = False
        self._closed = False

    @property
    def progress(self) -> Progress:
        """Where the lesson is."""
        with self._lock:
            height, width = (0, 0) if self._frame is None else self._frame.image.shape[:2]
            return Progress(
                self._stage,
                self._step,
                tuple(self._shots),
                self._boxes,
                (width, height),
                self._trouble,
                self._missed,
            )

    @property
    def frame(self) -> Frame | None:
        """The newest frame."""
        return self._frame

    def watch(self, frames: Iterable[Frame | Trouble]) -> None:
        """Follow a camera until it ends or the room is closed."""
        for frame in frames:
            if self._closed:
                return
            if isinstance(frame, Trouble):
                self._lost(frame.text)
            else:
                self._see(frame)

    def close(self) -> None:
        """End after the frame in hand."""
        self._closed = True

    def pause(self, *, paused: bool) -> None:
        """Stop taking shots, or go on."""
        with self._lock:
            self._missed = False
            if self._stage is not Stage.COMPLETE:
                self._stage = Stage.PAUSED if paused else Stage.LAY

    def skip(self) -> None:
        """Leave the step out."""
        with self._lock:
            self._missed = False
            self._go_on(Stage.LAY)

    def back(self) -> None:
        """Forget the last shot and lay its step again."""
        with self._lock:
            self._missed = False
            if not self._shots:
                return
            shot = self._shots.pop()
            photo = self._photos.photo(shot.photo)
            self._photos.save(photo.id, Labels(left_out=True), revision=photo.revision)
            self._step, self._armed = shot.step, False
            if self._stage is not Stage.PAUSED:
                self._stage = Stage.LAY

    def take_now(self) -> bool:
        """Take a shot of what lies there, moving or not; False without two pigs."""
        with self._lock:
            if self._frame is None:
                return False
            taken = self._try(self._frame)
            self._missed = not taken and self._stage is not Stage.COMPLETE
            if self._missed and self._stage is not Stage.PAUSED:
                self._stage = Stage.COUNT
            return taken

    def _lost(self, why: str) -> None:
        with self._lock:
            self._trouble = why
            if self._stage not in (Stage.PAUSED, Stage.COMPLETE):
                self._stage = Stage.NO_CAMERA

    def _see(self, frame: Frame) -> None:
        scene = self._watcher.look(shrink(frame))
        with self._lock:
            self._frame, self._trouble = frame, ""
            moving = scene.moving or scene.hand or bool(scene.blind)
            self._armed = self._armed or moving
            if self._stage in (Stage.PAUSED, Stage.COMPLETE):
                return
            if moving:
                self._stage = Stage.MOVING
                self._boxes = ()
            elif self._armed and self._is_still(scene) and frame.time_s >= self._next_look_s:
                self._next_look_s = frame.time_s + _LOOK_EVERY_S
                if not self._try(frame):
                    self._stage = Stage.COUNT
            elif self._stage is Stage.NO_CAMERA:
                self._stage = Stage.LAY

    def _is_still(self, scene: Scene) -> bool:
        return scene.quiet_s >= _SETTLE_S and scene.quiet_frames >= _SETTLE_FRAMES

    def _try(self, frame: Frame) -> bool:
        """Take a shot if two pigs are there and anything is still to be laid."""
        if self._step >= len(self.steps):
            return False
        self._boxes = tuple(self._locate(frame.image))
        if len(self._boxes) != PIGS:
            return False
        step = self.steps[self._step]
        pose = None if step.pose is None else step.pose.value
        labels = Labels(
            tuple(PigLabel(b, pose) for b in self._boxes),
            step.contact,
            reviewed=pose is not None,
            reviewed_by="taught" if pose is not None else "",
        )
        photo, _ = arrivals.add(
            self._photos,
            _png(frame.image),
            f"{self._sitting}-{self._step:03d}-{pose or step.contact.value}.png",
            session=f"{self._sitting} {step.session}",
            camera=self._camera or frame.source,
            origin=f"taught, step {self._step + 1}",
        )
        self._photos.save(photo.id, labels, revision=photo.revision, client="teach")
        self._shots.append(Shot(self._step, photo.id))
        self._armed = self._missed = False
        self._go_on(Stage.TAKEN)
        return True

    def _go_on(self, stage: Stage) -> None:
        self._step += 1
        if self._step >= len(self.steps):
            self._stage = Stage.COMPLETE
        elif self._stage is not Stage.PAUSED:
            self._stage = stage


def _png(image: Image) -> bytes:
    from PIL import Image as Pil

    out = io.BytesIO()
    Pil.fromarray(image).save(out, "PNG", compress_level=1)
    return out.getvalue()
