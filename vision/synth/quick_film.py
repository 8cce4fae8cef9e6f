"""Films for watching a table in numbers: small pictures, at a twentieth of the work of `film`.

What lies still, creeps or rocks is rendered as finely as ever, but only around what stands on
the table, and only when it changes. What moves fast, and any hand, is laid over that at the size
of the small pictures by which the table is watched: nothing is read while it moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from vision.capture.frame import Frame, Image
from vision.capture.small import Grey, shrink
from vision.synth import disturb
from vision.synth.camera import resized
from vision.synth.film import Filming, Kept, scene_key
from vision.synth.overlay import blurred, over
from vision.synth.reach import apart, part_of
from vision.synth.scene import Camera, Placed, Scene, Thing
from vision.synth.wear import Wear

SCALE = 2
"""How much smaller the small pictures are: those of a film 640 pixels wide."""

# Slower than this, every pixel counts: a pig that rocks or creeps is told by a level or two.
_FAST_MM_S = 60.0

Solids = tuple[Placed | Thing, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture of the film: `grey` the small one; `full` RGB where nothing moves fast."""

    grey: Grey
    full: Image | None

    @classmethod
    def nothing(cls) -> Self:
        """Give a shot of nothing, one pixel large."""
        return cls(np.zeros((1, 1), np.uint8), None)


@dataclass(eq=False)
class QuickFilming(Filming):
    """Takes the pictures of a script on a set; the same seed gives the same pictures.

    The set's camera gives pictures whose small ones are half as wide and high.
    """

    coarse_hands: ClassVar[bool] = True
    _bare: Kept = field(default_factory=Kept)
    _small: Kept = field(default_factory=Kept)

    def __post_init__(self) -> None:
        fs = self.film_set
        self._wear = Wear(fs.faults, fs.camera.full, self.seed)
        self._small_wear = Wear(fs.faults, fs.camera.full, self.seed, SCALE)

    def shot(self, time_s: float, index: int) -> Shot:
        """Take picture number `index` at a time."""
        lying, moving = self._parted(time_s)
        image, faults = self._fine(lying), self._faults(time_s)
        if not moving:
            full = self._wear.picture(self._shaded(image, time_s), faults, index)
            return Shot(shrink(Frame(full, index, time_s, "")).grey, full)
        small = self._laid_over(self._halved(image, lying), lying, moving, time_s)
        worn = self._small_wear.picture(self._shaded(small, time_s), faults, index)
        return Shot(_grey(worn), None)

    def _parted(self, time_s: float) -> tuple[Scene, Solids]:
        """Give the scene without what moves fast, and what does and can be seen."""
        scene = self.scene(time_s)
        speeds = self.script.pig_speeds(time_s)
        fast = tuple(p for p, v in zip(scene.pigs, speeds, strict=True) if v >= _FAST_MM_S)
        hands = self.hands(time_s)
        lying = replace(
            scene,
            pigs=tuple(p for p in scene.pigs if p not in fast and part_of(scene, p)),
            things=self.put_down(time_s),
        )
        moving: Solids = (*fast, *hands)
        return lying, tuple(s for s in moving if part_of(scene, s))

    def _shaded(self, image: Image, time_s: float) -> Image:
        for d in self.script.disturbances:
            image = disturb.shade(image, d, time_s)
        return image

    def _fine(self, scene: Scene) -> Image:
        """Render as `film` does, but only what stands on the table and around it."""
        key = scene_key(scene)
        if self._kept.image is None or key != self._kept.key:
            image = self._table(scene).copy()
            for part in apart([part_of(scene, s) for s in scene.solids]):
                drawn = self.renderer.render(scene, self._exposure_of(scene), part)
                image[part[1] : part[3], part[0] : part[2]] = drawn
            self._kept.image, self._kept.key = image, key
        return self._kept.image

    def _table(self, scene: Scene) -> Image:
        """Give the bare table from where the camera is."""
        bare = replace(scene, pigs=(), things=())
        key = scene_key(bare)
        if self._bare.image is None or key != self._bare.key:
            self._bare.image = self.renderer.render(bare, self._exposure_of(scene))
            self._bare.key = key
        return self._bare.image

    def _halved(self, image: Image, scene: Scene) -> Image:
        """Give a fine picture at the size of the small ones."""
        import cv2

        key = scene_key(scene)
        if self._small.image is None or key != self._small.key:
            height, width = (v // SCALE for v in image.shape[:2])
            half = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
            self._small.image, self._small.key = np.asarray(half, np.uint8), key
        return self._small.image

    def _laid_over(self, under: Image, scene: Scene, moving: Solids, time_s: float) -> Image:
        """Lay what moves over a picture, blurred as the fastest pig is."""
        pigs = tuple(_coarse(s) for s in moving if isinstance(s, Placed))
        things = tuple(s for s in moving if isinstance(s, Thing))
        camera = resized(scene.camera, 1 / SCALE)
        alone = replace(scene, camera=camera, pigs=pigs, things=things)
        solids = self.renderer.solids(alone, self._exposure_of(scene))
        return over(under, blurred(solids, *self._flown(camera, time_s)), alone)

    def _flown(self, camera: Camera, time_s: float) -> tuple[float, float]:
        """Give how far, in pixels, the fastest pig flies while the shutter is open."""
        ways = self.script.pig_ways(time_s, self.film_set.shutter_s)
        if not ways:
            return 0.0, 0.0
        early, late = max(ways, key=lambda way: float(np.linalg.norm(way[1] - way[0])))
        before, after = camera.project(np.stack([early, late]))
        return float(after[0] - before[0]), float(after[1] - before[1])


def _coarse(placed: Placed) -> Placed:
    return replace(placed, pig=replace(placed.pig, mesh=placed.pig.shadow))


def _grey(image: Image) -> Grey:
    import cv2

    return np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), np.uint8)
