"""The starter model, which cannot call tools, makes a valid call through both real engines.

Only the form is asserted: a model this small chooses well by luck alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from rony_desktop.agent import envelope
from rony_desktop.agent.context import ContextBuilder, Frame
from rony_desktop.agent.llm import ClientLLM
from rony_desktop.agent.prompt import system_prompt
from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import ProviderUnavailable
from rony_desktop.contract.llm import Chunk, CompletionResponse, StopReason
from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import Permission, ToolExample
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.provider.exchange import ask
from rony_desktop.provider.llamacpp import LlamaCppClient
from tests.fake.agent import FRAME

pytestmark = [pytest.mark.engine, pytest.mark.timeout(180)]

ROOT = Path(__file__).parents[2]
N_CTX = 4096
LOAD_LIMIT_S = 60.0


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
    """Inference through a real engine on a private socket; its folder's name is short."""
    folder = Path(tempfile.mkdtemp(prefix="rony-"))
    key = secrets.token_hex(16)
    (folder / "key").write_text(key)
    engine, env = [sys.executable, "-m", "rony_desktop.engine.host"], dict(os.environ)
    if request.param == "llama-server":
        engine, env["LD_LIBRARY_PATH"] = [str(engine_binary)], str(engine_binary.parent)
    flags = f"-c {N_CTX} -np 1 -b 512 -ub 512 -t 2 -cram 64 --no-ui --offline --alias starter"
    place = ["--host", str(folder / "x.sock"), "--api-key-file", str(folder / "key")]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*engine, "-m", str(starter_model), *place, *flags.split()],
            cwd=ROOT,
            env=env,
            stdout=log,
            stderr=log,
        )
        with process:
            try:
                endpoint = Endpoint("http://localhost", folder / "x.sock", key)
                asyncio.run(_ready(endpoint))
                client = LlamaCppClient(lambda: endpoint)
                yield ClientLLM(lambda: client, temperature=0.0)
            finally:
                process.kill()
    shutil.rmtree(folder)


async def _ready(place: Endpoint) -> None:
    async with asyncio.timeout(LOAD_LIMIT_S):
        while True:
            try:
                await ask(place, "/props")
            except ProviderUnavailable:
                await asyncio.sleep(0.02)
            else:
                return


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
