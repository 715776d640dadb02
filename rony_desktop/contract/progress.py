"""How far long work has come, told while it runs."""

from __future__ import annotations

from collections.abc import Callable

Tell = Callable[[int, int], None]
"""Takes what is done and what there is to do; of what, and in which thread, the work says."""
