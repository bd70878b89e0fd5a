"""Sightline as editors meet it: every message valid by the protocol's types, none unasked for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import converters, types
from pytest_lsp import client_capabilities
from pytest_lsp.client import make_test_lsp_client

from tests.lsp.conftest import QUESTION, Connect, as_data, execute, explore, initialize

CONVERTER = converters.get_converter()
HELIX = {
    "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "fileOperations": {"didRename": True},
        "inlayHint": {"refreshSupport": False},
    },
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
    },
}
ALLOWED_BY = {
    types.CLIENT_REGISTER_CAPABILITY: "workspace.did_change_watched_files.dynamic_registration",
    types.WORKSPACE_CONFIGURATION: "workspace.configuration",
    types.WORKSPACE_CODE_LENS_REFRESH: "workspace.code_lens.refresh_support",
    types.WORKSPACE_INLAY_HINT_REFRESH: "workspace.inlay_hint.refresh_support",
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH: "workspace.text_document_content",
    types.WINDOW_WORK_DONE_PROGRESS_CREATE: "window.work_done_progress",
    types.WINDOW_SHOW_DOCUMENT: "window.show_document.support",
}
ALWAYS = {
    types.PROGRESS,
    types.WINDOW_SHOW_MESSAGE,
    types.WINDOW_SHOW_MESSAGE_REQUEST,
    types.WINDOW_LOG_MESSAGE,
    types.LOG_TRACE,
    types.CANCEL_REQUEST,
}


def profile(name: str) -> types.ClientCapabilities:
    if name == "helix":
        return CONVERTER.structure(HELIX, types.ClientCapabilities)
    return client_capabilities(name)


def capability(capabilities: Any, path: str) -> Any:
    for part in path.split("."):
        capabilities = getattr(capabilities, part, None)
    return capabilities


def check(messages: list[dict[str, Any]], asked: dict[Any, str], capabilities: Any) -> None:
    """Every message fits its type, and the client can take it."""
    for message in messages:
        method = message.get("method")
        if method is None:
            result = types.METHOD_TO_TYPES.get(asked.get(message["id"], ""), (None, None))[1]
            CONVERTER.structure(message, result or types.ResponseErrorMessage)
            continue
        CONVERTER.structure(message, types.METHOD_TO_TYPES[method][0])
        needed = ALLOWED_BY.get(method)
        assert method in ALWAYS or (needed and capability(capabilities, needed)), method


@pytest.mark.parametrize("transport", ["stdio", "tcp"])
@pytest.mark.parametrize("name", ["visual_studio_code", "neovim", "emacs", "helix"])
async def test_as_the_editor_speaks(connect: Connect, shop: Any, name: str, transport: str):
    capabilities = profile(name)
    client = make_test_lsp_client()
    received: list[dict[str, Any]] = []
    asked: dict[Any, str] = {}
    structure, send = client.protocol.structure_message, client.protocol.send_request

    def structured(data: dict[str, Any]) -> Any:
        if "jsonrpc" in data:
            received.append(data)
        return structure(data)

    def sent(method: str, params: Any = None, callback: Any = None, msg_id: Any = None) -> Any:
        number = msg_id or f"request-{len(asked)}"
        asked[number] = method
        return send(method, params, callback, number)

    client.protocol.structure_message = structured
    client.protocol.send_request = sent

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: Any) -> None: ...

    @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
    def refresh(params: Any) -> None: ...

    async with connect(transport=transport, client=client):
        await initialize(client, shop, capabilities=capabilities)
        report = as_data(await explore(client, query=QUESTION))
        link = report["links"][0]
        document = types.TextDocumentIdentifier(link["location"]["uri"])
        line = link["quoteRange"]["start"] - 1
        for lens in await client.text_document_code_lens_async(types.CodeLensParams(document)):
            await client.code_lens_resolve_async(lens)
        place = types.Position(line, 0)
        assert await client.text_document_hover_async(types.HoverParams(document, place))
        highlight = types.DocumentHighlightParams(document, place)
        assert await client.text_document_document_highlight_async(highlight)
        for command in ("nextLink", "showReport", "reports", "status", "reindex", "dismissReport"):
            await execute(client, command)
        await asyncio.sleep(0.4)
    assert len(received) > 10
    check(received, asked, capabilities)
