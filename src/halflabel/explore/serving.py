"""Start the explorer on this machine, for this user, until Ctrl-C."""

from __future__ import annotations

import contextlib
import secrets
import socket
from collections.abc import Callable

import uvicorn

from halflabel.errors import DataError
from halflabel.explore.app import create_app
from halflabel.explore.review import Review

HOST = "127.0.0.1"
TOKEN_BYTES = 24


def listen(port: int = 0) -> socket.socket:
    """A socket that only this machine reaches; port 0 is any that is free.

    >>> with listen() as free:
    ...     free.getsockname()[0]
    '127.0.0.1'
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise DataError(f"port {port}: cannot be used ({error.strerror}). Choose another --port, or leave it "
                        "out for any that is free.") from None
    return listening


def prepare(review: Review, listening: socket.socket, started: Callable[[str], None]) -> uvicorn.Server:
    """A server for one review; when it runs, `started` is told the address, token and all."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    address = f"http://{HOST}:{listening.getsockname()[1]}/{token}/"
    config = uvicorn.Config(
        create_app(review, token), log_level="warning", access_log=False, server_header=False, ws="none",
        lifespan="off", timeout_graceful_shutdown=2)
    return _Server(config, lambda: started(address))


def serve(review: Review, listening: socket.socket, started: Callable[[str], None]) -> None:
    """Answer until interrupted."""
    with contextlib.suppress(KeyboardInterrupt):  # how such a server ends
        prepare(review, listening, started).run(sockets=[listening])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, started: Callable[[], None]):
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._tell()
