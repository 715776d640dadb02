"""Says what a file is that was taken for a model."""

from __future__ import annotations

_LENGTH_BYTES = 8
_KINDS = {
    b"<!doctype": "it is a web page",
    b"<html": "it is a web page",
    b"<?xml": "it is an XML document",
    b"pk\x03\x04": "it is a zip archive, perhaps of PyTorch weights",
    b"version https://git-lfs": "it is a Git LFS pointer, not the file itself",
    b"\x80\x02": "it is a pickle of PyTorch weights",
    b"\x80\x03": "it is a pickle of PyTorch weights",
    b"\x80\x04": "it is a pickle of PyTorch weights",
    b"\x89hdf": "it is in the HDF5 format",
    b"tjgg": "it is in the old GGML format",
    b"fmgg": "it is in the old GGML format",
    b"lmgg": "it is in the old GGML format",
    b"{": "it is a JSON document",
}


def name_of(start: bytes) -> str:
    """Name the format of a file by its first bytes."""
    if not start:
        return "it is empty"
    if start[_LENGTH_BYTES:].startswith(b'{"'):
        return "it is in the safetensors format"
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for mark, kind in _KINDS.items():
        if text.startswith(mark):
            return kind
    return "it does not begin with GGUF"
