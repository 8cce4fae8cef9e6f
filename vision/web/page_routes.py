"""What every page of one document needs of its server: itself, its files and its languages."""

from __future__ import annotations

from fastapi import FastAPI, Response
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

from vision.web.page import LOCALES, STATIC, Page


def add_page(app: FastAPI, name: str) -> None:
    """Serve `static/NAME` at `/`, and beside it all of `static/` and `locales/`."""
    page = Page.load(name)

    @app.get("/", include_in_schema=False)
    def index() -> Response:
        return HTMLResponse(page.html, headers=page.headers)

    @app.get("/favicon.ico", include_in_schema=False)
    def icon() -> Response:
        return Response(status_code=204)

    @app.get("/locales/index.json", include_in_schema=False)
    def languages() -> list[str]:
        return sorted(p.stem for p in LOCALES.glob("*.json"))

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.mount("/locales", StaticFiles(directory=LOCALES), name="locales")
