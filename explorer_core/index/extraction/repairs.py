"""Text as a grammar reads the most of it: as it is, or with the repairs that its language has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer_core.index.extraction import preprocessor
from explorer_core.index.extraction.patterns import compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.parsing_rules import ParsingRules


def most_readable(source: Source, rules: ParsingRules, parse: Callable[[bytes], Node]) -> Node:
    """The tree of the text; where that has errors, the one of its repairs with the fewest."""
    joined = _joined(source, rules)
    root = parse(joined)
    if not root.has_error:
        return root
    return min((root, *map(parse, _repaired(source, rules, joined))), key=_errors)


def _joined(source: Source, rules: ParsingRules) -> bytes:
    """The text without the line breaks that its grammar would take for the end of something."""
    raw = bytearray(source.raw)
    for pattern in rules.joined_lines:
        _put(b" ", pattern, source, raw)
    return bytes(raw)


def _repaired(source: Source, rules: ParsingRules, joined: bytes) -> Iterator[bytes]:
    if rules.conditionals:
        yield from preprocessor.unconditional(source)
    if rules.repairs:
        raw = bytearray(joined)
        for pattern, character in rules.repairs:
            _put(character.encode(), pattern, source, raw)
        yield bytes(raw)


def _put(character: bytes, pattern: str, source: Source, raw: bytearray) -> None:
    """Put a character in the place of each that group 1 of a pattern finds in the text."""
    for match in compiled(pattern).finditer(source.flat):
        start, end = match.span(1)
        raw[start:end] = character * (end - start)


def _errors(root: Node) -> int:
    """How many places of a tree its grammar could not read. What is missing may have no node."""
    count, waiting = 0, [root] if root.has_error else []
    for node in waiting:
        inner = [child for child in node.children if child.has_error]
        if inner and not node.is_error:
            waiting += inner
        else:
            count += 1
    return count
