"""A link is opened only after the user has seen the whole address and said so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.link import LinkDialog, ask_to_open

pytestmark = pytest.mark.ui
ADDRESS = "https://example.org/a?b=c#d"


@pytest.fixture
def window(qapp: QApplication) -> Iterator[QWidget]:
    window = QWidget()
    window.show()
    yield window
    shiboken6.delete(window)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: found.append(url.toString()))
    return found


def dialog(window: QWidget) -> LinkDialog:
    found = window.findChild(LinkDialog, "link_dialog")
    assert isinstance(found, LinkDialog)
    return found


def button(box: LinkDialog, name: str) -> QPushButton:
    found = box.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def address_of(box: LinkDialog) -> QPlainTextEdit:
    found = box.findChild(QPlainTextEdit, "link_address")
    assert isinstance(found, QPlainTextEdit)
    return found


def test_it_is_opened_by_open(window: QWidget, opened: list[str], qtbot: QtBot) -> None:
    ask_to_open(window, ADDRESS)
    box = dialog(window)
    assert address_of(box).toPlainText() == ADDRESS
    qtbot.mouseClick(button(box, "link_open"), Qt.MouseButton.LeftButton)
    assert opened == [ADDRESS]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_enter_and_esc_open_nothing(
    window: QWidget, opened: list[str], qtbot: QtBot, key: Qt.Key
) -> None:
    ask_to_open(window, ADDRESS)
    box = dialog(window)
    assert button(box, "link_cancel").isDefault()
    assert not button(box, "link_open").autoDefault()
    qtbot.keyClick(box, key)
    assert not box.isVisible()
    assert opened == []


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "smb://server/share",
        "ssh://server",
        "/etc/passwd",
        "example.org",
        "",
        "https",
    ],
)
def test_other_schemes_are_refused(window: QWidget, opened: list[str], address: str) -> None:
    ask_to_open(window, address)
    assert window.findChild(LinkDialog) is None
    assert opened == []


@pytest.mark.parametrize("address", ["http://a.org", "HTTPS://a.org/x", "mailto:a@b.org"])
def test_what_a_browser_or_mail_program_opens_is_asked_about(
    window: QWidget, opened: list[str], address: str
) -> None:
    ask_to_open(window, address)
    box = dialog(window)
    assert box.isVisible()
    box.reject()


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://bank.example@evil.example/", "https://bank.example@evil.example/"),
        ("https://a.example/\u202egpj.exe", "https://a.example/%E2%80%AEgpj.exe"),
        ("https://ex\u0430mple.org/", "https://xn--exmple-4nf.org/"),
        ("https://a.example/<b>x</b>", "https://a.example/%3Cb%3Ex%3C/b%3E"),
        ("https://a.example/" + "x" * 3000, "https://a.example/" + "x" * 3000),
    ],
)
def test_the_whole_address_is_shown_without_disguise(
    window: QWidget, address: str, shown: str
) -> None:
    ask_to_open(window, address)
    box = dialog(window)
    assert address_of(box).toPlainText() == shown
    assert address_of(box).isReadOnly()
    assert address_of(box).horizontalScrollBar().maximum() == 0
    box.reject()
