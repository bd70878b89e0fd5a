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


class RecordingWriter:
    """Collects the messages that a server sends."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.arrived = asyncio.Event()

    def write(self, data: bytes) -> None:
        self.messages.append(json.loads(data.partition(b"\r\n\r\n")[2]))
        self.arrived.set()

    def close(self) -> None: ...


def initialize_request(capabilities: Any, **params: Any) -> bytes:
    all_params = {"processId": None, "rootUri": None, "capabilities": capabilities, **params}
    return json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": all_params}
    ).encode()


async def server_answer(body: bytes) -> Any:
    server, writer = SightlineServer(), RecordingWriter()
    server.protocol.set_writer(writer)
    server.protocol.receive(body)
    await asyncio.wait_for(writer.arrived.wait(), 30)
    await server.close()
    return writer.messages[0]


def normalized(answer: Any) -> Any:
    """Normalise an answer: ``false`` equals absent, and commands have no order."""
    capabilities = answer["result"]["capabilities"]
    capabilities["executeCommandProvider"]["commands"].sort()
    sync = capabilities["textDocumentSync"]
    capabilities["textDocumentSync"] = {name: value for name, value in sync.items() if value}
    return answer


@pytest.mark.parametrize("profile", [*PROFILES, *CLIENTS], ids=str)
async def test_early_answer_equals_the_server_s_own(profile: Any):
    if isinstance(profile, str):
        profile = converters.get_converter().unstructure(client_capabilities(profile))
    body = initialize_request(profile)
    assert normalized(greeting(body)) == normalized(await server_answer(body))


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
def test_malformed_initialize_gets_no_early_answer(body: bytes):
    assert greeting(body) is None


@pytest.mark.parametrize(
    ("capabilities", "more"),
    [
        ({"window": 7, "general": {"positionEncodings": ["utf-8"]}}, {}),
        ({"general": {"positionEncodings": ["utf-8"]}}, {"workspaceFolders": 7, "trace": []}),
        ({"general": {"positionEncodings": ["utf-8"], "markdown": 1}, "textDocument": []}, {}),
    ],
)
async def test_invalid_parts_of_capabilities_are_dropped(capabilities: Any, more: Any):
    """The early answer promised service in a certain encoding, so invalid parts are dropped."""
    body = initialize_request(capabilities, **more)
    early_answer = greeting(body)
    assert early_answer is not None
    server, writer = SightlineServer(), RecordingWriter()
    server.protocol.set_writer(writer)
    await asyncio.wait_for(server.protocol.handle_answered_initialize(body), 30)
    assert writer.messages == [], "it was answered already"
    assert server.session.encoding == early_answer["result"]["capabilities"]["positionEncoding"]
    await server.close()


@pytest.mark.parametrize("capabilities", [{}, {"window": 7}])
@pytest.mark.parametrize(
    ("root", "expected_folders"),
    [
        ({"workspaceFolders": [{"uri": "{uri}/a", "name": "a"}], "rootUri": "{uri}/b"}, ["a"]),
        ({"workspaceFolders": None, "rootUri": "{uri}/b", "rootPath": "{path}/c"}, ["b"]),
        ({"rootPath": "{path}/c"}, ["c"]),
        ({"rootPath": "c"}, []),
        ({}, []),
    ],
)
async def test_folder_is_opened_from_any_of_its_parameters(
    tmp_path: Path, capabilities: Any, root: dict[str, Any], expected_folders: list[str]
):
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    text = json.dumps(root).replace("{uri}", tmp_path.as_uri())
    root = json.loads(text.replace("{path}", tmp_path.as_posix()))
    server = SightlineServer()
    server.protocol.set_writer(RecordingWriter())
    await asyncio.wait_for(
        server.protocol.handle_answered_initialize(initialize_request(capabilities, **root)), 30
    )
    assert [folder.path for folder in server.session.workspace.folders] == [
        tmp_path / e for e in expected_folders
    ]
    await server.close()


def test_early_answer_imports_no_large_library():
    code = (
        "import sys\n"
        "from lsp_server.cli import build_parser\n"
        "import lsp_server.connection.transport\n"
        "build_parser(['serve'])\n"
        "print(sorted({'lsprotocol', 'pygls', 'pydantic', 'tree_sitter'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
