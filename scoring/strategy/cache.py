"""Solved games kept on the disk, under a name made of the rules and the odds."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np

from scoring.strategy.solution import Solution, solution_of
from scoring.strategy.solve import Problem, Values

ENVIRONMENT = "SOOEE_CACHE"
_FORMAT = 1  # of the file and of the equations; a change of either makes old files unknown
_HEAD = 3  # rounds, change, residual


def default_folder() -> Path:
    """Return where solved games are kept: `SOOEE_CACHE`, or the user's cache folder."""
    chosen = os.environ.get(ENVIRONMENT, "").strip()
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs  # noqa: PLC0415  # only where no place was named

    return Path(platformdirs.user_cache_dir("sooee", appauthor=False)) / "strategy"


def solution_for(problem: Problem, folder: Path | None = None) -> Solution:
    """Return the solved game: from memory, else from the disk, else solved and kept.

    A cache that cannot be read or written costs time, never the answer.
    """
    return _solution(problem, folder or default_folder())


def is_cached(problem: Problem, folder: Path | None = None) -> bool:
    """Whether the game has been solved before, so that an answer comes at once."""
    return path_of(problem, folder or default_folder()).is_file()


def path_of(problem: Problem, folder: Path) -> Path:
    """Return the file of a problem: equal rules and odds, equal name."""
    chances = problem.chances
    key = repr(
        (
            _FORMAT,
            problem.target,
            problem.finish_round,
            [(n, p.hex()) for n, p in chances.points],
            [p.hex() for p in (chances.lose_turn, chances.lose_all, chances.eliminate)],
        )
    )
    return folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npy"


@lru_cache(maxsize=8)
def _solution(problem: Problem, folder: Path) -> Solution:
    path = path_of(problem, folder)
    kept = _load(problem, path)
    if kept is not None:
        return kept
    solution = solution_of(problem)
    _save(solution, path)
    return solution


def _load(problem: Problem, path: Path) -> Solution | None:
    try:
        flat = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    seats = 2 if problem.finish_round else 1
    size = problem.target**2
    if flat.dtype != np.float64 or flat.shape != (_HEAD + seats * size,):
        return None
    rounds, change, residual = (float(x) for x in flat[:_HEAD])
    win = flat[_HEAD:].reshape(seats, problem.target, problem.target)
    if not np.isfinite(flat).all() or win.min() < 0.0 or win.max() > 1.0:
        return None
    return Solution(problem, Values(tuple(win), int(rounds), change), residual)


def _save(solution: Solution, path: Path) -> None:
    """Write beside the file and rename over it, so that a reader never sees a part."""
    head = [solution.values.rounds, solution.values.change, solution.residual]
    flat = np.concatenate([np.array(head), *(w.ravel() for w in solution.values.win)])
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
            np.save(part, flat)
        Path(part.name).replace(path)
