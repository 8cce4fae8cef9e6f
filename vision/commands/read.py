"""`sooee read`: what pictures of the table show."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vision.errors import PictureError

if TYPE_CHECKING:
    from vision.recognize.reading import Reading


@click.command()
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a picture.")
@click.option(
    "--models",
    type=click.Path(path_type=Path),
    help="A folder of models other than the shipped ones.",
)
@click.option(
    "--contact",
    type=click.Choice(["ask", "automatic"]),
    default="ask",
    show_default=True,
    help="Ask about pigs that may touch, or take what is likeliest.",
)
@click.option(
    "--profile",
    default="active",
    show_default=True,
    help="A profile of `sooee teach`: its name, active, or none.",
)
def command(
    images: tuple[Path, ...], as_json: bool, models: Path | None, contact: str, profile: str
) -> None:
    """Read pictures of two thrown pigs: where they are, how they landed, whether they touch.

    \b
    Example:
      sooee read throw.jpg
      sooee read --json *.jpg > readings.jsonl

    A picture that cannot be read is named on the error output; the others are still read, and
    the exit code is 1.
    """  # noqa: D301
    from vision.capture.frame import Frame
    from vision.recognize.decide import Policy
    from vision.recognize.picture import open_picture
    from vision.recognize.profile import load_taught

    policy = Policy(contact_automatic=contact == "automatic")
    recognizer, _ = load_taught(models, policy, profile)
    bad = 0
    for path in images:
        try:
            picture = open_picture(path)
        except PictureError as error:
            bad += 1
            click.echo(f"sooee: {error}", err=True)
            continue
        reading = recognizer.read([Frame(picture, 0, 0.0, str(path))])
        height, width = picture.shape[:2]
        line = json.dumps(as_data(path, width, height, reading)) if as_json else told(path, reading)
        click.echo(line)
    if bad:
        sys.exit(1)


def as_data(path: Path, width: int, height: int, reading: Reading) -> dict[str, Any]:
    """Give the object that scripts rely on: see `docs/` for its contract."""
    contact = reading.contact
    return {
        "image": str(path),
        "width": width,
        "height": height,
        "pigs": [
            {
                "box": [round(v, 1) for v in pig.box],
                "confidence": round(pig.confidence, 4),
                "pose": pig.pose,
                "probabilities": _rounded(pig.probabilities),
            }
            for pig in reading.pigs
        ],
        "contact": {
            "state": None if contact is None else contact.state.value,
            "probabilities": {} if contact is None else _rounded(contact.probabilities),
            "gap_mm": None
            if contact is None or contact.gap_mm is None
            else round(contact.gap_mm, 2),
        },
        "decision": reading.decision.value,
        "reason": reading.reason,
    }


def told(path: Path, reading: Reading) -> str:
    """Give one line for a person."""
    pigs = " + ".join(
        f"{pig.pose.replace('_', ' ')} ({pig.probability:.0%})" for pig in reading.pigs
    )
    contact = f", {reading.contact.state}" if reading.contact is not None else ""
    return f"{path}: {pigs or 'no pigs'}{contact} - {reading.decision}: {reading.reason}"


def _rounded(probabilities: Any) -> dict[str, float]:
    return {name: round(p, 5) for name, p in probabilities.items()}
