from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from rony_desktop.contract.error import ResultMissing
from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.tool import Permission
from rony_desktop.contract.tool_spec import ToolSpec

LIMIT = 6144
Run = Callable[..., Awaitable[ToolResult]]


async def test_a_stored_result_is_read_through_in_pages(run: Run, results: Any) -> None:
    text = "".join(f"line {number}\n" for number in range(3000))
    results.texts["r1"] = text
    read, offset, pages = "", 1, 0
    while offset:
        content = (await run("read_output", ref="r1", offset=offset)).content
        assert len(content.encode()) < LIMIT
        head, _, body = content.partition("\n")
        read, pages = read + body, pages + 1
        found = re.search(r"go on with offset (\d+)\]", head)
        offset = int(found[1]) if found else 0
    assert read == text
    assert pages == 6
    part = (await run("read_output", ref="r1", offset=10, limit=2)).content
    assert part == "[lines 10-11 of 3000; go on with offset 12]\nline 9\nline 10\n"


async def test_a_stored_result_is_searched(run: Run, results: Any) -> None:
    results.texts["r1"] = "".join(f"line {number}\n" for number in range(3000))
    content = (await run("search_output", ref="r1", pattern="e 29[0-2]$")).content
    assert content == "291: line 290\n292: line 291\n293: line 292\n[3 hits]"
    content = (await run("search_output", ref="r1", pattern="line")).content
    assert len(content.encode()) < LIMIT
    assert "[100 hits; only the first 100 are here]" in content
    content = (await run("search_output", ref="r1", pattern="(")).content
    assert content.startswith("[nothing found; not a regular expression here")


async def test_one_line_of_5_mb_stays_below_the_limit(run: Run, results: Any) -> None:
    results.texts["r1"] = "x" * 5_000_000 + "needle"
    for name, more in (("read_output", {}), ("search_output", {"pattern": "needle|xxx"})):
        content = (await run(name, ref="r1", **more)).content
        assert len(content.encode()) < LIMIT
    assert "needle" in (await run("search_output", ref="r1", pattern="needle")).content


@pytest.mark.parametrize(
    ("name", "more"), [("read_output", {}), ("search_output", {"pattern": "x"})]
)
async def test_a_missing_result_says_what_to_do(run: Run, name: str, more: dict[str, str]) -> None:
    with pytest.raises(ResultMissing, match="Run the tool again"):
        await run(name, ref="gone", **more)


def test_results_are_wrapped_and_never_stored_again(tools: dict[str, ToolSpec]) -> None:
    for name in ("read_output", "search_output"):
        assert tools[name].external
        assert tools[name].inline
        assert tools[name].permission is Permission.ALLOW
