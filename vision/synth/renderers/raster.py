"""A rasterizer on OpenGL: Mesa's software driver is enough, no screen is needed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.errors import RenderError
from vision.synth.camera import PIG_LENGTH_MM
from vision.synth.mesh import Mesh
from vision.synth.renderers import Part, shaders
from vision.synth.scene import Camera, Light, Placed, Scene, Thing
from vision.synth.thin import thinned

SHADOW_PX = 512
UNDER_PX = 192
UNDER_REACH_MM = 40.0
SAMPLES = 4
COARSE_FACES, FULL_DETAIL_PX = 1500, 130.0
"""Pigs seen shorter than this are drawn with so many triangles: four pixels each at the most."""
# A light's matrix that takes every point out of its shadow map.
_NOWHERE = (np.diag([0.0, 0.0, 0.0, 1.0]) + np.eye(4, k=-3) * 9).astype("f4").tobytes()
_EGL: dict[str, Any] = {"backend": "egl"}


class RasterRenderer:
    """Draws scenes; one context and its meshes are kept for the renderer's life.

    `textures` is uint8[N, S, S, 3] sRGB, the stack of table tops that `Table.texture` indexes.
    Raises `RenderError` where no OpenGL context can be made.
    """

    name = "raster"

    def __init__(self, textures: NDArray[np.uint8], keep_meshes: int = 160) -> None:
        import moderngl

        try:
            self._gl: Any = moderngl.create_context(standalone=True, **_EGL)
        except Exception as error:
            raise RenderError(
                "no OpenGL without a screen here: install EGL and a driver "
                "(Debian: apt-get install libegl1 libgl1-mesa-dri)"
            ) from error
        gl = self._gl
        self._solid: Any = gl.program(
            vertex_shader=shaders.SOLID_VERTEX, fragment_shader=shaders.SOLID_FRAGMENT
        )
        self._table: Any = gl.program(
            vertex_shader=shaders.TABLE_VERTEX, fragment_shader=shaders.TABLE_FRAGMENT
        )
        self._depth: Any = gl.program(
            vertex_shader=shaders.DEPTH_VERTEX, fragment_shader=shaders.DEPTH_FRAGMENT
        )
        corners = np.array([-1, -1, 1, -1, -1, 1, 1, 1], dtype="f4")
        self._plane = gl.vertex_array(self._table, [(gl.buffer(corners), "2f", "in_corner")])
        self._stack = self._upload(textures)
        self._shadow = [self._depth_target(SHADOW_PX) for _ in range(shaders.SHADOW_LIGHTS)]
        self._under = self._depth_target(UNDER_PX)
        self._targets: dict[tuple[int, int], tuple[Any, Any, Any, Any, Any]] = {}
        self._meshes: dict[int, tuple[Mesh, Any, Any, Any, Any]] = {}
        self._keep_meshes = keep_meshes
        self._coarse: dict[int, tuple[Mesh, Mesh]] = {}

    def close(self) -> None:
        """Give the context and all it holds back."""
        self._gl.release()

    def render(self, scene: Scene, exposure: float = 1.0, part: Part | None = None) -> Image:
        """Draw a scene: uint8[H, W, 3] sRGB of the camera's window, or of a part of it.

        The pixels of a part are those of the whole picture, and the others cost nothing.
        """
        with self._gl:  # several renderers may live in one process
            return self._render(scene, exposure, part or (0, 0, *scene.camera.window[2:]))

    def solids(self, scene: Scene, exposure: float = 1.0) -> NDArray[np.uint8]:
        """Draw what stands on the table without the table: uint8[H, W, 4] sRGB and coverage.

        It throws no shadows on itself. Where nothing is, and in as far as a pixel is not
        covered, it is grey 127.5.
        """
        whole = (0, 0, *scene.camera.window[2:])
        with self._gl:
            self._draw(scene, exposure, whole, table=False)
            return self._pixels(scene, whole, components=4)

    def _render(self, scene: Scene, exposure: float, part: Part) -> Image:
        self._draw(scene, exposure, part, table=True)
        return self._pixels(scene, part, components=3)

    def _pixels(self, scene: Scene, part: Part, components: int) -> NDArray[np.uint8]:
        draw, resolve = self._target(*scene.camera.window[2:])
        self._gl.copy_framebuffer(resolve, draw)
        width, height = part[2] - part[0], part[3] - part[1]
        read = (part[0], part[1], width, height)
        pixels = resolve.read(viewport=read, components=components, alignment=1)
        return np.frombuffer(pixels, dtype=np.uint8).reshape(height, width, components).copy()

    def _draw(self, scene: Scene, exposure: float, part: Part, *, table: bool) -> None:
        draw, resolve = self._target(*scene.camera.window[2:])
        draw.scissor = (part[0], part[1], part[2] - part[0], part[3] - part[1])
        resolve.scissor = draw.scissor
        matrices = [_NOWHERE] * shaders.SHADOW_LIGHTS
        if table:
            matrices = [self._draw_shadow(scene, i) for i in range(shaders.SHADOW_LIGHTS)]
            self._draw_under(scene)
        draw.use()
        self._gl.enable(self._gl.DEPTH_TEST)
        draw.clear(0.5, 0.5, 0.5, 0.0, depth=1.0)
        view = _clip_from_camera(scene.camera)
        for program in (self._solid, self._table):
            self._set_light(program, scene, matrices, exposure)
            program["view"].write(view)
        self._gl.front_face = "cw"  # rows run downwards, so the picture is a mirror to OpenGL
        self._gl.enable(self._gl.CULL_FACE)
        for placed in scene.solids:
            self._draw_solid(placed, self._detail(scene.camera, placed))
        self._gl.disable(self._gl.CULL_FACE)
        if table:  # last, so that what hides it is not paid for twice
            self._draw_table(scene)

    def _upload(self, textures: NDArray[np.uint8]) -> Any:
        count, size, _, _ = textures.shape
        stack = self._gl.texture_array(
            (size, size, count), 3, np.ascontiguousarray(textures).tobytes()
        )
        stack.build_mipmaps()
        stack.repeat_x = stack.repeat_y = True
        return stack

    def _depth_target(self, size: int) -> tuple[Any, Any]:
        texture = self._gl.depth_texture((size, size))
        texture.compare_func = ""
        texture.repeat_x = texture.repeat_y = False
        return texture, self._gl.framebuffer(depth_attachment=texture)

    def _target(self, width: int, height: int) -> tuple[Any, Any]:
        key = (width, height)
        if key not in self._targets:
            if len(self._targets) >= 24:
                _release(self._targets.pop(next(iter(self._targets))))
            gl = self._gl
            drawn = gl.renderbuffer(key, 4, samples=SAMPLES)
            depth = gl.depth_renderbuffer(key, samples=SAMPLES)
            pixels = gl.renderbuffer(key, 4)
            draw, resolve = gl.framebuffer(drawn, depth), gl.framebuffer(pixels)
            self._targets[key] = (draw, resolve, drawn, depth, pixels)
        return self._targets[key][:2]

    def _arrays(self, mesh: Mesh) -> tuple[Any, Any]:
        known = self._meshes.get(id(mesh))
        if known is None or known[0] is not mesh:
            if len(self._meshes) >= self._keep_meshes:
                _release(self._meshes.pop(next(iter(self._meshes)))[1:])
            gl = self._gl
            rows = np.concatenate(
                [mesh.vertices, mesh.normals, mesh.openness[:, None]], axis=1
            ).astype("f4")
            data = gl.buffer(rows.tobytes())
            index = gl.buffer(mesh.faces.astype("i4").tobytes())
            layout = [(data, "3f 3f 1f", "in_position", "in_normal", "in_openness")]
            solid = gl.vertex_array(self._solid, layout, index)
            depth = gl.vertex_array(self._depth, [(data, "3f 16x", "in_position")], index)
            known = (mesh, solid, depth, data, index)
            self._meshes[id(mesh)] = known
        return known[1], known[2]

    def _draw_depth(self, scene: Scene, target: Any, view: bytes) -> None:
        target.use()
        target.clear(depth=1.0)
        self._gl.enable(self._gl.DEPTH_TEST)
        self._depth["view"].write(view)
        for placed in scene.solids:
            mesh = placed.pig.shadow if isinstance(placed, Placed) else placed.shadow or placed.mesh
            self._depth["model"].write(_model(placed))
            self._arrays(mesh)[1].render()

    def _draw_shadow(self, scene: Scene, index: int) -> bytes:
        light = scene.lights[index] if index < len(scene.lights) else None
        if light is None:
            return _NOWHERE  # its map is never looked at
        matrix = _light_matrix(scene, light)
        self._draw_depth(scene, self._shadow[index][1], matrix)
        return matrix

    def _draw_under(self, scene: Scene) -> None:
        """Depth is the height of the lowest surface over the table, 0 to 40 mm, seen from below."""
        r = scene.radius_mm
        cx, cy = scene.centre
        m = np.array(
            [
                [1 / r, 0, 0, -cx / r],
                [0, 1 / r, 0, -cy / r],
                [0, 0, 2 / UNDER_REACH_MM, -1],
                [0, 0, 0, 1],
            ],
            dtype="f4",
        )
        self._draw_depth(scene, self._under[1], m.T.tobytes())

    def _set_light(
        self, program: Any, scene: Scene, matrices: list[bytes], exposure: float
    ) -> None:
        lights = scene.lights[: shaders.MAX_LIGHTS]
        pad = shaders.MAX_LIGHTS - len(lights)
        program["light_count"] = len(lights)
        program["light_dir"] = [*(x.direction for x in lights), *[(0.0, 0.0, 1.0)] * pad]
        program["light_colour"] = [*(x.colour for x in lights), *[(0.0, 0.0, 0.0)] * pad]
        sizes = [math.tan(math.radians(x.size_deg)) for x in lights]
        program["light_size"] = [*sizes, 0.05, 0.05][: shaders.SHADOW_LIGHTS]
        program["light_matrix"].write(b"".join(matrices))
        program["shadow_map"] = list(range(1, 1 + shaders.SHADOW_LIGHTS))
        for i, (texture, _) in enumerate(self._shadow):
            texture.use(location=1 + i)
        program["ambient"] = scene.ambient
        program["exposure"] = exposure
        program["eye"] = tuple(scene.camera.position)
        if "bounce" in program:
            tint = np.array(scene.table.tint)
            lit = sum(np.array(x.colour) * max(x.direction[2], 0.0) for x in lights)
            program["bounce"] = tuple((np.array(scene.ambient) + lit) * tint * 0.35)

    def _draw_table(self, scene: Scene) -> None:
        t, program = scene.table, self._table
        c, s = math.cos(math.radians(t.turn_deg)), math.sin(math.radians(t.turn_deg))
        self._stack.use(location=0)
        self._under[0].use(location=5)
        values: dict[str, Any] = {
            "textures": 0, "under_map": 5, "layer": float(t.texture), "turn": (c, s, -s, c),
            "offset": t.offset, "scale": t.scale_mm, "tint": t.tint, "plain": t.plain,
            "bump": t.bump, "gloss": t.gloss, "ground_shadow": scene.ground_shadow,
            "under_middle": scene.centre, "under_radius": scene.radius_mm,
            "extent": 6000.0, "middle": scene.centre,
        }  # fmt: skip
        for name, value in values.items():
            program[name] = value
        self._plane.render(mode=self._gl.TRIANGLE_STRIP)

    def _detail(self, camera: Camera, placed: Placed | Thing) -> Mesh:
        """Give the mesh that is fine enough for the size at which a solid is seen."""
        if isinstance(placed, Thing):
            return placed.mesh
        distance = float(np.linalg.norm(placed.position - camera.position))
        if camera.focal_px * PIG_LENGTH_MM / distance > FULL_DETAIL_PX:
            return placed.pig.mesh
        fine = placed.pig.mesh
        known = self._coarse.get(id(fine))
        if known is None or known[0] is not fine:
            known = (fine, thinned(fine, COARSE_FACES))
            self._coarse[id(fine)] = known
        return known[1]

    def _draw_solid(self, placed: Placed | Thing, mesh: Mesh) -> None:
        program = self._solid
        program["model"].write(_model(placed))
        if isinstance(placed, Placed):
            paint, anchors = placed.paint, placed.pig.anchors
            values: dict[str, Any] = {
                "is_pig": True, "skin": paint.skin, "hoof_colour": paint.hoof,
                "dot_colour": paint.dot, "hooves": [tuple(h) for h in anchors.hooves],
                "snout": tuple(anchors.snout), "snout_normal": tuple(anchors.snout_normal),
                "eyes": [tuple(e) for e in anchors.eyes], "dot_at": tuple(anchors.dot),
                "wear": (paint.hoof_wear, paint.snout_wear, paint.eye_wear, paint.dot_wear),
                "dot_radius": placed.pig.shape.dot_radius, "hoof_reach": paint.hoof_reach,
                "gloss": paint.gloss, "mottle": paint.mottle,
                "translucency": paint.translucency, "paint_seed": paint.seed,
            }  # fmt: skip
        else:
            values = {
                "is_pig": False, "skin": placed.colour, "gloss": placed.gloss, "translucency": 0.1
            }  # fmt: skip
        for name, value in values.items():
            program[name] = value
        self._arrays(mesh)[0].render()


def _release(held: tuple[Any, ...]) -> None:
    """Give back what OpenGL holds: an array does not take its buffers with it."""
    for one in held:
        one.release()


def _model(placed: Placed | Thing) -> bytes:
    m = np.eye(4, dtype="f4")
    m[:3, :3] = placed.rotation
    m[:3, 3] = placed.position
    return m.T.tobytes()


def _clip_from_camera(camera: Camera, near: float = 20.0, far: float = 9000.0) -> bytes:
    """World to clip space; rows run downwards so that what is read needs no turning over."""
    x0, y0, w, h = camera.window
    full_w, full_h = camera.full
    f = camera.focal_px
    p = np.array(
        [
            [2 * f / w, 0, (full_w - 2 * x0 - w) / w, 0],
            [0, 2 * f / h, (full_h - 2 * y0 - h) / h, 0],
            [0, 0, (far + near) / (far - near), -2 * far * near / (far - near)],
            [0, 0, 1, 0],
        ]
    )
    v = np.eye(4)
    v[:3, :3] = camera.rotation
    v[:3, 3] = -camera.rotation @ camera.position
    return (p @ v).astype("f4").T.tobytes()


def _light_matrix(scene: Scene, light: Light) -> bytes:
    direction = np.array(light.direction)
    up = np.array([0.0, 1.0, 0.0]) if abs(direction[2]) > 0.9 else np.array([0.0, 0.0, 1.0])
    right = np.cross(up, direction)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(direction, right), -direction])
    r = scene.radius_mm
    v = np.eye(4)
    v[:3, :3] = rotation
    v[:3, 3] = -rotation @ np.array([*scene.centre, 5.0])
    # Depth spans three radii: a low lamp sees the far end of the patch well behind its middle.
    p = np.diag([1 / r, 1 / r, 1 / (3 * r), 1.0])
    return (p @ v).astype("f4").T.tobytes()
