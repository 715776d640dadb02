"""Coroutine tests of the window run on the loop the program has: Qt's, through qasync."""

from __future__ import annotations

from asyncio import AbstractEventLoop
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import qasync
from PySide6.QtWidgets import QApplication, QWidget

from rony_desktop.ui.theme import Theme, ThemeMode


def application() -> QApplication:
    """The one QApplication of this process; closing the last window does not end it."""
    app = QApplication.instance() or QApplication(["rony-test"])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    return app


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], AbstractEventLoop]]:
    return {"qt": lambda: qasync.QEventLoop(application())}


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """pytest-qt's application, the same one as the loop's."""
    return application()


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    """The light theme, on the whole application."""
    theme = Theme(ThemeMode.LIGHT)
    theme.apply(qapp)
    return theme


@pytest.fixture
def child() -> Callable[..., Any]:
    """Finds a widget inside another: child(parent, kind, object name)."""

    def find(parent: QWidget, kind: type[QWidget], name: str) -> QWidget:
        found = parent.findChild(kind, name)
        assert isinstance(found, kind), f"no {name}"
        return found

    return find
