"""A minimal client for a language server over stdio, one request at a time."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

Place = tuple[str, int, int]
"""Path relative to the root (empty if outside of it), 1-based line, 0-based column."""


class LanguageServer:
    """Starts ``command`` in the folder ``root``; `close` ends it."""

    def __init__(self, command: Sequence[str], root: Path, language: str, timeout: float) -> None:
        self.root = root.resolve()
        self._language = language
        self._timeout = timeout
        self._next = 0
        self._open_paths: set[str] = set()
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._tokens_at_work: set[str | int] = set()
        self._last_heard = time.monotonic()
        self._process = subprocess.Popen(
            list(command),
            cwd=self.root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=self._listen, daemon=True).start()
        folder = {"uri": self.root.as_uri(), "name": self.root.name}
        capabilities = {
            "textDocument": {
                "definition": {"linkSupport": False},
                "typeDefinition": {"linkSupport": False},
            },
            "window": {"workDoneProgress": True},
        }
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": folder["uri"],
                "workspaceFolders": [folder],
                "capabilities": capabilities,
            },
        )
        self._send({"method": "initialized", "params": {}})

    def close(self) -> None:
        self._process.kill()
        self._process.wait()

    def wait_until_idle(self, quiet: float = 5.0) -> None:
        """Wait until the server has reported no work for ``quiet`` seconds. Many servers load the
        whole project first, and until then return empty results."""
        while self._tokens_at_work or time.monotonic() - self._last_heard < quiet:
            time.sleep(0.1)

    def definition(self, place: Place) -> list[Place]:
        """Where the name at a place is defined."""
        return self._query("textDocument/definition", place, {})

    def type_definition(self, place: Place) -> list[Place]:
        """Where the type of the expression at a place is defined."""
        return self._query("textDocument/typeDefinition", place, {})

    def references(self, place: Place) -> list[Place]:
        """Where the symbol declared at a place is used."""
        context = {"context": {"includeDeclaration": False}}
        return self._query("textDocument/references", place, context)

    def request(self, method: str, params: dict[str, Any]) -> Any:
        self._next += 1
        number = self._next
        self._answers[number] = queue.Queue()
        self._send({"id": number, "method": method, "params": params})
        try:
            answer = self._answers[number].get(timeout=self._timeout)
        except queue.Empty:
            return None
        finally:
            del self._answers[number]
        return answer.get("result")

    def _query(self, method: str, place: Place, extra_params: dict[str, Any]) -> list[Place]:
        path, line, column = place
        text = self._open_document(path)
        before = text.split("\n")[line - 1][:column]
        character = len(before.encode("utf-16-le")) // 2
        locations = self.request(
            method,
            {
                "textDocument": {"uri": (self.root / path).as_uri()},
                "position": {"line": line - 1, "character": character},
                **extra_params,
            },
        )
        if isinstance(locations, dict):
            locations = [locations]
        return [self._place_of(location) for location in locations or []]

    def _place_of(self, location: dict[str, Any]) -> Place:
        uri = location.get("uri") or location["targetUri"]
        span = location.get("range") or location["targetSelectionRange"]
        path = Path(unquote(urlsplit(uri).path))
        below = path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else ""
        return below, span["start"]["line"] + 1, span["start"]["character"]

    def _open_document(self, path: str) -> str:
        text = (self.root / path).read_text(encoding="utf-8")
        if path not in self._open_paths:
            self._open_paths.add(path)
            document = {
                "uri": (self.root / path).as_uri(),
                "languageId": self._language,
                "version": 1,
                "text": text,
            }
            self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        return text

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream
        while header := stream.readline():
            length = 0
            while header.strip():
                name, _, value = header.decode("ascii").partition(":")
                length = int(value) if name.lower() == "content-length" else length
                header = stream.readline()
            self._handle(json.loads(stream.read(length)))

    def _handle(self, message: dict[str, Any]) -> None:
        if message.get("method") == "$/progress":
            self._handle_progress(message["params"])
        elif "method" in message and "id" in message:
            items = message.get("params", {}).get("items", [])
            self._send({"id": message["id"], "result": [None] * len(items) if items else None})
        elif message.get("id") in self._answers:
            self._answers[message["id"]].put(message)

    def _handle_progress(self, params: dict[str, Any]) -> None:
        kind = params["value"].get("kind")
        self._last_heard = time.monotonic()
        if kind == "begin":
            self._tokens_at_work.add(params["token"])
        elif kind == "end":
            self._tokens_at_work.discard(params["token"])
