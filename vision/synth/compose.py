"""Composing scenes: what a recipe draws for one picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoring.throw import Pose
from vision.synth import placing
from vision.synth.attitude import Attitude, attitude_of, normal_at
from vision.synth.camera import sample_camera, view_tilt_deg
from vision.synth.mesh import Mesh
from vision.synth.paint import hsv, sample_paint, sister_paint
from vision.synth.pair_library import PairLibrary
from vision.synth.pool import PigPool
from vision.synth.recipe import OTHER_KINDS, Recipe
from vision.synth.scene import Camera, Light, Paint, Placed, Scene, Table, Thing, Vec
from vision.synth.things import sample_colour


@dataclass(frozen=True, slots=True, eq=False)
class Props:
    """What all pictures of a set draw from."""

    pigs: PigPool
    things: list[Mesh]
    textures: int
    """How many table tops the renderer holds."""
    pairs: PairLibrary


def sample_table(rng: np.random.Generator, recipe: Recipe, textures: int) -> Table:
    """Draw a table top: textured, or flat in one colour (white and black among them)."""
    if rng.random() < recipe.plain_table:
        level = rng.choice([0.001, 0.85, -1.0], p=[0.2, 0.3, 0.5])
        tint = (
            (float(level),) * 3
            if level > 0
            else hsv(rng.random(), rng.uniform(0, 0.6), rng.uniform(0.1, 1.0))
        )
        return Table(0, 100.0, 0.0, (0.0, 0.0), (tint[0], tint[1], tint[2]), plain=1.0)
    warm = rng.normal(0, 0.05)
    level = float(np.exp(rng.normal(-0.85, 0.35)))
    return Table(
        texture=int(rng.integers(textures)),
        scale_mm=float(np.exp(rng.uniform(np.log(25), np.log(320)))),
        turn_deg=float(rng.uniform(0, 360)),
        offset=(float(rng.random()), float(rng.random())),
        tint=(level * (1 + warm), level, level * (1 - warm)),
        plain=float(rng.uniform(0, 0.5)) if rng.random() < 0.3 else 0.0,
        bump=float(rng.uniform(0, 0.8)),
        gloss=float(rng.beta(1, 6) * 0.5),
    )


def sample_lights(rng: np.random.Generator) -> tuple[tuple[Light, ...], tuple[float, float, float]]:
    """Draw one to four lamps and the light of the room (ambient)."""
    lights = []
    for i in range(int(rng.choice([1, 2, 3, 4], p=[0.5, 0.3, 0.13, 0.07]))):
        elevation, azimuth = np.radians(rng.uniform(22, 88)), rng.uniform(-np.pi, np.pi)
        power = rng.uniform(0.5, 1.0) if i == 0 else rng.uniform(0.08, 0.6)
        warm = rng.normal(0.03, 0.09)
        direction = (
            float(np.cos(elevation) * np.cos(azimuth)),
            float(np.cos(elevation) * np.sin(azimuth)),
            float(np.sin(elevation)),
        )
        colour = (float(power * (1 + warm)), float(power), float(power * (1 - warm)))
        lights.append(Light(direction, colour, float(np.exp(rng.uniform(np.log(1.0), np.log(24))))))
    room = float(np.exp(rng.uniform(np.log(0.12), np.log(1.3))))
    cool = rng.normal(0, 0.06)
    return tuple(lights), (room * (1 - cool), room, room * (1 + cool))


def exposure_for(rng: np.random.Generator, scene: Scene) -> float:
    """Expose about as a camera's automatic would, by the table, with its usual misses."""
    light = float(np.mean(scene.ambient)) + sum(
        float(np.mean(x.colour)) * max(x.direction[2], 0.0) for x in scene.lights
    )
    table = float(np.mean(scene.table.tint)) * (1.0 if scene.table.plain > 0.99 else 0.8)
    return float(np.exp(rng.normal(0, 0.28)) * 0.62 / (light * (0.35 * table + 0.26)))


def compose_scene(
    rng: np.random.Generator, recipe: Recipe, props: Props, camera: Camera,
    pigs: tuple[Placed, ...], things: tuple[Thing, ...], radius: float,
) -> Scene:  # fmt: skip
    """Light pigs and things on a table that is drawn with them, `radius` millimetres of it."""
    lights, ambient = sample_lights(rng)
    shadow = 1.0
    if rng.random() < recipe.no_shadow:
        shadow = float(rng.choice([0.0, rng.uniform(0.1, 0.8)]))
    where = np.mean([p.position for p in pigs], axis=0) if pigs else np.zeros(3)
    return Scene(
        camera, sample_table(rng, recipe, props.textures), lights, ambient, pigs, things,
        ground_shadow=shadow, centre=(float(where[0]), float(where[1])), radius_mm=radius,
    )  # fmt: skip


def projected_box(camera: Camera, placed: Placed) -> tuple[float, float, float, float]:
    """Box (x0, y0, x1, y1) of a whole pig in full-picture pixels, hidden parts included."""
    xy = camera.project(placed.world(placed.pig.mesh.vertices.astype(np.float64)))
    x0, y0 = xy.min(axis=0) + camera.window[:2]
    x1, y1 = xy.max(axis=0) + camera.window[:2]
    return float(x0), float(y0), float(x1), float(y1)


def inside_share(box: tuple[float, float, float, float], full: tuple[int, int]) -> float:
    """Share of a box's area that lies inside the picture, 0 to 1."""
    w = max(0.0, min(box[2], full[0]) - max(box[0], 0.0))
    h = max(0.0, min(box[3], full[1]) - max(box[1], 0.0))
    return w * h / ((box[2] - box[0]) * (box[3] - box[1]))


def sample_thing(rng: np.random.Generator, props: Props, at: Vec) -> Thing:
    """Draw something that is no pig, standing at `at`."""
    mesh = props.things[int(rng.integers(len(props.things)))]
    turn = placing.rotation_about(np.array([0, 0, 1.0]), rng.uniform(-np.pi, np.pi))
    return Thing(
        mesh, turn, np.array([at[0], at[1], 0.0]), sample_colour(rng), float(rng.beta(1, 2))
    )


def thing_reach(thing: Thing) -> float:
    """Radius of a thing's footprint, millimetres."""
    return float(np.linalg.norm(thing.mesh.vertices[:, :2], axis=1).max())


def hides(camera: Camera, thing: Thing, target: Vec) -> bool:
    """Whether a thing may stand between the camera and a pig at `target`."""
    middle = thing.position + np.array([0, 0, float(thing.mesh.vertices[:, 2].max()) / 2])
    ray = target - camera.position
    ray = ray / np.linalg.norm(ray)
    along = (middle - camera.position) @ ray
    if along > np.linalg.norm(target - camera.position) - 2.0:
        return False
    reach = float(np.linalg.norm(thing.mesh.vertices - np.array([0, 0, middle[2]]), axis=1).max())
    across = np.linalg.norm(middle - camera.position - along * ray)
    return bool(across < reach + 16.0)


@dataclass(frozen=True, slots=True, eq=False)
class Composed:
    """A scene with what the label needs: which pig is meant, its class, gap and tilt.

    `eye` is the direction from the pig to the camera in the pig's frame (x nose, y left, z up),
    a unit vector, None when there is no pig; so is `attitude`. `normal` is the table's in the axes
    of sight. `kind` says what an `other` is.
    """

    scene: Scene
    label: str
    box: tuple[float, float, float, float]
    gap_mm: float | None
    tilt_deg: float
    pig_px: float
    eye: tuple[float, float, float] | None = None
    kind: str = "pose"
    attitude: Attitude | None = None
    normal: tuple[float, float, float] | None = None


def compose_crop(rng: np.random.Generator, recipe: Recipe, props: Props, label: str) -> Composed:
    """Compose one pig to be classified: mostly with its sister or a thing near it."""
    pig_px = float(np.exp(rng.uniform(np.log(recipe.pig_px[0]), np.log(recipe.pig_px[1]))))
    paint = sample_paint(rng)
    target = np.array([0.0, 0.0, 6.0])
    camera = sample_camera(rng, target, pig_px, recipe.tilt_deg)
    shares = np.array(recipe.others) / sum(recipe.others)
    kind = "pose" if label != "other" else str(rng.choice(OTHER_KINDS, p=shares))
    if kind == "nothing":
        return _no_pig(rng, recipe, props, camera, pig_px)
    pig = props.pigs.pick(rng)
    if kind == "out":
        camera = _at_the_edge(rng, camera, target)
    if kind in ("unsettled", "leaning"):
        main = placing.unsettled(pig, paint, (0.0, 0.0), rng)
    else:
        pose = Pose(label) if kind == "pose" else rng.choice(list(Pose))
        main = placing.lie(pig, Pose(pose), paint, (0.0, 0.0), rng)
    pigs, gap = _with_sister(rng, recipe, props, main)
    things = near_things(rng, recipe, props, camera, pigs, touching=kind == "leaning")
    scene = compose_scene(rng, recipe, props, camera, pigs, things, radius=46.0)
    box = projected_box(camera, main)
    if kind == "out" and not 0.2 < inside_share(box, camera.full) < 0.62:
        return compose_crop(rng, recipe, props, label)
    if kind != "out" and inside_share(box, camera.full) < 0.9:
        return compose_crop(rng, recipe, props, label)
    eye = main.rotation.T @ (camera.position - main.position)
    eye = eye / np.linalg.norm(eye)
    return Composed(
        scene, label, box, gap, view_tilt_deg(camera, target), pig_px,
        (float(eye[0]), float(eye[1]), float(eye[2])), kind,
        attitude_of(camera, main), normal_at(camera, main.position),
    )  # fmt: skip


def _at_the_edge(rng: np.random.Generator, camera: Camera, target: Vec) -> Camera:
    """Cut the picture so that its edge runs through the pig."""
    u, v = camera.project(target[None])[0]
    reach = 0.22 * 28 * camera.focal_px / float(np.linalg.norm(target - camera.position))
    width, height = camera.full
    # The principal point stays the full picture's middle: both sides are cut alike.
    if rng.random() < 0.5:
        width = int(2 * abs(u - width / 2) + rng.uniform(-1, 1) * reach)
    else:
        height = int(2 * abs(v - height / 2) + rng.uniform(-1, 1) * reach)
    return replace(camera, full=(max(width, 40), max(height, 40)),
                   window=(0.0, 0.0, max(width, 40), max(height, 40)))  # fmt: skip


def _with_sister(
    rng: np.random.Generator, recipe: Recipe, props: Props, main: Placed
) -> tuple[tuple[Placed, ...], float | None]:
    if rng.random() > recipe.sister:
        return (main,), None
    gap = float(rng.exponential(5.0) if rng.random() < 0.6 else rng.uniform(0, 30))
    pig = props.pigs.pick(rng)
    pose = Pose(rng.choice(list(Pose), p=SISTER_SHARES))
    other = placing.lie(pig, pose, sister_paint(rng, main.paint), (0.0, 0.0), rng)
    other = placing.move_beside(main, other, gap, rng.uniform(-np.pi, np.pi))
    return (main, other), gap


SISTER_SHARES = (0.25, 0.25, 0.2, 0.15, 0.1, 0.05)


def near_things(
    rng: np.random.Generator, recipe: Recipe, props: Props, camera: Camera,
    pigs: tuple[Placed, ...], *, touching: bool,
) -> tuple[Thing, ...]:  # fmt: skip
    """Draw what else lies near the first pig, hiding none; `touching` lays it against it."""
    things: list[Thing] = []
    count = 1 if touching else int(rng.random() < recipe.thing)
    for _ in range(count):
        thing = sample_thing(rng, props, np.zeros(3))
        way = rng.uniform(-np.pi, np.pi)
        distance = thing_reach(thing) + (rng.uniform(3, 9) if touching else rng.uniform(15, 30))
        at = pigs[0].position + distance * np.array([np.cos(way), np.sin(way), 0])
        thing = replace(thing, position=np.array([at[0], at[1], 0.0]))
        clear = all(
            np.linalg.norm(p.position[:2] - at[:2]) > thing_reach(thing) + 3.0 for p in pigs[1:]
        )
        if clear and not any(hides(camera, thing, p.position) for p in pigs):
            things.append(thing)
    return tuple(things)


def _no_pig(
    rng: np.random.Generator, recipe: Recipe, props: Props, camera: Camera, pig_px: float
) -> Composed:
    things = [] if rng.random() < 0.15 else [sample_thing(rng, props, np.zeros(3))]
    scene = compose_scene(rng, recipe, props, camera, (), tuple(things), radius=60.0)
    u, v = camera.project(np.array([[0.0, 0.0, 5.0]]))[0]
    half = pig_px * float(np.exp(rng.uniform(np.log(0.4), np.log(1.1))))
    u, v = u + rng.normal(0, half * 0.3), v + rng.normal(0, half * 0.3)
    box = (u - half, v - half * rng.uniform(0.6, 1), u + half, v + half * rng.uniform(0.6, 1))
    tilt = view_tilt_deg(camera, np.zeros(3))
    return Composed(scene, "other", box, None, tilt, pig_px, kind="nothing")


def compose_frame(rng: np.random.Generator, recipe: Recipe, props: Props) -> Scene:
    """Compose a part of a table with none to several pigs and things around them."""
    while True:
        scene, wanted = _compose_frame(rng, recipe, props)
        if not recipe.all_inside:
            return scene
        boxes = [projected_box(scene.camera, p) for p in scene.pigs]
        inside = all(inside_share(b, scene.camera.full) > 0.97 for b in boxes)
        if inside and len(boxes) == wanted:
            return scene


def _compose_frame(rng: np.random.Generator, recipe: Recipe, props: Props) -> tuple[Scene, int]:
    pig_px = float(np.exp(rng.uniform(np.log(recipe.pig_px[0]), np.log(recipe.pig_px[1]))))
    full = recipe.frame_px
    target = np.array([0.0, 0.0, 5.0])
    camera = sample_camera(rng, target, pig_px, recipe.tilt_deg, full, spread=recipe.frame_spread)
    reach = 0.5 * min(full) / pig_px * 28.0
    count = int(rng.choice(len(recipe.pig_counts), p=recipe.pig_counts))
    paint = sample_paint(rng)
    pigs: list[Placed] = []
    if recipe.paired and count >= 2 and rng.random() < recipe.paired:
        pigs = _pair_somewhere(rng, props, paint, 0.6 * reach)
    for i in range(len(pigs), count):
        pose = Pose(rng.choice(list(Pose), p=SISTER_SHARES))
        mine = paint if i == 0 else sister_paint(rng, paint)
        pig = placing.lie(props.pigs.pick(rng), pose, mine, (0.0, 0.0), rng)
        if i % 2 == 1 and rng.random() < recipe.sister:
            gap = float(rng.exponential(6.0) if rng.random() < 0.5 else rng.uniform(0, 60))
            pig = placing.move_beside(pigs[-1], pig, gap, rng.uniform(-np.pi, np.pi))
        elif i > 0:
            at = rng.uniform(-reach, reach, 2)
            pig = replace(pig, position=np.array([at[0], at[1], pig.position[2]]))
        if all(np.linalg.norm(pig.position - p.position) > 12.0 for p in pigs):
            pigs.append(pig)
    things: list[Thing] = []
    for _ in range(int(rng.poisson(recipe.thing * 3))):
        at = np.append(rng.uniform(-1.2 * reach, 1.2 * reach, 2), 0.0)
        thing = sample_thing(rng, props, at)
        room = thing_reach(thing) + 14.0
        free = all(np.linalg.norm((p.position - at)[:2]) > room for p in pigs)
        if free and not any(hides(camera, thing, p.position) for p in pigs):
            things.append(thing)
    radius = float(np.clip(1.3 * reach, 50.0, 260.0))
    return compose_scene(rng, recipe, props, camera, tuple(pigs), tuple(things), radius), count


def _pair_somewhere(
    rng: np.random.Generator, props: Props, paint: Paint, reach: float
) -> list[Placed]:
    """Take a pair of the library, turned anyhow, somewhere within `reach` of the middle."""
    yaw, at = rng.uniform(-np.pi, np.pi), np.append(rng.uniform(-reach, reach, 2), 0.0)
    pair = props.pairs.pick(rng).place(props.pigs, (paint, sister_paint(rng, paint)))
    return [placing.moved(p, yaw, at) for p in pair]
