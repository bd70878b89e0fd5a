"""``python -m tests.bench.javac [CLASSPATH]``: what ``javac`` (17 or later) says of names.

It compiles all Java files of the folder once, when it is opened, and answers from what the compiler
says of each name. An edit is not noticed.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

_EXPORTS = [
    argument
    for package in ("code", "tree", "util")
    for argument in ("--add-exports", f"jdk.compiler/com.sun.tools.javac.{package}=ALL-UNNAMED")
]
_PROGRAM = Path(__file__).with_name("Uses.java")

Place = tuple[str, int, int]
"""Path below the root, 1-based line, 0-based column."""


class Uses:
    """What the compiler says of the names in the files below ``root``."""

    def __init__(self, root: Path, classpath: list[str]) -> None:
        self.root = root
        self.meant: dict[Place, Place] = {}
        """By use; the constructor rather than its class. An empty path is not of the folder."""
        self.used: dict[tuple[str, int], set[Place]] = defaultdict(set)
        """By the path and line of a declaration."""
        command = ["java", *_EXPORTS, "-Xss64m", str(_PROGRAM), str(root), *classpath]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8")
        for row in done.stdout.splitlines():
            path, line, column, to_path, to_line, to_column = row.split("\t")
            use = (path, int(line), int(column))
            self.meant.setdefault(use, (to_path, int(to_line), int(to_column)))
            self.used[to_path, int(to_line)].add(use)

    def at(self, uri: str, position: types.Position) -> Place:
        """A place of a document, as the compiler counts."""
        path = Path(to_fs_path(uri) or "").resolve().relative_to(self.root).as_posix()
        return path, position.line + 1, position.character

    def location(self, place: Place) -> types.Location:
        """A place as the protocol has it; one that is not of the folder lies beside it."""
        path, line, column = place
        found = self.root / path if path else self.root.parent / "elsewhere.java"
        position = types.Position(max(line - 1, 0), column)
        return types.Location(from_fs_path(str(found)) or "", types.Range(position, position))


server = LanguageServer("javac", "1")
_uses: list[Uses] = []


@server.feature(types.INITIALIZE)
def opened(params: types.InitializeParams) -> None:
    """Compile the folder."""
    root = to_fs_path(params.root_uri or "")
    _uses.append(Uses(Path(root or ".").resolve(), sys.argv[1:2]))


@server.feature(types.TEXT_DOCUMENT_DEFINITION)
def definition(params: types.DefinitionParams) -> list[types.Location]:
    """Where the name at a position is declared."""
    uses = _uses[-1]
    meant = uses.meant.get(uses.at(params.text_document.uri, params.position))
    return [uses.location(meant)] if meant else []


@server.feature(types.TEXT_DOCUMENT_REFERENCES)
def references(params: types.ReferenceParams) -> list[types.Location]:
    """The uses of what is declared at a position."""
    uses = _uses[-1]
    path, line, _ = uses.at(params.text_document.uri, params.position)
    return [uses.location(use) for use in sorted(uses.used.get((path, line), ()))]


server.start_io()
