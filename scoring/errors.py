"""The errors of the scoring engine: one base, and a child for each thing that is refused."""


class ScoringError(Exception):
    """Base of everything the scoring engine refuses; the message says what was expected."""


class GameError(ScoringError):
    """A command that the game, as it stands, does not allow; nothing was changed."""


class PlayersError(GameError, ValueError):
    """Too few or too many players, or names that cannot be told apart."""


class UnknownPlayerError(GameError, LookupError):
    """A seat or name that nobody in this game has."""


class TurnError(GameError):
    """Someone acts who is not up, or is out of the game; or there is nothing to bank."""


class GameOverError(GameError):
    """The game is over; only corrections and undo are left."""


class CallError(GameError):
    """A Hog Call that may not be made."""


class CorrectionError(GameError):
    """A correction of something that is not in the log, or that would change nothing."""


class FieldError(GameError, ValueError):
    """An event or command with something in it that does not belong there."""


class UndoError(GameError):
    """There is nothing to undo or to redo."""


class LogError(ScoringError):
    """A log that cannot be replayed: a gap, a duplicate, an unknown event or a future version."""


class StoreError(ScoringError):
    """The place where games are kept cannot be used."""


class UnknownGameError(StoreError, LookupError):
    """There is no game of that name in the store."""


class ConflictError(StoreError):
    """Somebody else was first: the log has moved on from the expected sequence number.

    `expected` is what the writer believed to be the last event, `actual` what it is.
    """

    def __init__(self, game_id: str, expected: int, actual: int) -> None:
        super().__init__(
            f"game {game_id} has moved on: expected event {expected} to be the last, "
            f"but it is {actual}; look at the game as it stands and try again"
        )
        self.game_id = game_id
        self.expected = expected
        self.actual = actual
