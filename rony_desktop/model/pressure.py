"""When memory runs short under a running engine, and what is done once it was ended for it."""

from __future__ import annotations

from rony_desktop.contract.model import Sample

MIB = 1 << 20
# Below this share of all memory a desktop swaps or its kernel looks for something to end.
FLOOR_SHARE = 0.05
# systemd-oomd acts at 60 % over half a minute; a tenth of it over ten seconds is felt already.
STALL_PERCENT = 6.0
# A second end within so many seconds is no accident.
REPEATED_S = 60.0


def floor_bytes(ram_bytes: int, reserve_mb: int) -> int:
    """Free memory below which it runs short: never more than the user leaves to the system."""
    return min(reserve_mb * MIB, int(ram_bytes * FLOOR_SHARE))


def runs_short(sample: Sample, reserve_mb: int) -> bool:
    """Whether memory is short at this moment."""
    if sample.ram_free_bytes < floor_bytes(sample.ram_bytes, reserve_mb):
        return True
    return sample.stall is not None and sample.stall >= STALL_PERCENT


def ran_short(
    before: Sample | None, after: Sample, since_last_s: float | None, reserve_mb: int
) -> bool:
    """Whether an engine was killed for its memory, and is to be started with less.

    It was where memory was short, the kernel ended something for it, or it was killed before:
    before is the last sample of its life, after was taken at its end, since_last_s is the time
    since the last kill. Free memory after its end tells nothing: its own came free.
    """
    stalled = after.stall is not None and after.stall >= STALL_PERCENT
    was_short = before is not None and runs_short(before, reserve_mb)
    killed = before is not None and _rose(before.kills, after.kills)
    repeated = since_last_s is not None and since_last_s <= REPEATED_S
    return was_short or stalled or killed or repeated


def _rose(before: int | None, after: int | None) -> bool:
    return before is not None and after is not None and after > before
