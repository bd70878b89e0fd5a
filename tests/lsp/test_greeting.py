"""The early answer to ``initialize``, before the server is loaded, equals the server's own."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import converters
from pytest_lsp import client_capabilities

from lsp_server.connection.greeting import greeting
from lsp_server.server import SightlineServer

PROFILES = ["visual_studio_code", "neovim", "emacs"]
CLIENTS: list[Any] = [
    {},
    {"general": {"positionEncodings": ["utf-7", "utf-32", "utf-8"]}},
    {"general": {"positionEncodings": ["utf-7"]}, "workspace": {}},
    {"workspace": {"textDocumentContent": {}, "fileOperations": {"didRename": True}}},
    {"notebookDocument": {"synchronization": {}}, "workspace": {"fileOperations": {}}},
]


class Written:
    """Collects the messages that a server sends."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.arrived = asyncio.Event()

    def write(self, data: bytes) -> None:
        self.messages.append(json.loads(data.partition(b"\r\n\r\n")[2]))
        self.arrived.set()

    def close(self) -> None: ...


def hello(capabilities: Any, **params: Any) -> bytes:
    more = {"processId": None, "rootUri": None, "capabilities": capabilities, **params}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": more}).encode()


async def own_answer(body: bytes) -> Any:
    server, written = SightlineServer(), Written()
    server.protocol.set_writer(written)
    server.protocol.receive(body)
    await asyncio.wait_for(written.arrived.wait(), 30)
    await server.close()
    return written.messages[0]


def meaning(answer: Any) -> Any:
    """Normalise an answer: ``false`` equals absent, and commands have no order."""
    capabilities = answer["result"]["capabilities"]
    capabilities["executeCommandProvider"]["commands"].sort()
    sync = capabilities["textDocumentSync"]
    capabilities["textDocumentSync"] = {name: value for name, value in sync.items() if value}
    return answer


@pytest.mark.parametrize("profile", [*PROFILES, *CLIENTS], ids=str)
async def test_it_is_what_the_features_declare(profile: Any):
    if isinstance(profile, str):
        profile = converters.get_converter().unstructure(client_capabilities(profile))
    body = hello(profile)
    assert meaning(greeting(body)) == meaning(await own_answer(body))


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}',
        b'{"jsonrpc": "2.0", "method": "initialize", "params": {"capabilities": {}}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": 5}}',
        b'{"jsonrpc": "2.0", "id": [1], "method": "initialize", "params": {"capabilities": {}}}',
    ],
)
def test_what_cannot_be_understood_is_left_to_the_server(body: bytes):
    assert greeting(body) is None


@pytest.mark.parametrize(
    ("capabilities", "more"),
    [
        ({"window": 7, "general": {"positionEncodings": ["utf-8"]}}, {}),
        ({"general": {"positionEncodings": ["utf-8"]}}, {"workspaceFolders": 7, "trace": []}),
        ({"general": {"positionEncodings": ["utf-8"], "markdown": 1}, "textDocument": []}, {}),
    ],
)
async def test_what_does_not_fit_is_left_out(capabilities: Any, more: Any):
    """The early answer promised service in a certain encoding, so invalid parts are dropped."""
    body = hello(capabilities, **more)
    told = greeting(body)
    assert told is not None
    server, written = SightlineServer(), Written()
    server.protocol.set_writer(written)
    await asyncio.wait_for(server.protocol.take_up(body), 30)
    assert written.messages == [], "it was answered already"
    assert server.session.encoding == told["result"]["capabilities"]["positionEncoding"]
    await server.close()


@pytest.mark.parametrize("capabilities", [{}, {"window": 7}])
@pytest.mark.parametrize(
    ("root", "expect"),
    [
        ({"workspaceFolders": [{"uri": "{uri}/a", "name": "a"}], "rootUri": "{uri}/b"}, ["a"]),
        ({"workspaceFolders": None, "rootUri": "{uri}/b", "rootPath": "{path}/c"}, ["b"]),
        ({"rootPath": "{path}/c"}, ["c"]),
        ({"rootPath": "c"}, []),
        ({}, []),
    ],
)
async def test_a_folder_is_opened_however_the_client_names_it(
    tmp_path: Path, capabilities: Any, root: dict[str, Any], expect: list[str]
):
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    said = json.dumps(root).replace("{uri}", tmp_path.as_uri())
    root = json.loads(said.replace("{path}", tmp_path.as_posix()))
    server = SightlineServer()
    server.protocol.set_writer(Written())
    await asyncio.wait_for(server.protocol.take_up(hello(capabilities, **root)), 30)
    assert [folder.path for folder in server.session.folders] == [tmp_path / e for e in expect]
    await server.close()


def test_nothing_large_is_loaded_before_it():
    code = (
        "import sys\n"
        "from lsp_server.cli import build_parser\n"
        "import lsp_server.connection.transport\n"
        "build_parser(['serve'])\n"
        "print(sorted({'lsprotocol', 'pygls', 'pydantic', 'tree_sitter'} & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
