"""Wraps a compiler as a language server, to compare the graph with.

The compiler runs once, when a folder is opened. The server answers definition and reference
requests, and ignores edits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

Place = tuple[str, int, int]
"""Path relative to the root, 1-based line, 0-based column."""


class ResolvedUses:
    """How a compiler resolves the names in the files below ``root``.

    ``rows`` has a line for each use, separated by tabs: path, line and column of the use, and those
    of its declaration. The path of a declaration outside of the folder is empty.
    """

    def __init__(self, root: Path, rows: str) -> None:
        self.root = root
        self.declarations_of: dict[Place, list[Place]] = defaultdict(list)
        """The declarations of each use; a constructor precedes its class."""
        self.uses_of: dict[tuple[str, int], set[Place]] = defaultdict(set)
        """The uses of each declaration, by its path and line."""
        for row in rows.splitlines():
            path, line, column, to_path, to_line, to_column = row.split("\t")
            use = (path, int(line), int(column))
            declaration = (to_path, int(to_line), int(to_column))
            if declaration not in self.declarations_of[use]:
                self.declarations_of[use].append(declaration)
            self.uses_of[to_path, int(to_line)].add(use)

    def place_at(self, uri: str, position: types.Position) -> Place:
        """An LSP position in a document as a `Place`."""
        path = Path(to_fs_path(uri) or "").resolve().relative_to(self.root).as_posix()
        return path, position.line + 1, position.character

    def location(self, place: Place) -> types.Location:
        """The LSP location of a place. One without a path is put beside the folder."""
        path, line, column = place
        file = self.root / path if path else self.root.parent / "elsewhere"
        position = types.Position(max(line - 1, 0), column)
        return types.Location(from_fs_path(str(file)) or "", types.Range(position, position))


def serve(name: str, compile_folder: Callable[[Path], str]) -> None:
    """Serve a client over stdio. ``compile_folder`` returns the rows of a folder (see
    `ResolvedUses`)."""
    server = LanguageServer(name, "1")
    opened: list[ResolvedUses] = []

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        root = Path(to_fs_path(params.root_uri or "") or ".").resolve()
        opened.append(ResolvedUses(root, compile_folder(root)))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> list[types.Location]:
        uses = opened[-1]
        declarations = uses.declarations_of.get(
            uses.place_at(params.text_document.uri, params.position), ()
        )
        return [uses.location(place) for place in declarations]

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(params: types.ReferenceParams) -> list[types.Location]:
        uses = opened[-1]
        path, line, _ = uses.place_at(params.text_document.uri, params.position)
        return [uses.location(use) for use in sorted(uses.uses_of.get((path, line), ()))]

    server.start_io()
