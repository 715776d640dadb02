"""The starter model, which cannot call tools, makes a valid call through both real engines.

Only the form is asserted: a model this small chooses well by luck alone.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from rony_desktop.agent import envelope
from rony_desktop.agent.context import ContextBuilder, Frame
from rony_desktop.agent.llm import ClientLLM
from rony_desktop.agent.prompt import system_prompt
from rony_desktop.contract.llm import Chunk, CompletionResponse, StopReason
from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import Permission, ToolExample
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.provider.llamacpp import LlamaCppClient
from tests.fake.agent import FRAME
from tests.fixture.engine import serving

pytestmark = [pytest.mark.engine, pytest.mark.timeout(180)]

N_CTX = 4096


async def handler(context: ToolContext, arguments: object) -> ToolResult:
    raise AssertionError("nothing is run here")


def spec(name: str, says: str, example: ToolExample, *optional: str) -> ToolSpec:
    properties = {"path": {"type": "string"}} | {n: {"type": "integer"} for n in optional}
    parameters = {
        "type": "object",
        "properties": properties,
        "required": ["path"],
        "additionalProperties": False,
    }
    return ToolSpec(name, says, parameters, handler, Permission.ALLOW, examples=(example,))


TOOLS = (
    spec(
        "read_file",
        "Read a text file of the folder.",
        ToolExample("What does todo.txt say?", {"path": "todo.txt"}, "Buy milk."),
        "offset",
        "limit",
    ),
    spec(
        "list_files",
        "List a folder.",
        ToolExample("What is in docs?", {"path": "docs"}, "plan.txt 120"),
    ),
)
BUILDER = ContextBuilder(Frame(system_prompt(tools=True), FRAME.limits, tools=TOOLS))


@pytest.fixture(scope="module", params=["llama-server", "xllamacpp"])
def llm(
    request: pytest.FixtureRequest, engine_binary: Path, starter_model: Path
) -> Iterator[ClientLLM]:
    """Inference through a real engine."""
    engine, env = [sys.executable, "-m", "rony_desktop.engine.host"], dict(os.environ)
    if request.param == "llama-server":
        engine, env["LD_LIBRARY_PATH"] = [str(engine_binary)], str(engine_binary.parent)
    flags = f"-c {N_CTX} -np 1 -b 512 -ub 512 -t 2 -cram 64"
    with serving(engine, starter_model, flags, env) as endpoint:
        client = LlamaCppClient(lambda: endpoint)
        yield ClientLLM(lambda: client, temperature=0.0)


async def infer(llm: ClientLLM, text: str) -> tuple[list[Chunk], CompletionResponse]:
    request = BUILDER.build(text, Session("s"), N_CTX // 8)
    chunks = [chunk async for chunk in llm.infer(request)]
    assert chunks[-1].response
    return chunks[:-1], chunks[-1].response


async def test_the_starter_model_makes_a_call_that_fits_the_schema(llm: ClientLLM) -> None:
    chunks, response = await infer(llm, "Read the file notes.txt.")
    assert (response.stop_reason, response.problem) == (StopReason.TOOL_USE, "")
    (call,) = response.tool_calls
    arguments = json.loads(call.arguments)
    schemas = tuple(tool.schema() for tool in TOOLS)
    jsonschema.validate({"tool": call.name, "args": arguments}, envelope.schema(schemas))
    jsonschema.validate(arguments, {s.name: s.parameters for s in schemas}[call.name])
    assert not any(chunk.text for chunk in chunks)
    assert [chunk.forming[0] for chunk in chunks if chunk.forming][-1] == call.name


async def test_the_starter_model_writes_nothing_but_the_envelope(llm: ClientLLM) -> None:
    for text in ("What is 2+2?", "Show me README.md", "List the folder src."):
        chunks, response = await infer(llm, text)
        assert response.problem == ""
        assert "".join(chunk.text for chunk in chunks) == response.content
        assert response.stop_reason in (
            StopReason.TOOL_USE,
            StopReason.END_TURN,
            StopReason.MAX_TOKENS,
        )
