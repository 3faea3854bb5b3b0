"""Who may ask: only somebody with the token, on this machine, from the page itself, and in few words."""

from __future__ import annotations

import json
import secrets
from typing import Any

LOOPBACK = ("127.0.0.1", "localhost")
LARGEST_BODY = 4096  # bytes; a mark takes some fifty
READING, WRITING = ("GET", "HEAD"), ("POST",)
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                               "connect-src 'self'; base-uri 'none'; form-action 'none'; "
                               "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # the address holds the token
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """An ASGI application around another one, which sees only what passes and no token in its paths.

    Addresses are `/TOKEN/...`. A page from elsewhere knows no token; one that reaches us under a name of its
    own (DNS rebinding) is told by `Host`, one that writes by `Origin` and by the content type.

    >>> Guard(None, token="secret").token
    'secret'
    """

    def __init__(self, app: Any, token: str):
        self.app, self.token = app, token

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer, or pass on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no sockets here
            return

        async def guarded_send(message: Any) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *own]}
            await send(message)

        refusal = self._refusal(scope)
        body = b"" if refusal else await _body(receive)
        if body is None:
            refusal = 413, f"a body of more than {LARGEST_BODY:,} bytes"
        if refusal:
            await _answer(*refusal, guarded_send)
            return
        path = scope["path"][len(self.token) + 1:]
        if not path:  # what the page asks for is relative to the address with its last slash
            await _answer(307, "see the same address with a slash", guarded_send, location=f"/{self.token}/")
            return
        inner = {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}
        await self.app(inner, _again(body or b"", receive), guarded_send)

    def _refusal(self, scope: Any) -> tuple[int, str] | None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if host.rpartition(":")[0] not in LOOPBACK and host not in LOOPBACK:
            return 421, "the explorer answers under 127.0.0.1 and localhost only"
        _, given, *rest = [*scope["path"].split("/"), ""]
        if not rest or not secrets.compare_digest(given.encode(), self.token.encode()):
            return 403, "the token in the address is missing or wrong: use the address that halflabel printed"
        if scope["method"] in READING:
            return None
        if scope["method"] not in WRITING:
            return 405, "only GET and POST are understood"
        if headers.get("origin") != f"http://{host}":
            return 403, "marks are taken from the page of the explorer only"
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            return 415, "marks are JSON: the content type must be application/json"
        return None


async def _body(receive: Any) -> bytes | None:
    """All that was sent, or None if it is too much; what headers say of its length is not believed."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > LARGEST_BODY:
            return None
        more = message.get("more_body", False)
    return body


def _again(body: bytes, receive: Any) -> Any:
    """A receive() that gives the body once, then what comes after it."""
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Any:
        return messages.pop() if messages else await receive()

    return replay


async def _answer(status: int, why: str, send: Any, **headers: str) -> None:
    content = json.dumps({"detail": why}).encode()
    headers = {"content-type": "application/json", "content-length": str(len(content)), **headers}
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": content})
