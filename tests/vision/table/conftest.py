"""A stage for the table's tests: drawn pigs, hands, shadows and lamps, and a reader of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scoring.throw import Contact, Pose
from vision.capture.area import Area
from vision.capture.frame import Frame
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)
from vision.table.live import follow
from vision.table.state import HandHeld, StateChanged, TableEvent, TableState, ThrowSeen
from vision.table.watch import TableWatch

WIDTH, HEIGHT = 640, 360
# One blue level a pose: the reader knows the pose of a drawn pig by it, as a network would by
# its looks; nothing else on the stage is that colour.
BLUES = {pose: 40 + 25 * i for i, pose in enumerate(POSE_CLASSES)}
PINK = (225, 105)


@dataclass(frozen=True)
class Pig:
    """A drawn pig: middle in pixels, pose, heading in degrees."""

    x: float
    y: float
    pose: str = Pose.DOT_UP
    turn: float = 30.0
    long: int = 26


@dataclass(frozen=True)
class Look:
    """Everything that one drawn frame shows."""

    pigs: tuple[Pig, ...] = ()
    hand: float = 0.0  # how far it reaches in, as a share of the height
    hand_x: float = 320.0
    fingers: int = 0  # spread ones; none is a fist
    shadow: float | None = None  # its left edge in pixels
    gain: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)
    noise: float = 1.5
    blur: float = 0.0
    thing: tuple[int, int, int, int] | None = None  # a dark object: x, y, width, height


@dataclass
class Stage:
    """Draws frames one after another; each method appends to the film."""

    fps: int = 30
    looks: list[Look] = field(default_factory=list)
    now: Look = field(default_factory=Look)

    def hold(self, seconds: float, **changes: object) -> Stage:
        """Show the same for a while, after changing some of it."""
        self.now = replace(self.now, **changes)  # type: ignore[arg-type]
        self.looks += [self.now] * round(seconds * self.fps)
        return self

    def change(self, seconds: float, draw: Callable[[Look, float], Look]) -> Stage:
        """Go from now to another look; `draw` takes the share done, 0 to 1."""
        count = round(seconds * self.fps)
        start = self.now
        for i in range(1, count + 1):
            self.now = draw(start, i / count)
            self.looks.append(self.now)
        return self

    def throw(self, *to: Pig, seconds: float = 0.5) -> Stage:
        """Let pigs fly in from the right and come to rest."""

        def fly(look: Look, done: float) -> Look:
            back = (1 - done) ** 2
            pigs = tuple(replace(p, x=p.x + 500 * back, turn=p.turn + 700 * back) for p in to)
            return replace(look, pigs=pigs)

        return self.change(seconds, fly)

    def reach(self, seconds: float = 0.4, *, depth: float = 0.7, x: float = 320.0) -> Stage:
        """Let a hand in from above."""
        start = self.now.hand
        return self.change(
            seconds,
            lambda k, done: replace(k, hand=start + (depth - start) * done, hand_x=x),
        )

    def withdraw(self, seconds: float = 0.4) -> Stage:
        """Let the hand out again."""
        start = self.now.hand
        return self.change(seconds, lambda k, done: replace(k, hand=start * (1 - done)))

    def pick_up(self) -> Stage:
        """Reach in, hold over the pigs, and leave without a pig on the table."""
        return self.reach().hold(0.2).hold(0.2, pigs=()).withdraw()

    def frames(self) -> Iterator[Frame]:
        """Draw the film."""
        for index, look in enumerate(self.looks):
            yield Frame(draw(look, index), index, index / self.fps, "stage")

    def film(self, path: Path, colours: Callable[[str], tuple[int, int, int]]) -> Path:
        """Write the film as a video file, each pose in a colour of its own."""
        packing = cv2.VideoWriter.fourcc(*"MJPG")
        writer = cv2.VideoWriter(str(path), packing, self.fps, (WIDTH, HEIGHT))
        for index, look in enumerate(self.looks):
            writer.write(draw(look, index, colours)[..., ::-1])
        writer.release()
        return path


@cache
def _table(shift: tuple[float, float]) -> NDArray[np.uint8]:
    """Draw the grain of an empty table, moved by a bump."""
    rng = np.random.default_rng(0)
    coarse = rng.normal(0, 14, (HEIGHT // 8 + 40, WIDTH // 8 + 40, 1)).astype(np.float32)
    size = ((WIDTH // 8 + 40) * 8, (HEIGHT // 8 + 40) * 8)
    grain = cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC)[..., None]
    table = (np.array([120, 92, 70], np.float32) + grain).clip(0, 255).astype(np.uint8)
    matrix = np.array([[1, 0, shift[0] - 100], [0, 1, shift[1] - 100]], dtype=np.float32)
    moved: NDArray[np.uint8] = cv2.warpAffine(table, matrix, (WIDTH, HEIGHT))  # type: ignore[assignment]
    return moved


@cache
def _noise(sigma: float) -> list[NDArray[np.int16]]:
    """Draw a few pictures of noise, used in turn."""
    rng = np.random.default_rng(3)
    return [
        np.repeat(rng.normal(0, sigma, (HEIGHT, WIDTH, 1)).round().astype(np.int16), 3, axis=2)
        for _ in range(9)
    ]


def pinkish(pose: str) -> tuple[int, int, int]:
    """Give the colour of a pig, nearly the same in every pose."""
    return (*PINK, BLUES[pose])


def draw(
    look: Look, index: int, colours: Callable[[str], tuple[int, int, int]] = pinkish
) -> NDArray[np.uint8]:
    """Draw one frame, uint8[360, 640, 3]."""
    dx, dy = look.shift
    image = _table(look.shift).copy()
    if look.thing is not None:
        x, y, w, h = look.thing
        cv2.rectangle(image, (x, y), (x + w, y + h), (25.0, 25.0, 28.0), -1)
    for pig in look.pigs:
        middle = (pig.x + dx, pig.y + dy)
        colour = [float(c) for c in colours(pig.pose)]
        box = (middle, (2.0 * pig.long, 1.2 * pig.long), pig.turn)
        cv2.ellipse(image, box, colour, -1)
        a = np.deg2rad(pig.turn)
        eye = (round(middle[0] + 15 * np.cos(a)), round(middle[1] + 15 * np.sin(a)))
        cv2.circle(image, eye, 3, (20.0, 10.0, 10.0), -1)
    if look.shadow is not None:
        left, right = (min(max(0, round(look.shadow + w)), WIDTH) for w in (0, 200))
        part = image[:, left:right]
        image[:, left:right] = part // 2 + part // 8
    if look.hand > 0:
        tip, x = round(look.hand * HEIGHT), round(look.hand_x)
        cv2.rectangle(image, (x - 55, 0), (x + 55, tip), (60.0, 60.0, 150.0), -1)
        cv2.circle(image, (x, tip), 60, (200.0, 150.0, 120.0), -1)
        for finger in range(look.fingers):
            a = np.deg2rad(90 + 34 * (finger - (look.fingers - 1) / 2))
            end = (round(x + 130 * np.cos(a)), round(tip + 130 * np.sin(a)))
            cv2.line(image, (x, tip), end, (200.0, 150.0, 120.0), 26)
    if look.blur:
        image = cv2.GaussianBlur(image, (0, 0), look.blur)  # type: ignore[assignment]
    if look.gain != 1.0:
        image = cv2.convertScaleAbs(image, alpha=look.gain)  # type: ignore[assignment]
    grain = _noise(look.noise)[index * 7 % 9]
    return cv2.add(image, grain, dtype=cv2.CV_8U)  # type: ignore[return-value]


def sure(label: str, classes: tuple[str, ...]) -> dict[str, float]:
    """Give certainty of one class."""
    return {c: float(c == label) for c in classes}


class StageReader:
    """Reads the stage's own looks by frame index, hidden pigs left out, and counts its calls."""

    def __init__(self, stage: Stage, *, ask: str | None = None, contact: str = "apart") -> None:
        self.stage, self.ask, self.contact = stage, ask, contact
        self.calls = 0

    def read(self, frames: Sequence[Frame]) -> Reading:
        self.calls += 1
        look = self.stage.looks[frames[-1].index]
        image = frames[-1].image
        pigs = tuple(
            _detection(p, look)
            for p in look.pigs
            if p.x < WIDTH and not _hidden(p, look) and not _covered(p, image)
        )
        contact = None
        if len(pigs) == 2:
            contact = ContactEvidence(sure(self.contact, CONTACT_CLASSES))
        other = any(p.pose == "other" for p in pigs)
        ask = len(pigs) != 2 or other or self.ask or self.contact != Contact.APART
        decision = Decision.ASK if ask else Decision.ACCEPT
        return Reading(pigs, contact, decision, self.ask or "drawn", 1, frames[-1].time_s)


def _detection(pig: Pig, look: Look) -> PigDetection:
    x, y, r = pig.x + look.shift[0], pig.y + look.shift[1], pig.long
    return PigDetection((x - r, y - r, x + r, y + r), 0.9, sure(pig.pose, POSE_CLASSES))


def _hidden(pig: Pig, look: Look) -> bool:
    if look.hand <= 0:
        return False
    tip = look.hand * HEIGHT
    return abs(pig.x - look.hand_x) < 60 and pig.y < tip + 60


def _covered(pig: Pig, image: NDArray[np.uint8]) -> bool:
    """Tell whether a pig is painted over, as everything outside the throwing area may be."""
    return bool((image[round(pig.y), round(pig.x)] == 128).all())


@dataclass
class Told:
    """What a watch told about a film."""

    events: list[TableEvent]
    watch: TableWatch
    readings: int

    @property
    def throws(self) -> list[ThrowSeen]:
        return [e for e in self.events if isinstance(e, ThrowSeen)]

    @property
    def banks(self) -> int:
        return sum(isinstance(e, HandHeld) and e.left_s == 0 for e in self.events)

    @property
    def states(self) -> list[TableState]:
        return [e.state for e in self.events if isinstance(e, StateChanged)]

    @property
    def reasons(self) -> list[str]:
        return [e.reason for e in self.events if isinstance(e, StateChanged)]


Play = Callable[..., Told]


@pytest.fixture(scope="module")
def film_stage() -> Stage:
    """A stage for a film that a whole module watches."""
    return Stage()


@pytest.fixture(scope="module")
def dark_stage() -> Stage:
    """Another one."""
    return Stage()


@pytest.fixture(scope="module")
def film_pig() -> type[Pig]:
    """The drawn pig, for films."""
    return Pig


@pytest.fixture
def stage() -> Stage:
    """An empty table, 30 frames a second."""
    return Stage()


@pytest.fixture
def play() -> Play:
    """Play a film to a watch and collect what it tells."""

    def run(
        stage: Stage,
        *,
        armed: bool = True,
        area: Area | None = None,
        bank_by_hand: bool = False,
        **reader: object,
    ) -> Told:
        watch = TableWatch(armed=armed, area=area, bank_by_hand=bank_by_hand)
        eyes = StageReader(stage, **reader)  # type: ignore[arg-type]
        events = list(follow(stage.frames(), eyes, watch, area=area))
        return Told(events, watch, eyes.calls)

    return run


@pytest.fixture
def pig() -> type[Pig]:
    """The drawn pig."""
    return Pig


@pytest.fixture
def stage_reader() -> type[StageReader]:
    """The reader of drawn tables."""
    return StageReader


A_PAIR = ((250, 200, Pose.SNOUTER, 30.0), (400, 250, Pose.TROTTER, 100.0))


@pytest.fixture
def thrown(stage: Stage, pig: type[Pig]) -> Stage:
    """A throw that lies still and has been logged."""
    return stage.hold(0.5).throw(*(pig(*p) for p in A_PAIR)).hold(1.5)
