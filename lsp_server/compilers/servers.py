"""Which language servers there are for a workspace: configured, or found for its languages.

Starting one can run code of the workspace, so it happens only where the user allowed it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from explorer_core.index import languages
from explorer_core.workspace import SourceText, WorkspaceError
from lsp_server.compilers.channel import LspCompiler
from lsp_server.compilers.command_lines import Configured
from lsp_server.compilers.downstream import ANSWERS, LanguageServer
from lsp_server.opened import Opened


class LanguageServers:
    """At most one server per language and root; each is started when first asked. ``problems`` says
    what of the setting is no command line."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._servers: list[LanguageServer] = []
        self.compilers: list[LspCompiler] = []
        self.problems: Sequence[str] = ()
        if opened.settings.start_language_servers:
            configured = Configured.read(opened.settings.language_servers)
            self.problems = configured.problems
            for root, (_, folder) in zip(
                opened.workspace.roots, opened.places.folders, strict=True
            ):
                for language, command in configured:
                    server = LanguageServer(command, root.path, folder.uri, language, self._text_of)
                    self._servers.append(server)
                    self.compilers.append(self._compiler(server, root.name, language))

    async def close(self) -> None:
        """End them all."""
        await asyncio.gather(*(server.close() for server in self._servers))

    def _compiler(self, server: LanguageServer, root: str, language: str) -> LspCompiler:
        opened = self._opened
        return LspCompiler(
            f"{server.command[0]} ({language})",
            "server",
            server.ask,
            opened.workspace,
            opened.places,
            encoding=lambda: server.encoding,
            answers=ANSWERS,
            soft_deadline_s=opened.settings.server_soft_deadline_ms / 1000,
            time_s=max(30.0, opened.settings.editor_time_s),
            covers=partial(self._covers, root, language),
            path_of=opened.path,
        )

    def _covers(self, root: str, language: str, path: str) -> bool:
        several = len(self._opened.workspace.roots) > 1
        inside = not several or path.startswith(f"{root}/")
        return inside and languages.language_of(path) == language

    async def _text_of(self, uri: str) -> SourceText | None:
        path = self._opened.path(uri)
        if path is None:
            return None
        try:
            return await asyncio.to_thread(self._opened.workspace.read, path)
        except WorkspaceError:
            return None
