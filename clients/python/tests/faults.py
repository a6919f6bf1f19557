"""A proxy before the service, on which things go wrong as a test says."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

import httpx


@dataclass
class Answer:
    """What the proxy answers by itself."""

    status: int
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""


@dataclass
class Cut:
    """The service's answer, of which so many bytes come through."""

    after: int


@dataclass
class Seen:
    """A request that came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Faults:
    """Requests go through to the service, but for the first ones, which meet `plan`."""

    def __init__(self, service: str) -> None:
        self.plan: list[Answer | Cut] = []
        self.seen: list[Seen] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self) -> None:
                body = _body_of(self)
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.seen.append(Seen(self.command, self.path, headers, body))
                fault = outer.plan.pop(0) if outer.plan else None
                if isinstance(fault, Answer):
                    self.answer(fault, len(fault.body))
                    return
                kept = {name: value for name, value in headers.items() if name not in _HOPS}
                got = httpx.request(self.command, service + self.path, headers=kept, content=body, timeout=60)
                passed = {name: value for name, value in got.headers.items() if name not in _CODINGS}
                answer = Answer(got.status_code, passed, got.content)
                self.answer(answer, len(answer.body) if fault is None else fault.after)

            def answer(self, answer: Answer, sent: int) -> None:
                self.send_response(answer.status)
                for name, value in {"Content-Length": str(len(answer.body)), **answer.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body[:sent])
                self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                pass

            do_GET = do_POST = do_HEAD = do_DELETE = do_PATCH = handle_any

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Faults:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


_HOPS = {"host", "connection", "transfer-encoding", "content-length"}
#: httpx has undone these.
_CODINGS = {"content-encoding", "transfer-encoding"}


def _body_of(handler: BaseHTTPRequestHandler) -> bytes:
    if handler.headers.get("Transfer-Encoding") != "chunked":
        return handler.rfile.read(int(handler.headers.get("Content-Length", "0")))
    body = b""
    while size := int(handler.rfile.readline(), 16):
        body += handler.rfile.read(size)
        handler.rfile.readline()
    handler.rfile.readline()
    return body
