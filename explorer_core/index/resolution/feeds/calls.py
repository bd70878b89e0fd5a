"""What is asked about functions by all that finds feeds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference, ReferenceTable
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.symbols import SymbolId

_WORD = re.compile(r"\w+")


def parameters(table: FileTable, function: int) -> dict[str, str]:
    """The simple names of the types of a function's parameters, by the names of these, as far as
    types are written; of a collection there is none."""
    found: dict[str, str] = {}
    for name in _WORD.findall(table.definitions[function].signature):
        for binding in table.bound(function, name):
            if binding.source == "annotation":
                found[name] = last_part(binding.type.partition("[")[0])
    return found


def heads_of(references: ReferenceTable, index: int, most: int) -> Iterator[Reference]:
    """The references before one, the nearest first, as far as types are named there in the same
    definition."""
    scope = references[index].scope
    for at in range(index - 1, max(index - 1 - most, -1), -1):
        before = references[at]
        if before.scope != scope or before.kind not in ("type", "read"):
            return
        yield before


def is_called(resolver: Resolver, function: SymbolId) -> bool:
    """Whether there is a call of a function."""
    mentions = resolver.mentions
    for table in mentions.tables(mentions.of(function)):
        references = table.facts.references
        for name in mentions.local_names(table, mentions.names_of(function)):
            for index in references.named(name):
                if references[index].kind == "call":
                    resolution = resolver.resolve(table, index)
                    if resolution and function in resolution.targets:
                        return True
    return False
