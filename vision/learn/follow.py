"""Following a training: after each epoch its figures, when it will end, and its curves."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

CURVES = "results.png"
"""The curves of losses and figures, in the training's folder, drawn anew after each epoch."""


def told(epoch: int, epochs: int, seconds: float, ran: int, now: datetime) -> str:
    """Say how far a training is: `ran` of its epochs took `seconds` in this run."""
    if epoch >= epochs:
        return f"epoch {epoch} of {epochs}"
    left = seconds / ran * (epochs - epoch)
    end = now + timedelta(seconds=left)
    return f"epoch {epoch} of {epochs}; about {_duration(left)} left, until {end:%H:%M}"


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return "a minute"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{minutes} min"


def follow(model: Any, tell: Callable[[str], None], stop_after: int = 0) -> None:
    """Let an Ultralytics model tell after each epoch, and draw its curves.

    `stop_after` is the epoch that ends it early, 0 for none.
    """
    began = time.monotonic()
    ran = 0

    def epoch_ended(trainer: Any) -> None:
        nonlocal ran
        ran += 1
        epochs = min(trainer.epochs, stop_after or trainer.epochs)
        seconds = time.monotonic() - began
        tell(told(trainer.epoch + 1, epochs, seconds, ran, datetime.now().astimezone()))
        _draw(trainer)

    model.add_callback("on_model_save", epoch_ended)


def _draw(trainer: Any) -> None:
    from ultralytics.utils.plotting import plot_results

    plot_results(file=trainer.csv)
