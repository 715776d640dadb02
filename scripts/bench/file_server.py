"""A server of one file in a process of its own, as fast as the kernel copies.

By hand: python -m scripts.bench.file_server FILE.
"""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

HEAD_BYTES = 65_536


def main(path: Path) -> None:
    """Answer every request with the whole file until killed; the first line is the port."""
    with path.open("rb") as file, socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        while True:
            connection, _ = listening.accept()
            with connection, suppress(ConnectionError):
                answer(connection, file.fileno())


def answer(connection: socket.socket, file: int) -> None:
    """Send the file."""
    head = b""
    while b"\r\n\r\n" not in head and (more := connection.recv(HEAD_BYTES)):
        head += more
    size = os.fstat(file).st_size
    connection.sendall(b'HTTP/1.1 200 OK\r\nETag: "1"\r\nContent-Length: %d\r\n\r\n' % size)
    done = 0
    while done < size:
        done += os.sendfile(connection.fileno(), file, done, size - done)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
