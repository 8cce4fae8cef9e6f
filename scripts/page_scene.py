"""A picture for the page's screenshots: two pigs that lie close together on a wooden table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoring.throw import Pose
from vision.synth.camera import look_at
from vision.synth.mesh import mesh_solid
from vision.synth.pig import Pig
from vision.synth.placing import USUAL_UP, drop_to_table, stand
from vision.synth.renderers.raster import RasterRenderer
from vision.synth.rest import resting_poses
from vision.synth.scene import Light, Paint, Placed, Scene, Table
from vision.synth.shape import PigShape, PigSolid
from vision.synth.textures import texture_stack

Box = tuple[float, float, float, float]


def close_frame() -> tuple[NDArray[np.uint8], list[Box]]:
    """Return uint8[720, 1280, 3] RGB, and the boxes of a trotter and a razorback."""
    shape = PigShape()
    solid = PigSolid(shape)
    box = (-15.0, -13.5, -13.5), (20.5, 13.5, 13.5)
    mesh, shadow = mesh_solid(solid.distance, *box, step=0.35, faces=(20_000, 4000))
    pig = Pig(shape, mesh, shadow, solid.anchors(), resting_poses(mesh, solid))
    paint = Paint(skin=(0.80, 0.44, 0.34), hoof_wear=0.3, snout_wear=0.3, gloss=0.3, mottle=0.05)

    def lay(pose: Pose, x: float, y: float, yaw_deg: float) -> Placed:
        own = [r for r in pig.rests if r.pose is pose and not r.mirrored]
        up = own[0].up if own else np.array(USUAL_UP[pose][0])
        rotation = stand(up, np.radians(yaw_deg))
        return Placed(pig, rotation, drop_to_table(pig, rotation, (x, y)), paint, pose)

    pigs = (lay(Pose.TROTTER, -13.0, 4.0, 205), lay(Pose.RAZORBACK, 14.0, -4.0, 120))
    target = np.array([0.0, 0.0, 5.0])
    camera = look_at(target, 14.0, 0.0, 0.0, 300.0, 1350.0, (1280, 720), (640.0, 360.0))
    table = Table(0, 240.0, 15.0, (0.1, 0.2), (0.34, 0.27, 0.22), plain=0.1, bump=0.3, gloss=0.08)
    lights = (
        Light((-0.4, 0.35, 0.85), (0.85, 0.80, 0.74), 6.0),
        Light((0.5, -0.3, 0.8), (0.2, 0.21, 0.23), 12.0),
    )
    scene = Scene(camera, table, lights, (0.42, 0.42, 0.44), pigs, radius_mm=60.0)
    renderer = RasterRenderer(texture_stack(11, 4))
    image = renderer.render(scene, exposure=1.3)
    renderer.close()
    boxes = []
    for placed in pigs:
        xy = camera.project(placed.world(mesh.vertices.astype(np.float64)))
        (x0, y0), (x1, y1) = xy.min(axis=0), xy.max(axis=0)
        boxes.append((float(x0), float(y0), float(x1), float(y1)))
    return image, boxes
