"""Who has joined: the code on the host's screen, and the tickets it is exchanged for."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import threading
from pathlib import Path

from vision.web.errors import PageError
from vision.web.files import write_private

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""What a code is made of: nothing that is mistaken for something else when read aloud."""

CODE_LENGTH = 6
COOKIE = "sooee"
COOKIE_SECONDS = 60 * 60 * 24 * 90
_NONCE = 16


class Membership:
    """One secret, kept in a file; code and tickets follow from it, so they outlive a restart.

    `renew` makes a new one: the code changes, and everybody has to join again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._secret = self._load() or self._make()

    @property
    def code(self) -> str:
        """The code to join by."""
        digest = self._mac(b"code")
        return "".join(LETTERS[b % len(LETTERS)] for b in digest[:CODE_LENGTH])

    def accepts(self, code: str) -> bool:
        """Tell whether a code is right; case, spaces and dashes do not matter."""
        given = "".join(c for c in code.upper() if c.isalnum())
        return hmac.compare_digest(given.encode(), self.code.encode())

    def ticket(self) -> str:
        """Return a new ticket, to be kept in a cookie."""
        nonce = secrets.token_bytes(_NONCE)
        return f"{_text(nonce)}.{_text(self._mac(b'ticket', nonce))}"

    def knows(self, ticket: str) -> bool:
        """Tell whether a ticket was given by this secret."""
        nonce, _, mac = ticket.partition(".")
        try:
            raw = base64.urlsafe_b64decode(nonce + "==")
        except ValueError:
            return False
        return hmac.compare_digest(mac.encode(), _text(self._mac(b"ticket", raw)).encode())

    def renew(self) -> None:
        """Change the code and void every ticket."""
        with self._lock:
            self._secret = self._make()

    def _mac(self, *parts: bytes) -> bytes:
        return hmac.new(self._secret, b"\0".join(parts), hashlib.sha256).digest()

    def _load(self) -> bytes | None:
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
            return base64.urlsafe_b64decode(data["secret"])
        except (OSError, ValueError, KeyError, TypeError):
            return None  # none yet, or not usable: a new one only makes phones join again

    def _make(self) -> bytes:
        secret = os.urandom(32)
        try:
            write_private(self._path, json.dumps({"secret": _text(secret, strip=False)}).encode())
        except OSError as error:
            raise PageError(
                f"cannot write {self._path}: {error.strerror}; choose another folder with --data"
            ) from error
        return secret


def _text(raw: bytes, *, strip: bool = True) -> str:
    text = base64.urlsafe_b64encode(raw).decode()
    return text.rstrip("=") if strip else text
