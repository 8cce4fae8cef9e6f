"""Putting a trained model on the shelf: its file, its manifest entry and its card."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from vision.errors import ModelError
from vision.recognize.manifest import (
    CLASSES,
    MANIFEST,
    VERSION,
    Manifest,
    Metric,
    ModelEntry,
    Role,
    load_manifest,
)
from vision.recognize.stances import Stance

NOTES = "## Notes"
"""From this heading on a card is written by hand, and kept."""

_WHAT = {
    Role.LOCATOR: "Finds the pigs in a whole picture: one box and one confidence a pig.",
    Role.POSE: "Says how one pig lies and is turned, from a square crop: seven and six numbers.",
    Role.CONTACT: "Says whether two pigs touch, from a crop over both: three probabilities.",
}


def put_model(
    folder: Path,
    role: Role,
    onnx: Path,
    *,
    recipe: str,
    seed: int,
    trained_with: str,
    input_px: int,
    licence: str = "AGPL-3.0-or-later",
    temperature: float = 1.0,
    threshold: float = 0.25,
    stances: tuple[Stance, ...] = (),
    metrics: Mapping[str, Metric] | None = None,
) -> ModelEntry:
    """Copy a model file into `folder` as `ROLE.onnx`, and write its entry and card.

    The file is opened first, as at run time: `ModelError` for one that would not load later.
    `input_px` is the longer side of its input; a model of one fixed size is checked against it.
    """
    from vision.recognize.runtime import OnnxNetwork

    try:
        content = onnx.read_bytes()
    except OSError as error:
        raise ModelError(f"cannot read the model {onnx}: {error.strerror}") from error
    entry = ModelEntry(
        role=role,
        file=f"{role}.onnx",
        sha256=hashlib.sha256(content).hexdigest(),
        bytes=len(content),
        classes=CLASSES[role],
        input_px=input_px,
        recipe=recipe,
        seed=seed,
        trained_with=trained_with,
        licence=licence,
        temperature=temperature,
        threshold=threshold,
        stances=stances,
        metrics=metrics or {},
    )
    _, height, width = OnnxNetwork(content, entry).input_shape
    if height is not None and width is not None and max(height, width) != input_px:
        raise ModelError(f"{onnx} takes {width}x{height} pixels, got input_px = {input_px}")
    _toml_writer()
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / entry.file, content)
    save_entry(folder, entry)
    return entry


def set_metrics(folder: Path, role: Role, metrics: Mapping[str, Metric]) -> None:
    """Write measured figures into an entry and its card, beside those that it has."""
    known = load_manifest(folder).need(role).metrics
    set_fields(folder, role, metrics={**known, **metrics})


def set_fields(folder: Path, role: Role, **fields: Any) -> None:
    """Change fields of an entry, such as its temperature or threshold, and its card."""
    save_entry(folder, replace(load_manifest(folder).need(role), **fields))


def save_entry(folder: Path, entry: ModelEntry) -> None:
    """Write one entry into the folder's manifest, in the place of its role's, and its card."""
    dumps = _toml_writer()
    known = load_manifest(folder).models if (folder / MANIFEST).exists() else ()
    entries = {m.role: m for m in known} | {entry.role: entry}
    ordered = Manifest(folder, tuple(entries[r] for r in Role if r in entries))
    document = {"version": VERSION, "model": [_as_table(m) for m in ordered.models]}
    _write(folder / MANIFEST, dumps(document).encode())
    card = folder / entry.card
    old = card.read_text(encoding="utf-8") if card.exists() else ""
    notes = old[old.index(NOTES) :] if NOTES in old else f"{NOTES}\n"
    _write(card, f"{card_text(entry)}\n{notes}".encode())


def card_text(entry: ModelEntry) -> str:
    """Give the card of a model in Markdown, up to its notes."""
    lines = [
        f"# {entry.role.capitalize()} model: `{entry.file}`",
        _WHAT[entry.role],
        "",
        "| | |",
        "|---|---|",
        f"| classes | {', '.join(entry.classes)} |",
        f"| input | RGB in 0 to 1, {entry.input_px} px on its longer side |",
        f"| trained on | recipe `{entry.recipe}`, seed {entry.seed} |",
        f"| trained with | {entry.trained_with} |",
        f"| licence | {entry.licence} |",
        f"| size | {entry.bytes / 1e6:.1f} MB, sha256 `{entry.sha256[:16]}…` |",
    ]
    if entry.role is Role.LOCATOR:
        lines.append(f"| least confidence | {entry.threshold:g} |")
    else:
        lines.append(f"| temperature | {entry.temperature:g} |")
    if entry.metrics:
        lines += ["", "## Figures", "Measured by `sooee evaluate` on this file.", ""]
        lines += ["| figure | value | measured on |", "|---|---|---|"]
        lines += [f"| {name} | {m.value:.4g} | {m.count} |" for name, m in entry.metrics.items()]
    return "\n".join([*lines, ""])


def _as_table(entry: ModelEntry) -> dict[str, Any]:
    table: dict[str, Any] = {
        "role": entry.role.value,
        "file": entry.file,
        "sha256": entry.sha256,
        "bytes": entry.bytes,
        "classes": list(entry.classes),
        "input_px": entry.input_px,
        "recipe": entry.recipe,
        "seed": entry.seed,
        "trained_with": entry.trained_with,
        "licence": entry.licence,
    }
    if entry.role is Role.LOCATOR:
        table["threshold"] = float(entry.threshold)
    else:
        table["temperature"] = float(entry.temperature)
    if entry.stances:
        table["stances"] = [[s.pose, s.share, *s.up, s.firmness] for s in entry.stances]
    if entry.metrics:
        table["metrics"] = {
            name: {"value": m.value, "count": m.count} for name, m in entry.metrics.items()
        }
    return table


def _toml_writer() -> Callable[[Mapping[str, Any]], str]:
    """Python reads TOML by itself, but does not write it."""
    try:
        from tomli_w import dumps
    except ModuleNotFoundError as error:
        raise ModelError(
            "writing a manifest needs the train extra: python -m pip install 'sooee[train]'"
        ) from error
    return dumps


def _write(path: Path, content: bytes) -> None:
    """Write beside the file and rename over it, so that a reader never sees half of it."""
    partial = path.with_name(f".{path.name}.part")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        raise ModelError(f"cannot write {path}: {error.strerror}") from error
