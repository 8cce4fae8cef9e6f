"""What came of a Hog Call once the throw that it names lies on the table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settlement:
    """Whether the caller was right, and what moved between the pads of caller and thrower.

    `gained` are the points of who won the call: the caller when right, else the thrower. `lost`
    are those of the other, less where there was less to lose. Both are 0 when nothing moved.
    """

    caller: int
    right: bool
    gained: int = 0
    lost: int = 0
