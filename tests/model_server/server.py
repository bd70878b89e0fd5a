"""The server: HTTP on the loopback interface, one thread per connection."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.model_server.script import Act, Fault, Prompt, Scripted, Turn, events_of, says, turn

REFUSES_FORCED_TOOLS = "scripted-unforceable"
"""A model that rejects a forced ``tool_choice`` with an error, as some current models do."""
CHARACTERS_PER_TOKEN = 4


class ModelServer:
    """Plays scripts.

    ``requests`` holds the body of every request in order, ``bodies`` the raw bytes, and ``acts``
    the answers. ``left_early`` counts clients that closed the connection before the answer was
    complete, and ``first_request`` is set at the first request.
    """

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.bodies: list[bytes] = []
        self.acts: list[Act] = []
        self.left_early = 0
        self.first_request = threading.Event()
        self._script: list[Scripted] = []
        self._default: Scripted | None = None
        self._cached: set[str] = set()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._server.block_on_close = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def plays(self, script: Sequence[Scripted], then: Scripted | None = None) -> ModelServer:
        """Reset and play ``script``. After its end, every act is ``then``."""
        with self._lock:
            self._script = list(script)
            self._default = then
            self.requests = []
            self.bodies = []
            self.acts = []
            self.left_early = 0
            self.first_request.clear()
            self._cached = set()
        return self

    @contextlib.contextmanager
    def running(self) -> Iterator[ModelServer]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()
            thread.join(timeout=5)

    def next_act(self, sent: bytes, body: dict[str, Any]) -> Act:
        """The answer to a request. Records both."""
        act = self._choose_act(body)
        with self._lock:
            self.requests.append(body)
            self.bodies.append(sent)
            self.acts.append(act)
            self.first_request.set()
        return act

    def _choose_act(self, body: dict[str, Any]) -> Act:
        with self._lock:
            forced = body.get("tool_choice", {}).get("type") in ("any", "tool")
            if forced and body["model"] == REFUSES_FORCED_TOOLS:
                return Fault(400, "invalid_request_error", "tool_choice is not supported")
            scripted = self._script.pop(0) if self._script else self._default
        if scripted is None:
            return turn(says("The script is over."))
        return scripted if isinstance(scripted, Turn | Fault) else scripted(Prompt(body))

    def prompt_tokens(self, body: dict[str, Any]) -> tuple[int, int, int]:
        """Uncached, written and cached tokens, according to the request's breakpoints."""
        prefixes, total = _prefixes(body)
        with self._lock:
            known = [length for prefix, length in prefixes if prefix in self._cached]
            self._cached.update(prefix for prefix, _ in prefixes)
        cached = max(known, default=0)
        written = max((length for _, length in prefixes), default=0) - cached
        return total - cached - written, written, cached


def _prefixes(body: dict[str, Any]) -> tuple[list[tuple[str, int]], int]:
    """Every prefix that ends at a breakpoint, with its tokens, and the total number of tokens."""
    text = json.dumps(body.get("tools", []))
    found: list[tuple[str, int]] = []
    messages = [("system", body.get("system", []))]
    messages += [(each["role"], each["content"]) for each in body["messages"]]
    for role, content in messages:
        for block in content:
            plain = {key: value for key, value in block.items() if key != "cache_control"}
            text += role + json.dumps(plain)
            if "cache_control" in block:
                found.append((text, len(text) // CHARACTERS_PER_TOKEN))
    return found, len(text) // CHARACTERS_PER_TOKEN


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:  # noqa: C901 - one class
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["content-length"]))
            body = json.loads(sent)
            act = server.next_act(sent, body)
            try:
                if isinstance(act, Fault) and not act.in_stream:
                    self._fail(act)
                elif isinstance(act, Fault):
                    began = events_of(turn(says("Well")), body["model"], (1, 0, 0))[:2]
                    self._stream([*began, _error(act)], None, 0)
                else:
                    events = events_of(act, body["model"], server.prompt_tokens(body))
                    self._stream(events, act.breaks_after, act.pause)
            except (BrokenPipeError, ConnectionResetError):
                server.left_early += 1
                self.close_connection = True

        def handle(self) -> None:
            with contextlib.suppress(ConnectionError):
                super().handle()

        def finish(self) -> None:
            with contextlib.suppress(ConnectionError):
                super().finish()

        def _fail(self, fault: Fault) -> None:
            data = json.dumps(_error(fault)).encode()
            self.send_response(fault.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            if fault.retry_after is not None:
                self.send_header("retry-after", fault.retry_after)
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, events: list[dict[str, Any]], limit: int | None, pause: float) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for event in events[:limit]:
                if pause:
                    self.wfile.flush()
                    time.sleep(pause)
                self._chunk(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
            if limit is not None and limit < len(events):
                self.close_connection = True  # the last chunk is missing: a broken stream
            else:
                self.wfile.write(b"0\r\n\r\n")

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    return Handler


def _error(fault: Fault) -> dict[str, Any]:
    return {"type": "error", "error": {"type": fault.kind, "message": fault.message}}
