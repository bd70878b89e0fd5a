"""Finds lists of strings that name methods of the type around them: those that it runs one after
another, or on each of some events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer_core.index.extraction.kinds import CODE_KINDS
from explorer_core.index.extraction.patterns import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec


def listed_methods(
    source: Source, spec: LanguageSpec, definitions: Definitions
) -> Iterator[tuple[int, int]]:
    """Yields the spans of such strings without their quotation marks. If a list has anything else
    in it, none counts: a single string may well have a method's name by chance."""
    if not spec.text_list:
        return
    texts, methods = compiled(spec.text_in_list), _methods(definitions)
    for match in compiled(spec.text_list).finditer(source.flat) if methods else ():
        frame = definitions.frames.at(match.start()).beyond_blocks()
        enclosing_type = frame.type_frame()
        if enclosing_type is None or frame.kind not in CODE_KINDS:
            continue
        spans = [text.span(1) for text in texts.finditer(source.flat, *match.span())]
        if all(
            source.flat[slice(*span)] in methods.get(enclosing_type.ordinal, ()) for span in spans
        ):
            yield from spans


def _methods(definitions: Definitions) -> dict[int, set[str]]:
    """Returns the names of the methods of each type."""
    methods: dict[int, set[str]] = {}
    for definition in definitions.rows:
        if definition.kind == "method":
            methods.setdefault(definition.container, set()).add(definition.name)
    return methods
