"""Groups the files of a hub model into what can be downloaded as one thing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.model.split import numbered, whole_name

_NAME = re.compile(
    r"(?<![A-Za-z0-9])((?:UD-)?(?:I?Q\d+(?:_[A-Z0-9]+)*|TQ\d_\d|MXFP4(?:_MOE)?|BF16|FP?(?:16|32)))"
    r"(?![A-Za-z0-9])",
    re.IGNORECASE,
)


def quants(files: Iterable[HubFile]) -> tuple[Quant, ...]:
    """What the GGUF files of a model are, models before projectors and the smallest first.

    A model in several files of which one is not there is left out: it could not be used.
    """
    sets: defaultdict[tuple[str, int], dict[int, HubFile]] = defaultdict(dict)
    for file in files:
        if file.name.lower().endswith(".gguf"):
            number, count = numbered(file.name)
            sets[whole_name(file.name), count][number] = file
    found = list(_whole(sets))
    return tuple(sorted(found, key=lambda quant: (quant.projector, quant.size_bytes, quant.name)))


def quant_name(file: str) -> str:
    """The kind of weights a file name tells (Q4_K_M), "" where it tells none."""
    found = _NAME.findall(file.rpartition("/")[2])
    return str(found[-1]).upper() if found else ""


def _whole(sets: dict[tuple[str, int], dict[int, HubFile]]) -> Iterator[Quant]:
    for (name, count), parts in sets.items():
        # Counted first: a name may claim any number of parts.
        if len(parts) == count and min(parts) == 1 and max(parts) == count:
            ordered = tuple(parts[number] for number in sorted(parts))
            projector = "mmproj" in name.rpartition("/")[2].lower()
            yield Quant(quant_name(name), ordered, projector)
