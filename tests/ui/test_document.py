"""Documents of blocks: nothing is loaded, nothing is obeyed, sizes are the theme's."""

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from rony_desktop.ui.chat.block import Block, BlockKind, ShownMessage
from rony_desktop.ui.chat.document import DocumentMaker, SafeDocument
from rony_desktop.ui.chat.highlight import Highlighter, lex
from rony_desktop.ui.chat.transcript import TranscriptView
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


@pytest.fixture
def maker(theme: Theme) -> DocumentMaker:
    return DocumentMaker(theme, Highlighter())


@pytest.fixture
def red(tmp_path: Path) -> Path:
    image = QImage(40, 40, QImage.Format.Format_RGB32)
    image.fill(0xFFFF0000)
    path = tmp_path / "red.png"
    assert image.save(str(path))
    return path


def red_pixels(image: QImage) -> int:
    return sum(
        image.pixelColor(x, y).name() == "#ff0000"
        for x in range(image.width())
        for y in range(image.height())
    )


SPELLINGS = [
    "![x](file://{path})",
    "![x]({path})",
    "![x](<{path}>)",
    '<img src="{path}">',
    '<img src="file://{path}">',
    "![x][r]\n\n[r]: {path}",
    "[![x]({path})]({path})",
    "```\n<img src='{path}'>\n```",
    "| a |\n|---|\n| ![x]({path}) |",
    "> ![x](file://{path})",
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_spelling_draws_a_local_picture(
    theme: Theme, qtbot: QtBot, red: Path, spelling: str
) -> None:
    text = spelling.format(path=red)
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.resize(500, 300)
    view.show()
    view.open([ShownMessage("u", "user", text), ShownMessage("a", "assistant", text, text)])
    assert red_pixels(view.viewport().grab().toImage()) == 0


def test_a_document_given_html_with_a_picture_still_loads_nothing(qtbot: QtBot, red: Path) -> None:
    from PySide6.QtGui import QPainter

    for name in (str(red), f"file://{red}"):
        document = SafeDocument()
        document.setHtml(f'<img src="{name}">')
        image = QImage(100, 100, QImage.Format.Format_RGB32)
        image.fill(0xFFFFFFFF)
        painter = QPainter(image)
        document.drawContents(painter)
        painter.end()
        assert red_pixels(image) == 0


def test_html_is_shown_as_text(maker: DocumentMaker) -> None:
    text = "<h1>Big</h1> <script>x</script>"
    block = Block(0, BlockKind.TEXT, text)
    assert maker.prose(block, {}).toPlainText() == text
    assert maker.plain(text).toPlainText() == text
    assert maker.code(Block(0, BlockKind.CODE, text, text=text)).toPlainText() == text


def test_hidden_characters_in_code_are_seen(maker: DocumentMaker) -> None:
    block = Block(0, BlockKind.CODE, "", text="a\u202eb\x1b\n")
    assert maker.code(block).toPlainText() == "a\\u202eb\\u001b"


def test_headings_are_modest(maker: DocumentMaker) -> None:
    sizes = []
    for level in (1, 2, 3, 4):
        document = maker.prose(Block(0, BlockKind.HEADING, f"{'#' * level} Head"), {})
        form = document.begin().begin().fragment().charFormat().font()
        sizes.append((form.pixelSize(), form.weight() >= 600))
    assert sizes == [(18, True), (18, True), (15, True), (15, False)]


def test_code_is_coloured_once_it_is_final(maker: DocumentMaker, theme: Theme) -> None:
    block = Block(0, BlockKind.CODE, "", text="def f():\n    return 1\n", language="python")
    document = maker.code(block)
    assert not document.begin().layout().formats()
    lex("x", "python")  # Pygments is imported in a thread where nobody did before
    final = Block(0, BlockKind.CODE, "", True, "def f():\n    return 1\n", "python")
    document = maker.code(final)
    formats = document.begin().layout().formats()
    assert formats[0].format.foreground().color() == theme.colour("code_keyword")
    assert (formats[0].start, formats[0].length) == (0, 3)


def test_a_span_over_lines_colours_every_line(maker: DocumentMaker, theme: Theme) -> None:
    lex("x", "python")
    text = '"""one\ntwo\nthree"""\nx = 1\n'
    document = maker.code(Block(0, BlockKind.CODE, "", True, text, "python"))
    line, found = document.begin(), []
    while line.isValid():
        found.append([f.format.foreground().color() for f in line.layout().formats()])
        line = line.next()
    string = theme.colour("code_string")
    assert [string in colours for colours in found] == [True, True, True, False]
