"""One file a renderer: each turns a `Scene` into a picture."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.errors import RenderError
from vision.synth.scene import Scene

Part = tuple[int, int, int, int]
"""A part of a picture: x0, y0, x1, y1 in whole pixels, the last ones not in it."""


class Renderer(Protocol):
    """Draws scenes; made with its stack of table tops, uint8[N, S, S, 3] sRGB."""

    name: str

    def render(self, scene: Scene, exposure: float = 1.0, part: Part | None = None) -> Image:
        """Draw a scene: uint8[H, W, 3] sRGB of the camera's window, or of a part of it."""
        ...

    def solids(self, scene: Scene, exposure: float = 1.0) -> NDArray[np.uint8]:
        """Draw what stands on the table without the table: uint8[H, W, 4] sRGB and coverage.

        It throws no shadows on itself. Where nothing is, and in as far as a pixel is not
        covered, it is grey 127.5.
        """
        ...

    def close(self) -> None:
        """Give back what it holds."""
        ...


def open_renderer(name: str, textures: NDArray[np.uint8]) -> Renderer:
    """Make the renderer called `name`; raises `RenderError` when there is none."""
    if name == "raster":
        from vision.synth.renderers.raster import RasterRenderer

        return RasterRenderer(textures)
    raise RenderError(f"no renderer {name!r} (known: raster)")
