"""A message as pieces: its frame, its parts, and what stays while text streams."""

from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.chat.block import ShownMessage, ShownStatus
from rony_desktop.ui.chat.item import Item
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
