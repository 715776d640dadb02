"""One HTTP exchange with a model server: opened, checked and closed, its failures typed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rony_desktop import net
from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import ProviderRefused, ProviderUnavailable, StreamBroken
from rony_desktop.provider.refusal import refused
from rony_desktop.provider.wire import encode

if TYPE_CHECKING:
    import httpx

LOCAL_CONNECT_S = 2.0
REMOTE_CONNECT_S = 10.0
ASK_S = 30.0
CLOSE_S = 2.0
REFUSAL_LIMIT_BYTES = 65_536
_EVENTS = "text/event-stream"


@asynccontextmanager
async def opened(
    endpoint: Endpoint, path: str, body: object, first_s: float
) -> AsyncGenerator[httpx.Response, None]:
    """Post JSON and give the response to it, an event stream that has begun.

    However the block is left, the connection is closed at once, so that the server stops working.
    first_s bounds the wait for the first byte of the answer.

    Raises:
        ProviderError: nobody answers, or the answer is no event stream.
    """
    async with _client(endpoint, None) as http:
        try:
            async with asyncio.timeout(first_s):
                response = await _sent(http, path, body)
                if response.status_code != 200:  # noqa: PLR2004 - HTTP
                    raise refused(response.status_code, await _start(response), endpoint.key)
        except TimeoutError as error:
            raise StreamBroken(detail=f"no answer for {first_s:g} s") from error
        kind = response.headers.get("content-type", "")
        if not kind.startswith(_EVENTS):
            raise ProviderRefused(
                status=response.status_code, detail=f"{kind or 'nothing'} came, not an event stream"
            )
        yield response


async def ask(endpoint: Endpoint, path: str, body: object = None) -> dict[str, Any]:
    """Get one JSON object, or post body and get the object it is answered with.

    Raises:
        ProviderError: nobody answers, or the answer is no JSON object.
    """
    async with _client(endpoint, ASK_S) as http:
        response = await _sent(http, path, body)
        if response.status_code != 200:  # noqa: PLR2004 - HTTP
            raise refused(response.status_code, await _start(response), endpoint.key)
        return await _read_object(response)


@asynccontextmanager
async def _client(
    endpoint: Endpoint, timeout_s: float | None
) -> AsyncGenerator[httpx.AsyncClient, None]:
    await asyncio.to_thread(import_module, "httpx")  # The first time takes 0.1 s.
    import httpx

    connect_s = LOCAL_CONNECT_S if endpoint.socket else REMOTE_CONNECT_S
    try:
        http = net.client(endpoint, timeout_s=timeout_s, connect_s=connect_s)
    except httpx.InvalidURL as error:
        raise ProviderUnavailable(detail=f"{endpoint.base_url!r} is no address") from error
    try:
        yield http
    finally:
        await _shielded(http.aclose())


async def _sent(http: httpx.AsyncClient, path: str, body: object) -> httpx.Response:
    import httpx

    request = http.build_request("GET", path)
    if body is not None:
        kind = {"Content-Type": "application/json"}
        content = await asyncio.to_thread(encode, body)
        request = http.build_request("POST", path, content=content, headers=kind)
    try:
        return await http.send(request, stream=True)
    except httpx.RequestError as error:
        raise ProviderUnavailable(detail=reason(error)) from error


async def _start(response: httpx.Response) -> bytes:
    """Read the first part of a refusal, which may be a page of any size."""
    import httpx

    content = bytearray()
    blocks = response.aiter_bytes()
    try:
        async for block in blocks:
            content += block
            if len(content) > REFUSAL_LIMIT_BYTES:
                break
    except httpx.RequestError:
        pass  # The status says enough.
    finally:
        await response.aclose()
    return bytes(content[:REFUSAL_LIMIT_BYTES])


async def _read_object(response: httpx.Response) -> dict[str, Any]:
    import httpx

    try:
        await response.aread()
        answer = response.json()
    except httpx.RequestError as error:
        raise ProviderUnavailable(detail=reason(error)) from error
    except ValueError as error:
        raise ProviderRefused(status=200, detail="the answer is not JSON") from error
    if not isinstance(answer, dict):
        raise ProviderRefused(status=200, detail="the answer is not a JSON object")
    return answer


def reason(error: Exception) -> str:
    """What happened to a connection, in words; httpx's own speak of its insides."""
    import httpx

    if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError | httpx.WriteError):
        return "the connection was closed"
    return str(error) or type(error).__name__


async def _shielded(closing: Coroutine[Any, Any, None]) -> None:
    """Close within CLOSE_S even while the task is being cancelled, and cancelled again."""

    async def bounded() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(closing, CLOSE_S)

    await asyncio.shield(asyncio.ensure_future(bounded()))
