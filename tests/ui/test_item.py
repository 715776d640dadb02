"""A message as pieces: its frame, its parts, and what stays while text streams."""

from dataclasses import replace

from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.chat.block import ShownCall, ShownMessage, ShownStatus
from rony_desktop.ui.chat.item import Item, gap_between
from rony_desktop.ui.chat.piece import Look

WIDTH = 700.0


def looks(item: Item) -> list[Look]:
    return [piece.look for piece in item.pieces]


def test_the_frame_of_an_answer() -> None:
    message = ShownMessage(
        "a", "assistant", "text\n\n> quote\n\n---", "reasons", ("foot",),
        error=ErrorText("Cause."),
    )  # fmt: skip
    item = Item(message)
    item.prepare(WIDTH)
    assert looks(item) == [
        Look.THOUGHT_HEAD, Look.PROSE, Look.QUOTE, Look.RULE, Look.ERROR, Look.FOOT,
    ]  # fmt: skip
    item.folded = False
    item.reframe(WIDTH)
    assert looks(item)[:2] == [Look.THOUGHT_HEAD, Look.THOUGHT]


def test_a_question_is_not_read_as_markdown() -> None:
    item = Item(ShownMessage("u", "user", "# not a head"))
    item.prepare(WIDTH)
    assert looks(item) == [Look.USER]
    assert item.piece_text(item.pieces[0]) == "# not a head"


def test_a_long_question_is_cut_into_joined_parts() -> None:
    text = "line of a question\n" * 2000
    item = Item(ShownMessage("u", "user", text))
    item.prepare(WIDTH)
    assert len(item.pieces) > 5
    assert "".join(piece.block.source for piece in item.pieces) == text
    assert [piece.first for piece in item.pieces] == [True] + [False] * (len(item.pieces) - 1)
    assert [piece.last for piece in item.pieces][-2:] == [False, True]


def test_finished_pieces_are_kept_while_text_streams() -> None:
    item = Item(ShownMessage("a", "assistant", status=ShownStatus.STREAMING))
    item.append("First.\n\nSecond.\n\nThi", WIDTH)
    kept = item.pieces[:2]
    item.append("rd.\n\nFourth", WIDTH)
    assert item.pieces[:2] == kept
    assert [piece.block.source for piece in item.pieces] == [
        "First.\n\n", "Second.\n\n", "Third.\n\n", "Fourth",
    ]  # fmt: skip


def test_an_interrupted_answer_has_a_foot() -> None:
    item = Item(ShownMessage("a", "assistant", "x", status=ShownStatus.INTERRUPTED))
    item.prepare(WIDTH)
    assert looks(item) == [Look.PROSE, Look.FOOT]


def test_parts_of_long_code_are_one_for_the_reader() -> None:
    code = "x = 1\n" * 3000
    item = Item(ShownMessage("a", "assistant", f"```py\n{code}```\n\nafter"))
    item.prepare(WIDTH)
    parts = [piece for piece in item.pieces if piece.look is Look.CODE]
    assert len(parts) > 3
    assert item.code_text(parts[0]) == code.rstrip("\n")
    assert [part.first for part in parts].count(True) == 1
    assert [part.last for part in parts].count(True) == 1


def test_heights_are_guessed_before_anything_is_laid_out() -> None:
    short, long = (
        Item(ShownMessage("a", "assistant", "x")),
        Item(ShownMessage("b", "assistant", "word " * 2000)),
    )
    for item in (short, long):
        item.estimate(WIDTH)
    assert 20 < short.height < 200
    assert long.height > 5 * short.height


def test_an_answer_has_a_foot_to_be_copied_from() -> None:
    failed = ErrorText("Cause.")
    for text, error, foot, expected in (
        ("x", None, (), True),
        ("x", failed, (), True),
        ("", failed, ("tiny",), False),
        ("", None, ("stopped",), True),
    ):
        item = Item(ShownMessage("a", "assistant", text, foot=foot, error=error))
        item.prepare(WIDTH)
        assert (Look.FOOT in looks(item)) is expected
    live = Item(ShownMessage("a", "assistant", "x", status=ShownStatus.STREAMING))
    live.prepare(WIDTH)
    assert Look.FOOT not in looks(live)


CALL = ShownCall("c", "x", "wrench", "Run", result="one\ntwo", rest="The first 2 of 9 are shown.")


def test_a_call_is_one_line_that_opens() -> None:
    item = Item(ShownMessage("c", "tool", call=CALL))
    item.estimate(WIDTH)
    guessed = item.height
    item.prepare(WIDTH)
    assert looks(item) == [Look.CALL_HEAD]
    assert item.height == guessed == 28
    item.folded = False
    item.reframe(WIDTH)
    assert looks(item) == [Look.CALL_HEAD, Look.CALL_BODY, Look.NOTICE]
    assert item.piece_text(item.pieces[0]) == "Run"
    assert item.code_text(item.pieces[1]) == "one\ntwo"


def test_an_open_call_shows_its_arguments_first() -> None:
    call = replace(CALL, arguments='{"a": 1}', left_out="The first 8 of 99 are shown.")
    item = Item(ShownMessage("c", "tool", call=call))
    item.folded = False
    item.prepare(WIDTH)
    notes = [Look.CALL_ARGUMENTS, Look.NOTICE, Look.CALL_BODY, Look.NOTICE]
    assert looks(item) == [Look.CALL_HEAD, *notes]
    assert item.code_text(item.pieces[1]) == '{"a": 1}'
    assert call.opens
    assert not replace(call, arguments="", result="").opens


def test_a_long_result_is_cut_into_joined_parts_and_copied_whole() -> None:
    text = "a line of what came out\n" * 700
    item = Item(ShownMessage("c", "tool", call=ShownCall("c", "x", "wrench", "Run", result=text)))
    item.folded = False
    item.prepare(WIDTH)
    parts = [piece for piece in item.pieces if piece.look is Look.CALL_BODY]
    assert len(parts) > 3
    assert item.code_text(parts[0]) == text.rstrip("\n")


def test_a_call_without_a_result_has_nothing_to_open() -> None:
    item = Item(ShownMessage("c", "tool", call=ShownCall("c", "x", "wrench", "Run")))
    item.folded = False
    item.prepare(WIDTH)
    assert looks(item) == [Look.CALL_HEAD]


def test_an_answer_of_calls_only_takes_no_room() -> None:
    for status in (ShownStatus.COMPLETE, ShownStatus.STREAMING):
        item = Item(ShownMessage("a", "assistant", status=status, bare=True))
        item.estimate(WIDTH)
        assert item.height == 0
        item.prepare(WIDTH)
        assert (item.height, looks(item)) == (0, [])


def test_an_answer_that_goes_on_has_no_foot() -> None:
    item = Item(ShownMessage("a", "assistant", "x", foot=("tiny",), bare=True))
    item.prepare(WIDTH)
    assert looks(item) == [Look.PROSE]


def test_calls_stand_close_together() -> None:
    user, words = Item(ShownMessage("u", "user", "x")), Item(ShownMessage("a", "assistant", "x"))
    call, other = (Item(ShownMessage(id, "tool", call=CALL)) for id in "cd")
    pairs = [(None, user), (user, words), (words, call), (call, other), (call, words), (call, user)]
    assert [gap_between(*pair) for pair in pairs] == [0, 24, 12, 4, 12, 24]
    assert gap_between(user, call) == 24
    call.folded = False
    assert gap_between(call, other) == 12
