"""10,000 hostile messages: an answer to each request, no crash, no hang."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from lsp_server.command_names import CLEAR_CACHE, EXPLORE, EXPLORE_AT
from tests.lsp.conftest import start_server

METHODS = [
    "textDocument/hover",
    "textDocument/codeLens",
    "codeLens/resolve",
    "textDocument/codeAction",
    "textDocument/documentHighlight",
    "textDocument/documentLink",
    "textDocument/inlayHint",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/executeCommand",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didRenameFiles",
    "workspace/textDocumentContent",
    "window/workDoneProgress/cancel",
    "$/cancelRequest",
    "$/setTrace",
    "initialize",
    "sightline/nonsense",
]
COMMANDS = ["showReport", "nextLink", "previousLink", "dismissReport", "reports", "export"]


class HostileMessages:
    """Generates messages from a seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self._random = random.Random(seed)
        self._uris = [
            f"{folder.as_uri()}/shop/web.py",
            "file:///nowhere/%00/x",
            "file://[bad",
            "untitled:x",
            "http://example.org/" + "a" * 500,
            "",
        ]

    def value(self, depth: int = 0) -> Any:
        choice = self._random.randrange(9 if depth < 3 else 7)
        if choice == 7:
            return [self.value(depth + 1) for _ in range(self._random.randrange(4))]
        if choice == 8:
            keys = self._random.sample(KEYS, self._random.randrange(1, 5))
            return {key: self.value(depth + 1) for key in keys}
        number = self._random.choice([0, 1, -1, 2**31, -(2**63), 10**30])
        return [
            None,
            True,
            number,
            1.5,
            self._random.choice(self._uris),
            "\ud83e\uddfa" * self._random.randrange(50),
            "x" * self._random.choice([0, 3, 100_000]),
        ][choice]

    def plausible_params(self) -> dict[str, Any]:
        """Params with the right structure and wrong contents."""
        position = {"line": self._random.choice([0, 5, 2**31 - 1]), "character": 10**6}
        return {
            "textDocument": {"uri": self._random.choice(self._uris), "version": 1},
            "position": position,
            "range": {"start": position, "end": {"line": 0, "character": 0}},
            "context": {"diagnostics": []},
            "contentChanges": [{"text": "y"}],
            "command": f"sightline.{self._random.choice(COMMANDS)}",
            "arguments": [self.value()],
        }

    def message(self, number: int) -> dict[str, Any]:
        method = self._random.choice(METHODS)
        params = self.plausible_params() if self._random.random() < 0.5 else self.value()
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if self._random.random() < 0.8:
            message["id"] = number
        return message


KEYS = [
    "uri",
    "range",
    "position",
    "textDocument",
    "line",
    "data",
    "reportId",
    "index",
    "command",
    "arguments",
    "settings",
    "changes",
    "token",
    "id",
]


MALFORMED: list[Any] = [
    b"{not json",
    [],
    {"id": []},
    {"jsonrpc": "2.0", "id": {}, "result": 1},
    {"jsonrpc": "2.0", "id": [1], "error": {"code": 1, "message": "x"}},
    {"jsonrpc": "2.0", "id": [], "method": "shutdown"},
    {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": []}},
    {"jsonrpc": "2.0", "method": "window/workDoneProgress/cancel", "params": {"token": {}}},
]


def framed(message: Any) -> bytes:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


async def next_message(reader: asyncio.StreamReader) -> dict[str, Any]:
    length = 0
    while (line := await reader.readline()).strip():
        if line.lower().startswith(b"content-length"):
            length = int(line.split(b":")[1])
    return json.loads(await reader.readexactly(length))


async def responses(reader: asyncio.StreamReader, wanted: set[Any]) -> dict[Any, dict[str, Any]]:
    """Read messages until all ``wanted`` ids have responses."""
    found: dict[Any, dict[str, Any]] = {}
    while wanted - found.keys():
        message = await asyncio.wait_for(next_message(reader), 60)
        if "method" not in message:
            found[message["id"]] = message  # the id is null if the request had no usable one
    return found


async def check_survival(shop: Path, tmp_path: Path, count: int) -> None:
    process = await start_server(tmp_path)
    write, read = process.stdin, process.stdout
    assert write is not None
    assert read is not None
    messages = HostileMessages(7, shop)

    async def ask(number: Any, method: str, params: Any) -> dict[str, Any]:
        write.write(framed({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
        return (await responses(read, {number}))[number]

    early = await ask("early", "textDocument/hover", {})
    assert early["error"]["code"] == -32002
    folder = {"uri": shop.as_uri(), "name": "shop"}
    params = {"processId": None, "capabilities": {}, "workspaceFolders": [folder]}
    assert "result" in await ask("hello", "initialize", {**params, "rootUri": None})
    write.write(framed({"jsonrpc": "2.0", "method": "initialized", "params": {}}))
    question = {"command": EXPLORE, "arguments": ["checkout"]}
    assert "result" in await ask("question", "workspace/executeCommand", question)
    for start in range(0, count, 200):
        batch = [messages.message(number) for number in range(start, start + 200)]
        write.write(b"".join(map(framed, batch)))
        write.write(b"".join(map(framed, MALFORMED)))
        wanted = {message["id"] for message in batch if "id" in message}
        for answer in (await responses(read, wanted)).values():
            error = answer.get("error")
            assert error is None or ("\n" not in error["message"] and "Traceback" not in str(error))
    assert "result" in await ask("again", "workspace/executeCommand", question)
    assert "result" in await ask("bye", "shutdown", None)
    assert (await ask("late", "textDocument/hover", {}))["error"]["code"] == -32600
    write.write(framed({"jsonrpc": "2.0", "method": "exit"}))
    assert await asyncio.wait_for(process.wait(), 20) == 0


async def test_hundreds_of_hostile_messages(shop: Path, tmp_path: Path):
    await check_survival(shop, tmp_path, 400)


@pytest.mark.parametrize("length", ["9" * 5000, "x", "-1", "1.5", "99999999999", ""])
async def test_a_message_without_a_usable_length_ends_the_connection(tmp_path: Path, length: str):
    process = await start_server(tmp_path, stderr=asyncio.subprocess.PIPE)
    _, errors = await process.communicate(f"Content-Length: {length}\r\n\r\n".encode())
    assert (process.returncode, b"no usable Content-Length" in errors) == (1, True)


@pytest.mark.slow
async def test_ten_thousand_hostile_messages(shop: Path, tmp_path: Path):
    await check_survival(shop, tmp_path, 10_000)


COMMANDS += [name.partition(".")[2] for name in (EXPLORE, EXPLORE_AT, CLEAR_CACHE)]
