"""Rows of the picker: what they say, to the eye and to a screen reader, whatever is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from rony_desktop.contract.error import NotAChatModel
from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.speed import Span
from rony_desktop.ui.model.offer import OfferDelegate, OfferModel, OfferRow
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
ONE = ModelRef("llamacpp", "Llama-1B-Q4_K_M", Path("/m/one.gguf"), 800 << 20)
TWO = ModelRef("llamacpp", "Qwen3-8B-Q8_0", Path("/m/two.gguf"), 8 << 30)
OFFER = Offer(ONE, Fit.SHORT, "Q4_K_M", 8192, Span(27, 24.2, 31.3))


def test_a_row_says_what_is_known_of_it() -> None:
    assert OfferRow(ONE, current=False).detail == "0.8\u2009GB"
    known = OfferRow(ONE, current=True, offer=OFFER)
    assert known.detail == "Q4_K_M · 0.8\u2009GB · context 8k · \u2248\u200924\u201331\u2009tok/s"
    assert known.spoken.endswith("Short context, in use")


def test_a_file_that_cannot_be_used_says_why() -> None:
    failure = NotAChatModel(path="/models/deep/one.gguf").failure()
    row = OfferRow(ONE, current=False, offer=Offer(ONE, Fit.UNUSABLE, failure=failure))
    assert row.detail.startswith("one.gguf ")
    assert "Cannot be used" in row.spoken


def test_offers_come_in_whatever_is_filtered() -> None:
    model = OfferModel()
    model.set_models((ONE, TWO), TWO.id)
    assert model.current_row() == 1
    model.set_filter("QWEN 8b")
    assert [model.row(model.index(n)).model for n in range(model.rowCount())] == [TWO]
    model.take(OFFER)
    model.set_filter("")
    assert model.row(model.index(0)).offer == OFFER
    text = model.data(model.index(0), Qt.ItemDataRole.AccessibleTextRole)
    assert text == OfferRow(ONE, current=False, offer=OFFER).spoken


def test_every_fit_is_painted(theme: Theme, qtbot: QtBot) -> None:
    view = QListView()
    qtbot.addWidget(view)
    model = OfferModel(view)
    view.setModel(model)
    view.setItemDelegate(OfferDelegate(theme, view))
    view.resize(480, 120)
    view.show()
    pictures = []
    for fit in Fit:
        model.set_models((ONE, TWO), ONE.id)
        model.take(Offer(ONE, fit, "Q4_K_M", 4096))
        pictures.append(view.grab().toImage())
    assert all(a != b for n, a in enumerate(pictures) for b in pictures[n + 1 :])
