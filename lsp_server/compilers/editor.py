"""The user's editor as a compiler: we send it requests, which its own servers answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pygls.exceptions import JsonRpcException

from lsp_server.compilers.channel import LspCompiler
from lsp_server.workspace.opened import OpenedWorkspace

if TYPE_CHECKING:
    from lsp_server.server import SightlineServer

PREFIX = "sightline/"
LANGUAGE_MODEL = "languageModel"
METHODS = frozenset(
    {
        "workspaceSymbols",
        "documentSymbols",
        "definition",
        "references",
        "implementations",
        "incomingCalls",
        "outgoingCalls",
        "supertypes",
        "subtypes",
        LANGUAGE_MODEL,
    }
)


def declared_methods(experimental: Any) -> frozenset[str]:
    """The requests that a client can answer, from ``capabilities.experimental.sightline``.

    ``true`` means all except the language model; an object or a list names them.
    """
    offered = _member(experimental, "sightline")
    if offered is True:
        return METHODS - {LANGUAGE_MODEL}
    if isinstance(offered, list | tuple):
        return METHODS & {str(name) for name in cast("list[Any]", offered)}
    return frozenset(name for name in METHODS if _member(offered, name))


def wants_report_changes(experimental: Any) -> bool:
    """Whether the client wants notifications of changed reports, since it draws reports itself."""
    return _member(_member(experimental, "sightline"), "reportsChanged") is True


def asks_for_consent_itself(experimental: Any) -> bool:
    """Whether the client itself asks for consent before its model is used for the first time."""
    offered = _member(_member(experimental, "sightline"), LANGUAGE_MODEL)
    return _member(offered, "asksUser") is True


def _member(value: Any, name: str) -> Any:
    """A member of a JSON object, which pygls may have turned into an object with attributes."""
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value).get(name)
    return getattr(value, name, None)


def editor_compiler(ls: SightlineServer, opened: OpenedWorkspace) -> LspCompiler | None:
    """The channel to the editor; None if the editor can answer nothing."""
    methods = declared_methods(ls.client_capabilities.experimental) - {LANGUAGE_MODEL}
    if not methods:
        return None

    async def request(method: str, params: dict[str, Any]) -> Any:
        try:
            return await ls.protocol.ask_client(PREFIX + method, params)
        except JsonRpcException:
            return None  # an editor without an answer is no failure

    settings = opened.settings
    return LspCompiler(
        "The editor",
        "editor",
        request,
        opened.workspace,
        opened.places,
        encoding=lambda: ls.session.encoding,
        methods=methods,
        soft_deadline_s=settings.editor_soft_deadline_ms / 1000,
        time_s=settings.editor_time_s,
        path_of=opened.path,
    )
