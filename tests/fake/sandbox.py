"""A Sandbox in memory: texts by path, and no rule but that ".." leads out."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from io import BytesIO
from pathlib import PurePosixPath
from typing import BinaryIO

from rony_desktop.contract.error import SandboxViolationError


class FakeSandbox:
    """Files by path; protected are the names that ask always. checked keeps what was validated."""

    mode = "fake"

    def __init__(self, protected: Collection[str] = ()) -> None:
        self.files: dict[str, bytes] = {}
        self.checked: list[str] = []
        self._protected = protected

    def open(self, path: str) -> BinaryIO:
        return BytesIO(self.read_bytes(path))

    def create(self, path: str) -> BinaryIO:
        self.write_bytes(path, b"")
        return BytesIO()

    def read_text(self, path: str) -> str:
        return self.read_bytes(path).decode()

    def read_bytes(self, path: str) -> bytes:
        try:
            return self.files[self.relative(path)]
        except KeyError:
            raise FileNotFoundError(2, "No such file or directory", path) from None

    def write_text(self, path: str, text: str) -> None:
        self.write_bytes(path, text.encode())

    def write_bytes(self, path: str, data: bytes) -> None:
        self.files[self.relative(path)] = data

    def list(self, path: str) -> Sequence[str]:
        return sorted(self.files)

    def stat(self, path: str) -> os.stat_result:
        raise NotImplementedError

    def mkdir(self, path: str) -> None:
        self.validate(path)

    def remove(self, path: str) -> None:
        del self.files[self.relative(path)]

    def rename(self, source: str, target: str) -> None:
        self.files[self.relative(target)] = self.files.pop(self.relative(source))

    def validate(self, path: str) -> None:
        self.checked.append(path)
        self.relative(path)

    def relative(self, path: str) -> str:
        name = PurePosixPath(path)
        if ".." in name.parts or name.is_absolute():
            raise SandboxViolationError(path=path, detail="it leads out")
        return str(name)

    def protected(self, path: str) -> bool:
        return self.relative(path) in self._protected
