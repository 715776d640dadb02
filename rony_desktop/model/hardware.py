"""What machine this is: memory and cores."""

from __future__ import annotations

import psutil

from rony_desktop.contract.model import Machine


class HardwareProbe:
    """Implements SystemProbe through psutil."""

    def detect(self) -> Machine:
        """Read memory and cores now; free memory is what can be had without swapping."""
        memory = psutil.virtual_memory()
        logical = psutil.cpu_count() or 1
        return Machine(
            ram_bytes=memory.total,
            ram_free_bytes=memory.available,
            physical_cores=psutil.cpu_count(logical=False) or logical,
            logical_cores=logical,
        )
