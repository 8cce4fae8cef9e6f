"""The errors of the scoring engine."""


class ScoringError(Exception):
    """Base of everything the scoring engine refuses; the message says what was expected."""
