"""A page of the program: its HTML and the content security policy that goes with it."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

STATIC = Path(__file__).resolve().parent / "static"
LOCALES = Path(__file__).resolve().parent / "locales"

_INLINE = re.compile(r"<script\b(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Page:
    """One HTML document of `static/`.

    Its scripts come from this server only, but for the import map that it carries inline,
    which the policy allows by hash.
    """

    html: str

    @classmethod
    def load(cls, name: str) -> Page:
        """Read `static/NAME`."""
        return cls((STATIC / name).read_text(encoding="utf-8"))

    @property
    def policy(self) -> str:
        """The value of the header `Content-Security-Policy`."""
        hashes = (
            base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            for text in _INLINE.findall(self.html)
        )
        scripts = " ".join(["'self'", *(f"'sha256-{h}'" for h in hashes)])
        return "; ".join(
            [
                "default-src 'self'",
                f"script-src {scripts}",
                # Libraries that draw (Konva, plots) place their elements by style attributes.
                "style-src 'self' 'unsafe-inline'",
                "img-src 'self' blob: data:",
                "media-src 'self' blob:",
                "connect-src 'self'",
                "object-src 'none'",
                "base-uri 'none'",
                "form-action 'self'",
                "frame-ancestors 'none'",
            ]
        )

    @property
    def headers(self) -> dict[str, str]:
        """Every header of safety that a page is sent with."""
        return {
            "Content-Security-Policy": self.policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-cache",
        }
