"""How long the table's watch waits for what."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the watch waits, in seconds, frames and readings.

    `settle_s` and `settle_frames`: nothing moved for so long before a reading; after `calm_s`
    the table is told to settle. `apart_s`: between two readings. `again_s`: before a table that
    is empty or cannot be read is read again, doubled each time up to `longest_again_s`.
    `gone_s`: pigs that no hand took are remembered for so long. `hand_s`: a hand that stays
    longer is told about.
    """

    settle_s: float = 0.25
    calm_s: float = 0.1
    settle_frames: int = 3
    apart_s: float = 0.12
    again_s: float = 0.4
    longest_again_s: float = 16.0
    gone_s: float = 3.0
    hand_s: float = 8.0
