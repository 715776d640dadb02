from __future__ import annotations

import struct

import pytest

from rony_desktop.model.foreign import name_of


@pytest.mark.parametrize(
    ("start", "named"),
    [
        (b"", "it is empty"),
        (b"  \n<!DOCTYPE html><html>", "web page"),
        (b"\xef\xbb\xbf<html>", "web page"),
        (b"<?xml version='1.0'?>", "XML"),
        (b"PK\x03\x04" + bytes(60), "zip"),
        (b"\x80\x02}q\x00", "pickle"),
        (b"\x80\x04\x95", "pickle"),
        (struct.pack("<Q", 40) + b'{"__metadata__":{}}', "safetensors"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
        (b"\x89HDF\r\n\x1a\n", "HDF5"),
        (b"tjgg" + bytes(60), "old GGML"),
        (b'{"error": "gone"}', "JSON"),
        (b"MZ\x90\x00", "does not begin with GGUF"),
        (bytes(64), "does not begin with GGUF"),
    ],
)
def test_a_format_is_named_by_its_first_bytes(start: bytes, named: str) -> None:
    assert named in name_of(start)
