"""The composable system prompt."""

from __future__ import annotations

from collections.abc import Callable

from rony_desktop.contract.system import Section, SystemChange


class SystemPrompt:
    """Sections ordered by slot, then by insertion; each is rendered once and kept."""

    def __init__(self) -> None:
        self._sections: dict[str, Section] = {}
        self._rendered: dict[str, str] = {}
        self._observer: Callable[[SystemChange], None] | None = None

    def prompt(self) -> str:
        """The system text: non-empty sections joined by a blank line."""
        texts = (self._text(section) for section in self.sections())
        return "\n\n".join(text for text in texts if text)

    def use(self, section: Section, caller: str) -> None:
        """Add a section, or replace the one of that name in its place."""
        self._sections[section.name] = section
        self._rendered.pop(section.name, None)
        self._tell(section.name, present=True, caller=caller)

    def drop(self, name: str, caller: str) -> None:
        """Remove a section; an unknown name is no error."""
        if self._sections.pop(name, None):
            self._rendered.pop(name, None)
            self._tell(name, present=False, caller=caller)

    def refresh(self, name: str, caller: str) -> None:
        """Render a section anew at its next use."""
        if name in self._sections:
            self._rendered.pop(name, None)
            self._tell(name, present=True, caller=caller)

    def sections(self) -> tuple[Section, ...]:
        """Every section in prompt order."""
        return tuple(sorted(self._sections.values(), key=lambda section: section.slot))

    def set_observer(self, observer: Callable[[SystemChange], None]) -> None:
        """Attach the observer and replay the sections that are there."""
        self._observer = observer
        for section in self.sections():
            observer(SystemChange(section.name, present=True, caller="system:init"))

    def _text(self, section: Section) -> str:
        if section.name not in self._rendered:
            self._rendered[section.name] = section.render().strip()
        return self._rendered[section.name]

    def _tell(self, name: str, *, present: bool, caller: str) -> None:
        if self._observer:
            self._observer(SystemChange(name, present, caller))
