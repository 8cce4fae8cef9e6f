"""The cameras of this computer, known by what they are and where they are plugged in.

Their numbers change from one start to the next; a camera is remembered by its identity.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from vision.capture.opencv import camera_backends, hush
from vision.errors import CaptureError

_LINKS = Path("/dev/v4l/by-path")


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera: `number` today, `name` of its maker, and what tells it from others.

    `model` is the USB vendor and product in hexadecimal (`046d:0825`), `place` the connector or
    the system's own name for this very device; each is empty where the system does not tell.
    """

    number: int
    name: str
    model: str = ""
    place: str = ""

    @property
    def key(self) -> str:
        """The camera's identity in one word, as `camera:KEY` takes it."""
        return "@".join(filter(None, [self.model or self.name, self.place]))


def list_cameras() -> list[Camera]:
    """Ask the system for its cameras, by number; nothing is opened."""
    hush()
    from cv2_enumerate_cameras import enumerate_cameras

    try:
        found = enumerate_cameras(camera_backends()[0])
    except (OSError, NotImplementedError, RuntimeError) as error:
        raise CaptureError(f"this system does not list its cameras ({error})") from error
    links = _links(_LINKS)
    cameras = [
        Camera(
            number=info.index,
            name=info.name or f"camera {info.index}",
            model="" if info.vid is None or info.pid is None else f"{info.vid:04x}:{info.pid:04x}",
            place=links.get(str(info.path), "" if sys.platform == "linux" else str(info.path)),
        )
        for info in found
    ]
    return sorted(cameras, key=lambda c: c.number)


def find_camera(text: str, cameras: Sequence[Camera]) -> Camera:
    """Give the one camera that a word means: its key, else its model, else part of its name.

    A camera plugged in elsewhere is still found by its model, if it is the only one of it.
    Raises `CaptureError` when there is none or more than one.
    """
    exact = [c for c in cameras if c.key == text]
    if exact:
        return exact[0]
    model = text.partition("@")[0].casefold()
    alike = [c for c in cameras if model in (c.model, c.name.casefold())]
    if not alike:
        alike = [c for c in cameras if text.casefold() in c.name.casefold()]
    if len(alike) == 1:
        return alike[0]
    there = ", ".join(f"{c.number} {c.name}" for c in alike or cameras) or "none at all"
    problem = "more than one camera is" if alike else "no camera is"
    raise CaptureError(f"{problem} '{text}' (there is {there}); see 'sooee cameras'")


def remember(camera: Camera, file: Path | None = None) -> None:
    """Remember the camera that is used; another start finds it by its identity."""
    path = file or _memory()
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".half")
    half.write_text(json.dumps(asdict(camera)), encoding="utf-8")
    half.replace(path)


def remembered(file: Path | None = None) -> Camera | None:
    """Give the camera used last, as it was then; None when there is none."""
    path = file or _memory()
    try:
        return Camera(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _memory() -> Path:
    import platformdirs

    return Path(platformdirs.user_config_dir("sooee", appauthor=False)) / "camera.json"


def _links(folder: Path) -> dict[str, str]:
    """Give the connector of each device file, as Linux names it."""
    if not folder.is_dir():
        return {}
    return {os.path.realpath(link): link.name for link in sorted(folder.iterdir())}
