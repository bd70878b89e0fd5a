"""The editor's settings: at ``initialize``, and when they change.

A client that supports ``workspace/configuration`` is asked. From others we take the contents of
``workspace/didChangeConfiguration``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types
from pydantic.alias_generators import to_snake
from pygls.exceptions import JsonRpcException

from lsp_server.protocol import CONFIGURATION_SECTION

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

_ANSWER_TIMEOUT_S = 3.0


def register(server: SightlineServer) -> None:
    """Follow the editor's settings."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def changed(ls: SightlineServer, params: types.DidChangeConfigurationParams) -> None:
        if not await ask_settings(ls):
            await ls.session.workspace.use_editor_settings(editor_settings(params.settings))


def editor_settings(value: Any) -> dict[str, Any]:
    """The settings in what an editor sent, by their names in snake_case. They may be nested under
    the name of the section."""
    if not isinstance(value, Mapping):
        return {}
    values = cast("Mapping[str, Any]", value)
    inner = values.get(CONFIGURATION_SECTION, values.get("settings", values))
    if not isinstance(inner, Mapping):
        return {}
    settings = cast("Mapping[str, Any]", inner)
    return {to_snake(name): setting for name, setting in settings.items() if setting is not None}


async def ask_settings(ls: SightlineServer) -> bool:
    """Request the client's settings and use them. False if the client cannot be asked."""
    workspace = ls.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return False
    params = types.ConfigurationParams([types.ConfigurationItem(section=CONFIGURATION_SECTION)])
    try:
        answer = await asyncio.wait_for(
            ls.workspace_configuration_async(params), timeout=_ANSWER_TIMEOUT_S
        )
    except (JsonRpcException, TimeoutError):
        return True
    # An empty answer counts too: it unsets what was set before.
    await ls.session.workspace.use_editor_settings(editor_settings(answer[0] if answer else None))
    return True
