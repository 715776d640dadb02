"""Folders of chats: remembered, opened once, and what they bring along trusted by content."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.workspace import LARGEST_BYTES, TrustState, Workspaces
from rony_desktop.contract.error import WorkspaceMissing
from rony_desktop.contract.session import Session
from tests.fake.record import FakeRecordStore


@pytest.fixture
def records() -> FakeRecordStore:
    return FakeRecordStore()


@pytest.fixture
def workspaces(records: FakeRecordStore, tmp_path: Path) -> Workspaces:
    (tmp_path / "config").mkdir()
    return Workspaces(records, tmp_path / "config")


def folder(tmp_path: Path, name: str = "work") -> Path:
    made = tmp_path / name
    made.mkdir()
    return made


async def test_the_newest_folder_comes_first(workspaces: Workspaces, tmp_path: Path) -> None:
    one, two = folder(tmp_path, "one"), folder(tmp_path, "two")
    for path in (one, two, one):
        assert await workspaces.remember(str(path)) == str(path)
    assert await workspaces.recent() == [str(one), str(two)]


async def test_a_folder_that_is_not_there_is_refused_and_not_remembered(
    workspaces: Workspaces, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    for name in ("missing", "file"):
        with pytest.raises(WorkspaceMissing, match=name):
            await workspaces.remember(str(tmp_path / name))
    assert await workspaces.recent() == []


async def test_without_files_there_is_nothing_to_trust(
    workspaces: Workspaces, tmp_path: Path
) -> None:
    assert (await workspaces.brought(str(folder(tmp_path)))).state is TrustState.TRUSTED


@pytest.mark.parametrize("state", [TrustState.TRUSTED, TrustState.REFUSED])
async def test_a_decision_holds_for_exactly_this_content(
    workspaces: Workspaces, tmp_path: Path, state: TrustState
) -> None:
    work = folder(tmp_path)
    (work / "AGENTS.md").write_text("Be brief.")
    brought = await workspaces.brought(str(work))
    assert (brought.files, brought.state) == ({"AGENTS.md": "Be brief."}, TrustState.UNKNOWN)
    await workspaces.decide(brought, state)
    assert (await workspaces.brought(str(work))).state is state
    (work / "AGENTS.md").write_text("Be brief!")
    assert (await workspaces.brought(str(work))).state is TrustState.UNKNOWN
    (work / "AGENTS.md").write_text("Be brief.")
    (work / "rony.yaml").write_text("persona: concise\n")
    assert (await workspaces.brought(str(work))).state is TrustState.UNKNOWN


async def test_what_is_no_plain_text_file_of_the_folder_is_not_brought(
    workspaces: Workspaces, tmp_path: Path
) -> None:
    work = folder(tmp_path)
    (tmp_path / "outside.yaml").write_text("model: evil\n")
    (work / "rony.yaml").symlink_to(tmp_path / "outside.yaml")
    (work / "AGENTS.md").write_bytes(b"\xff\xfe\x00")
    assert (await workspaces.brought(str(work))).files == {}
    (work / "AGENTS.md").write_text("x" * (LARGEST_BYTES + 1))
    assert (await workspaces.brought(str(work))).files == {}


async def test_a_chat_without_a_folder_has_no_sandbox(workspaces: Workspaces) -> None:
    assert workspaces.sandbox(Session("s")) is None


async def test_a_folder_put_in_the_place_of_another_is_opened_anew(
    workspaces: Workspaces, tmp_path: Path
) -> None:
    work = folder(tmp_path)
    (work / "a").write_text("old")
    session = Session("s", folder=str(work))
    first = workspaces.sandbox(session)
    assert first is workspaces.sandbox(session)
    work.rename(tmp_path / "moved")
    with pytest.raises(WorkspaceMissing):
        workspaces.sandbox(session)
    (folder(tmp_path) / "a").write_text("new")
    second = workspaces.sandbox(session)
    assert first and second
    assert (first.read_text("a"), second.read_text("a")) == ("old", "new")
    workspaces.close()
