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


def most_readable(
    source: Source, raw: bytes, rules: ParsingRules, parse: Callable[[bytes], Node]
) -> Node:
    """The tree of the text, of which some may be blanked in ``raw``; where that has errors, the one
    of its repairs with the fewest."""
    blanked = _blanked(source, raw, rules)
    best = parse(blanked)
    texts = _repaired(source, rules, blanked)
    while best.has_error and (text := next(texts, None)) is not None:
        best = min(best, parse(text), key=_errors)
    return best


def _blanked(source: Source, raw: bytes, rules: ParsingRules) -> bytes:
    """The text without what its grammar would take for something else."""
    text = bytearray(raw)
    for pattern in rules.blanked:
        _put(b" ", pattern, source, text)
    return bytes(text)


def _repaired(source: Source, rules: ParsingRules, blanked: bytes) -> Iterator[bytes]:
    """The texts that may be read better: without conditionals, then all of them repaired, then but
    for one of the repairs, since what mends one line may break another."""
    texts = [*(preprocessor.unconditional(source) if rules.conditionals else ()), blanked]
    yield from texts[:-1]
    found = [each for each in rules.repairs if compiled(each[0]).search(source.flat)]
    but_one = [[each for each in found if each is not other] for other in found]
    for repairs in filter(None, (found, *but_one)):
        for text in texts:
            raw = bytearray(text)
            for pattern, written in repairs:
                _put(written.encode(), pattern, source, raw)
            yield bytes(raw)


def _put(written: bytes, pattern: str, source: Source, raw: bytearray) -> None:
    """Put a character in the place of each that group 1 of a pattern finds in the text; or a word
    in the place of all that it finds, which is longer, and blanks behind it."""
    for match in compiled(pattern).finditer(source.flat):
        start, end = match.span(1)
        length = end - start
        raw[start:end] = written * length if len(written) == 1 else written.ljust(length)


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
