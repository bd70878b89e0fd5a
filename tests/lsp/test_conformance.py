"""Sightline's side of the protocol: every message fits LSP's types, and none is uncalled-for."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from lsprotocol import converters, types
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client

from lsp_server.compilers.editor import LANGUAGE_MODEL, METHODS, PREFIX
from tests.commands import rarely
from tests.lsp.conftest import Connect, as_data, execute, explore, initialize
from tests.shop import QUESTION

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
ALWAYS_ALLOWED = {
    types.PROGRESS,
    types.WINDOW_SHOW_MESSAGE,
    types.WINDOW_SHOW_MESSAGE_REQUEST,
    types.WINDOW_LOG_MESSAGE,
    types.LOG_TRACE,
    types.CANCEL_REQUEST,
}
PARAMS: dict[str, Any] = {
    "workspaceSymbols": types.WorkspaceSymbolParams,
    "documentSymbols": types.DocumentSymbolParams,
    "definition": types.DefinitionParams,
    "references": types.ReferenceParams,
    "implementations": types.ImplementationParams,
    "incomingCalls": types.TextDocumentPositionParams,
    "outgoingCalls": types.TextDocumentPositionParams,
    "supertypes": types.TextDocumentPositionParams,
    "subtypes": types.TextDocumentPositionParams,
}
"""The types of the reverse requests' parameters, as far as LSP has them."""
MODEL_PARAMS = {"system", "messages", "tools", "maxTokens"}
MODEL_OPTIONS = {"forcedTool", "schema"}


def profile(name: str) -> types.ClientCapabilities:
    if name == "helix":
        return CONVERTER.structure(HELIX, types.ClientCapabilities)
    return client_capabilities(name)


def capability(capabilities: Any, path: str) -> Any:
    for part in path.split("."):
        capabilities = getattr(capabilities, part, None)
    return capabilities


def check_messages(
    messages: list[dict[str, Any]],
    sent_methods: dict[Any, str],
    capabilities: Any,
    *,
    offered: frozenset[str] = frozenset(),
    traced: bool = False,
) -> None:
    """Check that every message fits its type, has no other keys, and is supported by the client."""
    open_requests: set[Any] = set()
    for message in messages:
        method = message.get("method")
        if method is None:
            result = types.METHOD_TO_TYPES.get(sent_methods.get(message["id"], ""), (None, None))[1]
            CONVERTER.structure(message, result or types.ResponseErrorMessage)
            continue
        if "id" in message:
            assert message["id"] not in open_requests
            open_requests.add(message["id"])
        if method.startswith(PREFIX):
            check_reverse(method.removeprefix(PREFIX), message["params"], offered)
            continue
        parsed = CONVERTER.structure(message, types.METHOD_TO_TYPES[method][0])
        assert_same_keys(message, CONVERTER.unstructure(parsed))
        required = ALLOWED_BY.get(method)
        assert method in ALWAYS_ALLOWED or (required and capability(capabilities, required)), method
        assert method != types.LOG_TRACE or traced
        if method == types.CANCEL_REQUEST:
            assert message["params"]["id"] in open_requests


def check_reverse(name: str, params: dict[str, Any], offered: frozenset[str]) -> None:
    """Check that a custom request was declared by the client and has the documented params."""
    assert name in offered
    if name == LANGUAGE_MODEL:
        assert MODEL_PARAMS <= set(params) <= MODEL_PARAMS | MODEL_OPTIONS
        assert {turn["role"] for turn in params["messages"][::2]} == {"user"}
        assert all({"name", "description", "inputSchema"} == set(t) for t in params["tools"])
        return
    parsed = CONVERTER.structure(params, PARAMS[name])
    assert_same_keys(params, CONVERTER.unstructure(parsed))


def assert_same_keys(sent: Any, parsed: Any) -> None:
    """Check that nothing was sent that the type does not define."""
    if isinstance(sent, dict) and isinstance(parsed, dict):
        assert set(sent) <= set(parsed), (sent, parsed)
        for name, value in sent.items():
            assert_same_keys(value, parsed[name])
    elif isinstance(sent, list):
        for sent_item, parsed_item in zip(sent, parsed, strict=True):
            assert_same_keys(sent_item, parsed_item)


def record_messages(client: LanguageClient) -> tuple[list[dict[str, Any]], dict[Any, str]]:
    """Records all messages from the server from now on, and the methods of our requests by id."""
    received: list[dict[str, Any]] = []
    sent_methods: dict[Any, str] = {}
    structure, send = client.protocol.structure_message, client.protocol.send_request

    def structure_and_record(data: dict[str, Any]) -> Any:
        if "jsonrpc" in data:
            received.append(json.loads(json.dumps(data, default=as_data)))
        return structure(data)

    def send_and_record(
        method: str, params: Any = None, callback: Any = None, msg_id: Any = None
    ) -> Any:
        number = msg_id or f"request-{len(sent_methods)}"
        sent_methods[number] = method
        return send(method, params, callback, number)

    client.protocol.structure_message = structure_and_record
    client.protocol.send_request = send_and_record
    return received, sent_methods


@pytest.mark.parametrize("connect", ["here", *rarely("stdio", "tcp")], indirect=True)
@pytest.mark.parametrize("name", ["visual_studio_code", "neovim", "emacs", "helix"])
async def test_messages_fit_capabilities_of_real_editors(connect: Connect, shop: Any, name: str):
    capabilities = profile(name)
    client = make_test_lsp_client()
    received, sent_methods = record_messages(client)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: Any) -> None: ...

    @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
    def refresh(params: Any) -> None: ...

    async with connect(client=client):
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
    check_messages(received, sent_methods, capabilities)


ANSWERS = {"content": [{"type": "text", "text": "I do not know."}], "model": "m", "usage": {}}


@pytest.mark.parametrize(
    "offered",
    [frozenset(METHODS), frozenset({"references", "workspaceSymbols"}), frozenset[str]()],
    ids=["all", "some", "none"],
)
async def test_custom_requests_fit_declared_capabilities(
    connect: Connect, shop: Any, offered: frozenset[str]
):
    """The editor finds nothing, is slow with references, traces messages, and is asked whether its
    model may be used."""
    capabilities = types.ClientCapabilities(experimental={"sightline": sorted(offered)})
    client = make_test_lsp_client()
    received, sent_methods = record_messages(client)
    (shop / "bread.recipe").write_text("routine bake\n heat\nend\n")
    (shop / "shop" / "rooms.py").write_text("class Room:\n    pass\n\n\nclass Attic(Room): ...\n")
    questions: list[str] = []

    def register_handler(name: str) -> None:
        @client.feature(f"{PREFIX}{name}")
        async def answer_nothing(params: Any) -> Any:
            await asyncio.sleep(60 if name == "references" else 0)

    for name in METHODS - {LANGUAGE_MODEL}:
        register_handler(name)

    @client.feature(f"{PREFIX}{LANGUAGE_MODEL}")
    async def model(params: Any) -> Any:
        return ANSWERS

    @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
    def question(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        questions.append(params.message)
        return (params.actions or [None])[0]

    options: dict[str, Any] = {"editorSoftDeadlineMs": 100, "editorTimeS": 0.2}
    if LANGUAGE_MODEL in offered:
        options["model"] = "editor"
    async with connect(client=client):
        await initialize(client, shop, capabilities=capabilities, options=options)
        client.protocol.notify(types.SET_TRACE, types.SetTraceParams(types.TraceValue.Verbose))
        for query in (QUESTION, "What does `checkout` do?", "Who is a `Room` and an `Attic`?"):
            await explore(client, query=query)
        await execute(client, "exploreAt", {"path": "bread.recipe", "line": 2})
        client.protocol.notify(types.SET_TRACE, types.SetTraceParams(types.TraceValue.Off))
        await asyncio.sleep(0.5)
    check_messages(received, sent_methods, capabilities, offered=offered, traced=True)
    methods = [message.get("method", "") for message in received]
    assert {m.removeprefix(PREFIX) for m in methods if m.startswith(PREFIX)} == offered
    assert types.LOG_TRACE in methods
    assert len(questions) == methods.count(types.WINDOW_SHOW_MESSAGE_REQUEST) == (
        LANGUAGE_MODEL in offered
    )  # fmt: skip
    reverse = offered - {LANGUAGE_MODEL}
    assert (types.CANCEL_REQUEST in methods) == bool(reverse)
