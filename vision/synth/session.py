"""A simulated session at a table: hands throw two pigs and take them away, and things happen.

`plan_session` makes everything of a recipe's seed; `Session.frames` films it, `Session.truth`
says what happened when.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from vision.capture.frame import Frame, Image
from vision.capture.small import Small
from vision.synth.camera import look_at
from vision.synth.compose import sample_lights
from vision.synth.degrade import Imperfection, sample_imperfection
from vision.synth.disturb import Kind, lost_frames
from vision.synth.film import Filming, FilmSet, night
from vision.synth.hand import HandLook
from vision.synth.paint import hsv, sample_paint, sister_paint
from vision.synth.pool import PigPool
from vision.synth.quick_film import SCALE, QuickFilming, Shot
from vision.synth.renderers import Renderer, open_renderer
from vision.synth.scene import Camera, Table
from vision.synth.session_plan import Plan, Planner
from vision.synth.session_recipe import SessionRecipe
from vision.synth.session_sight import truth_of
from vision.synth.session_truth import SessionTruth
from vision.synth.textures import texture_stack

SHAPES, SURFACES = (911, 12), (911, 24)
"""Pigs and table tops of sessions: in no training set."""


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """One session, planned and ready to be filmed."""

    recipe: SessionRecipe
    film_set: FilmSet
    plan: Plan
    truth: SessionTruth

    def turns(self) -> list[tuple[int, int]]:
        """Give the frames that come: pairs of the turn and the frame shown at it."""
        if self.recipe.disturbance is Kind.LOST_FRAMES:
            rng = np.random.default_rng([self.recipe.seed, 0xF4])
            return lost_frames(self.truth.frames, rng)
        return [(i, i) for i in range(self.truth.frames)]

    def frames(self, renderer: Renderer | None = None) -> Iterator[Frame]:
        """Film the session from its first frame to its last.

        Raises `RenderError` where nothing can be rendered.
        """
        own = renderer or open_renderer("raster", texture_stack(*SURFACES))
        filming = Filming(self.plan.script, self.film_set, own, self.recipe.seed)
        shown, image = -1, None
        try:
            for index, (turn, frame) in enumerate(self.turns()):
                if image is None or frame != shown:
                    image, shown = filming.picture(frame / self.recipe.fps, frame), frame
                yield Frame(_copy(image), index, turn / self.recipe.fps, self.recipe.name)
        finally:
            if renderer is None:
                own.close()

    def shots(self, renderer: Renderer) -> Iterator[tuple[Small, Image | None]]:
        """Film the session for its small pictures, many times faster than `frames`.

        With each comes its full picture, RGB, where nothing moves fast.
        """
        filming = QuickFilming(self.plan.script, self.film_set, renderer, self.recipe.seed)
        shown, shot = -1, Shot.nothing()
        for index, (turn, frame) in enumerate(self.turns()):
            if frame != shown:
                shot, shown = filming.shot(frame / self.recipe.fps, frame), frame
            yield Small(shot.grey, SCALE, index, turn / self.recipe.fps), shot.full


def _copy(image: Image) -> Image:
    return image.copy()


def plan_session(recipe: SessionRecipe) -> Session:
    """Plan a session: camera, table, light, pigs, every throw and hand, and its disturbance."""
    rng = np.random.default_rng([recipe.seed, 0x5E5])
    film_set = _film_set(recipe, rng)
    paint = sample_paint(rng)
    pool = PigPool(*SHAPES)
    first = int(rng.integers(len(pool)))
    planner = Planner(
        camera=film_set.camera,
        pigs=(pool[first], pool[(first + 1) % len(pool)]),
        paints=(paint, sister_paint(rng, paint)),
        rng=rng,
    )
    plan = planner.plan(recipe)
    return Session(recipe, film_set, plan, truth_of(recipe, film_set, plan))


def _film_set(recipe: SessionRecipe, rng: np.random.Generator) -> FilmSet:
    lights, ambient = sample_lights(rng)
    faults = replace(sample_imperfection(rng, 0.5), motion_px=0.0, upscaled=1.0, jpeg=97)
    if recipe.disturbance is Kind.NIGHT:
        faults = night(faults, recipe.strength)
    return FilmSet(
        camera=table_camera(recipe.size, recipe.pig_px, recipe.tilt_deg, float(rng.normal(0, 1.5))),
        table=_table(rng),
        lights=lights,
        ambient=ambient,
        look=_hand_look(rng),
        faults=_steady(faults),
    )


def table_camera(
    size: tuple[int, int], pig_px: float, tilt_deg: float, roll_deg: float = 0.0
) -> Camera:
    """Make a webcam on a stand, 45 cm from the table's middle, that shows a pig so long."""
    focal = pig_px / 28.0 * 450.0
    middle = (size[0] / 2, size[1] / 2)
    return look_at(np.zeros(3), tilt_deg, 0.0, roll_deg, 450.0, focal, size, middle)


def _table(rng: np.random.Generator) -> Table:
    level = float(np.exp(rng.normal(-0.8, 0.25)))
    return Table(
        texture=int(rng.integers(SURFACES[1])),
        scale_mm=float(rng.uniform(120, 320)),
        turn_deg=float(rng.uniform(0, 360)),
        offset=(float(rng.random()), float(rng.random())),
        tint=(level, level, level),
        bump=float(rng.uniform(0, 0.5)),
        gloss=float(rng.beta(1, 6) * 0.4),
    )


def _hand_look(rng: np.random.Generator) -> HandLook:
    skin = hsv(rng.normal(0.05, 0.012), rng.uniform(0.3, 0.6), rng.uniform(0.35, 0.95))
    sleeve = hsv(rng.random(), rng.uniform(0.0, 0.8), rng.uniform(0.1, 0.9))
    return HandLook(skin, sleeve)


def _steady(faults: Imperfection) -> Imperfection:
    """Keep a webcam's exposure near what it should be."""
    gain = np.clip(np.array(faults.gain), 0.85, 1.2)
    red, green, blue = (float(g) for g in gain)
    return replace(faults, gain=(red, green, blue), lift=float(np.clip(faults.lift, -0.03, 0.03)))
