"""The folder of the shown chat, and the trust in its files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

import pytest

from rony_desktop.app.folder import RecentFolder, TrustFile
from rony_desktop.contract.error import Failure
from rony_desktop.ui.task import Tasks
from rony_desktop.ui.workspace.presenter import WorkspacePresenter


@dataclass(frozen=True)
class Item:
    path: str = ""
    exists: bool = True
    name: str = ""
    text: str = ""


class World:
    """Service and view in one; a chat's folder is read when gate is set."""

    def __init__(self) -> None:
        self.folders: dict[str, str] = {}
        self.files: dict[str, tuple[Item, ...]] = {}
        self.answers: list[tuple[str, Sequence[TrustFile], bool]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.read: list[str] = []
        self.shown: list[str] = []
        self.menu: Sequence[RecentFolder] = ()
        self.asked: tuple[str, Sequence[TrustFile]] | None = None

    async def current(self, session: str) -> str:
        folder = self.folders.get(session, "")
        self.read.append(session)
        await self.gate.wait()
        return folder

    async def recent(self) -> Sequence[RecentFolder]:
        return (Item("/gone", False),)

    async def choose(self, session: str, folder: str) -> None:
        self.folders[session] = folder

    async def untrusted(self, session: str) -> Sequence[TrustFile]:
        return self.files.get(self.folders[session], ())

    async def trust(self, session: str, files: Sequence[TrustFile], trusted: bool) -> None:
        self.answers.append((session, files, trusted))

    def show_folder(self, path: str) -> None:
        self.shown.append(path)

    def show_menu(self, folders: Sequence[RecentFolder]) -> None:
        self.menu = folders

    def ask_trust(self, folder: str, files: Sequence[TrustFile]) -> None:
        self.asked = (folder, files)

    def hide_trust(self) -> None:
        self.asked = None


@pytest.fixture
def folders() -> World:
    return World()


@pytest.fixture
async def presenter(folders: World) -> AsyncIterator[WorkspacePresenter]:
    failures = list[Failure]()
    tasks = Tasks(failures.append)
    yield WorkspacePresenter(folders, tasks, folders)
    await tasks.close()
    assert not failures


async def settled() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.wait([task for task in others if task.get_name() == "show folder"], timeout=5)


async def test_the_folder_of_the_shown_chat_is_named(
    presenter: WorkspacePresenter, folders: World
) -> None:
    folders.folders["a"] = "/one"
    presenter.shown("a")
    await settled()
    assert folders.shown == ["/one"]
    assert folders.asked is None


async def test_a_late_answer_for_another_chat_is_not_shown(
    presenter: WorkspacePresenter, folders: World
) -> None:
    folders.folders |= {"a": "/one", "b": "/two"}
    folders.gate.clear()
    presenter.shown("a")
    async with asyncio.timeout(5):
        while folders.read != ["a"]:
            await asyncio.sleep(0)
    presenter.shown("b")
    folders.gate.set()
    await settled()
    assert folders.shown == ["/two"]


async def test_a_chosen_folder_asks_about_its_files_once_answered(
    presenter: WorkspacePresenter, folders: World
) -> None:
    presenter.shown("a")
    await settled()
    files = (Item(name="AGENTS.md", text="Be brief."),)
    folders.files["/one"] = files
    await presenter.choose("/one")
    assert folders.shown[-1] == "/one"
    assert folders.asked == ("/one", files)
    await presenter.trust(True)
    await presenter.trust(False)
    assert folders.answers == [("a", files, True)]


async def test_a_question_of_trust_leaves_with_its_chat(
    presenter: WorkspacePresenter, folders: World
) -> None:
    folders.folders["a"] = "/one"
    folders.files["/one"] = (Item(name="rony.yaml"),)
    presenter.shown("a")
    await settled()
    assert folders.asked
    presenter.shown("b")
    await settled()
    assert folders.asked is None
    await presenter.trust(True)
    assert folders.answers == []


async def test_no_folder_and_the_menu(presenter: WorkspacePresenter, folders: World) -> None:
    await presenter.choose("/one")
    await presenter.choose("")
    assert folders.shown == ["/one", ""]
    await presenter.menu()
    assert [(folder.path, folder.exists) for folder in folders.menu] == [("/gone", False)]
