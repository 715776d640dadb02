from __future__ import annotations

from pathlib import Path

from rony_desktop.contract.download import Download, DownloadState, Step
from rony_desktop.contract.hub import HubFile, Quant


def test_a_download_names_what_it_is_of() -> None:
    quant = Quant("Q8_0", (HubFile("a/b", "x/m.gguf", 10, ""),))
    download = Download(
        id="1", quant=quant, target=Path("a/b/x/m.gguf"), step=Step(DownloadState.PAUSED, 4)
    )
    assert (download.model, download.name, download.size_bytes) == ("a/b", "m.gguf", 10)
    assert download.state is DownloadState.PAUSED
