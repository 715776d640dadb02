from __future__ import annotations

import pytest

from rony_desktop.contract.hub import HubFile, Quant


def test_a_quant_is_all_of_its_files() -> None:
    files = tuple(HubFile("a/b", f"{n}.gguf", 10 * n, "", "c0") for n in (1, 2))
    quant = Quant("Q8_0", files)
    assert (quant.model, quant.revision, quant.size_bytes) == ("a/b", "c0", 30)
    with pytest.raises(ValueError, match="at least one"):
        Quant("Q8_0", ())
