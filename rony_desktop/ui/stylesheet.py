"""The one style sheet, made from the tokens."""

from __future__ import annotations

from string import Template

from rony_desktop.ui.token import RADIUS, TYPE, Tokens

_SHEET = Template("""
* { font-family: "$sans"; }
QWidget { color: $text; font-size: ${label}px; }
#sidebar, #status { background: $window; }
QDialog, #header, #transcript, #empty { background: $surface; }
#chat_pane, #composer_area, #banner_area { background: $surface; }
#sidebar { border: none; border-right: 1px solid $line; }
#title { border: 2px solid transparent; border-radius: ${control}px; }
#title:focus { border-color: $accent; }
#header { border: none; border-bottom: 1px solid $line; }
#status { border: none; border-top: 1px solid $line; }
QLabel { background: transparent; }
QLabel[role="quiet"] { color: $text2; }
QLabel[role="hint"] { color: $text3; font-size: ${small}px; }
QLabel[role="danger"] { color: $danger; }
QLabel[role="warn"] { color: $warn; }
QLabel[role="danger"] { color: $danger; }
QLabel[role="ok"] { color: $ok; }
QLabel[role="info"] { color: $info; }
QLabel[role="mono"] { font-family: "$mono"; }
QLabel[role="lead"] { font-size: ${body}px; font-weight: 600; }
QLabel[role="display"] { font-size: ${title}px; font-weight: 600; }

QPushButton, QToolButton {
  background: transparent; color: $text2; border: 2px solid transparent;
  border-radius: ${control}px; padding: 4px 8px; font-size: ${label}px;
}
QPushButton:hover, QToolButton:hover { background: $hover; color: $text; }
QPushButton:pressed, QToolButton:pressed { background: $line; }
QPushButton:focus, QToolButton:focus { border-color: $accent; outline: none; }
QPushButton:disabled, QToolButton:disabled { color: $text3; background: transparent; }
QToolButton { padding: 0; }
QToolButton::menu-indicator { image: none; }
QPushButton[look="primary"] {
  background: $accent; color: $on_accent; font-weight: 600; padding: 6px 16px;
}
QPushButton[look="primary"]:hover { background: $accent_hover; color: $on_accent; }
QPushButton[look="primary"]:pressed { background: $accent; }
QPushButton[look="primary"]:focus { border-color: $focus; }
QPushButton[look="primary"]:disabled { background: $sunken; color: $text3; }
QPushButton[look="outline"] {
  background: $surface; color: $text; border: 1px solid $line; padding: 5px 12px;
}
QPushButton[look="outline"]:hover { background: $hover; }
QPushButton[look="outline"]:disabled { background: $surface; color: $text3; }
QPushButton[look="outline"]:focus { border: 2px solid $accent; padding: 4px 11px; }
QPushButton[look="danger"] {
  background: $danger; color: $surface; font-weight: 600; padding: 6px 16px;
}
QPushButton[look="danger"]:hover, QPushButton[look="danger"]:pressed { background: $danger; }
QPushButton[look="danger"]:focus { border-color: $focus; }
QPushButton[look="pill"] {
  background: $surface; color: $text; border: 1px solid $line;
  border-radius: ${composer}px; padding: 4px 12px;
}
QPushButton[look="pill"]:hover { background: $sunken; }
QPushButton[look="pill"]:focus { border: 2px solid $accent; padding: 3px 11px; }
QPushButton[look="status"], QPushButton[look="figure"] {
  font-size: ${small}px; padding: 0 8px; border-width: 1px; border-radius: 4px;
  font-weight: 400;
}
QPushButton[look="figure"]:hover, QPushButton[look="figure"]:pressed {
  background: transparent; color: $text2;
}
QPushButton[look="small"], QToolButton[look="small"] {
  font-size: ${small}px; padding: 0 6px; border-width: 1px;
}
QPushButton[look="fold"] {
  font-size: ${label}px; padding: 0 4px; border-width: 1px; text-align: left; color: $text3;
}
QPushButton[look="fold"]:hover { color: $text; }
QPushButton[look="call"] { text-align: right; padding: 0 6px; border-width: 1px; }
QPushButton[look="call"]:hover { background: $veil; }
QPushButton[look="send"], QPushButton[look="stop"] { border-radius: 16px; padding: 0; }
QPushButton[look="send"] { background: $accent; }
QPushButton[look="send"]:hover { background: $accent_hover; }
QPushButton[look="send"]:disabled { background: $line; }
QPushButton[look="stop"] { background: $text; }
QPushButton[look="stop"]:hover { background: $text2; }
QPushButton[look="send"]:focus, QPushButton[look="stop"]:focus { border-color: $focus; }
#copy_code { text-align: right; padding: 0 4px; }
QPushButton[look="row"] { text-align: left; padding: 6px 10px; color: $text; }

QLineEdit {
  background: $sunken; color: $text; border: 2px solid transparent;
  border-radius: ${control}px; padding: 4px 8px; placeholder-text-color: $text3;
  selection-background-color: $accent; selection-color: $on_accent;
}
QLineEdit:focus { border-color: $accent; }
QLineEdit[look="title"] { background: transparent; padding: 0 4px; }
QLineEdit[look="title"]:focus { background: $sunken; }
#composer { background: $sunken; border: 2px solid transparent; border-radius: ${composer}px; }
#composer[active="true"] { border-color: $accent; }
#composer_text {
  background: transparent; color: $text; border: none; font-size: ${body}px;
  placeholder-text-color: $text3;
  selection-background-color: $accent; selection-color: $on_accent;
}
QFrame[look="card"] {
  background: $surface; border: 1px solid $line; border-radius: ${card}px;
}
QLabel[role="warn"] { color: $warn; }
QLabel[role="danger"] { color: $danger; }
#doctor_pane, #doctor_list, #doctor_area, #speed_pane, #speed_list, #speed_area {
  background: $surface;
}
#doctor_area, #speed_area { border: 2px solid transparent; border-radius: ${control}px; }
#doctor_area:focus, #speed_area:focus { border-color: $accent; }
QFrame[look="card"][chosen="true"] { background: $accent_soft; border-color: $accent; }
#wizard_page, #wizard_area { background: $surface; }
#doctor_row { border: none; border-top: 1px solid $line; }
#speed_hairline { border: none; background: $line; }
#banner { background: $surface; border: 1px solid $line; border-radius: ${card}px; }
#approval_card { background: $surface; border: 1px solid $accent; border-radius: ${card}px; }
#approval_sheet #approval_card { border: none; }
QPlainTextEdit[look="well"], QScrollArea[look="well"] {
  background: $code; color: $text; border: 2px solid $code; border-radius: ${control}px;
  selection-background-color: $accent; selection-color: $on_accent;
}
QPlainTextEdit[look="well"] { padding: 4px 6px; }
QPlainTextEdit[look="well"]:focus, QScrollArea[look="well"]:focus { border-color: $accent; }
#approval_longer { padding: 0 6px; }
#approval_fold { padding: 2px 6px 2px 2px; }
#grant_area, #grant_list { background: $surface; }
#grant_row { border: none; border-bottom: 1px solid $line; }

QComboBox, QSpinBox {
  background: $surface; color: $text; border: 1px solid $line;
  border-radius: ${control}px; padding: 0 9px;
  selection-background-color: $accent; selection-color: $on_accent;
}
QSpinBox::up-button, QSpinBox::down-button { width: 0; border: none; }
QSpinBox QLineEdit { background: transparent; border: none; padding: 0; }
QComboBox:hover { background: $hover; }
QComboBox:focus, QSpinBox:focus { border: 2px solid $accent; padding: 0 8px; }
QComboBox:disabled, QSpinBox:disabled { color: $text3; background: $sunken; }
QComboBox::drop-down { border: none; width: 28px; }
QComboBox::down-arrow { image: none; }
QComboBox QAbstractItemView {
  background: $surface; color: $text; border: 1px solid $line; padding: 4px; outline: none;
  selection-background-color: $accent_soft; selection-color: $text;
}
QComboBox QAbstractItemView::item { min-height: 28px; padding: 0 8px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $line; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: $text3; }
QSlider::handle:horizontal {
  width: 14px; margin: -7px 0; border: 2px solid $text3; border-radius: 9px; background: $surface;
}
QSlider::handle:horizontal:hover { background: $hover; }
QSlider[given="true"]::sub-page:horizontal { background: $accent; }
QSlider[given="true"]::handle:horizontal { border-color: $accent; }
QSlider::handle:horizontal:focus { border-color: $accent; background: $accent; }
QSlider::sub-page:horizontal:disabled { background: $line; }
QSlider::handle:horizontal:disabled { border-color: $line; }
#plan_pane, #launch_pane, #plan_page, #launch_page { background: $surface; }
#hairline { background: $line; border: none; }
#plan_foot { background: $surface; border: none; border-top: 1px solid $line; }
#launch_warning {
  background: $surface; border: 1px solid $warn; border-radius: ${card}px;
}
QTableWidget {
  background: $surface; color: $text; border: none; outline: none; gridline-color: $line;
  selection-background-color: $accent_soft; selection-color: $text;
}
QTableWidget QHeaderView::section { padding: 4px 11px; }
QTableWidget::item { border: none; border-bottom: 1px solid $line; padding: 0 8px; }

QAbstractScrollArea { border: none; }
#clear_search { margin-left: 12px; }
#chat_list { background: $window; outline: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical {
  background: $line; min-height: 32px; border-radius: 3px; margin: 2px;
}
QScrollBar::handle:vertical:hover { background: $text3; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal {
  background: $line; min-width: 32px; border-radius: 3px; margin: 2px;
}
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QToolTip {
  background: $surface; color: $text; border: 1px solid $line; padding: 2px 4px;
  font-size: ${small}px;
}
QMenu { background: $surface; border: 1px solid $line; border-radius: ${control}px; padding: 4px; }
QMenu::item { color: $text; padding: 6px 24px 6px 12px; border-radius: 4px; }
QMenu::indicator, QMenu::icon { width: 16px; height: 16px; left: 8px; }
QMenu::item:selected { background: $accent_soft; }
QMenu::item:disabled { color: $text3; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
#model_panel { background: $surface; border: 1px solid $line; border-radius: ${card}px; }
#model_list { background: $surface; outline: none; }
#manager_tabs::pane { border: none; border-top: 1px solid $line; }
#manager_tabs > QTabBar { qproperty-drawBase: 0; }
#manager_tabs > QTabBar::tab {
  background: transparent; color: $text2; border: 2px solid transparent;
  border-radius: ${control}px; padding: 4px 12px; margin: 0 0 6px 8px;
}
#manager_tabs > QTabBar::tab:hover { background: $hover; color: $text; }
#manager_tabs > QTabBar::tab:selected { background: $accent_soft; color: $text; }
#manager_tabs > QTabBar::tab:selected:focus { border-color: $accent; }
#discover_pane, #discover_ideas, #discover_area, #opened_pane { background: $surface; }
#discover_results, #opened_list { background: $surface; outline: none; }
#opened_foot { background: $surface; border: none; border-top: 1px solid $line; }
#downloads_pane, #downloads_list, #downloads_area { background: $surface; }
#download_row { border: 2px solid transparent; border-radius: ${card}px; }
#download_row:hover { background: $veil; }
#download_row:focus { border-color: $accent; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QDialogButtonBox QPushButton {
  background: $surface; color: $text; border: 1px solid $line; padding: 5px 12px;
}
QDialogButtonBox QPushButton:focus { border: 2px solid $accent; padding: 4px 11px; }
QHeaderView::section {
  background: $surface; color: $text3; border: none; border-bottom: 1px solid $line;
  padding: 4px 8px;
}
#installed_pane, #installed_page, #installed_area { background: $surface; }
#engine_pane, #engine_page, #engine_area { background: $surface; }
QListView[look="rows"] { background: $surface; outline: none; }
#installed_foot { background: $surface; border: none; border-top: 1px solid $line; }
#engine_row { border: none; border-top: 1px solid $line; }
#link_address { background: $sunken; border-radius: ${control}px; padding: 4px 8px; }
""")


def stylesheet(tokens: Tokens, families: tuple[str, str]) -> str:
    """The style sheet of a theme; families are the text and the code font."""
    values = {name: tokens.colour(name) for name in tokens.__dataclass_fields__}
    return _SHEET.substitute(
        values,
        sans=families[0],
        mono=families[1],
        hover=tokens.sunken if not tokens.dark else tokens.line,
        accent_hover=tokens.accent,
        focus=tokens.text,
        veil=f"#0C{tokens.text[1:]}",
        **{name: size for name, size in TYPE.items() if name != "mono"},
        **RADIUS,
    )
