"""Probabilities of what the camera is not sure of."""

from __future__ import annotations

CLOSE = {"apart": 0.55, "touching": 0.43, "stacked": 0.02}
"""Of two pigs that lie close."""

EITHER = {
    "dot_up": 0.01,
    "dot_down": 0.01,
    "razorback": 0.01,
    "trotter": 0.39,
    "snouter": 0.55,
    "leaning_jowler": 0.02,
    "other": 0.01,
}
"""Of one pig, a snouter or a trotter."""
