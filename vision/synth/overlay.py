"""What moves over a table, and the shadow it throws, laid over a picture of the table."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.synth.mesh import Mesh
from vision.synth.physics import Array
from vision.synth.renderers.shaders import SHADOW_LIGHTS
from vision.synth.scene import Light, Placed, Scene, Thing

_CLEARED = 127.5
# Coordinates in sixteenths of a pixel.
_SHIFT = 4
_LEAST_BLUR_PX = 2.0


def over(under: Image, solids: NDArray[np.uint8], scene: Scene) -> Image:
    """Lay `solids`, uint8[H, W, 4] as `Renderer.solids` gives it, over a picture of the table.

    `scene` is the one that was drawn, its camera's window as large as the picture.
    """
    import cv2

    left = cv2.cvtColor(shadows(scene), cv2.COLOR_GRAY2RGB)
    dark = cv2.multiply(under, left, scale=1 / 255.0)
    open_ = cv2.cvtColor(cv2.bitwise_not(solids[..., 3]), cv2.COLOR_GRAY2RGB)
    # Where the layer is open it holds grey, in whose place comes what is under it.
    table = cv2.multiply(dark, open_, scale=1 / 255.0, dtype=cv2.CV_16S)
    grey = cv2.convertScaleAbs(open_, alpha=_CLEARED / 255.0)
    layer = cv2.subtract(solids[..., :3], grey, dtype=cv2.CV_16S)
    return np.asarray(cv2.add(layer, table, dtype=cv2.CV_8U), np.uint8)


def blurred(solids: NDArray[np.uint8], x: float, y: float) -> NDArray[np.uint8]:
    """Blur a layer, uint8[H, W, 4], by a way of (x, y) pixels; less than two are none."""
    import cv2

    length = math.hypot(x, y)
    if length < _LEAST_BLUR_PX:
        return solids
    half = math.ceil(length / 2)
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    start, end = ((round(half + k * x / 2), round(half + k * y / 2)) for k in (-1, 1))
    cv2.line(kernel, start, end, 1.0)
    return np.asarray(cv2.filter2D(solids, -1, kernel / kernel.sum()), np.uint8)


def shadows(scene: Scene) -> NDArray[np.uint8]:
    """Give what a scene's shadows leave of the table's brightness: uint8[H, W], 255 is all."""
    import cv2

    width, height = scene.camera.window[2:]
    left = np.full((height, width), 255, np.uint8)
    for light in scene.lights[:SHADOW_LIGHTS]:
        if light.direction[2] <= 0.05:
            continue
        mask = np.zeros((height, width), np.uint8)
        for solid in scene.solids:
            _cast(mask, scene, light, solid)
        px_per_mm = scene.camera.focal_px / float(np.linalg.norm(scene.camera.position))
        soft = 40.0 * math.tan(math.radians(light.size_deg)) * px_per_mm
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.6, 0.5 * soft)), np.uint8)
        lost = 1.0 - _unlit(scene, light)
        lit = cv2.convertScaleAbs(mask, alpha=-lost, beta=255.0)
        left = np.asarray(cv2.multiply(left, lit, scale=1 / 255.0), np.uint8)
    return left


def _unlit(scene: Scene, light: Light) -> float:
    """Give how bright a table is without one of its lights, as the picture's levels show it."""
    all_light = np.array(scene.ambient, float)
    for lamp in scene.lights:
        all_light += np.array(lamp.colour) * max(lamp.direction[2], 0.0)
    rest = all_light - np.array(light.colour) * light.direction[2]
    return float(np.mean(np.clip(rest / all_light, 0.0, 1.0)) ** (1 / 2.2))


def _cast(mask: NDArray[np.uint8], scene: Scene, light: Light, solid: Placed | Thing) -> None:
    """Draw one solid's shadow on the table, hard-edged, into a mask of the picture."""
    import cv2

    mesh = solid.pig.mesh if isinstance(solid, Placed) else solid.mesh
    towards = np.array(light.direction)
    world = mesh.vertices @ solid.rotation.T + solid.position
    ground = world - world[:, 2:] * (towards / towards[2])
    ahead = (ground - scene.camera.position) @ scene.camera.rotation[2] > 20.0
    pixels = scene.camera.project(ground)
    corners = np.clip(pixels * 2**_SHIFT, -(2**15), 2**15).round().astype(np.int32)
    for face in corners[_towards(mesh, solid.rotation, towards, ahead)]:
        cv2.fillConvexPoly(mask, face, 255, lineType=cv2.LINE_8, shift=_SHIFT)


def _towards(
    mesh: Mesh, rotation: Array, light: Array, ahead: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Give the faces whose corners look at the light and lie before the camera."""
    facing = mesh.normals @ (rotation.T @ light) > -0.1
    kept = (facing[mesh.faces].any(axis=1)) & ahead[mesh.faces].all(axis=1)
    return mesh.faces[kept]
