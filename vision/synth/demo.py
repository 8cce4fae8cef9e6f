"""The demo clip: ten simulated throws over a table, and the truth file that goes with it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from scoring.commands import Bank, Command, MakeThrow, StartGame
from scoring.events import Source
from scoring.game import apply, decide
from scoring.outcome import judge
from scoring.rulefile import load_rules
from scoring.state import GameState
from scoring.throw import Contact, Pose, Throw
from vision.capture.frame import Image
from vision.errors import RenderError
from vision.synth.compose import projected_box
from vision.synth.degrade import Imperfection
from vision.synth.film import Filming, FilmSet, Script
from vision.synth.hand import HandLook
from vision.synth.pool import PigPool
from vision.synth.renderers import Renderer
from vision.synth.rounds import Flight, Pace, Round, Seat, make_round, throw_into_view
from vision.synth.scene import Light, Paint, Placed, Table
from vision.synth.session import table_camera
from vision.synth.session_sight import first_hand_s
from vision.synth.throws import Thrower, Thrown

SEATS = (200.0, -20.0)
"""Where the two players sit, degrees: left and right of the picture."""

_LEAST_GAP_MM = 14.0
_CLEAR_PX = 10.0


@dataclass(frozen=True, slots=True)
class DemoRecipe:
    """What the clip is made of.

    `throws` are the seeds of the throws, in order; `pigs` the pool's seed, its size and the two
    that are thrown; `surface` the seed and size of the stack of table tops, and which one.
    """

    throws: tuple[int, ...]
    pigs: tuple[int, int, int, int]
    surface: tuple[int, int, int]
    size: tuple[int, int] = (1280, 720)
    fps: int = 30
    tilt_deg: float = 40.0
    pig_px: float = 92.0
    players: tuple[str, str] = ("Player 1", "Player 2")
    bank_at: int = 20
    rules: str = "classic"
    texture_mm: float = 260.0
    texture_turn_deg: float = 90.0


def load_demo_recipe(path: Path) -> DemoRecipe:
    """Load the recipe; `RenderError` when the file is none."""
    try:
        raw: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in raw.items()}
        return DemoRecipe(**values)
    except (OSError, tomllib.TOMLDecodeError, TypeError) as error:
        raise RenderError(f"{path} is no recipe of a demo clip: {error}") from error


@dataclass(frozen=True, slots=True, eq=False)
class Landed:
    """One throw that suits the clip: its seed, its course, and the poses it comes to rest in."""

    seed: int
    thrown: Thrown
    flights: tuple[Flight, Flight]
    poses: tuple[Pose, Pose]


@dataclass(eq=False)
class Clip:
    """Plans and films a recipe's clip."""

    recipe: DemoRecipe
    _rounds: list[Round] = field(default_factory=list)

    def __post_init__(self) -> None:
        seed, count, one, two = self.recipe.pigs
        pool = PigPool(seed, count)
        self.pigs = (pool[one], pool[two])
        self.thrower = Thrower(self.pigs)
        self.film_set = _film_set(self.recipe)

    def land(self, seed: int, seat: int) -> Landed | None:
        """Throw by a seed from a seat; None when the throw would not suit the clip."""
        rng = np.random.default_rng([seed, seat])
        made = throw_into_view(
            self.thrower, self.film_set.camera, Seat(SEATS[seat]), rng, margin_px=45.0
        )
        if made is None:
            return None
        thrown, flights = made
        one, two = (pig.pose for pig in thrown.lying)
        if one is None or two is None or any(pig.mirrored for pig in thrown.lying):
            return None
        if thrown.contact is not Contact.APART or thrown.gap_mm < _LEAST_GAP_MM:
            return None
        return Landed(seed, thrown, flights, (one, two)) if self._clear(flights) else None

    def _clear(self, flights: tuple[Flight, Flight]) -> bool:
        """Whether neither pig hides a part of the other from the camera."""
        boxes = [
            projected_box(
                self.film_set.camera,
                Placed(pig, f.rotations[-1], f.positions[-1], Paint(), "other"),
            )
            for pig, f in zip(self.pigs, flights, strict=True)
        ]
        a, b = boxes
        apart_x = max(a[0], b[0]) - min(a[2], b[2])
        apart_y = max(a[1], b[1]) - min(a[3], b[3])
        return max(apart_x, apart_y) > _CLEAR_PX

    def script(self) -> Script:
        """Plan every throw, hand and pause of the clip; `RenderError` for a seed that fails."""
        game = _Game(self.recipe)
        clock, rng = 0.7, np.random.default_rng([self.recipe.pigs[0], 0xDE])
        self._rounds.clear()
        paints = _paints()
        for seed in self.recipe.throws:
            seat = game.state.up
            landed = self.land(seed, seat)
            if landed is None:
                raise RenderError(f"throw {seed} of the demo does not come out any more; search")
            round_ = make_round(
                landed.thrown, landed.flights, self.pigs, paints, Seat(SEATS[seat]), clock,
                Pace(), rng,
            )  # fmt: skip
            self._rounds.append(round_)
            game.throw(Throw(landed.poses))
            clock = round_.hand.span_s[1] + float(rng.uniform(0.1, 0.3))
        return Script(tuple(self._rounds), seconds=clock + 0.5)

    def frames(self, renderer: Renderer) -> Iterator[Image]:
        """Film the clip: uint8[H, W, 3] RGB, one a frame."""
        script = self.script()
        filming = Filming(script, self.film_set, renderer, seed=self.recipe.pigs[0])
        for i in range(round(script.seconds * self.recipe.fps)):
            yield filming.picture(i / self.recipe.fps, i)

    def truth(self) -> dict[str, Any]:
        """Say what the clip shows: each throw with its frames, boxes, points, and the score."""
        recipe, script = self.recipe, self.script()
        game, throws = _Game(recipe), []
        for number, round_ in enumerate(script.rounds, start=1):
            rest = int(np.ceil(round_.rest_s * recipe.fps))
            until = int(first_hand_s(self.film_set.camera, round_) * recipe.fps) - 1
            pigs: list[dict[str, Any]] = [
                {"pose": placed.label, "box": [round(v, 1) for v in self._box(placed)]}
                for placed in round_.placed(round_.rest_s + 0.2)
            ]
            throw = Throw((Pose(pigs[0]["pose"]), Pose(pigs[1]["pose"])), round_.thrown.contact)
            throws.append(
                {
                    "throw": number,
                    "start_frame": round(round_.shown_s[0][0] * recipe.fps),
                    "rest_frame": rest,
                    "last_still_frame": until,
                    "pigs": pigs,
                    "contact": round_.thrown.contact.value,
                    "gap_mm": round(round_.thrown.gap_mm, 1),
                    **game.throw(throw),
                }
            )
        return {
            "clip": "demo.mp4",
            "size": list(recipe.size),
            "fps": recipe.fps,
            "frames": round(script.seconds * recipe.fps),
            "rules": recipe.rules,
            "players": list(recipe.players),
            "bank_at": recipe.bank_at,
            "throws": throws,
            "final": game.final(),
        }

    def _box(self, placed: Placed) -> tuple[float, float, float, float]:
        return projected_box(self.film_set.camera, placed)


class _Game:
    """The clip's game: two players who bank as soon as a turn holds `bank_at` points."""

    def __init__(self, recipe: DemoRecipe) -> None:
        self._bank_at = recipe.bank_at
        self.state = self._ask(None, StartGame(load_rules(recipe.rules), recipe.players))

    def throw(self, throw: Throw) -> dict[str, Any]:
        """Count a throw and bank if it is due; gives what a watcher tells of it."""
        before = self.state
        outcome = judge(throw, before.rules)
        self.state = self._ask(before, MakeThrow(throw, Source.CAMERA))
        turn_points = self.state.turn_points
        banked = self.state.can_bank and turn_points >= self._bank_at
        if banked:
            self.state = self._ask(self.state, Bank())
        return {
            "player": before.players[before.up].name,
            "outcome": outcome.landing.value,
            "effect": outcome.effect.value,
            "points": outcome.points,
            "turn_points": turn_points,
            "banked": banked,
        }

    def final(self) -> dict[str, Any]:
        """Give the scores at the end."""
        state = self.state
        return {
            "scores": {p.name: p.score for p in state.players},
            "up": state.players[state.up].name,
            "turn_points": state.turn_points,
            "over": state.over,
        }

    @staticmethod
    def _ask(state: GameState | None, command: Command) -> GameState:
        for event in decide(state, command):
            state = apply(state, event)
        if state is None:
            raise RenderError("the demo's game did not start")
        return state


def _film_set(recipe: DemoRecipe) -> FilmSet:
    return FilmSet(
        camera=table_camera(recipe.size, recipe.pig_px, recipe.tilt_deg),
        table=Table(
            texture=recipe.surface[2], scale_mm=recipe.texture_mm,
            turn_deg=recipe.texture_turn_deg, offset=(0.13, 0.37), tint=(0.62, 0.58, 0.54),
            bump=0.25, gloss=0.08,
        ),
        lights=(
            Light((0.35, 0.45, 0.82), (0.78, 0.72, 0.64), 7.0),
            Light((-0.7, 0.2, 0.68), (0.22, 0.24, 0.28), 14.0),
        ),
        ambient=(0.30, 0.32, 0.35),
        look=HandLook(),
        faults=Imperfection(focus_px=0.55, noise=1.1, colour_noise=0.5, sharpen=0.25, jpeg=97),
        shutter_s=1 / 60,
    )  # fmt: skip


def _paints() -> tuple[Paint, Paint]:
    first = Paint(hoof_wear=0.15, snout_wear=0.45, seed=3.0)
    second = Paint(skin=(0.78, 0.40, 0.29), hoof_wear=0.35, snout_wear=0.8, eye_wear=0.2, seed=57.0)
    return first, second
