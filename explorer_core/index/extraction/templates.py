"""Expands macros that a file uses at its top: the items in their bodies that have fixed names.

Names that are substituted (``$name``) and what is repeated (``$(...)*``) are left out: the former
differ at each use, and the latter is not in the text as such. The spec says how the tree shows
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from explorer_core.index.extraction.source import span

if TYPE_CHECKING:
    from tree_sitter import Node

    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec


class Templates:
    """Gathers the macros of one file."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self._source = source
        self._spec = spec
        self._macros: list[tuple[Node, Node]] = []
        self._used_names: set[str] = set()

    def note(self, macro: Node, body: Node) -> None:
        """Notes the body of a macro and its name."""
        self._macros.append((macro, body))

    def note_use(self, tokens: Node) -> None:
        """Notes a use of a macro at a place where its items are the file's."""
        invocation = tokens.parent
        name = invocation.child_by_field_name("macro") if invocation else None
        if name is not None:
            self._used_names.add(self._source.text(name))

    def expanded_macros(self) -> set[int]:
        """Returns the starts of the names of macros that are used so."""
        names = (name for name, _ in self._macros if self._source.text(name) in self._used_names)
        return {name.start_byte for name in names}

    def items(self, parse: Callable[[bytes], Node]) -> bytes:
        """Returns the text with nothing but these items; empty if there are none."""
        expanded = self.expanded_macros()
        if not expanded:
            return b""
        raw = bytearray(b" " * len(self._source.raw))
        for name, body in self._macros:
            if name.start_byte in expanded:
                self._copy_body(body, raw)
        for item in parse(bytes(raw)).named_children:
            start, end = span(item)
            body = item.child_by_field_name("body") or item.child_by_field_name("value")
            head_end = body.start_byte if body else end
            if self._spec.put_in_mark in self._source.flat[start:head_end]:
                raw[start:end] = b" " * (end - start)
        return bytes(raw).rstrip()

    def is_substituted(self, offset: int) -> bool:
        """Whether what begins at an offset is substituted."""
        return self._source.flat[offset] == self._spec.put_in_mark

    def _copy_body(self, body: Node, raw: bytearray) -> None:
        start, end = body.start_byte + 1, body.end_byte - 1
        raw[start:end] = self._source.raw[start:end]
        for node in self._descendants(body):
            if node.type == self._spec.repeated_node:
                raw[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)
            elif node.type == self._spec.put_in_node:
                raw[node.start_byte : node.start_byte + 1] = b"_"

    def _descendants(self, node: Node) -> Iterator[Node]:
        pending = [node]
        for descendant in pending:
            yield descendant
            pending += (
                descendant.named_children if descendant.type != self._spec.repeated_node else ()
            )
