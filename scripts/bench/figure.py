"""One measured figure and the bound it must keep."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """value against bound; least says that the bound is the smallest value allowed."""

    name: str
    value: float
    bound: float
    unit: str = ""
    least: bool = False
    detail: str = ""

    @property
    def held(self) -> bool:
        """Whether the bound is kept."""
        return self.value >= self.bound if self.least else self.value <= self.bound

    def line(self) -> str:
        """One line of the table."""
        sign = ">=" if self.least else "<="
        mark = "ok  " if self.held else "MISS"
        text = f"{mark} {self.name:<52} {self.value:8.3f} {sign} {self.bound:.3f} {self.unit}"
        return f"{text}  ({self.detail})" if self.detail else text

    def as_json(self) -> dict[str, Any]:
        """The figure for build/bench.json."""
        return {**asdict(self), "held": self.held}
