"""Where the table's normal points before the camera, and what that says of a pig's pose.

From one crop a snouter seen a little from its left and a leaning jowler seen from straight above
look the same: what tells them apart is where up is. All pigs of a picture stand on one table, and
a camera stays where it is: each pig that is read says where up must be, for the other one and for
all that are thrown later (docs/decisions/0022-slant.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from vision.recognize.attitude import Attitudes, rotations, unit
from vision.recognize.crop import Box
from vision.recognize.stances import Stance, densities

Floats = NDArray[np.float64]

FOCAL = 0.95
"""Focal length over the picture's longer side, of a camera nobody knows: 55 degrees wide."""

DIRECTIONS = 400
"""Directions that the normal may have: about seven degrees apart over half a sphere.

Poses are read the same with 900; a stance spreads by seven degrees and more.
"""

LISTEN = 0.7
"""How far one pig's word about where up is is trusted, as a power of its likelihood."""

SAY = 0.9
"""How far where up is decides a pose, as a power of the likelihood."""

KEEP = 0.97
"""What is left, as a power, of all that was learnt before, at each lay of the pigs."""


MOVED = 0.3
"""How often a camera stands elsewhere than where it was taught.

It bounds what a belief taught once can weigh: a pose that it forbids loses a factor of three.
Chosen on eight strangers as what reads most right at the table taught and elsewhere together.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Slant:
    """What is believed of the normal: log-shares [DIRECTIONS] of `directions()`, summing to 1."""

    logs: Floats

    @classmethod
    def unknown(cls) -> Self:
        """Give what holds of any camera over a table."""
        return cls(_any_camera())

    def hearing(self, words: Floats) -> Slant:
        """Give the belief after pigs said where up is: their log-likelihoods [N, DIRECTIONS]."""
        return Slant(_shares(self.logs + LISTEN * words.sum(axis=0)))

    def later(self) -> Slant:
        """Give the belief a lay later: a camera may creep."""
        unknown = _any_camera()
        return Slant(_shares(unknown + KEEP * (self.logs - unknown)))

    def doubted(self) -> Slant:
        """Give the belief where the camera may have been moved since: some of it is anybody's."""
        return Slant(np.logaddexp(np.log1p(-MOVED) + self.logs, np.log(MOVED) + _any_camera()))

    @property
    def spread_deg(self) -> float:
        """How far the normal may be from its mean, degrees (root of the mean square)."""
        share = np.exp(self.logs)
        mean = share @ directions()
        cosines = directions() @ (mean / np.linalg.norm(mean))
        return float(np.degrees(np.sqrt(share @ np.arccos(np.clip(cosines, -1, 1)) ** 2)))


@dataclass(frozen=True, slots=True, eq=False)
class Signs:
    """What the attitudes of N pigs say of where up is, pose by pose.

    `lies` are densities [N, DIRECTIONS, 7] of their ups, were the normal so and the pose that;
    `usual` [N, 7] the same before a camera nobody knows.
    """

    lies: Floats
    usual: Floats

    @classmethod
    def of(cls, attitudes: Attitudes, sights: Floats, stances: tuple[Stance, ...]) -> Self:
        """Look at pigs turned so, each seen along its line of sight."""
        turned = np.swapaxes(rotations(attitudes), 1, 2) @ sights
        lies = densities(stances, directions() @ np.swapaxes(turned, 1, 2))
        return cls(lies, np.exp(_any_camera()) @ lies)

    def words(self, log_poses: Floats) -> Floats:
        """Give what each pig says, log-likelihoods [N, DIRECTIONS], its pose as sure as this."""
        shares = np.exp(log_poses) / self.usual
        return np.asarray(np.log(self.lies @ shares[:, :, None])[:, :, 0], np.float64)

    def weigh(self, log_poses: Floats, beliefs: Floats) -> Floats:
        """Weigh log-probabilities [N, 7] with beliefs, log-shares [N, DIRECTIONS]."""
        here = (np.exp(beliefs)[:, None, :] @ self.lies)[:, 0, :]
        new = log_poses + SAY * np.log(here / self.usual)
        return np.asarray(new - np.logaddexp.reduce(new, axis=1)[:, None], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """What the pigs of one picture say: new log-probabilities [N, 7], and their words [N, D]."""

    log_poses: Floats
    words: Floats


def hear(
    log_poses: Floats, attitudes: Attitudes, boxes: Sequence[Box], size: tuple[int, int],
    slant: Slant, stances: tuple[Stance, ...],
) -> Heard:  # fmt: skip
    """Weigh log-probabilities [N, 7] with where up is, by `slant` and by the other pigs.

    `size` is the picture's (width, height). A pig's own word never weighs its own pose: the
    network has already said what it makes of that.
    """
    signs = Signs.of(attitudes, sights(boxes, size), stances)
    words = signs.words(log_poses)
    others = [slant.hearing(np.delete(words, i, axis=0)).logs for i in range(len(words))]
    return Heard(signs.weigh(log_poses, np.reshape(others, words.shape)), words)


def sights(boxes: Sequence[Box], size: tuple[int, int]) -> Floats:
    """Rotations [N, 3, 3] from the camera's axes (x right, y down, z ahead) to those of sight."""
    width, height = size
    focal = FOCAL * max(width, height)
    corners = np.reshape(np.array(boxes, np.float64), (-1, 4))
    middles = (corners[:, :2] + corners[:, 2:] - np.array([width, height])) / 2
    ahead = unit(np.column_stack([middles, np.full(len(middles), focal)]))
    right = unit(np.array([1.0, 0.0, 0.0]) - ahead[:, :1] * ahead)
    return np.stack([right, np.cross(ahead, right), ahead], axis=1)


@cache
def directions() -> Floats:
    """Give unit vectors [DIRECTIONS, 3] towards the camera, evenly spread on a golden spiral."""
    i = np.arange(DIRECTIONS) + 0.5
    z = -i / DIRECTIONS
    around = np.pi * (1 + 5**0.5) * i
    flat = np.sqrt(1 - z**2)
    return np.stack([flat * np.cos(around), flat * np.sin(around), z], axis=1)


@cache
def _any_camera() -> Floats:
    """Log-shares of directions for a camera nobody knows.

    Its tilt is anything up to 80 degrees. Seen from above a table is turned any way; seen at a
    slant its far side is mostly up in the picture, within some 15 degrees.
    """
    x, y, z = directions().T
    tilt = np.degrees(np.arccos(np.clip(-z, -1, 1)))
    roll = np.degrees(np.arctan2(x, -y))
    upright = np.exp(-0.5 * (roll / 15.0) ** 2) / (15.0 * np.sqrt(2 * np.pi)) * 360.0
    slanted = np.clip((tilt - 15.0) / 20.0, 0.0, 1.0) * 0.8
    tilted = np.clip((80.0 - tilt) / 8.0, 0.002, 1.0) / np.sin(np.radians(np.maximum(tilt, 4.0)))
    return _shares(np.log(tilted * (1 - slanted + slanted * upright)))


def _shares(logs: Floats) -> Floats:
    return np.asarray(logs - np.logaddexp.reduce(logs), np.float64)
