"""Which language servers there are for a workspace: configured, or found for its languages.

Starting one can run code of the workspace, so it happens only where the user allowed it.
"""

from __future__ import annotations

import asyncio
import shlex
import shutil
from collections.abc import Iterator
from functools import partial

from explorer_core.index import languages
from explorer_core.workspace import SourceText, WorkspaceError
from lsp_server.compilers.channel import LspCompiler
from lsp_server.compilers.downstream import ANSWERS, LanguageServer
from lsp_server.opened import Opened


class LanguageServers:
    """At most one server per language and root; each is started when first asked."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._servers: list[LanguageServer] = []
        self.compilers: list[LspCompiler] = []
        if opened.settings.start_language_servers:
            for root, (_, folder) in zip(
                opened.workspace.roots, opened.places.folders, strict=True
            ):
                for language, command in _commands(opened.settings.language_servers):
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


def _commands(configured: tuple[str, ...]) -> Iterator[tuple[str, list[str]]]:
    """The command per language: ``language=command`` as configured, else the first on PATH."""
    given = {
        language.strip(): shlex.split(command)
        for language, equals, command in (each.partition("=") for each in configured)
        if equals
    }
    for language in languages.names():
        if language in given:
            if given[language]:
                yield language, given[language]
            continue
        for command in map(shlex.split, languages.spec(language).servers):
            if shutil.which(command[0]):
                yield language, command
                break
