"""What takes long to make is made once and kept on disk, for this user's programs alone."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def kept(path: Path, kind: type[T], make: Callable[[], T]) -> T:
    """Give what is kept at `path`, or make it and keep it; `TypeError` if it is of another kind.

    It is written beside the place and renamed over it: several programs may make it at once.
    """
    try:
        made = pickle.loads(path.read_bytes())  # noqa: S301 - written here, for this user
    except (OSError, pickle.UnpicklingError, EOFError):
        made = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{np.random.SeedSequence().entropy}")
        draft.write_bytes(pickle.dumps(made))
        draft.replace(path)
    if not isinstance(made, kind):
        raise TypeError(f"{path} holds no {kind.__name__}; delete it")
    return made
