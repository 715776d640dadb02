"""The real window, engine and model: keys are typed, an answer comes, Stop stops it."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from tests.e2e.deadline import until
from tests.e2e.home import Home, Lent
from tests.e2e.program import run
from tests.e2e.window import FIRST_CHAT, Window, opened, xdotool

pytestmark = [pytest.mark.e2e, pytest.mark.x11, pytest.mark.engine, pytest.mark.timeout(180)]

QUESTION = "What is a fountain pen?"
STORY = "Write a very long story about a dragon with many chapters."
ANSWER_S = 90.0
STOP_S = 0.5
# About 4,000 tokens for the starter model, read in batches of a few hundred.
LONG = "Tell me which of these words is the longest. " + "river stone lantern harbour " * 900


@pytest.mark.usefixtures("brief")
def test_keys_are_typed_and_an_answer_streams_in(home: Home) -> None:
    with opened(home) as window:
        chat = window.ask(STORY)
        sizes = {0}
        while home.chat(chat.id).end is None:
            sizes.add(len(home.chat(chat.id).text))
            until(
                lambda: home.chat(chat.id).end or len(home.chat(chat.id).text) > max(sizes),
                ANSWER_S,
                "more text",
            )
        chat = home.chat(chat.id)
        assert chat.end is not None
        assert chat.end["status"] == "complete"
        assert chat.end["usage"]["output_tokens"] > 0
        assert len(chat.deltas) > 1
        assert len(sizes) > 2, "the answer came in one piece"
        window.close()


@pytest.mark.parametrize("way", ["key", "click"])
def test_stop_in_decode_ends_the_work_of_the_engine(home: Home, way: str) -> None:
    with opened(home) as window, window.engine() as engine:
        chat = window.ask(STORY)
        until(lambda: len(home.chat(chat.id).deltas) > 1, ANSWER_S, "the answer streams")
        assert engine.is_busy()
        place = window.stop_button
        begun = time.monotonic()
        window.key("Escape") if way == "key" else window.click(place)
        until(lambda: not engine.is_busy(), ANSWER_S, "the slot is idle")
        assert time.monotonic() - begun <= STOP_S
        end = until(lambda: home.chat(chat.id).end, ANSWER_S, "the answer is closed")
        assert (end["status"], end["stop_reason"]) == ("interrupted", "cancelled")
        assert home.chat(chat.id).text
        window.ask("Say hello.")
        until(lambda: home.chat(chat.id).text, ANSWER_S, "the chat goes on")
        window.close()


def test_stop_in_prefill_ends_the_work_of_the_engine(home: Home) -> None:
    with opened(home) as window, window.engine() as engine:
        window.paste(LONG.strip())
        batches = Batches(engine)
        until(lambda: batches.seen() > 2, ANSWER_S, "the prompt is being read")
        begun = time.monotonic()
        window.key("Escape")
        until(lambda: batches.seen() and not engine.is_busy(), ANSWER_S, "the slot is idle")
        stopped = time.monotonic()
        assert stopped - begun <= batches.longest(stopped) + STOP_S
        chat = window.asked(LONG.strip())
        end = until(lambda: home.chat(chat.id).end, ANSWER_S, "the answer is closed")
        assert (end["status"], end["stop_reason"]) == ("interrupted", "cancelled")
        assert home.chat(chat.id).text == "", "the answer had begun: this was no prefill"
        window.close()


class Batches:
    """When the engine had read one batch more of its prompt, as it says itself."""

    def __init__(self, engine: Lent) -> None:
        self._engine = engine
        self._read = 0
        self._ends: list[float] = []

    def seen(self) -> int:
        """Look again; how many batches ended since the first look."""
        read = self._engine.tokens_read()
        if read > self._read:
            self._read = read
            self._ends.append(time.monotonic())
        return len(self._ends)

    def longest(self, now: float) -> float:
        """The longest time of one batch in seconds, the one that ended now included."""
        return max(b - a for a, b in pairwise([*self._ends, now]))


@pytest.mark.usefixtures("brief")
def test_a_chat_is_there_after_a_restart_and_opens_by_a_click(home: Home) -> None:
    with opened(home) as window:
        chat = window.ask(QUESTION)
        until(lambda: home.chat(chat.id).end, ANSWER_S, "the answer is complete")
        window.close()
    with opened(home) as window:
        window.wait_ready()
        window.click(FIRST_CHAT)
        until(lambda: window.visible() and "fountain" in title(window), ANSWER_S, "it is open")
        follow = window.ask("Say more.")
        assert follow.id == chat.id
        assert follow.questions == [QUESTION, "Say more."]
        until(lambda: home.chat(chat.id).text, ANSWER_S, "the chat goes on")
        window.close()


def title(window: Window) -> str:
    return xdotool("getwindowname", window.id)


def test_what_is_typed_while_the_program_loads_is_kept(home: Home) -> None:
    with opened(home, at_once=True) as window:
        window.focus()
        window.write(QUESTION)
        window.wait_built()
        window.key("Return")
        window.asked(QUESTION)
        window.close()


def test_a_second_start_raises_the_first_window(home: Home) -> None:
    with opened(home) as window:
        window.wait_ready()
        xdotool("windowminimize", "--sync", window.id)
        until(lambda: not window.visible(), ANSWER_S, "it is minimised")
        begun = time.monotonic()
        said = run()
        assert time.monotonic() - begun <= 5
        assert (said.code, said.out, said.err) == (0, "", "")
        until(window.visible, 5, "it can be seen again")
        until(lambda: xdotool("getactivewindow") == window.id, 5, "it has the focus")
        window.close()
