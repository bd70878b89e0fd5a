"""A client that stands in for an editor with the shop open."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pytest_lsp import LanguageClient

from tests.fixture import parse
from tests.lsp.conftest import as_data, connector, execute, explore, initialize
from tests.shop import QUESTION, SHOP

CAPABILITIES = types.ClientCapabilities(
    window=types.WindowClientCapabilities(
        show_document=types.ShowDocumentClientCapabilities(support=True)
    ),
    workspace=types.WorkspaceClientCapabilities(
        code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True)
    ),
    text_document=types.TextDocumentClientCapabilities(
        hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
        code_action=types.CodeActionClientCapabilities(
            code_action_literal_support=types.ClientCodeActionLiteralOptions(
                types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix])
            )
        ),
    ),
)


class Editor:
    """A client with the shop open; it records what it was asked to show."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self.version = 1

    def uri(self, path: str) -> str:
        """The URI of a path in the shop. A URI is returned unchanged."""
        return path if ":" in path else f"{self.folder.as_uri()}/{path}"

    def open(self, path: str, text: str | None = None) -> str:
        text = text or (self.folder / path).read_text(encoding="utf-8")
        item = types.TextDocumentItem(self.uri(path), "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return text

    def close(self, path: str) -> None:
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(self.uri(path)))
        )

    def type(self, path: str, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        self.version += 1
        span = types.Range(types.Position(*start), types.Position(*end))
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self.version, self.uri(path)),
                [types.TextDocumentContentChangePartial(span, text)],
            )
        )

    async def lenses(self, path: str) -> list[types.CodeLens]:
        params = types.CodeLensParams(types.TextDocumentIdentifier(self.uri(path)))
        found = await self.client.text_document_code_lens_async(params) or []
        return [await self.client.code_lens_resolve_async(lens) for lens in found]

    async def titles(self, path: str) -> list[tuple[int, str]]:
        """The 1-based line and the title of each lens."""
        return [
            (lens.range.start.line + 1, lens.command.title)
            for lens in await self.lenses(path)
            if lens.command
        ]

    async def hover(self, path: str, line: int) -> types.Hover | None:
        params = types.HoverParams(
            types.TextDocumentIdentifier(self.uri(path)), types.Position(line - 1, 0)
        )
        return await self.client.text_document_hover_async(params)

    async def ask(self, **params: Any) -> dict[str, Any]:
        await execute(self.client, "dismissReport", {"all": True})
        return as_data(await explore(self.client, **{"query": QUESTION, **params}))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def editor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    folder = tmp_path_factory.mktemp("reports")
    shop = parse(SHOP).write(folder / "work tree")
    async with connector(folder)() as client:

        @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def refresh(*_: Any) -> None:
            client.refreshes = getattr(client, "refreshes", 0) + 1

        await initialize(client, shop, capabilities=CAPABILITIES)
        yield Editor(client, shop)
