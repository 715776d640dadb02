"""Where other programs keep models, and what their stores say of them. Nothing is written there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rony_desktop.contract.adopt import Found, Program
from rony_desktop.model.ollama import find_ollama
from rony_desktop.model.root import identity, scan
from rony_desktop.model.split import parts, whole_name

TEXT_LIMIT_BYTES = 256 * 1024
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What decides where programs keep things; system is sys.platform."""

    home: Path
    environment: Mapping[str, str]
    system: str

    def folder(self, variable: str, default: str) -> Path:
        """A folder that a variable names, else the one below the user's home."""
        given = self.environment.get(variable, "")
        return Path(given) if given and Path(given).is_absolute() else self.home / default

    def data(self, linux: Path) -> Path:
        """The parent of programs' data: linux there, the system's own place elsewhere."""
        if self.system == "darwin":
            return self.home / "Library" / "Application Support"
        if self.system == "win32":
            return self.folder("APPDATA", "AppData/Roaming")
        return linux


def find_models(around: Surroundings) -> tuple[Found, ...]:
    """Models of every program that is known here, each file once. Blocking.

    A store that cannot be read is one without models.
    """
    stores: tuple[Callable[[Surroundings], Iterable[Found]], ...] = (
        _ollama,
        _lm_studio,
        _jan,
        _gpt4all,
        _hugging_face,
    )
    found: dict[tuple[int, int], Found] = {}
    for store in stores:
        with suppress(OSError):
            for model in store(around):
                found.setdefault(identity(model.path), model)
    return tuple(found.values())


def _ollama(around: Surroundings) -> Iterator[Found]:
    yield from find_ollama(around.folder("OLLAMA_MODELS", ".ollama/models"))
    if around.system == "linux":
        # Where its service keeps them, under a user of its own.
        yield from find_ollama(Path("/usr/share/ollama/.ollama/models"))


def _lm_studio(around: Surroundings) -> Iterator[Found]:
    folders = [around.home / ".lmstudio", around.home / ".cache" / "lm-studio"]
    pointed = _text(around.home / ".lmstudio-home-pointer").strip()
    if pointed:
        folders.insert(0, Path(pointed))
    for folder in dict.fromkeys(folders):
        yield from _below(Program.LM_STUDIO, folder / "models")


def _jan(around: Surroundings) -> Iterator[Found]:
    settings = around.data(around.folder("XDG_CONFIG_HOME", ".config")) / "Jan"
    data = settings / "data"
    with suppress(ValueError, AttributeError, RecursionError):
        chosen = json.loads(_text(settings / "settings.json") or "{}").get("data_folder")
        data = Path(chosen) if isinstance(chosen, str) and chosen else data
    for folder in (data / "llamacpp" / "models", data / "models"):
        for page in sorted(folder.rglob("model.yml")) if folder.is_dir() else ():
            # A page that names a file elsewhere is of a model that was linked, not copied.
            values = _pairs(_text(page))
            path = data / values.get("model_path", "")
            name = page.parent.relative_to(folder).as_posix()
            if values.get("model_path") and path.is_file():
                yield _found(Program.JAN, name, path, values.get("model_sha256", ""))


def _gpt4all(around: Surroundings) -> Iterator[Found]:
    if around.system == "win32":
        data = around.folder("LOCALAPPDATA", "AppData/Local")
    else:
        data = around.data(around.folder("XDG_DATA_HOME", ".local/share"))
    yield from _below(Program.GPT4ALL, data / "nomic.ai" / "GPT4All")


def _hugging_face(around: Surroundings) -> Iterator[Found]:
    cache = around.folder("XDG_CACHE_HOME", ".cache") / "huggingface"
    home = around.folder("HF_HOME", str(cache))
    hub = around.folder("HF_HUB_CACHE", str(home / "hub"))
    for folder in sorted(hub.glob("models--*/snapshots/*")) if hub.is_dir() else ():
        model = folder.parts[-3].removeprefix("models--").replace("--", "/")
        for file in scan(folder).models:
            # Its cache names what came through LFS by its hash.
            sha256 = file.path.resolve().name if file.path.is_symlink() else ""
            name = f"{model}/{file.path.relative_to(folder).as_posix()}"
            yield _found(Program.HUGGING_FACE, name, file.path, sha256)


def _below(program: Program, folder: Path) -> Iterator[Found]:
    """Every model in a folder, called as its path there."""
    for file in scan(folder).models:
        yield _found(program, file.path.relative_to(folder).as_posix(), file.path)


def _found(program: Program, name: str, path: Path, sha256: str = "") -> Found:
    files = parts(path)
    size = sum(file.stat().st_size for file in files if file.is_file())
    known = sha256 if len(files) == 1 and _SHA256.fullmatch(sha256) else ""
    return Found(program, whole_name(name).removesuffix(".gguf"), path, size, known)


def _text(path: Path) -> str:
    """A small text file, "" where there is none that can be read."""
    try:
        if not path.is_file():  # a pipe would be waited for
            return ""
        with path.open("rb") as file:
            return file.read(TEXT_LIMIT_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _pairs(text: str) -> dict[str, str]:
    """The plain values of YAML's first level, all that is needed of these pages."""
    lines = (line.partition(":") for line in text.splitlines() if line[:1].isalpha())
    return {key: value.strip().strip("'\"") for key, colon, value in lines if colon}
