"""Draw the page's pictures of the six poses: the parametric pig on nothing, with a soft shadow.

Each pose is drawn on a white and on a black table; what differs is what shines through. Run it
again only when the pig's shape changes: python scripts/pose_pictures.py vision/web/static/img/pose
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scoring.throw import Pose
from vision.synth.mesh import mesh_solid
from vision.synth.pig import Pig
from vision.synth.placing import USUAL_UP, drop_to_table, stand
from vision.synth.renderers.raster import RasterRenderer
from vision.synth.rest import resting_poses
from vision.synth.scene import Camera, Light, Paint, Placed, Scene, Table
from vision.synth.shape import PigShape, PigSolid

SIZE, DRAWN = 256, 768
YAW = {
    Pose.DOT_UP: 200,
    Pose.DOT_DOWN: 160,
    Pose.RAZORBACK: 215,
    Pose.TROTTER: 215,
    Pose.SNOUTER: 215,
    Pose.LEANING_JOWLER: 235,
}
SKIN = Paint(
    skin=(0.92, 0.40, 0.36),
    hoof=(0.36, 0.03, 0.16),
    hoof_wear=0.0,
    snout_wear=0.0,
    eye_wear=0.0,
    gloss=0.25,
    mottle=0.0,
    translucency=0.35,
)


def camera(points: NDArray[np.float64], tilt_deg: float = 52.0) -> Camera:
    """Look down from the front, `points` of the world in the middle of the picture."""
    tilt, far = np.radians(tilt_deg), 400.0
    position = far * np.array([0.0, -np.sin(tilt), np.cos(tilt)]) + np.array([0.0, 0.0, 5.0])
    forward = np.array([0.0, np.sin(tilt), -np.cos(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(forward, right), forward])
    focal = DRAWN * far / 38.0
    straight = Camera(position, rotation, focal, (DRAWN, DRAWN), (0.0, 0.0, DRAWN, DRAWN))
    seen = straight.project(points)
    left, top = (seen.min(axis=0) + seen.max(axis=0) - DRAWN) / 2
    return replace(straight, window=(float(left), float(top), DRAWN, DRAWN))


def draw(renderer: RasterRenderer, placed: Placed, level: float) -> NDArray[np.float64]:
    """Draw on a plain table of one brightness, linear light as the screen shows it, 0 to 1."""
    table = Table(0, 100.0, 0.0, (0.0, 0.0), (level,) * 3, plain=1.0, bump=0.0, gloss=0.0)
    lights = (
        Light((-0.16, -0.12, 0.98), (0.74, 0.70, 0.66), 16.0),
        Light((0.10, -0.22, 0.97), (0.16, 0.17, 0.18), 20.0),
    )
    view = camera(placed.world(placed.pig.mesh.vertices))
    scene = Scene(view, table, lights, (0.52, 0.52, 0.54), (placed,), radius_mm=40.0)
    return renderer.render(scene, exposure=1.12).astype(np.float64) / 255


def cut_out(white: NDArray[np.float64], black: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return RGBA: what is the same on white and black is solid, the rest is shadow."""
    bare = white[2, 2]
    alpha = np.clip(1.0 - (white - black).mean(axis=2) / bare.mean(), 0.0, 1.0)
    alpha[alpha < 0.02] = 0.0
    colour = np.where(alpha[..., None] > 0, black / np.maximum(alpha[..., None], 1e-3), 0.0)
    rgba = np.dstack([np.clip(colour, 0, 1) * alpha[..., None], alpha])
    small = cv2.resize(rgba, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
    small[..., :3] /= np.maximum(small[..., 3:], 1e-3)
    return (np.clip(small, 0, 1) * 255).round().astype(np.uint8)


def main(folder: Path) -> None:
    """Draw all six."""
    folder.mkdir(parents=True, exist_ok=True)
    shape = PigShape()
    solid = PigSolid(shape)
    box = (-15.0, -13.5, -13.5), (20.5, 13.5, 13.5)
    mesh, shadow = mesh_solid(solid.distance, *box, step=0.3, faces=(30_000, 6000))
    pig = Pig(shape, mesh, shadow, solid.anchors(), resting_poses(mesh, solid))
    renderer = RasterRenderer(np.full((1, 4, 4, 3), 255, np.uint8))
    for pose in Pose:
        own = [r for r in pig.rests if r.pose is pose and not r.mirrored]
        up = own[0].up if own else np.array(USUAL_UP[pose][0])
        rotation = stand(up, np.radians(YAW[pose]))
        placed = Placed(pig, rotation, drop_to_table(pig, rotation, (0.0, 0.0)), SKIN, pose)
        picture = cut_out(draw(renderer, placed, 0.9), draw(renderer, placed, 0.0))
        Image.fromarray(picture).save(folder / f"{pose}.webp", quality=86, method=6)
    renderer.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
