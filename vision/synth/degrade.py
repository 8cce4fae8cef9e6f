"""What a cheap camera does to a picture: blur, noise, sharpening, white balance, JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Imperfection:
    """One camera's faults; lengths in pixels of the picture they are applied to."""

    focus_px: float = 0.0
    motion_px: float = 0.0
    motion_deg: float = 0.0
    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 1.0
    lift: float = 0.0
    saturation: float = 1.0
    noise: float = 0.0
    colour_noise: float = 0.0
    sharpen: float = 0.0
    upscaled: float = 1.0
    jpeg: int = 95


def sample_imperfection(rng: np.random.Generator, strength: float = 1.0) -> Imperfection:
    """Draw a camera's faults; most cameras are fair, some are bad in one way, few in all."""
    k = strength * (0.5 if rng.random() < 0.5 else 1.0)
    warm = rng.normal(0, 0.09 * k)
    green = rng.normal(0, 0.035 * k)
    level = float(np.exp(rng.normal(0.0, 0.22 * k)))
    return Imperfection(
        focus_px=float(abs(rng.normal(0.25, 0.6 * k))),
        motion_px=float(rng.uniform(1.5, 4.0)) if rng.random() < 0.08 * k else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        gain=(level * (1 + warm), level * (1 - green), level * (1 - warm)),
        contrast=float(np.exp(rng.normal(0, 0.16 * k))),
        lift=float(rng.normal(0, 0.04 * k)),
        saturation=float(np.clip(np.exp(rng.normal(-0.05, 0.28 * k)), 0.1, 2.0)),
        noise=float(abs(rng.normal(0, 6.5 * k))),
        colour_noise=float(abs(rng.normal(0, 3.5 * k))),
        sharpen=float(rng.uniform(0.2, 1.4)) if rng.random() < 0.35 else 0.0,
        upscaled=float(rng.uniform(1.2, 2.0)) if rng.random() < 0.12 * k else 1.0,
        jpeg=int(rng.integers(45, 97)) if rng.random() < 0.75 else 97,
    )


def degrade(image: Image, faults: Imperfection, rng: np.random.Generator) -> Image:
    """Apply faults to uint8[H, W, 3] RGB, in the order in which a camera makes them."""
    import cv2

    picture: Floats = image.astype(np.float32)
    if faults.focus_px > 0.2:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), faults.focus_px), np.float32)
    if faults.motion_px > 1.0:
        kernel = _motion_kernel(faults.motion_px, faults.motion_deg)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel), np.float32)
    picture = _tone(picture, faults)
    height, width = picture.shape[:2]
    if faults.noise > 0.3:
        grain = rng.standard_normal((height, width, 1), np.float32)
        picture = picture + np.float32(faults.noise) * grain
    if faults.colour_noise > 0.3:
        half = rng.standard_normal((height // 2 + 1, width // 2 + 1, 3), np.float32)
        half *= np.float32(faults.colour_noise)
        picture = picture + cv2.resize(half, (width, height))
    if faults.upscaled > 1.05 and min(height, width) > 16:
        small = (max(8, int(width / faults.upscaled)), max(8, int(height / faults.upscaled)))
        shrunk = cv2.resize(picture, small, interpolation=cv2.INTER_AREA)
        picture = np.asarray(cv2.resize(shrunk, (width, height)), np.float32)
    if faults.sharpen > 0:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = picture + faults.sharpen * (picture - soft)
    out = np.clip(picture, 0, 255).astype(np.uint8)
    if faults.jpeg < 97:
        ok, code = cv2.imencode(".jpg", out[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, faults.jpeg])
        if ok:
            decoded = cv2.imdecode(code, cv2.IMREAD_COLOR)
            out = np.ascontiguousarray(np.asarray(decoded, np.uint8)[..., ::-1])
    return np.asarray(out, np.uint8)


def _tone(picture: Floats, faults: Imperfection) -> Floats:
    """White balance, saturation about the grey, contrast about the middle, lift: one matrix."""
    import cv2

    saturate = faults.saturation * np.eye(3) + (1 - faults.saturation) / 3
    colours = faults.contrast * saturate @ np.diag(faults.gain)
    shift = 128.0 * (1 - faults.contrast) + 255.0 * faults.lift
    return np.asarray(cv2.transform(picture, np.c_[colours, np.full(3, shift)]), np.float32)


def _motion_kernel(length: float, degrees: float) -> Floats:
    import cv2

    size = int(length) * 2 + 3
    kernel = np.zeros((size, size), np.float32)
    c = size // 2
    dx, dy = np.cos(np.radians(degrees)) * length / 2, np.sin(np.radians(degrees)) * length / 2
    start, end = (round(c - dx), round(c - dy)), (round(c + dx), round(c + dy))
    cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA)
    return np.asarray(kernel / kernel.sum(), np.float32)
