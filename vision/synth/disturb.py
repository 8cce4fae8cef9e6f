"""What happens at a table besides throws: shadows, lamps, focus, bumps, things put down.

Each disturbance is switched on alone in a session, for some seconds. Those of the picture
(shade, tone, focus, noise) change pixels; those of the camera and of things change the scene.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.synth.placing import rotation_about
from vision.synth.scene import Camera


class Kind(StrEnum):
    """The disturbances a session can hold; the values are the names used in recipes."""

    SHADOW = "shadow"
    LAMP = "lamp"
    EXPOSURE = "exposure"
    FOCUS = "focus"
    NUDGE = "nudge"
    KNOCK = "knock"
    PHONE = "phone"
    PINK_THING = "pink_thing"
    ROLLING = "rolling"
    OFF_TABLE = "off_table"
    LATE = "late"
    NIGHT = "night"
    LOST_FRAMES = "lost_frames"


IN_THE_PICTURE = (Kind.SHADOW, Kind.LAMP, Kind.EXPOSURE, Kind.FOCUS, Kind.NUDGE)
"""Those that come and go by the clock, whatever the pigs do."""

OF_THE_THROW = (Kind.ROLLING, Kind.OFF_TABLE, Kind.LATE)
"""Those that make another kind of throw."""


@dataclass(frozen=True, slots=True)
class Disturbance:
    """One thing that happens: when, for how long (seconds), which way (radians), how much.

    `strength` 1 is as at a usual table; `seed` draws the rest.
    """

    kind: Kind
    start_s: float
    seconds: float
    strength: float = 1.0
    way_rad: float = 0.0

    def __post_init__(self) -> None:
        if self.seconds <= 0 or self.strength < 0:
            raise ValueError(f"a {self.kind} takes some time and has a strength of 0 or more")

    def share(self, time_s: float) -> float:
        """How far it has come, 0 to 1."""
        return float(np.clip((time_s - self.start_s) / self.seconds, 0.0, 1.0))

    def active(self, time_s: float) -> bool:
        """Whether it goes on at a time."""
        return self.start_s <= time_s < self.start_s + self.seconds


def move_camera(camera: Camera, d: Disturbance, time_s: float) -> Camera:
    """Give the camera after a nudge (it stays elsewhere), or during a knock (it trembles)."""
    if d.kind is Kind.NUDGE:
        share = d.share(time_s)
        share = share * share * (3 - 2 * share)
        turn = 0.022 * d.strength * share
        aside = 7.0 * d.strength * share
        way = np.array([np.cos(d.way_rad), np.sin(d.way_rad), 0.0])
        rotation = camera.rotation @ rotation_about(np.array([0.0, 0.0, 1.0]), turn).T
        return replace(camera, rotation=rotation, position=camera.position + aside * way)
    if d.kind is Kind.KNOCK and d.active(time_s):
        t = time_s - d.start_s
        shake = 1.6 * d.strength * np.exp(-t / 0.12) * np.sin(2 * np.pi * 14.0 * t)
        return replace(camera, position=camera.position + np.array([0.3, 0.2, 1.0]) * shake)
    return camera


def focus_px(d: Disturbance, time_s: float) -> float:
    """Give the blur of a camera that hunts for its focus: twice out and back."""
    if d.kind is not Kind.FOCUS or not d.active(time_s):
        return 0.0
    return float(4.5 * d.strength * np.sin(2 * np.pi * d.share(time_s)) ** 2)


def tone(d: Disturbance, time_s: float) -> tuple[float, float, float]:
    """Give the factor on red, green and blue that the light or the exposure makes."""
    if d.kind is Kind.EXPOSURE and d.active(time_s):
        swing = np.exp(0.45 * d.strength * np.sin(2 * np.pi * 2 * d.share(time_s)))
        return (float(swing),) * 3
    if d.kind is Kind.LAMP and time_s >= d.start_s:
        # The lamp goes off at once; the camera's automatic makes up for most of it in a second.
        t = time_s - d.start_s
        on = t >= d.seconds
        t = t - d.seconds if on else t
        jump = (1.5 if on else 0.6) ** d.strength
        left = jump ** float(np.exp(-t / 0.5))
        warm = 0.0 if on else 0.05 * d.strength
        return left * (1 - warm), left, left * (1 + warm)
    return 1.0, 1.0, 1.0


def shade(image: Image, d: Disturbance, time_s: float) -> Image:
    """Let a soft shadow, an arm's breadth wide, pass over the whole picture."""
    if d.kind is not Kind.SHADOW or not d.active(time_s):
        return image
    height, width = image.shape[:2]
    c, s = np.cos(d.way_rad), np.sin(d.way_rad)
    y, x = np.mgrid[0:height:8, 0:width:8].astype(np.float32)
    along = (x - width / 2) * c + (y - height / 2) * s
    reach = 0.5 * (abs(width * c) + abs(height * s))
    half = 0.16 * width
    middle = (2 * d.share(time_s) - 1) * (reach + 1.6 * half)
    depth = 0.45 * d.strength / (1 + np.exp((np.abs(along - middle) - half) / (0.03 * width)))
    return _times(image, (1.0 - depth).astype(np.float32))


def _times(image: Image, factor: NDArray[np.float32]) -> Image:
    import cv2

    height, width = image.shape[:2]
    full = cv2.resize(factor, (width, height), interpolation=cv2.INTER_LINEAR)
    darker = np.multiply(image, np.asarray(full)[..., None], dtype=np.float32)
    return darker.astype(np.uint8)


def lost_frames(count: int, rng: np.random.Generator, share: float = 0.06) -> list[tuple[int, int]]:
    """Give what a bad cable makes of `count` frames: pairs of the turn and the frame shown then.

    Some turns pass without a frame, at some the frame before comes once more.
    """
    sent: list[tuple[int, int]] = []
    turn = 0
    while turn < count:
        fate, length = rng.random(), int(rng.integers(1, 5))
        if fate < share:
            turn += length  # these never come
        elif fate < 2 * share:
            sent += [(turn + k, turn) for k in range(min(length, count - turn))]
            turn += length
        else:
            sent.append((turn, turn))
            turn += 1
    return sent
