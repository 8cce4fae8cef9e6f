"""The page's files, read once: what is not among them does not exist."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from vision.web.page import LOCALES, STATIC, Page

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_PACKED = (".png", ".webp", ".woff2")


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent; `packed` is its gzip form, None where that gains nothing."""

    data: bytes
    packed: bytes | None
    kind: str
    tag: str

    @classmethod
    def of(cls, data: bytes, suffix: str) -> Asset:
        """Make it from a file's bytes."""
        packed = None if suffix in _PACKED else gzip.compress(data, 6, mtime=0)
        tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
        return cls(data, packed, _TYPES[suffix], tag)

    def answer(self, request: Request, extra: dict[str, str] | None = None) -> Response:
        """Return it, or that it has not changed."""
        headers = {"ETag": self.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        headers |= extra or {}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(self.packed, headers=headers, media_type=self.kind)
        return Response(self.data, headers=headers, media_type=self.kind)


class Assets:
    """Every file of `static/` and every language, by the path it is asked for."""

    def __init__(self) -> None:
        self._files = {f"/static/{_name(p, STATIC)}": _read(p) for p in _files(STATIC)}
        languages = sorted(p.stem for p in LOCALES.glob("*.json"))
        self.languages = tuple(languages)
        self._files |= {f"/locales/{c}.json": _read(LOCALES / f"{c}.json") for c in languages}
        index = json.dumps(languages).encode()
        self._files["/locales/index.json"] = Asset.of(index, ".json")
        self._page = Page.load("index.html")
        self._html = Asset(
            self._page.html.encode(),
            gzip.compress(self._page.html.encode(), 6, mtime=0),
            "text/html; charset=utf-8",
            f'"{hashlib.sha256(self._page.html.encode()).hexdigest()[:20]}"',
        )

    def find(self, path: str) -> Asset | None:
        """Return the file asked for, or None."""
        return self._files.get(path)

    def page(self, request: Request) -> Response:
        """Return the page itself."""
        headers = dict(self._page.headers)
        if request.url.scheme != "https" and not request.scope["visitor"].host:
            del headers["Cross-Origin-Opener-Policy"]  # browsers heed it only where it is safe
        return self._html.answer(request, headers)


def _files(folder: Path) -> list[Path]:
    return [p for p in folder.rglob("*") if p.suffix in _TYPES and p.is_file()]


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _read(path: Path) -> Asset:
    return Asset.of(path.read_bytes(), path.suffix)
