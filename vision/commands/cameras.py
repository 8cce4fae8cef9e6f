"""`sooee cameras`: what cameras there are, and what they really deliver."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from vision.capture.cameras import Camera


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a camera.")
@click.option("--quick", is_flag=True, help="Only list them; open none.")
@click.option(
    "--thumbnails",
    type=click.Path(path_type=Path),
    help="Where the first picture of each camera goes; by default the user's cache.",
)
@click.option("--use", metavar="CAMERA", help="Remember this one (key, number or name) for later.")
def command(*, as_json: bool, quick: bool, thumbnails: Path | None, use: str | None) -> None:
    """List the cameras of this computer: name, identity, sizes and measured frames a second.

    The identity stays the same when the number changes: sooee watch camera:IDENTITY. With
    --use, sooee watch camera is enough from then on.

    \b
    Example:
      sooee cameras
      sooee cameras --use C920
    """  # noqa: D301
    from vision.capture.cameras import find_camera, list_cameras, remember

    cameras = list_cameras()
    if use is not None:
        numbered = [c for c in cameras if str(c.number) == use]
        chosen = numbered[0] if numbered else find_camera(use, cameras)
        remember(chosen)
        click.echo(f"{chosen.name} is the one from now on: sooee watch camera")
        return
    if not cameras and not as_json:
        click.echo("No camera is connected; a phone or network camera is given by its address.")
    for camera in cameras:
        facts = _facts(camera, None if quick else thumbnails or _cache())
        click.echo(json.dumps(facts, ensure_ascii=False) if as_json else _told(facts))


def _facts(camera: Camera, thumbnails: Path | None) -> dict[str, Any]:
    from vision.capture.probe import probe
    from vision.errors import CaptureError

    facts: dict[str, Any] = {
        "number": camera.number,
        "name": camera.name,
        "key": camera.key,
        "model": camera.model,
        "place": camera.place,
    }
    if thumbnails is None:
        return facts
    picture = thumbnails / f"camera-{camera.number}.jpg"
    try:
        modes = probe(camera, picture)
    except CaptureError as error:
        return facts | {"trouble": str(error)}
    sizes = [
        {"asked": list(m.asked), "got": [m.width, m.height], "fps": round(m.fps, 1)} for m in modes
    ]
    return facts | {"sizes": sizes, "thumbnail": str(picture)}


def _told(facts: dict[str, Any]) -> str:
    lines = [f"{facts['number']}  {facts['name']}", f"   camera:{facts['key']}"]
    if "trouble" in facts:
        lines.append(f"   {facts['trouble']}")
    for mode in facts.get("sizes", []):
        asked, got = ("x".join(map(str, mode[k])) for k in ("asked", "got"))
        instead = "" if asked == got else f" (asked for {asked})"
        lines.append(f"   {got} at {mode['fps']} frames a second{instead}")
    if "thumbnail" in facts:
        lines.append(f"   picture: {facts['thumbnail']}")
    return "\n".join(lines)


def _cache() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("sooee", appauthor=False)) / "cameras"
