"""Pictures of a table over time as one camera takes them: motion blur, light, its own faults."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from vision.capture.frame import Image
from vision.synth import disturb
from vision.synth.compose import exposure_for
from vision.synth.degrade import Imperfection, degrade
from vision.synth.disturb import Disturbance
from vision.synth.hand import HandLook
from vision.synth.renderers import Renderer
from vision.synth.rounds import HandPath, Round
from vision.synth.scene import Camera, Colour, Light, Placed, Scene, Table, Thing, Vec

_BLUR_STEP_PX = 3.0
_MOST_EXPOSURES = 6


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """Something put on the table: from when to when (seconds)."""

    thing: Thing
    from_s: float
    until_s: float


@dataclass(frozen=True, slots=True, eq=False)
class FilmSet:
    """What stays the same through a film: camera, table, light, the camera's faults.

    `shutter_s` is how long each picture is exposed: what moves is blurred by so much.
    """

    camera: Camera
    table: Table
    lights: tuple[Light, ...]
    ambient: Colour
    look: HandLook
    faults: Imperfection
    shutter_s: float = 1 / 70
    radius_mm: float = 230.0

    @property
    def px_per_mm(self) -> float:
        """Pixels a millimetre in the middle of the table, about."""
        return self.camera.focal_px / float(np.linalg.norm(self.camera.position))


@dataclass(frozen=True, slots=True, eq=False)
class Script:
    """What happens: rounds, hands besides theirs, things put down, disturbances; in seconds."""

    rounds: tuple[Round, ...]
    hands: tuple[HandPath, ...] = ()
    things: tuple[Shown, ...] = ()
    disturbances: tuple[Disturbance, ...] = ()
    seconds: float = 0.0

    def placed(self, time_s: float) -> tuple[Placed, ...]:
        """Give every pig over the table."""
        return tuple(p for r in self.rounds for p in r.placed(time_s))

    def pig_speeds(self, time_s: float) -> tuple[float, ...]:
        """Give how fast each pig of `placed` moves, mm/s."""
        return tuple(
            flight.speed(time_s)
            for r in self.rounds
            for flight, (a, b) in zip(r.flights, r.shown_s, strict=True)
            if a <= time_s < b
        )

    def pig_ways(self, time_s: float, seconds: float) -> list[tuple[Vec, Vec]]:
        """Give where each pig over the table is so many seconds around a time: begin and end."""
        return [
            (flight.position(time_s - seconds / 2), flight.position(time_s + seconds / 2))
            for r in self.rounds
            for flight, (a, b) in zip(r.flights, r.shown_s, strict=True)
            if a <= time_s < b
        ]

    def paths(self) -> tuple[HandPath, ...]:
        """Give every hand's way, those that take pigs away among them."""
        return (*(r.hand for r in self.rounds), *self.hands)

    def speed(self, time_s: float) -> float:
        """Give how fast the fastest thing moves, mm/s."""
        fastest = 0.0
        for round_ in self.rounds:
            if any(a <= time_s < b for a, b in round_.shown_s):
                fastest = max(fastest, round_.speed(time_s))
        for path in self.paths():
            now, soon = path.at(time_s), path.at(time_s + 0.01)
            if now is not None and soon is not None:
                fastest = max(fastest, float(np.hypot(soon.x - now.x, soon.y - now.y)) / 0.01)
        return fastest


@dataclass(slots=True)
class Kept:
    """The scene rendered last, so that a still table is rendered once."""

    key: tuple[object, ...] = ()
    image: Image | None = None


@dataclass(eq=False)
class Filming:
    """Takes the pictures of a script on a set; the same seed gives the same pictures."""

    script: Script
    film_set: FilmSet
    renderer: Renderer
    seed: int = 0
    coarse_hands: ClassVar[bool] = False
    _kept: Kept = field(default_factory=Kept)
    _exposure: float | None = None

    def scene(self, time_s: float) -> Scene:
        """Describe what the camera sees at a time."""
        fs, script = self.film_set, self.script
        camera = fs.camera
        for d in script.disturbances:
            camera = disturb.move_camera(camera, d, time_s)
        things = (*self.put_down(time_s), *self.hands(time_s))
        return Scene(
            camera, fs.table, fs.lights, fs.ambient, script.placed(time_s), things,
            radius_mm=fs.radius_mm,
        )  # fmt: skip

    def put_down(self, time_s: float) -> tuple[Thing, ...]:
        """Give what was put on the table."""
        return tuple(s.thing for s in self.script.things if s.from_s <= time_s < s.until_s)

    def hands(self, time_s: float) -> tuple[Thing, ...]:
        """Give the hands and sleeves over the table or beside it."""
        hands = [path.at(time_s) for path in self.script.paths()]
        look, coarse = self.film_set.look, self.coarse_hands
        return tuple(t for h in hands if h is not None for t in h.things(look, coarse=coarse))

    def picture(self, time_s: float, index: int) -> Image:
        """Take picture number `index` at a time: uint8[H, W, 3] RGB."""
        image = self._exposed(time_s)
        rng = np.random.default_rng([self.seed, index])
        for d in self.script.disturbances:
            image = disturb.shade(image, d, time_s)
        return degrade(image, self._faults(time_s), rng)

    def _exposed(self, time_s: float) -> Image:
        speed_px = self.script.speed(time_s) * self.film_set.px_per_mm
        blur = speed_px * self.film_set.shutter_s
        count = int(np.clip(np.ceil(blur / _BLUR_STEP_PX), 1, _MOST_EXPOSURES))
        if count == 1:
            return self._rendered(time_s)
        times = time_s + self.film_set.shutter_s * (np.arange(count) / (count - 1) - 0.5)
        light = sum(_linear(self._rendered(float(t))) for t in times) / count
        return np.asarray((np.clip(light, 0, 1) ** (1 / 2.2)) * 255.0 + 0.5, dtype=np.uint8)

    def _rendered(self, time_s: float) -> Image:
        scene = self.scene(time_s)
        key = scene_key(scene)
        if self._kept.image is None or key != self._kept.key:
            self._kept.image = self.renderer.render(scene, self._exposure_of(scene))
            self._kept.key = key
        return self._kept.image

    def _exposure_of(self, scene: Scene) -> float:
        if self._exposure is None:
            rng = np.random.default_rng([self.seed, 0xE4])
            self._exposure = exposure_for(rng, scene)
        return self._exposure

    def _faults(self, time_s: float) -> Imperfection:
        """Give the camera's own faults and what light and automatics add to them now."""
        faults = self.film_set.faults
        gain, focus = np.array(faults.gain), faults.focus_px
        for d in self.script.disturbances:
            gain = gain * disturb.tone(d, time_s)
            focus = float(np.hypot(focus, disturb.focus_px(d, time_s)))
        red, green, blue = (float(g) for g in gain)
        return replace(faults, gain=(red, green, blue), focus_px=focus)


def _linear(image: Image) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return (image.astype(np.float32) / 255.0) ** 2.2


def scene_key(scene: Scene) -> tuple[object, ...]:
    """Tell scenes apart by where things are; what they are does not change within a film."""
    where = [scene.camera.position, scene.camera.rotation]
    for pig in scene.pigs:
        where += [pig.rotation, pig.position]
    for thing in scene.things:
        where += [thing.rotation, thing.position]
    meshes = [id(thing.mesh) for thing in scene.things]  # a hand that closes is another mesh
    return (len(scene.pigs), *meshes, *(a.tobytes() for a in where))


def night(faults: Imperfection, strength: float = 1.0) -> Imperfection:
    """Give the faults of the same camera in the dark: little light, much noise, softer."""
    red, green, blue = (g * 0.62**strength for g in faults.gain)
    return replace(
        faults, gain=(red * 1.06, green, blue * 0.9), noise=faults.noise + 7.0 * strength,
        colour_noise=faults.colour_noise + 5.0 * strength, focus_px=max(faults.focus_px, 0.6),
    )  # fmt: skip
