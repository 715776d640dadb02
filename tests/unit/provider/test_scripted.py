from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.error import ConfigUnreadable, ConfigValue, ProviderRefused
from rony_desktop.contract.llm import CompletionRequest, TokenUsage
from rony_desktop.contract.message import Message, Role
from rony_desktop.provider.scripted import ScriptedClient

RULES = [
    {"match": "*", "response": "default"},
    {"match": "hello", "response": "Hi! How are you?"},
    {"match": "hello world", "response": "never reached"},
]


def ask(*texts: str) -> CompletionRequest:
    """User texts with an answer of the assistant after each but the last."""
    messages = [Message(Role.SYSTEM, "be brief")]
    for text in texts:
        messages += [Message(Role.USER, text), Message(Role.ASSISTANT, "hello")]
    return CompletionRequest(tuple(messages[:-1]))


@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (("hello",), "Hi! How are you?"),
        (("Well, HELLO world",), "Hi! How are you?"),
        (("bye",), "default"),
        (("hello", "bye"), "default"),
        (("",), "default"),
    ],
)
async def test_the_first_rule_in_the_newest_user_message_answers(
    texts: tuple[str, ...], answer: str
) -> None:
    assert (await ScriptedClient(RULES).generate(ask(*texts))).content == answer


async def test_an_answer_streams_by_words_and_keeps_its_spaces() -> None:
    client = ScriptedClient([{"match": "*", "response": "  one\n\ntwo   three "}])
    chunks = [chunk.delta async for chunk in client.stream(ask("hi"))]
    assert chunks == ["  one\n\n", "two   ", "three ", ""]


async def test_usage_counts_words() -> None:
    answer = await ScriptedClient(RULES).generate(ask("hello you"))
    assert answer.usage == TokenUsage(input_tokens=4, output_tokens=4)


async def test_no_rule_and_no_default_is_a_refusal() -> None:
    with pytest.raises(ProviderRefused):
        await ScriptedClient(RULES[1:]).generate(ask("bye"))


async def test_rules_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    path.write_text('[{"match": "Grüße", "response": "你好"}]', "utf-8")
    assert (await ScriptedClient.from_file(path).generate(ask("GRÜSSE"))).content == "你好"


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[1,"])
def test_a_file_that_is_no_json_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "rules.json"
    path.write_bytes(content)
    with pytest.raises(ConfigUnreadable) as caught:
        ScriptedClient.from_file(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    "content", ["{}", "[1]", '[{"match": "a"}]', '[{"match":1,"response":""}]']
)
def test_a_file_of_another_form_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "rules.json"
    path.write_text(content)
    with pytest.raises(ConfigValue):
        ScriptedClient.from_file(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigUnreadable):
        ScriptedClient.from_file(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("response", "said"),
    [
        ('Say "yes"', '{"final": "Say \\"yes\\""}'),
        ('{"tool": "look", "args": {}}', '{"tool": "look", "args": {}}'),
        ("[1]", '{"final": "[1]"}'),
    ],
)
async def test_an_answer_of_a_schema_is_a_final_text_or_the_object_of_the_rule(
    response: str, said: str
) -> None:
    client = ScriptedClient([{"match": "*", "response": response}])
    request = CompletionRequest((Message(Role.USER, "hi"),), response_schema={})
    assert (await client.generate(request)).content == said
