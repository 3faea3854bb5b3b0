"""Start the explorer on this machine, for this user, until Ctrl-C."""

from __future__ import annotations

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


def serve(review: Review, listening: socket.socket, started: Callable[[str], None]) -> None:
    """Answer until interrupted; `started` is told the address, token and all, once it answers."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    address = f"http://{HOST}:{listening.getsockname()[1]}/{token}/"
    config = uvicorn.Config(
        create_app(review, token), log_level="warning", access_log=False, server_header=False, ws="none",
        lifespan="off", timeout_graceful_shutdown=2)
    server = _Server(config, lambda: started(address))
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:  # how such a server ends
        pass
    finally:
        listening.close()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, started: Callable[[], None]):
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._tell()
