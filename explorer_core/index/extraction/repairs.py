"""Parses text in the form that its grammar reads best: as it is, or with the language's repairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer_core.index.extraction import preprocessor
from explorer_core.index.extraction.patterns import compiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.parsing_rules import ParsingRules


def most_readable(
    source: Source, raw: bytes, rules: ParsingRules, parse: Callable[[bytes], Node]
) -> Node:
    """Returns the syntax tree with the fewest errors: that of the text, or of one of its repairs.
    Some of the text may be blanked in ``raw``."""
    blanked = _blanked(source, raw, rules)
    best = parse(blanked)
    texts = _repaired(source, rules, blanked)
    while best.has_error and (text := next(texts, None)) is not None:
        best = min(best, parse(text), key=_errors)
    return best


def _blanked(source: Source, raw: bytes, rules: ParsingRules) -> bytes:
    """Blanks what the grammar would take for something else."""
    text = bytearray(raw)
    for pattern in rules.blanked:
        _replace(b" ", pattern, source, text)
    return bytes(text)


def _repaired(source: Source, rules: ParsingRules, blanked: bytes) -> Iterator[bytes]:
    """Yields the texts that may be more readable: without conditionals, then with all repairs, then
    with all but one of them, since what mends one line may break another."""
    texts = [*(preprocessor.unconditional(source) if rules.conditionals else ()), blanked]
    yield from texts[:-1]
    applicable = [repair for repair in rules.repairs if compiled(repair[0]).search(source.flat)]
    but_one = [
        [repair for repair in applicable if repair is not left_out] for left_out in applicable
    ]
    for repairs in filter(None, (applicable, *but_one)):
        for text in texts:
            raw = bytearray(text)
            for pattern, replacement in repairs:
                _replace(replacement.encode(), pattern, source, raw)
            yield bytes(raw)


def _replace(replacement: bytes, pattern: str, source: Source, raw: bytearray) -> None:
    """Replaces each character that group 1 of a pattern matches. If ``replacement`` is a word, it
    replaces the whole match, which is longer, and blanks follow it."""
    for match in compiled(pattern).finditer(source.flat):
        start, end = match.span(1)
        length = end - start
        raw[start:end] = (
            replacement * length if len(replacement) == 1 else replacement.ljust(length)
        )


def _errors(root: Node) -> int:
    """Counts the places that the grammar could not read. What is missing may have no node."""
    count, pending = 0, [root] if root.has_error else []
    for node in pending:
        with_errors = [child for child in node.children if child.has_error]
        if with_errors and not node.is_error:
            pending += with_errors
        else:
            count += 1
    return count
