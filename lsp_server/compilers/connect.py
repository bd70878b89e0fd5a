"""Connects a workspace to its compilers and to the editor's language model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsp_server.compilers.editor import LANGUAGE_MODEL, PREFIX, declared_methods, editor_compiler
from lsp_server.compilers.servers import LanguageServers
from lsp_server.workspace.opened import OpenedWorkspace

if TYPE_CHECKING:
    from explorer_core.judges.models.editor import AskEditor, LanguageModelParams
    from lsp_server.server import SightlineServer


def connect(ls: SightlineServer, opened: OpenedWorkspace) -> None:
    """Give a workspace its compilers: the editor, then our own servers; jedi is asked last."""
    from explorer_core.channels.jedi import Jedi

    editor = editor_compiler(ls, opened)
    if editor is not None:
        opened.compilers.append(editor)
    servers = LanguageServers(opened)
    ls.session.warn_once(servers.problems)
    opened.compilers.extend(servers.compilers)
    opened.closers.append(servers.close)
    opened.explorer.set_compilers(opened.compilers)
    opened.fallback_compiler = jedi = Jedi(opened.workspace)
    opened.closers.append(jedi.close)


def language_model(ls: SightlineServer) -> AskEditor | None:
    """A function that asks the editor's model for one turn; None if the editor offers no model."""
    if LANGUAGE_MODEL not in declared_methods(ls.client_capabilities.experimental):
        return None

    async def ask(params: LanguageModelParams) -> Any:
        await ls.consent.require()
        content = params.model_dump(mode="json", by_alias=True, exclude_none=True)
        return await ls.protocol.ask_client(PREFIX + LANGUAGE_MODEL, content)

    return ask
