"""The newest view of the table, and who wants to see each."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from vision.web.table_view import TableView

Listener = Callable[[TableView], None]


class Board:
    """Shows views one after another; safe from any thread, never waits for the disk."""

    def __init__(self) -> None:
        self._view = TableView()
        self._lock = threading.Lock()
        self._listeners: list[Listener] = []

    @property
    def view(self) -> TableView:
        """The newest view."""
        return self._view

    def subscribe(self, listener: Listener) -> None:
        """Call `listener` with every new view; it must be quick."""
        self._listeners.append(listener)

    def change(self, **changes: object) -> None:
        """Show the same view with some parts changed."""
        with self._lock:
            version = self._view.version + 1
            view = replace(self._view, version=version, **changes)  # type: ignore[arg-type]
            self._view = view
            for listener in tuple(self._listeners):
                listener(view)
