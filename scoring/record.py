"""One event as it lies in a log."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.events import Event


@dataclass(frozen=True, slots=True)
class Record:
    """One event as it lies in a log: its number from 1, and when it was stored (UTC, ISO 8601)."""

    seq: int
    at: str
    event: Event
