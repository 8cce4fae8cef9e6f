"""Writing sets of renders: resumable by index, the same seed the same picture."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from scoring.throw import Contact
from vision.capture.frame import Image
from vision.recognize.crop import PAIR_MARGIN, POSE_MARGIN, Box, square_crop
from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES
from vision.synth import compose
from vision.synth.attitude import attitude_of, normal_at
from vision.synth.camera import resized, view_tilt_deg, with_window
from vision.synth.compose import Props, exposure_for, projected_box
from vision.synth.compose_pairs import compose_pair, contact_between
from vision.synth.degrade import degrade, sample_imperfection
from vision.synth.pair_library import PairLibrary
from vision.synth.pool import PigPool
from vision.synth.recipe import Recipe, load_recipe
from vision.synth.renderers import Renderer, open_renderer
from vision.synth.scene import Scene
from vision.synth.textures import texture_stack
from vision.synth.things import make_things

BLOCK = 250
"""Pictures a worker makes between two marks on disk."""
LARGEST_CROP = 120.0
"""Crops of larger pigs are rendered at this many pixels: they are shrunk afterwards anyway."""


@dataclass(frozen=True, slots=True)
class Job:
    """One block of a set: pictures `first` to `last` (excluded) of `recipe` under `seed`."""

    recipe: str
    seed: int
    first: int
    last: int
    out: str
    renderer: str = "raster"


class Studio:
    """A renderer with the props of one recipe; made once a process."""

    def __init__(self, recipe: Recipe, renderer: str = "raster") -> None:
        textures = texture_stack(*recipe.surfaces, photographed=recipe.photographs)
        pigs = PigPool(*recipe.shapes, spread=recipe.shape_spread)
        self.recipe = recipe
        self.props = Props(
            pigs, make_things(*recipe.things), len(textures), PairLibrary(pigs, *recipe.pairs)
        )
        self.renderer: Renderer = open_renderer(renderer, textures)

    def crop(self, seed: int, index: int) -> tuple[Image, str, dict[str, Any]]:
        """Make crop `index`: uint8[crop_px, crop_px, 3], its class, its sidecar."""
        rng = np.random.default_rng([seed, index])
        weights = np.array(self.recipe.labels)
        label = POSE_CLASSES[int(rng.choice(len(weights), p=weights / weights.sum()))]
        made = compose.compose_crop(rng, self.recipe, self.props, label)
        image = self._shoot(rng, made.scene, made.box, POSE_MARGIN)
        side = {
            "label": label, "tilt_deg": round(made.tilt_deg, 1), "pig_px": round(made.pig_px, 1),
            "gap_mm": None if made.gap_mm is None else round(made.gap_mm, 2),
            "lights": len(made.scene.lights), "plain": made.scene.table.plain,
            "shadow": round(made.scene.ground_shadow, 2),
            "kind": made.kind, "eye": None if made.eye is None else [round(v, 3) for v in made.eye],
            "attitude": made.attitude, "normal": made.normal,
        }  # fmt: skip
        return image, label, side

    def pair(self, seed: int, index: int) -> tuple[Image, str, dict[str, Any]]:
        """Make pair crop `index`: uint8[crop_px, crop_px, 3], its contact, its sidecar."""
        rng = np.random.default_rng([seed, index])
        weights = np.array(self.recipe.contacts)
        contact = list(Contact)[int(rng.choice(len(weights), p=weights / weights.sum()))]
        made = compose_pair(rng, self.recipe, self.props, contact)
        image = self._shoot(rng, made.scene, made.box, PAIR_MARGIN)
        side = {
            "label": contact.value, "gap_mm": round(made.gap_mm, 2),
            "tilt_deg": round(made.tilt_deg, 1), "pig_px": round(made.pig_px, 1),
            "poses": [p.label for p in made.scene.pigs], "lights": len(made.scene.lights),
        }  # fmt: skip
        return image, contact.value, side

    def _shoot(self, rng: np.random.Generator, scene: Scene, box: Box, margin: float) -> Image:
        """Photograph what a box holds, as a locator that errs a little would cut it out."""
        x0, y0, x1, y1 = box
        full_w, full_h = scene.camera.full
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, full_w), min(y1, full_h)
        side = max(x1 - x0, y1 - y0) * float(np.exp(rng.normal(0, 0.07)))
        cx = (x0 + x1) / 2 + rng.normal(0, 0.035) * side
        cy = (y0 + y1) / 2 + rng.normal(0, 0.035) * side
        factor = min(1.0, LARGEST_CROP / (side * (1 + margin)))
        camera = resized(scene.camera, factor)
        cx, cy, side = cx * factor, cy * factor, max(side * factor, 6.0)
        half = side * (1 + margin) / 2 + 6
        left, top = max(0, int(cx - half)), max(0, int(cy - half))
        right = min(camera.full[0], int(cx + half) + 1)
        bottom = min(camera.full[1], int(cy + half) + 1)
        # Even sizes keep the renderer's targets few.
        width, height = max(16, (right - left + 7) // 8 * 8), max(16, (bottom - top + 7) // 8 * 8)
        scene = replace(scene, camera=with_window(camera, left, top, width, height))
        image = self.renderer.render(scene, exposure_for(rng, scene))
        image = image[: max(4, bottom - top), : max(4, right - left)]
        image = degrade(image, sample_imperfection(rng, self.recipe.imperfection), rng)
        box = (cx - side / 2 - left, cy - side / 2 - top, cx + side / 2 - left, cy + side / 2 - top)
        return square_crop(image, box, self.recipe.crop_px, margin)

    def frame(self, seed: int, index: int) -> tuple[Image, dict[str, Any]]:
        """Make frame `index`: uint8[H, W, 3] and its sidecar."""
        rng = np.random.default_rng([seed, index])
        scene = compose.compose_frame(rng, self.recipe, self.props)
        image = self.renderer.render(scene, exposure_for(rng, scene))
        image = degrade(image, sample_imperfection(rng, self.recipe.imperfection), rng)
        return image, frame_sidecar(scene, self.recipe, seed)


def frame_sidecar(
    scene: Scene, recipe: Recipe, seed: int, least_inside: float = 0.35
) -> dict[str, Any]:
    """Describe a frame: boxes cut at the picture's edge, poses, contact, gap, camera, light."""
    camera = scene.camera
    width, height = camera.full
    pigs = []
    for placed in scene.pigs:
        box = projected_box(camera, placed)
        inside = compose.inside_share(box, camera.full)
        if inside < least_inside:
            continue
        cut = (max(box[0], 0.0), max(box[1], 0.0), min(box[2], width), min(box[3], height))
        pigs.append(
            {
                "box": [round(v, 1) for v in cut],
                "pose": placed.label,
                "size_px": round(max(box[2] - box[0], box[3] - box[1]), 1),
                "visible": round(inside, 2),
                "tilt_deg": round(view_tilt_deg(camera, placed.position), 1),
                "attitude": attitude_of(camera, placed),
                "normal": normal_at(camera, placed.position),
            }
        )
    contact, gap = contact_between(*scene.pigs) if len(scene.pigs) == 2 else (None, None)
    return {
        "pigs": pigs,
        "contact": None if contact is None else contact.value,
        "gap_mm": None if gap is None else round(gap, 2),
        "camera": {"tilt_deg": round(camera.tilt_deg, 1), "focal_px": round(camera.focal_px, 1)},
        "light": {"count": len(scene.lights), "level": round(float(np.mean(scene.ambient)), 3)},
        "seed": seed,
        "recipe": recipe.name,
    }


def render_set(
    recipe: str, count: int, seed: int, out: Path, workers: int = 2, first: int = 0
) -> Iterator[int]:
    """Render pictures `first` to `first + count` of a recipe into `out`; yields how many are new.

    Blocks that are already there are skipped; a block is marked only when all of it is on disk,
    so that a killed run goes on where it was. Raises `RenderError` for an unknown recipe.
    """
    load_recipe(recipe)
    out.mkdir(parents=True, exist_ok=True)
    jobs = [
        Job(recipe, seed, a, min(a + BLOCK, first + count), str(out))
        for a in range(first, first + count, BLOCK)
    ]
    jobs = [j for j in jobs if not block_mark(j).exists()]
    if not jobs:
        return
    if workers == 1:
        for job in jobs:
            yield run_job(job)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(run_job, job) for job in jobs]):
            yield done.result()


def block_mark(job: Job) -> Path:
    """Give the file that says that all of a block is on the disk."""
    # Beside the set, not in it: trainers take each folder of a set of crops for a class.
    out = Path(job.out)
    return out.parent / f"{out.name}.blocks" / f"{job.seed}-{job.first:07d}-{job.last:07d}.jsonl"


_studios: dict[tuple[str, str], Studio] = {}


def run_job(job: Job) -> int:
    """Render one block; gives the number of pictures. Runs in a worker process."""
    import cv2

    os.environ.setdefault("LP_NUM_THREADS", "1")  # one software-rendering thread a process
    cv2.setNumThreads(1)
    key = (job.recipe, job.renderer)
    if key not in _studios:
        _studios[key] = Studio(load_recipe(job.recipe), job.renderer)
    studio = _studios[key]
    write = _WRITERS[studio.recipe.kind]
    lines = [json.dumps(write(studio, job, i)) for i in range(job.first, job.last)]
    mark = block_mark(job)
    mark.parent.mkdir(parents=True, exist_ok=True)
    draft = mark.with_suffix(".part")
    draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
    draft.replace(mark)
    return job.last - job.first


def class_folder(label: str) -> str:
    """Folder of a class in a set of crops; the number keeps the order of the model's classes."""
    classes = POSE_CLASSES if label in POSE_CLASSES else CONTACT_CLASSES
    return f"{classes.index(label)}_{label}"


def save(path: Path, image: Image) -> None:
    """Write a picture, uint8[H, W, 3] RGB, as a JPEG of the sets' quality."""
    import cv2

    path.parent.mkdir(parents=True, exist_ok=True)
    if not cv2.imwrite(str(path), image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 94]):
        raise OSError(f"could not write {path}")


def _write_crop(studio: Studio, job: Job, index: int) -> dict[str, Any]:
    make = studio.pair if studio.recipe.kind == "pairs" else studio.crop
    image, label, side = make(job.seed, index)
    name = f"{class_folder(label)}/{job.seed}-{index:07d}.jpg"
    save(Path(job.out) / name, image)
    return {"image": name, **side}


def _write_frame(studio: Studio, job: Job, index: int) -> dict[str, Any]:
    image, side = studio.frame(job.seed, index)
    name = f"{job.seed}-{index:07d}"
    height, width = image.shape[:2]
    save(Path(job.out) / "images" / f"{name}.jpg", image)
    rows = []
    for pig in side["pigs"]:
        x0, y0, x1, y1 = pig["box"]
        centre = ((x0 + x1) / 2 / width, (y0 + y1) / 2 / height)
        size = ((x1 - x0) / width, (y1 - y0) / height)
        rows.append(f"0 {centre[0]:.6f} {centre[1]:.6f} {size[0]:.6f} {size[1]:.6f}\n")
    labels = Path(job.out) / "labels" / f"{name}.txt"
    labels.parent.mkdir(parents=True, exist_ok=True)
    labels.write_text("".join(rows), encoding="utf-8")
    sidecar = Path(job.out) / "images" / f"{name}.json"
    sidecar.write_text(json.dumps(side), encoding="utf-8")
    return {"image": f"images/{name}.jpg", **side}


_WRITERS = {"crops": _write_crop, "pairs": _write_crop, "frames": _write_frame}
