"""Motion, hands, bumps and light, judged on small pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.capture.foreground import Rebased
from vision.capture.frame import Frame
from vision.capture.health import BLACK, WHITE, blindness
from vision.capture.light import difference, light_between
from vision.capture.scene import Scene, SceneWatcher
from vision.capture.settle import Settle, smooth_for
from vision.capture.small import Grey, Small, shrink

HEIGHT, WIDTH = 90, 160


def table(seed: int = 0, contrast: float = 18.0) -> NDArray[np.float32]:
    """Draw a grainy table of brightness 110."""
    coarse = np.random.default_rng(seed).normal(110, contrast, (HEIGHT // 6, WIDTH // 8))
    return cv2.resize(coarse.astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)  # type: ignore[return-value]


@dataclass
class Eye:
    """Looks at drawn grey pictures, 30 a second."""

    fps: float = 30.0
    noise: float = 1.0
    watcher: SceneWatcher = field(default_factory=SceneWatcher)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(5))
    index: int = 0

    def small(self, picture: NDArray[np.float32]) -> Small:
        noisy = picture + self.rng.normal(0, self.noise, picture.shape)
        grey = noisy.round().clip(0, 255).astype(np.uint8)
        self.index += 1
        return Small(grey, 1, self.index, self.index / self.fps)

    def look(self, picture: NDArray[np.float32], frames: int = 1) -> list[Scene]:
        return [self.watcher.look(self.small(picture)) for _ in range(frames)]


def with_box(
    picture: NDArray[np.float32], x: int, y: int, w: int, h: int, level: float = 200.0
) -> NDArray[np.float32]:
    changed = picture.copy()
    changed[max(0, y) : y + h, max(0, x) : x + w] = level
    return changed


@pytest.mark.parametrize("noise", [0.0, 0.5, 2.0, 5.0])
def test_a_still_table_is_quiet_whatever_the_camera_s_noise(noise: float) -> None:
    eye = Eye(noise=noise)
    scenes = eye.look(table(), 120)[60:]
    assert not any(s.moving or s.hand for s in scenes)
    assert scenes[-1].quiet_s > 1.5


@pytest.mark.parametrize("noise", [0.5, 2.0, 4.0])
def test_a_moving_pig_is_motion_and_its_rest_is_quiet(noise: float) -> None:
    eye = Eye(noise=noise)
    eye.look(table(), 60)
    moving = [eye.look(with_box(table(), 20 + 2 * i, 40, 8, 6))[0] for i in range(30)]
    assert all(s.moving for s in moving)
    rest = eye.look(with_box(table(), 78, 40, 8, 6), 30)
    assert not any(s.moving for s in rest[2:])
    assert rest[-1].quiet_s > 0.8


def test_a_pig_slower_than_any_two_frames_show_is_motion_all_the_same() -> None:
    settle, eye = Settle(), Eye(noise=0.5)
    quiet = []
    for i in range(240):
        blurred = cv2.GaussianBlur(table(), (0, 0), 1)
        x = 60 + i / 24  # pixels; one small pixel in 0.8 seconds
        ramp = np.clip(np.arange(WIDTH) - x, 0, 1) * np.clip(x + 8 - np.arange(WIDTH), 0, 1)
        picture = blurred + 90 * ramp[None] * ((np.arange(HEIGHT) - 45)[:, None] ** 2 < 16)
        quiet.append(settle.look(eye.small(picture.astype(np.float32))).quiet_s)
    assert max(quiet[30:]) < 0.9


@given(
    gain=st.floats(0.6, 1.6),
    offset=st.floats(-15, 25),
    seed=st.integers(0, 5),
    hand=st.booleans(),
)
@example(gain=0.78125, offset=22.0, seed=0, hand=True)  # dark rises as bright falls
@settings(max_examples=60, deadline=None)
def test_light_is_found_with_and_without_a_hand_in_the_picture(
    gain: float, offset: float, seed: int, hand: bool
) -> None:
    before = table(seed).clip(0, 255).astype(np.uint8)
    after = (table(seed) * gain + offset).clip(0, 255).astype(np.float32)
    if hand:
        after = with_box(after, 0, 0, 60, 50, 250.0)
    seen: Grey = after.round().clip(0, 255).astype(np.uint8)
    found = light_between(before, seen)
    predicted = before[60:, 80:] * found.gain + found.offset
    assert np.abs(predicted - seen[60:, 80:]).mean() < 2.0
    assert float(np.median(difference(before, seen)[60:, 80:])) <= 2


@pytest.mark.parametrize("gain", [0.55, 0.8, 1.3, 1.8])
def test_a_lamp_switched_is_neither_motion_for_long_nor_a_hand(gain: float) -> None:
    eye = Eye()
    eye.look(table(), 40)
    scenes = eye.look(table() * gain, 30)
    assert not any(s.hand for s in scenes)
    assert scenes[-1].quiet_s > 0.5


def test_exposure_that_hunts_is_no_motion() -> None:
    eye = Eye()
    eye.look(table(), 40)
    hunting = [
        eye.look((table() * (1 + 0.25 * np.sin(i / 5))).astype(np.float32))[0] for i in range(90)
    ]
    assert sum(s.moving for s in hunting) <= 3


@pytest.mark.parametrize(
    ("box", "hand"),
    [
        ((60, -1, 30, 60), True),
        ((-1, 30, 70, 25), True),
        ((130, 50, 40, 25), True),
        ((40, 20, 60, 45), True),
        ((70, 40, 10, 8), False),
        ((0, 40, 10, 8), False),
    ],
    ids=["from above", "from the left", "from the right", "large", "pig", "pig at the border"],
)
def test_a_hand_comes_from_the_border_or_is_large(
    box: tuple[int, int, int, int], hand: bool
) -> None:
    eye = Eye()
    eye.look(table(), 40)
    scenes = eye.look(with_box(table(), *box), 20)
    assert [s.hand for s in scenes] == [hand] * 20


def test_a_hand_is_seen_in_time() -> None:
    eye = Eye()
    eye.look(table(), 40)
    frames = 0
    for i in range(60):
        frames += 1
        if eye.look(with_box(table(), 60, -1, 22, 4 * i))[0].hand:
            break
    # 22 small pixels wide: seen once it is 13 pixels deep, a seventh of the picture.
    assert frames <= 5


@pytest.mark.parametrize("levels", [40.0, 18.0])
def test_a_hand_that_differs_little_is_seen_by_night(levels: float) -> None:
    """Its few levels are less than the noise of one pixel, not than that of a few together."""
    eye = Eye(noise=9.0)
    still = eye.look(table(), 120)[60:]
    assert not any(s.moving or s.hand for s in still)
    dark = [np.where(np.arange(HEIGHT)[:, None] < 8 * i, levels, 0.0) for i in range(1, 8)]
    hands = [(table() - d * (np.abs(np.arange(WIDTH) - 80) < 12)).astype(np.float32) for d in dark]
    scenes = [eye.look(h)[0] for h in hands]
    assert all(s.moving for s in scenes[1:])
    assert scenes[3].hand


def test_smoothing_follows_the_noise_and_does_not_waver() -> None:
    """A noise at a limit would else change what counts as a change from picture to picture."""
    smooth, sides = 1, []
    for grain in (1.0, 3.9, 4.1, 3.6, 3.4, 8.1, 7.1, 6.9, 12.0, 1.0):
        smooth = smooth_for(grain, smooth)
        sides.append(smooth)
    assert sides == [1, 1, 3, 3, 1, 5, 5, 3, 5, 1]


def test_what_stays_for_long_belongs_to_the_table() -> None:
    eye = Eye()
    eye.look(table(), 40)
    phone = with_box(table(), 0, 30, 40, 30, 30.0)
    scenes = eye.look(phone, 120)
    assert scenes[0].hand
    assert not scenes[-1].hand
    assert [s.rebased for s in scenes if s.rebased] == [Rebased.OBJECT]
    assert eye.look(with_box(phone, 90, -1, 40, 50), 3)[-1].hand


@pytest.mark.parametrize("shift", [(2, 1), (-6, 3), (0, -10), (15, 0)])
def test_a_bump_is_measured_and_told_once(shift: tuple[int, int]) -> None:
    grain = np.random.default_rng(3).normal(110, 25, (50, 74)).astype(np.float32)
    wide = cv2.resize(grain, (WIDTH + 60, HEIGHT + 60), interpolation=cv2.INTER_CUBIC)
    dx, dy = shift

    def view(x: int, y: int) -> NDArray[np.float32]:
        return wide[30 - y : 30 - y + HEIGHT, 30 - x : 30 - x + WIDTH]  # type: ignore[return-value]

    eye = Eye()
    eye.look(view(0, 0), 40)
    scenes = eye.look(view(dx, dy), 40)
    bumps = [s for s in scenes if s.rebased is Rebased.BUMP]
    assert len(bumps) == 1
    assert bumps[0].warp is not None
    assert np.allclose(bumps[0].warp.point(80, 45), (80 + dx, 45 + dy), atol=0.3)
    assert not scenes[-1].hand


def test_a_turned_camera_is_a_bump() -> None:
    grain = np.random.default_rng(3).normal(110, 25, (50, 74)).astype(np.float32)
    before = cv2.resize(grain, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    matrix = cv2.getRotationMatrix2D((80, 45), 4, 1.0)
    after = cv2.warpAffine(before, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)
    eye = Eye()
    eye.look(before, 40)  # type: ignore[arg-type]
    (bump,) = [s for s in eye.look(after, 40) if s.rebased]  # type: ignore[arg-type]
    assert bump.warp is not None
    assert np.allclose(bump.warp.matrix, matrix, atol=0.6)


@pytest.mark.parametrize("shape", [(720, 1280), (1080, 1920), (480, 640), (1280, 720), (90, 160)])
def test_a_frame_is_made_small_keeping_its_shape(shape: tuple[int, int]) -> None:
    image = np.full((*shape, 3), 77, np.uint8)
    small = shrink(Frame(image, 3, 0.5, "test"))
    height, width = small.grey.shape
    assert max(height, width) <= 384
    assert width * small.scale == pytest.approx(shape[1], rel=0.02)
    assert height * small.scale == pytest.approx(shape[0], rel=0.02)
    assert (small.index, small.time_s) == (3, 0.5)
    assert np.abs(small.grey.astype(int) - 77).max() <= 1


@pytest.mark.parametrize("change", [(60, 80), (180, 320)])
def test_another_size_of_picture_starts_afresh(change: tuple[int, int]) -> None:
    eye = Eye()
    eye.look(table(), 40)
    other = cv2.resize(table(), change[::-1])
    scenes = eye.look(other, 20)  # type: ignore[arg-type]
    assert not any(s.hand or s.moving for s in scenes)
    assert scenes[-1].quiet_frames == 19


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: np.zeros((HEIGHT, WIDTH)), BLACK),
        (lambda: np.random.default_rng(0).normal(6, 3, (HEIGHT, WIDTH)), BLACK),
        (lambda: np.full((HEIGHT, WIDTH), 255.0), WHITE),
        (table, ""),
        (lambda: table() * 0.4, ""),
        (lambda: table(contrast=1.0), ""),
    ],
    ids=["black", "dark noise", "white", "table", "dim table", "plain table"],
)
def test_a_picture_that_shows_nothing(make: Callable[[], NDArray[np.float32]], why: str) -> None:
    grey: Grey = make().round().clip(0, 255).astype(np.uint8)
    assert blindness(grey) == why


def test_a_black_picture_leaves_the_table_as_it_was() -> None:
    eye = Eye()
    eye.look(table(), 40)
    assert {s.blind for s in eye.look(np.zeros_like(table()), 60)} == {BLACK}
    after = eye.look(table(), 10)
    assert not any(s.moving or s.rebased for s in after)
