"""The language servers of a workspace: configured ones, or those found for its languages.

Starting a server can run code of the workspace, so it happens only if the user has allowed it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

from explorer_core.index import languages
from explorer_core.workspace import Root, SourceText, WorkspaceError
from lsp_server.compilers.channel import LspCompiler
from lsp_server.compilers.command_lines import ConfiguredServers
from lsp_server.compilers.downstream import SUPPORTED_METHODS, LanguageServer
from lsp_server.workspace.opened import OpenedWorkspace


class LanguageServers:
    """At most one server per command line and root. Each is started by the first request about a
    root that has files in its languages. ``problems`` are sentences about unusable entries of the
    setting."""

    def __init__(self, opened: OpenedWorkspace) -> None:
        self._opened = opened
        self._servers: list[LanguageServer] = []
        self.compilers: list[LspCompiler] = []
        self.problems: Sequence[str] = ()
        self._languages_present: tuple[Collection[str], set[tuple[str, str]]] = ((), set())
        if opened.settings.start_language_servers:
            roots = opened.workspace.roots
            configured = ConfiguredServers.read(opened.settings.language_servers)
            available = configured.available([root.path for root in roots])
            self.problems = available.problems
            for root, (_, folder) in zip(roots, opened.places.folders, strict=True):
                for command, covered_languages in available.by_command.items():
                    server = LanguageServer(command, root.path, folder.uri, self._text_of)
                    self._servers.append(server)
                    self.compilers.append(self._compiler(server, root, covered_languages))

    async def close(self) -> None:
        """End all servers."""
        await asyncio.gather(*(server.close() for server in self._servers))

    def _compiler(
        self, server: LanguageServer, root: Root, covered_languages: Collection[str]
    ) -> LspCompiler:
        opened = self._opened
        return LspCompiler(
            f"{Path(server.command[0]).stem} ({', '.join(covered_languages)})",
            "server",
            server.ask,
            opened.workspace,
            opened.places,
            encoding=lambda: server.encoding,
            methods=SUPPORTED_METHODS,
            soft_deadline_s=opened.settings.server_soft_deadline_ms / 1000,
            time_s=max(30.0, opened.settings.editor_time_s),
            covers=partial(self._covers, root, covered_languages),
            covers_any=partial(self._covers_any, root, covered_languages),
            path_of=opened.path,
        )

    def _covers(self, root: Root, covered_languages: Collection[str], path: str) -> bool:
        return self._root_of(path) == root.name and languages.language_of(path) in covered_languages

    def _covers_any(self, root: Root, covered_languages: Collection[str]) -> bool:
        """Whether the index has any file of a root in one of the languages."""
        view = self._opened.explorer.index.view
        known_paths, present = self._languages_present
        if (paths := view.paths()) is not known_paths:
            rows = view.visible_rows()
            present = {(self._root_of(row.path), row.language) for row in rows if row.language}
            self._languages_present = (paths, present)
        return any((root.name, language) in present for language in covered_languages)

    def _root_of(self, path: str) -> str:
        """The name of the root that contains a workspace path."""
        roots = self._opened.workspace.roots
        return roots[0].name if len(roots) == 1 else path.partition("/")[0]

    async def _text_of(self, uri: str) -> SourceText | None:
        path = self._opened.path(uri)
        if path is None:
            return None
        try:
            return await asyncio.to_thread(self._opened.workspace.read, path)
        except WorkspaceError:
            return None
