from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rony_desktop.contract.error import HubForeign, ModelCut, ModelFileError, ModelForeign
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.model.access import Site
from rony_desktop.model.hub import HuggingFaceHub
from tests.fake.web import FakeAnswer, FakeWeb
from tests.fixture.gguf import LLAMA, Tensor, gguf

HUB = "https://hub.test"
WHOLE = gguf(LLAMA, [Tensor([3200], 24, 3200)])


def hub_of(answer: object, mirror: str = "") -> tuple[HuggingFaceHub, FakeWeb]:
    body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    web = FakeWeb({"": FakeAnswer(200, {}, body)})
    return HuggingFaceHub(web, Site(HUB, mirror, "t1")), web


async def test_models_are_found_with_what_is_said_of_them() -> None:
    first = {
        "id": "a/m-GGUF",
        "downloads": 5,
        "likes": 2,
        "gated": "auto",
        "lastModified": "2026-01-02T03:04:05.000Z",
        "tags": ["gguf", "license:mit"],
    }
    hub, web = hub_of([first, {"id": "a/n", "gated": False}])
    one, two = await hub.search("größe & co", 7)
    assert (one.id, one.downloads, one.likes, one.gated, one.licence) == (
        "a/m-GGUF",
        5,
        2,
        True,
        "mit",
    )
    assert one.updated == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert (two.gated, two.licence, two.updated) == (False, "", None)
    ((url, _),) = web.asked
    assert "search=gr%C3%B6%C3%9Fe+%26+co" in url
    assert "filter=gguf" in url
    assert "limit=7" in url


async def test_files_have_size_hash_and_commit() -> None:
    large = {"rfilename": "m-Q8_0.gguf", "lfs": {"sha256": "AB" * 32, "size": 9}}
    small = {"rfilename": "m-Q4_0.gguf", "size": 5}
    hub, web = hub_of({"id": "a/m", "sha": "c0ffee", "siblings": [large, small]})
    four, eight = await hub.files("a/m")
    assert four.files[0] == HubFile("a/m", "m-Q4_0.gguf", 5, "", "c0ffee")
    assert eight.files[0] == HubFile("a/m", "m-Q8_0.gguf", 9, "ab" * 32, "c0ffee")
    assert web.asked[0][0] == f"{HUB}/api/models/a/m/revision/main?blobs=true"


@pytest.mark.parametrize("answer", [{"id": "a/m"}, [1], "x", {"id": 1, "sha": 1, "siblings": [1]}])
async def test_a_list_in_another_form_is_refused(answer: object) -> None:
    hub, _ = hub_of(answer)
    with pytest.raises(HubForeign):
        await hub.files("a/m")


def quant(content: bytes = WHOLE) -> Quant:
    sha256 = hashlib.sha256(content).hexdigest()
    return Quant("Q8_0", (HubFile("a/m", "x y/m-Q8_0.gguf", len(content), sha256, "c0"),))


def test_bytes_come_from_the_mirror_without_the_token() -> None:
    hub, web = hub_of(WHOLE, "http://mirror.test/hf")
    with hub.fetch(quant().files[0], 0, Halt()) as body:
        assert b"".join(body.blocks) == WHOLE
    with hub.fetch(quant().files[0], 5, Halt(), 10):
        pass
    place = "http://mirror.test/hf/a/m/resolve/c0/x%20y/m-Q8_0.gguf"
    assert web.asked == [(place, {}), (place, {"Range": "bytes=5-14"})]


async def test_the_header_is_read_without_the_weights() -> None:
    hub, web = hub_of(WHOLE[:-3000])  # a server that ignores ranges, and ends early
    found = await hub.header(quant())
    assert (found.name, found.size_bytes, found.path) == ("Tiny", len(WHOLE), Path("m-Q8_0.gguf"))
    assert [headers["Range"] for _, headers in web.asked] == ["bytes=0-1048575"]


async def test_a_header_that_never_ends_is_given_up() -> None:
    hub, _ = hub_of(WHOLE[:100])
    with pytest.raises(ModelCut) as caught:
        await hub.header(Quant("", (HubFile("a/m", "m.gguf", 100, ""),)))
    assert caught.value.params["path"] == "m.gguf"


async def test_what_is_no_model_is_named() -> None:
    hub, _ = hub_of(b"PK\x03\x04" + bytes(200))
    with pytest.raises(ModelForeign, match=r"m-Q8_0.gguf.*zip"):
        await hub.header(quant())


@pytest.mark.parametrize("size", [b"-5", b"1e400", b"Infinity", b"1" + b"0" * 300])
async def test_an_impossible_size_is_refused(size: bytes) -> None:
    file = b'{"rfilename":"m.gguf","size":' + size + b"}"
    hub, _ = hub_of(b'{"id":"a/m","sha":"c","siblings":[' + file + b"]}")
    with pytest.raises(HubForeign):
        await hub.files("a/m")


async def test_what_could_not_be_kept_is_not_offered() -> None:
    names = ["../m.gguf", "/m.gguf", "\x1b[2Jm.gguf", "\ud800.gguf", "m.gguf"]
    siblings = [{"rfilename": name, "size": 5} for name in names]
    hub, _ = hub_of({"id": "a/m", "sha": "c", "siblings": siblings})
    assert [quant.files[0].name for quant in await hub.files("a/m")] == ["m.gguf"]


async def test_what_would_write_to_a_terminal_is_not_shown() -> None:
    evil = {"id": "a/\x1b[2J"}
    hub, _ = hub_of([evil, {"id": "a/m", "tags": ["license:\x1b[2J"]}])
    (found,) = await hub.search("m", 20)
    assert (found.id, found.licence) == ("a/m", "")


async def test_a_header_that_no_disk_could_hold_is_told() -> None:
    hub, _ = hub_of(WHOLE)
    with pytest.raises(ModelFileError, match=r"m\.gguf"):
        await hub.header(Quant("", (HubFile("a/m", "m.gguf", 1 << 62, ""),)))
