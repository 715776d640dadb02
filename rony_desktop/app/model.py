"""Which models there are on this computer, and which one a name means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from rony_desktop.contract.config import Config
from rony_desktop.contract.error import ModelMissing, ModelUnknown, NoModel
from rony_desktop.contract.model import ModelRef
from rony_desktop.model.root import Roots, Scan

LOCAL = "llamacpp"
SCRIPTED = "scripted"


class Models:
    """Finds GGUF files in the program's folders and the user's. Blocking: call it in a thread.

    can_chat looks into a file: where nobody chose a model, one that cannot chat is passed over.
    A folder that is not there, or does not answer, costs its own models and nothing else.
    """

    def __init__(
        self,
        config: Config,
        folders: Iterable[Path],
        can_chat: Callable[[Path], bool] = lambda _: True,
    ) -> None:
        self._config = config
        self._folders = tuple(folders)
        self._roots = Roots((*self._folders, *config.llama.models_dirs))
        self._can_chat = can_chat

    def list(self) -> list[ModelRef]:
        """Every local model, by name; where that is taken, with its folder before it.

        A model in several files is listed once, by the first, and so is a file with several names
        of one kind; projectors are no models.
        """
        found: dict[str, ModelRef] = {}
        for scan in self.scan():
            for file in scan.models:
                path = file.path.absolute()
                first = found.get(path.stem)
                if first is None:
                    found[path.stem] = ModelRef(LOCAL, path.stem, path, file.size_bytes)
                elif not _is_same(first.path, path):
                    id = f"{path.parent.relative_to(scan.root.folder.absolute())}/{path.stem}"
                    found.setdefault(id, ModelRef(LOCAL, id, path, file.size_bytes))
        return sorted(found.values(), key=lambda model: model.id.lower())

    def scan(self) -> tuple[Scan, ...]:
        """Every folder with every file in it, also those of one name, the program's own first."""
        return self._roots.scan()

    def chosen(self, name: str = "") -> ModelRef:
        """The model that name, else the configuration, else the folders say.

        Raises:
            ModelUnknown: no model has that name.
            NoModel: there is none at all.
        """
        name = name or self._config.model
        if name:
            return self.resolve(name)
        main = self._config.llama.models.main.path
        if main:
            return local(main)
        models = self.list()
        if not models:
            raise NoModel(folder=self._folders[0])
        # One that cannot chat is better named than hidden where there is no other.
        usable = (model for model in models if model.path and self._can_chat(model.path))
        return next(usable, models[0])

    def resolve(self, name: str) -> ModelRef:
        """A path, an id, or provider:model.

        Raises:
            ModelMissing: a path that is not there, or cannot be one.
            ModelUnknown: no model has that id.
        """
        provider, _, rest = name.partition(":")
        if provider in (LOCAL, SCRIPTED) and rest:
            return ModelRef(SCRIPTED, rest) if provider == SCRIPTED else self.resolve(rest)
        try:
            path = Path(name).expanduser()
            if path.is_file():
                return local(path)
        except (OSError, RuntimeError) as error:
            detail = getattr(error, "strerror", None) or error
            raise ModelMissing(path=name, detail=detail) from error
        models = self.list()
        for model in models:
            if name in (model.id, f"{model.id}.gguf"):
                return model
        if path.suffix == ".gguf" or len(path.parts) > 1:
            raise ModelMissing(path=name, detail="there is no such file")
        raise ModelUnknown(name=name, known=", ".join(m.id for m in models) or "none")


def _is_same(first: Path | None, path: Path) -> bool:
    """Whether two paths lead to one file; what cannot be looked at is another."""
    try:
        return first is not None and first.samefile(path)
    except OSError:
        return False


def local(path: Path) -> ModelRef:
    """The reference to a file; its size is 0 where it cannot be read."""
    path = path.absolute()
    size = path.stat().st_size if path.is_file() else 0
    return ModelRef(LOCAL, path.stem, path, size)
