"""One file a renderer: each turns a `Scene` into a picture."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.errors import RenderError
from vision.synth.scene import Scene


class Renderer(Protocol):
    """Draws scenes; made with its stack of table tops, uint8[N, S, S, 3] sRGB."""

    name: str

    def render(self, scene: Scene, exposure: float = 1.0) -> Image:
        """Draw a scene: uint8[H, W, 3] sRGB of the camera's window."""
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
