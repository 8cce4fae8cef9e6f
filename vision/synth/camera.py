"""Cameras over a table: where they stand, how they look, how large a pig appears."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision.synth.scene import Camera, Vec

PIG_LENGTH_MM = 28.0

SIZES = ((1280, 720), (1920, 1080), (640, 480), (1280, 960), (960, 540))
"""Picture sizes of webcams and phones."""


def look_at(
    target: Vec,
    tilt_deg: float,
    azimuth_deg: float,
    roll_deg: float,
    distance: float,
    focal_px: float,
    full: tuple[int, int],
    at: tuple[float, float],
) -> Camera:
    """Make a camera that shows `target` at pixel `at` of the full picture.

    `tilt_deg` (0 looks straight down) and `azimuth_deg` say where the optical axis points,
    `roll_deg` turns the picture; `distance` is from camera to target in millimetres.
    """  # fmt: skip
    t, a, r = np.radians([tilt_deg, azimuth_deg, roll_deg])
    forward = np.array([np.sin(t) * np.sin(a), np.sin(t) * np.cos(a), -np.cos(t)])
    right = np.array([np.cos(a), -np.sin(a), 0.0])
    down = np.cross(forward, right)
    right, down = np.cos(r) * right + np.sin(r) * down, -np.sin(r) * right + np.cos(r) * down
    rotation = np.stack([right, down, forward])
    ray = np.array([(at[0] - full[0] / 2) / focal_px, (at[1] - full[1] / 2) / focal_px, 1.0])
    ray = rotation.T @ (ray / np.linalg.norm(ray))
    return Camera(target - ray * distance, rotation, focal_px, full, (0.0, 0.0, *full))


def view_tilt_deg(camera: Camera, point: Vec) -> float:
    """Angle between the line of sight to `point` and straight down, degrees."""
    ray = point - camera.position
    return float(np.degrees(np.arccos(np.clip(-ray[2] / np.linalg.norm(ray), -1, 1))))


def sample_camera(
    rng: np.random.Generator,
    target: Vec,
    pig_px: float,
    tilt_range: tuple[float, float] = (0.0, 78.0),
    full: tuple[int, int] | None = None,
    spread: float = 0.35,
) -> Camera:
    """Draw a camera that shows a pig at `target` about `pig_px` pixels long.

    The view's own tilt at the pig is uniform in `tilt_range`; the pig lies anywhere in the
    middle `spread` of the picture to each side; steep views are nearly upright, views from above
    turned any way.
    """
    size = full or SIZES[rng.integers(len(SIZES))]
    for _ in range(40):
        focal = 0.5 * size[0] / np.tan(np.radians(rng.uniform(32, 78)) / 2)
        at = (
            size[0] * (0.5 + rng.uniform(-spread, spread)),
            size[1] * (0.5 + rng.uniform(-spread, spread)),
        )
        wanted = rng.uniform(*tilt_range)
        roll = rng.uniform(-180, 180) if wanted < 30 or rng.random() < 0.2 else rng.normal(0, 9)
        distance = PIG_LENGTH_MM * focal / pig_px
        azimuth = rng.uniform(-180, 180)
        camera = look_at(target, wanted, azimuth, roll, distance, focal, size, at)
        # Off the axis the line of sight is tilted otherwise than the axis: correct it once.
        axis_tilt = float(np.clip(2 * wanted - view_tilt_deg(camera, target), -20, 88))
        camera = look_at(target, axis_tilt, azimuth, roll, distance, focal, size, at)
        if tilt_range[0] - 3 <= view_tilt_deg(camera, target) <= tilt_range[1] + 3:
            return camera
    return camera


def with_window(camera: Camera, x0: float, y0: float, width: int, height: int) -> Camera:
    """Give the same camera rendering only a window of its picture."""
    return replace(camera, window=(float(x0), float(y0), width, height))


def resized(camera: Camera, factor: float) -> Camera:
    """Give the same view with `factor` times as many pixels each way."""
    full = (round(camera.full[0] * factor), round(camera.full[1] * factor))
    x0, y0, w, h = camera.window
    window = (x0 * factor, y0 * factor, max(1, round(w * factor)), max(1, round(h * factor)))
    return replace(camera, focal_px=camera.focal_px * factor, full=full, window=window)
