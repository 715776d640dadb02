"""llama-server's command line over xllamacpp: an engine for machines without a llama-server.

Run as `python -m rony_desktop.engine.host`, as a child of the program. It takes the flags that
command.py emits, lists them with --help, and refuses every other with llama-server's words.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

MIB = 1 << 20
Params = Any  # xllamacpp is an extension module without types


class Flag(NamedTuple):
    """Names, what the value is called (empty: none), and what it does to the parameters."""

    names: tuple[str, ...]
    value: str
    apply: Callable[[Params, str], None]


def _set(name: str, convert: Callable[[str], object] = str) -> Callable[[Params, str], None]:
    def apply(params: Params, value: str) -> None:
        *path, last = name.split(".")
        for part in path:
            params = getattr(params, part)
        setattr(params, last, convert(value))

    return apply


def _fixed(name: str, value: object) -> Callable[[Params, str], None]:
    return lambda params, _: setattr(params, name, value)


def _choice(name: str, enum: str, prefix: str) -> Callable[[Params, str], None]:
    """Set an enumeration of xllamacpp by the end of a member's name."""

    def apply(params: Params, value: str) -> None:
        import xllamacpp

        member = {"ON": "ENABLED", "OFF": "DISABLED"}.get(value.upper(), value.upper())
        kind = getattr(xllamacpp, enum)
        if not hasattr(kind, prefix + member):
            raise ValueError(f"unknown value: {value}")
        setattr(params, name, getattr(kind, prefix + member))

    return apply


def _layers(value: str) -> int:
    return {"auto": -1, "all": -2}.get(value) or int(value)


def _switch(value: str) -> bool:
    if value not in ("on", "off"):
        raise ValueError(f"unknown value: {value}")
    return value == "on"


def _slots(params: Params, value: str) -> None:
    params.n_parallel = int(value)
    params.kv_unified = False


def _experts(value: str) -> str:
    """Overrides in the form of -ot that keep the experts of the first layers with the processor."""
    return ",".join(rf"blk\.{layer}\.ffn_.*exps=CPU" for layer in range(int(value)))


def _keys(value: str) -> list[str]:
    lines = Path(value).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


SLOTS = 4
CACHE_TYPE = ("ggml_type", "GGML_TYPE_")
FLAGS = (
    Flag(("-m", "--model"), "FNAME", _set("model.path")),
    Flag(("-a", "--alias"), "STRING", _set("model_alias", lambda value: set(value.split(",")))),
    Flag(("--host",), "HOST", _set("hostnames", lambda value: [value])),
    Flag(("--port",), "PORT", _set("port", int)),
    Flag(("--api-key-file",), "FNAME", _set("api_keys", _keys)),
    Flag(("--cors-origins",), "ORIGINS", _set("cors_origins")),
    Flag(("-c", "--ctx-size"), "N", _set("n_ctx", int)),
    Flag(("-b", "--batch-size"), "N", _set("n_batch", int)),
    Flag(("-ub", "--ubatch-size"), "N", _set("n_ubatch", int)),
    Flag(("-t", "--threads"), "N", _set("cpuparams.n_threads", int)),
    Flag(("-tb", "--threads-batch"), "N", _set("cpuparams_batch.n_threads", int)),
    Flag(("-ngl", "--gpu-layers", "--n-gpu-layers"), "N", _set("n_gpu_layers", _layers)),
    Flag(("-ncmoe", "--n-cpu-moe"), "N", _set("tensor_buft_overrides", _experts)),
    Flag(("-np", "--parallel"), "N", _slots),
    Flag(("-cram", "--cache-ram"), "N", _set("cache_ram_mib", int)),
    Flag(
        ("-fa", "--flash-attn"),
        "[on|off|auto]",
        _choice("flash_attn_type", "llama_flash_attn_type", "LLAMA_FLASH_ATTN_TYPE_"),
    ),
    Flag(("-ctk", "--cache-type-k"), "TYPE", _choice("cache_type_k", *CACHE_TYPE)),
    Flag(("-ctv", "--cache-type-v"), "TYPE", _choice("cache_type_v", *CACHE_TYPE)),
    Flag(
        ("--pooling",),
        "{none,mean,cls,last,rank}",
        _choice("pooling_type", "llama_pooling_type", "LLAMA_POOLING_TYPE_"),
    ),
    Flag(("-lv", "--verbosity", "--log-verbosity"), "N", _set("verbosity", int)),
    Flag(("--embedding", "--embeddings"), "", _fixed("embedding", True)),
    Flag(("-fit", "--fit"), "[on|off]", _set("fit_params", _switch)),
    Flag(("-nr", "--no-repack"), "", _fixed("no_extra_bufts", True)),
    Flag(("--swa-full",), "", _fixed("swa_full", True)),
    Flag(("--offline",), "", _fixed("offline", True)),
    Flag(("--no-ui", "--no-webui"), "", _fixed("ui", False)),
    Flag(("--slots",), "", _fixed("endpoint_slots", True)),
)
LIST = "--list-devices"
BY_NAME = {name: flag for flag in FLAGS for name in flag.names}


def main(argv: list[str]) -> int:
    """Serve as argv says until SIGTERM or SIGINT; 1 where it cannot."""
    if "--help" in argv or "-h" in argv:
        sys.stdout.write(usage())
        return 0
    import xllamacpp

    if "--version" in argv:
        sys.stderr.write(f"version: xllamacpp {xllamacpp.__version__}\n")
        return 0
    if LIST in argv:
        sys.stdout.write(listed(xllamacpp.get_device_info()))
        return 0
    params = xllamacpp.CommonParams()
    problem = apply(params, argv)
    if problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    _die_with_parent()
    for name in params.hostnames:
        if name.endswith(".sock"):
            Path(name).unlink(missing_ok=True)
    return _serve(xllamacpp.Server, params)


def apply(params: Params, argv: list[str]) -> str:
    """Put argv into params; the error in llama-server's words, empty where there is none."""
    # What llama-server does where no slots are given, and xllamacpp does not.
    params.n_parallel, params.kv_unified = SLOTS, True
    words = iter(argv)
    for word in words:
        flag = BY_NAME.get(word)
        if flag is None:
            return f"error: invalid argument: {word}"
        value = next(words, None) if flag.value else ""
        if value is None:
            return f'error while handling argument "{word}": expected value for argument'
        try:
            flag.apply(params, value)
        except (ValueError, OSError) as error:
            return f'error while handling argument "{word}": {error}'
    return ""


def usage() -> str:
    """One line for each flag, in the form of llama-server's --help."""
    names = (", ".join(flag.names) + f" {flag.value}" for flag in FLAGS)
    return "".join(f"{line.rstrip()}\n" for line in ("usage: llama-server", *names, LIST))


def listed(devices: Iterable[Mapping[str, Any]]) -> str:
    """What llama-server prints of devices: all but the processor."""
    lines = [
        f"  {each['name']}: {each['description']} ({each['memory_total'] // MIB} MiB,"
        f" {each['memory_free'] // MIB} MiB free)"
        for each in devices
        if not str(each["type"].name).endswith("_CPU")
    ]
    return "\n".join(["Available devices:", *(lines or ["  (none)"]), ""])


def _serve(server: Callable[[Params], object], params: Params) -> int:
    # While it loads, a signal ends the process at once, as it does llama-server.
    try:
        serving = server(params)
    except RuntimeError as error:
        # The cause stands above: llama.cpp wrote it before it raised.
        sys.stderr.write(f"exiting: {error}\n")
        return 1
    stop = threading.Event()

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            os._exit(1)
        stop.set()

    signal.signal(signal.SIGTERM, on_signal)
    signal.signal(signal.SIGINT, on_signal)
    stop.wait()
    del serving
    return 0


def _die_with_parent() -> None:
    """Under a sandbox the parent is the sandbox, and its end must be ours too."""
    if sys.platform == "linux":
        import ctypes

        from rony_desktop.engine.process import PR_SET_PDEATHSIG

        with contextlib.suppress(AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
