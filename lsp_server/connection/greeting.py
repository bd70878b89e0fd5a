"""The response to ``initialize``, sent before the server is loaded.

Loading the protocol's types takes longer than an editor should wait. So this module uses none of
them, and states in plain JSON what the features declare to pygls. A test keeps the two consistent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from explorer_core import __version__
from lsp_server.command_names import COMMANDS

SERVER_NAME = "sightline"
REPORT_SCHEME = "sightline-report"
_ENCODINGS = ("utf-8", "utf-16", "utf-32")
_INCREMENTAL = 2
_EVERY_FILE = {"filters": [{"pattern": {"glob": "**/*"}, "scheme": "file"}]}


def greeting(body: bytes) -> dict[str, Any] | None:
    """The response to a message; None unless it is a valid ``initialize``."""
    try:
        message: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if _member(message, "jsonrpc") != "2.0" or _member(message, "method") != "initialize":
        return None
    number, client = message.get("id"), _member(message, "params", "capabilities")
    if not isinstance(number, int | str) or not isinstance(client, Mapping):
        return None
    server = {"name": SERVER_NAME, "version": __version__}
    result = {"capabilities": capabilities(cast("Any", client)), "serverInfo": server}
    return {"id": number, "jsonrpc": "2.0", "result": result}


def capabilities(client: Mapping[str, Any]) -> dict[str, Any]:
    """The server's capabilities, given those of the client."""
    return {
        "positionEncoding": position_encoding(client),
        "textDocumentSync": {
            "openClose": True,
            "change": _INCREMENTAL,
            "save": {"includeText": False},
        },
        "hoverProvider": True,
        "documentHighlightProvider": True,
        "codeActionProvider": True,
        "codeLensProvider": {"resolveProvider": True},
        "documentLinkProvider": {"resolveProvider": False},
        "executeCommandProvider": {"commands": list(COMMANDS)},
        "inlayHintProvider": {"resolveProvider": False},
        "workspace": _workspace(client),
    }


def _workspace(client: Mapping[str, Any]) -> dict[str, Any]:
    workspace: dict[str, Any] = {
        "workspaceFolders": {"supported": True, "changeNotifications": True},
        "fileOperations": {
            event: _EVERY_FILE
            for event in ("didCreate", "didRename", "didDelete")
            if _member(client, "workspace", "fileOperations", event)
        },
    }
    if _member(client, "workspace", "textDocumentContent") is not None:
        workspace["textDocumentContent"] = {"schemes": [REPORT_SCHEME]}
    return workspace


def position_encoding(client: Mapping[str, Any]) -> str:
    """The client's first choice among the encodings that we know, UTF-16 by default."""
    preferred = _member(client, "general", "positionEncodings")
    if isinstance(preferred, list):
        for encoding in cast("list[Any]", preferred):
            if encoding in _ENCODINGS:
                return encoding
    return "utf-16"


def _member(value: Any, *names: str) -> Any:
    """A member of nested objects; None if it is missing, or anything on the way is no object."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return value  # pyright: ignore[reportUnknownVariableType]
