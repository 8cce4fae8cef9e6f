"""`sooee calibrate`: optional knowledge of where the camera hangs, and advice about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.capture.area import Area
    from vision.capture.frame import Frame
    from vision.capture.scale import Scale
    from vision.recognize.reading import PigDetection
    from vision.table.advice import Advice

_FRAMES = 15


@click.command()
@click.argument("source", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--print",
    "mat",
    type=click.Path(path_type=Path),
    help="Write the mat to print as a PDF, and do nothing else.",
)
@click.option("--paper", type=click.Choice(["a4", "a3", "letter"]), default="a4", show_default=True)
@click.option(
    "--with",
    "how",
    type=click.Choice(["mat", "card", "pigs"]),
    help="What lies on the table; by default whatever is found first, in this order.",
)
@click.option(
    "--area",
    metavar="CORNERS",
    help="The throwing area, corners in pixels: '100,50 1200,60 1250,700 40,690'; or none.",
)
@click.option("--forget", is_flag=True, help="Forget what is known of this camera.")
@click.option(
    "--models",
    type=click.Path(path_type=Path),
    help="A folder of models other than the shipped ones.",
)
def command(
    *,
    source: str | None,
    as_json: bool,
    mat: Path | None,
    paper: str,
    how: str | None,
    area: str | None,
    forget: bool,
    models: Path | None,
) -> None:
    """Measure a camera's scale and tilt, keep its throwing area, and say what to improve.

    Nothing of this is needed to play. Lay the printed mat, a bank card, or the two pigs under
    the camera, and keep hands away. Pigs outside the throwing area are off the table.

    \b
    Example:
      sooee calibrate --print mat.pdf
      sooee calibrate 0
      sooee calibrate 0 --with card --area '100,50 1200,60 1250,700 40,690'
    """  # noqa: D301
    from vision.capture.calibrate import Calibration, Calibrations, source_key
    from vision.capture.mat import print_mat
    from vision.table.advice import advise

    if mat is not None:
        print_mat(mat, paper)
        click.echo(f"{mat}: print it at 100 %, and check that its line is 100 mm long.")
        return
    if source is None:
        raise click.UsageError("name the camera as SOURCE, or give --print")
    known, key = Calibrations(), source_key(source)
    if forget:
        known.drop(key)
        click.echo(f"Nothing is known of {key} any more.")
        return
    frame = _steady_frame(source)
    pigs = _pigs(frame, models)
    scale = _measure(frame, pigs, how)
    before = known.get(key)
    height, width = frame.image.shape[:2]
    kept = Calibration(
        width,
        height,
        scale or (before.scale if before else None),
        _area(area, width, height, before.area if before else None),
    )
    known.put(key, kept)
    tilt = kept.scale.tilt_deg if kept.scale else None
    advice = advise(frame, pigs, tilt)
    facts = _facts(key, kept.scale, kept.area, len(pigs), advice)
    click.echo(json.dumps(facts, ensure_ascii=False) if as_json else _told(facts))


def _steady_frame(source: str) -> Frame:
    """Give a frame from after the first moment, when focus and exposure have settled."""
    from vision.capture.sources import open_source
    from vision.errors import CaptureError

    frame = None
    with open_source(source) as frames:
        for frame in frames:
            if frame.index >= _FRAMES:
                break
    if frame is None:
        raise CaptureError(f"'{source}' gave no picture")
    return frame


def _pigs(frame: Frame, models: Path | None) -> tuple[PigDetection, ...]:
    from vision.errors import ModelError
    from vision.recognize.recognizer import Recognizer

    try:
        return Recognizer.load(models).read([frame]).pigs
    except ModelError as error:
        click.echo(f"sooee: without pigs: {error}", err=True)
        return ()


def _measure(frame: Frame, pigs: tuple[PigDetection, ...], how: str | None) -> Scale | None:
    from vision.capture.scale import measure_card, measure_mat, measure_pigs
    from vision.errors import CaptureError
    from vision.recognize.outline import PIG_MM

    lengths = [max(p.box[2] - p.box[0], p.box[3] - p.box[1]) for p in pigs]
    ways: dict[str, Callable[[], Scale | None]] = {
        "mat": lambda: measure_mat(frame.image),
        "card": lambda: measure_card(frame.image),
        "pigs": lambda: measure_pigs(lengths, PIG_MM),
    }
    for name, way in ways.items():
        if how in (None, name) and (scale := way()) is not None:
            return scale
    if how is None:
        return None
    missing = {
        "mat": "two or more of the mat's markers are not to be seen: lay it flat, all in view",
        "card": "no single bank card is to be seen: lay one flat on a plain part of the table",
        "pigs": "no pigs are found: lay two of them down",
    }
    raise CaptureError(missing[how])


def _area(text: str | None, width: int, height: int, before: Area | None) -> Area | None:
    from vision.capture.area import Area
    from vision.errors import CaptureError

    if text is None:
        return before
    if text == "none":
        return None
    try:
        corners = tuple((float(x), float(y)) for x, y in (c.split(",") for c in text.split()))
    except ValueError as error:
        raise CaptureError(
            f"an area is corners in pixels like '100,50 1200,60 1250,700', got {text!r}"
        ) from error
    return Area.of_pixels(corners, width, height)


def _facts(
    key: str, scale: Scale | None, area: Area | None, pigs: int, advice: list[Advice]
) -> dict[str, Any]:
    tilt = scale.tilt_deg if scale else None
    return {
        "source": key,
        "measured_with": scale.how if scale else None,
        "mm_per_px": round(scale.mm_per_px, 4) if scale else None,
        "tilt_deg": None if tilt is None else round(tilt, 1),
        "area": area and [list(corner) for corner in area.corners],
        "pigs": pigs,
        "advice": [{"problem": a.problem, "text": a.text} for a in advice],
    }


def _told(facts: dict[str, Any]) -> str:
    lines = [f"{facts['source']}:"]
    if facts["mm_per_px"]:
        tilt = "" if facts["tilt_deg"] is None else f", tilted by {facts['tilt_deg']:.0f} degrees"
        lines.append(f"  {facts['mm_per_px']:.3f} mm a pixel by the {facts['measured_with']}{tilt}")
    else:
        lines.append("  scale not measured (no mat, card or pigs found); it is not needed to play")
    if facts["area"]:
        lines.append(f"  throwing area with {len(facts['area'])} corners")
    lines += [f"  {a['text']}" for a in facts["advice"]]
    if not facts["advice"]:
        lines.append("  The picture is good.")
    return "\n".join(lines)
