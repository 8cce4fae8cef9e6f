"""What is known of a camera's place over the table; all of it optional, kept by camera."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.capture.area import Area
from vision.capture.scale import How, Scale
from vision.errors import CaptureError


@dataclass(frozen=True, slots=True)
class Calibration:
    """A camera's scale and throwing area, each None where it was not measured or drawn.

    `width` and `height` are the picture's, in pixels, that the scale was measured in.
    """

    width: int
    height: int
    scale: Scale | None = None
    area: Area | None = None

    def mm_per_px(self, width: int) -> float | None:
        """Give the scale in a picture of another width."""
        return None if self.scale is None else self.scale.mm_per_px * self.width / width


class Calibrations:
    """The calibrations of all cameras, in one small file of the user's settings."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or _default_file()

    def get(self, source: str) -> Calibration | None:
        """Give a source's calibration, None where there is none."""
        data = self._all().get(source)
        if data is None:
            return None
        try:
            return _from_data(data)
        except (KeyError, TypeError, ValueError) as error:
            raise CaptureError(
                f"the calibration of {source} in {self._file} cannot be read; calibrate it again"
            ) from error

    def put(self, source: str, calibration: Calibration) -> None:
        """Keep a source's calibration, instead of the one it had."""
        self._write(self._all() | {source: _to_data(calibration)})

    def drop(self, source: str) -> None:
        """Forget a source's calibration."""
        self._write({k: v for k, v in self._all().items() if k != source})

    def _all(self) -> dict[str, Any]:
        try:
            data = json.loads(self._file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise CaptureError(
                f"the calibrations {self._file} cannot be read ({error}); move the file away"
            ) from error
        return data if isinstance(data, dict) else {}

    def _write(self, data: dict[str, Any]) -> None:
        half = self._file.with_suffix(".half")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            half.write_text(json.dumps(data, indent=1), encoding="utf-8")
            half.replace(self._file)
        except OSError as error:
            raise CaptureError(f"{self._file} cannot be written: {error}") from error


def source_key(text: str) -> str:
    """Name a source for its calibration: a webcam by its identity, not by today's number."""
    from vision.capture.cameras import list_cameras
    from vision.capture.sources import open_source
    from vision.capture.sources.webcam import Webcam

    source = open_source(text)
    if isinstance(source, Webcam):
        number = source.number()
        named = [c.key for c in list_cameras() if c.number == number]
        return named[0] if named else source.name
    return source.name


def _default_file() -> Path:
    import platformdirs

    return Path(platformdirs.user_config_dir("sooee", appauthor=False)) / "calibrations.json"


def _to_data(calibration: Calibration) -> dict[str, Any]:
    scale, area = calibration.scale, calibration.area
    return {
        "size": [calibration.width, calibration.height],
        "scale": scale
        and {"mm_per_px": scale.mm_per_px, "tilt_deg": scale.tilt_deg, "how": scale.how},
        "area": area and [list(corner) for corner in area.corners],
    }


def _from_data(data: dict[str, Any]) -> Calibration:
    width, height = (int(v) for v in data["size"])
    scale, area = data.get("scale"), data.get("area")
    return Calibration(
        width,
        height,
        scale and Scale(float(scale["mm_per_px"]), scale["tilt_deg"], How(scale["how"])),
        area and Area(tuple((float(x), float(y)) for x, y in area)),
    )
