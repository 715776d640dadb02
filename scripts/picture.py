"""Draws the gallery: the window's widgets put together, in every state, as build/picture/*.png."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PySide6.QtWidgets import QApplication, QWidget

from rony_desktop.contract.approval import FileChange
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import NoModel
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.tool import ToolState
from rony_desktop.ui.approval.card import ApprovalCard
from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.chat.block import ShownCall, ShownMessage, ShownStatus
from rony_desktop.ui.chat.call import answered, called, left, moved
from rony_desktop.ui.chat.view import ChatPane
from rony_desktop.ui.empty import EmptyKind
from rony_desktop.ui.row import ChatRow
from rony_desktop.ui.theme import Theme, ThemeMode
from rony_desktop.ui.window import MainWindow
from scripts.question import FOLDER, HUNKS, asked, draw, pictures

OUT = Path("build/picture")
LONG = (
    "A very long title that goes on and on about the history of bridges, arches and domes in Spain"
)
ANSWER = """\
## Reading a CSV file

The standard library has a module for it: `csv`. Use **`DictReader`**, so that columns are *named*,
not numbered. [The manual](https://docs.python.org/3/library/csv.html) has more.

```python
import csv
from pathlib import Path

def rows(path: Path) -> list[dict[str, str]]:
    \"\"\"Every row of the file.\"\"\"
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))  # 1,200 rows in 4 ms
```

Watch for three things:

- Encoding: say `utf-8` and mean it
- Line ends: `newline=""`, or blank rows appear on Windows
- Numbers are text until you convert them
  1. `int` for whole numbers
  2. `Decimal` for money
"""
MORE = """\
### How they compare

| Tool | Speed | Memory |
|---|---:|---|
| csv | 1.0 | lowest |
| pandas | 4.2 | all of the file |
| polars | 9.8 | all of the file, in columns |

> Measure first, then choose.
> The first answer is often fast enough.

---

That is all; ~~nothing~~ little else matters for a file of this size.
"""
WIDE = f"""\
{"| Month " * 12}|
{"|---:" * 12}|
{"| 1,234.50 " * 12}|

```
{"one long line of code " * 14}
```

\u0627\u0644\u0642\u0644\u0645 \u0623\u062f\u0627\u0629 \u0643\u062a\u0627\u0628\u0629

\u65e5\u672c\u8a9e\u306e\u4e07\u5e74\u7b46 \U0001f58b
"""
HOSTILE = (
    """\
<b>not bold</b> <img src="file:///etc/passwd">

![a picture](https://example.org/x.png) and [https://bank.example](https://evil.example/in)

```
rm -rf build \u202e fdp.exe
```

"""
    + "unbroken" * 40
)


STRANGE = (
    "docs/\u202ereports\n" + "a very long folder name that goes on " * 5 + "/plan of the year.md"
)


def call(
    name: str,
    arguments: dict[str, str],
    *states: ToolState,
    result: str | None = None,
    error: bool = False,
    reason: str = "",
) -> ShownCall:
    """A tool call that came through these states."""
    id = f"{name}-{len(states)}-{len(arguments)}-{result and len(result)}"
    line = called(ToolCall(id, name, json.dumps(arguments)))
    for state in states:
        line = moved(line, state, {"reason": reason})
    if result is None:
        return line
    return answered(line, ToolResult(result, error, {"duration_ms": "12.4"}))


def tool(call: ShownCall) -> ShownMessage:
    """A call as the transcript has it."""
    return ShownMessage(call.id, "tool", call=call)


def question(theme: Theme, parent: QWidget) -> QWidget:
    """The card that asks, for pictures of its place."""
    card = ApprovalCard(theme, parent)
    change = FileChange("docs/plan.md", "", "", HUNKS)
    card.show_request(asked(change))
    return card


@dataclass
class Scene:
    """One picture: its name, size and what is in it."""

    name: str
    size: tuple[int, int] = (1200, 800)
    mode: ThemeMode = ThemeMode.LIGHT
    title: str = "Reading a CSV file"
    folder: str = ""
    messages: tuple[ShownMessage, ...] = ()
    empty: EmptyKind | None = None
    error: ErrorText | None = None
    streaming: bool = False
    draft: str = ""
    prefill: tuple[int, int] | None = None
    forming: str = ""
    open: tuple[str, ...] = ()
    card: bool = False
    scroll: float = 1.0


def filled(theme: Theme, scene: Scene) -> MainWindow:
    """The real window, filled by hand."""
    window = MainWindow(theme)
    window.resize(*scene.size)
    rows = [
        ChatRow("1", scene.title, "Today"),
        ChatRow("2", "Ideas for a garden of 20 m\u00b2", "Today"),
        ChatRow("3", "Carta al ayuntamiento sobre las obras", "Yesterday"),
        ChatRow("4", LONG, "Previous 7 days"),
        ChatRow("5", "Why is the sky blue", "Previous 7 days"),
        ChatRow("6", "Tax form, second try", "Older"),
    ]
    blank = scene.empty is EmptyKind.NO_MODEL
    window.chats.set_rows(() if blank else rows)
    window.chats.set_current("1" if scene.empty is None else "")
    window.show_title(scene.title if scene.empty is None else "")
    window.header.folder.show_folder(scene.folder)
    failure = NoModel().failure() if blank else None
    name = "" if blank else "SmolLM2 135M Instruct"
    window.model.show_engine(EngineStatus(_state(scene), name, failure=failure))
    _fill_chat(window.chat, scene)
    if scene.error is not None:
        window.banner.show_error(scene.error)
    if scene.messages:
        window.status.set_speed(42.1)
        window.status.set_first_token(0.31)
        window.status.set_context(1240, 8192)
    return window


def _fill_chat(chat: ChatPane, scene: Scene) -> None:
    chat.show_messages(scene.messages)
    if scene.streaming:
        chat.transcript.begin(ShownMessage("live", "assistant"))
        chat.transcript.append_thinking("The user wants a short answer.")
        chat.transcript.append(ANSWER[:520])
    chat.composer.set_busy(scene.streaming or scene.prefill is not None)
    chat.composer.set_text(scene.draft)
    if scene.forming:
        chat.show_forming(scene.forming, 12_400)
    if scene.prefill:
        chat.progress.set_prefill(*scene.prefill)
    if scene.empty is not None:
        failed = scene.empty is EmptyKind.FAILED
        detail = "Choose another model." if failed else "SmolLM2 135M Instruct"
        chat.empty.set_kind(scene.empty, detail)


def _state(scene: Scene) -> EngineState:
    if scene.error is not None:
        return EngineState.FAILED
    states = {
        EmptyKind.NO_MODEL: EngineState.FAILED,
        EmptyKind.LOADING: EngineState.LOADING,
        EmptyKind.FAILED: EngineState.FAILED,
    }
    return states.get(scene.empty, EngineState.READY) if scene.empty else EngineState.READY


def scenes() -> list[Scene]:
    """Every state worth a look."""
    foot = ("SmolLM2 135M", "42.1\u2009tok/s", "3.2\u2009s")
    ask = ShownMessage("u1", "user", "How do I read a CSV file in Python?", foot=("14:02",))
    answer = ShownMessage("a1", "assistant", ANSWER, foot=foot)
    more = ShownMessage("a2", "assistant", MORE, "Compare three.", foot)
    again = ShownMessage("u2", "user", "And which one is fastest?\nBoth speed and memory, please.")
    cut = ShownMessage(
        "a3", "assistant", "The fastest one is", status=ShownStatus.INTERRUPTED, foot=foot
    )
    failed = ShownMessage(
        "a4", "assistant", "Half of an answer came before", status=ShownStatus.FAILED,
        error=ErrorText(
            "The engine stopped in the middle of the answer.",
            "It has been started again, and what came so far is kept.", "Try again", "retry",
        ),
    )  # fmt: skip
    notice = ShownMessage("n", "notice", "One line of this chat could not be read and was skipped.")
    hostile = ShownMessage("h", "assistant", HOSTILE, foot=foot)
    wide = ShownMessage("w", "assistant", WIDE, foot=foot)
    banner = ErrorText(
        "The engine stopped three times in a row.",
        "It is not started again by itself; the log says what happened last.",
        "Open the log", "open_log",
    )  # fmt: skip
    chat, long = (ask, answer), (ask, answer, again, more)
    return [
        Scene("light", messages=chat),
        Scene("dark", messages=chat, mode=ThemeMode.DARK),
        Scene("more_light", messages=long),
        Scene("more_dark", messages=long, mode=ThemeMode.DARK),
        Scene("small", (720, 480), messages=chat, title=LONG, draft="A draft\nof two lines"),
        Scene("large", (1600, 1000), messages=long, title=LONG),
        Scene("streaming", messages=(ask,), streaming=True),
        Scene("prefill", messages=(ask,), prefill=(320, 1500), mode=ThemeMode.DARK),
        Scene("no_model", empty=EmptyKind.NO_MODEL),
        Scene("no_chat", empty=EmptyKind.NO_CHAT, mode=ThemeMode.DARK),
        Scene("loading", empty=EmptyKind.LOADING),
        Scene("failed", empty=EmptyKind.FAILED, error=banner),
        Scene("error", messages=(ask, cut, notice, again, failed), error=banner),
        Scene("error_dark", messages=(ask, failed), error=banner, mode=ThemeMode.DARK),
        Scene("wide", messages=(ask, wide)),
        Scene("hostile", messages=(ask, hostile)),
    ]


def tool_scenes() -> list[Scene]:
    """Tool calls in every state."""
    start, done = ToolState.STARTED, ToolState.DONE
    ask = ShownMessage("u1", "user", "Put my notes in order, please.")
    first = ShownMessage("a1", "assistant", "I will look at what there is first.", bare=True)
    last = ShownMessage(
        "a9", "assistant", "The notes are in order: one file per month, and an index.",
        foot=("SmolLM2 135M", "42.1\u2009tok/s"),
    )  # fmt: skip
    listing = call("list_files", {}, start, done, result="notes.md  1.2 kB\nplan.md  4 kB")
    text = "".join(f"{n}. A note about something worth a note\n" for n in range(1, 12))
    read = call("read_file", {"path": "notes.md"}, start, done, result=text)
    found = call("search_files", {"pattern": "TODO"}, start, done, result="notes.md:3: TODO")
    wrote = call("write_file", {"path": "docs/index.md"}, start, done, result="wrote 12 lines")
    edited = call("edit_file", {"path": STRANGE}, start, done, result="done " * 5_000)
    failed = call(
        "read_file", {"path": "missing.md"}, start, done, error=True,
        result="missing.md: there is no such file in the folder, and nothing that is named like it",
    )  # fmt: skip
    refused = call(
        "write_file", {"path": "a.md"}, ToolState.ASKED, ToolState.DENIED, error=True,
        result="The user refused: use the other folder", reason="use the other folder",
    )  # fmt: skip
    unknown = call("weather\u202e_tool", {"query": "Madrid"}, start, done, result="sunny")
    running = call("search_files", {"pattern": "index"}, start)
    waiting = call("edit_file", {"path": "docs/plan.md"}, ToolState.ASKED)
    queued = call("write_file", {"path": "docs/other.md"})
    lost = left(call("write_file", {"path": "docs/b.md"}), ToolState.ASKED, {})
    broken = left(call("write_file", {"path": "docs/c.md"}), start, {})
    good = tuple(tool(one) for one in (listing, read, found, wrote))
    bad = tuple(tool(one) for one in (failed, refused, unknown, edited))
    closed = ShownMessage(
        "a8", "assistant", status=ShownStatus.FAILED,
        error=ErrorText(
            "Rony was closed before you answered. Nothing was run.", "", "Try again", "retry"
        ),
    )  # fmt: skip
    now = tuple(tool(one) for one in (listing, running, waiting, queued))
    dark = ThemeMode.DARK
    return [
        Scene("tool_light", messages=(ask, first, *good, last), open=(read.id,)),
        Scene("tool_dark", messages=(ask, first, *good, *bad, last), open=(found.id,), mode=dark),
        Scene("tool_small", (720, 480), messages=(ask, first, *good, *bad), open=(edited.id,)),
        Scene("tool_states", messages=(ask, first, *bad, *now), forming="write_file"),
        Scene("tool_closed", messages=(ask, tool(lost), closed)),
        Scene("tool_broken", messages=(ask, tool(lost), tool(broken), closed), mode=dark),
        Scene("tool_card", messages=(ask, first, *good, tool(waiting)), card=True),
        # The picture of README.md, kept as docs/picture/window.png.
        Scene("window", messages=(ask, *good[1:3], tool(waiting)), card=True,
              title="Notes on bridges", folder=FOLDER),
        Scene("tool_card_small", (720, 480), messages=(ask, *good, tool(waiting)), card=True,
              scroll=-1.0, mode=dark),
        Scene("tool_away", (900, 600), messages=(ask, *good, last, ask, first, tool(read)) * 3,
              open=(read.id,), card=True, scroll=0.3),
    ]  # fmt: skip


def arrange(app: QApplication, theme: Theme, scene: Scene, chat: ChatPane) -> None:
    """Open results, show the card and scroll, once the window has its size."""
    view = chat.transcript
    for item in view._column.items:
        item.folded = item.message.id not in scene.open
        item.reframe(view._column.width)
    view._column.restack()
    view._arrange()
    if scene.card:
        chat.show_card(question(theme, chat))
    app.processEvents()
    if scene.scroll >= 0:
        view.scroll_to(scene.scroll)
    app.processEvents()


def main() -> None:
    """Draw every scene, or those named on the command line."""
    app = QApplication([])
    OUT.mkdir(parents=True, exist_ok=True)
    theme = Theme()
    theme.apply(app)
    for scene in [*scenes(), *tool_scenes()]:
        if len(sys.argv) > 1 and scene.name not in sys.argv[1:]:
            continue
        theme.set_mode(scene.mode)
        window = filled(theme, scene)
        window.show()
        for _ in range(5):
            app.processEvents()
        arrange(app, theme, scene, window.chat)
        window.grab().save(str(OUT / f"{scene.name}.png"))
        window.close()
        window.deleteLater()
        app.processEvents()
        print(OUT / f"{scene.name}.png")
    for picture in pictures():
        if len(sys.argv) == 1 or picture.name in sys.argv[1:]:
            draw(app, theme, picture, str(OUT / f"{picture.name}.png"))
            print(OUT / f"{picture.name}.png")


if __name__ == "__main__":
    main()
