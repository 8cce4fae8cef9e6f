"""Where the files that are not code lie: models, recipes, the demo clip."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def artefact_dir(name: str) -> Path:
    """Give the folder `models` or `datasets`, in a checkout or in an installed wheel.

    The wheel carries both inside the package (`vision/_artefacts`); a checkout has them
    beside it.
    """
    installed = _PACKAGE / "_artefacts" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
