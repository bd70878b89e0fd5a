"""A compiler channel over any provider that answers LSP requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from explorer_core.channels.compiler import CompilerError, CompilerPlace, CompilerWitness
from explorer_core.workspace import Workspace, WorkspaceError
from lsp_server.compilers.shapes import places
from lsp_server.convert import Encoding, Places, width

Request = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Sends one request by its short name (``definition``) and returns the plain JSON result."""

_MAX_CONCURRENT_REQUESTS = 4


class LspCompiler:
    """Asks one provider. Limits the number of concurrent requests, and the time for each."""

    def __init__(
        self,
        name: str,
        witness: CompilerWitness,
        request: Request,
        workspace: Workspace,
        uris: Places,
        *,
        encoding: Callable[[], Encoding],
        methods: Collection[str],
        soft_deadline_s: float,
        time_s: float,
        covers: Callable[[str], bool] = lambda path: True,
        covers_any: Callable[[], bool] = lambda: True,
        path_of: Callable[[str], str | None],
    ) -> None:
        self.name = name
        self.witness: CompilerWitness = witness
        self.soft_deadline_s = soft_deadline_s
        self._request = request
        self._workspace = workspace
        self._uris = uris
        self._encoding = encoding
        self._methods = methods
        self._time_s = time_s
        self._covers = covers
        self._covers_any = covers_any
        self._path_of = path_of
        self._request_slots = asyncio.Semaphore(_MAX_CONCURRENT_REQUESTS)

    def covers(self, path: str) -> bool:
        return self._covers(path)

    async def definition(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        return await self._ask_at("definition", path, line, column)

    async def references(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        context = {"context": {"includeDeclaration": False}}
        return await self._ask_at("references", path, line, column, context)

    async def implementations(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        return await self._ask_at("implementations", path, line, column)

    async def incoming_calls(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        return await self._ask_at("incomingCalls", path, line, column)

    async def outgoing_calls(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        return await self._ask_at("outgoingCalls", path, line, column)

    async def supertypes(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        return await self._ask_at("supertypes", path, line, column)

    async def subtypes(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        return await self._ask_at("subtypes", path, line, column)

    async def document_symbols(self, path: str) -> list[CompilerPlace]:
        try:
            uri = self._uris.uri(path)
        except ValueError:
            return []
        params = {"textDocument": {"uri": uri}}
        return await self._ask("documentSymbols", params, uri, whole=True)

    async def workspace_symbols(self, query: str) -> list[CompilerPlace]:
        if not await asyncio.to_thread(self._covers_any):
            return []  # asking would start a server in vain
        return await self._ask("workspaceSymbols", {"query": query})

    async def _ask_at(
        self,
        method: str,
        path: str,
        line: int,
        column: int,
        extra_params: dict[str, Any] | None = None,
    ) -> list[CompilerPlace]:
        try:
            source = await asyncio.to_thread(self._workspace.read, path)
            uri = self._uris.uri(path)
        except (WorkspaceError, ValueError):
            return []
        if not 1 <= line <= len(source.lines):
            return []
        character = width(source.lines[line - 1][:column], self._encoding())
        position = {"line": line - 1, "character": character}
        params = {"textDocument": {"uri": uri}, "position": position, **(extra_params or {})}
        return await self._ask(method, params, uri)

    async def _ask(
        self, method: str, params: dict[str, Any], uri: str = "", *, whole: bool = False
    ) -> list[CompilerPlace]:
        if method not in self._methods:
            return []
        async with self._request_slots:
            try:
                async with asyncio.timeout(self._time_s):
                    result = await self._request(method, params)
            except TimeoutError:
                message = f"{self.name} did not answer within {self._time_s:g} s."
                raise CompilerError(message) from None
            except OSError as error:
                raise CompilerError(f"{self.name} could not be asked: {error}.") from error
        found = places(result, uri, whole=whole)
        paths = await asyncio.to_thread(lambda: [self._path_of(each.uri) for each in found])
        return [
            CompilerPlace(path, each.range, each.name)
            for path, each in zip(paths, found, strict=True)
            if path is not None
        ]
