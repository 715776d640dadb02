"""What is remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Fragment:
    """One remembered piece; vector is its embedding, () where none was made."""

    id: str
    content: str
    timestamp: datetime
    vector: tuple[float, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    project_id: str = ""
