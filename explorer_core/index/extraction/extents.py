"""Extends definitions beyond the node that names them: to what wraps them (``export``, decorators),
and to attributes before them (``#[test]``)."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from explorer_core.index.extraction.drafts import Draft
    from explorer_core.index.extraction.source import Source

_MAX_ATTRIBUTES = 50
"""How many attributes before a definition are considered."""


class Extents:
    """Gathers what belongs to definitions, then adds it to their drafts."""

    def __init__(self, source: Source) -> None:
        self.attributes: list[tuple[int, int]] = []
        """The ends and starts of attributes."""
        self._source = source
        self._extents: dict[int, list[tuple[str, int, int]]] = {}

    def note(self, group: str, node: Node, name: Node) -> None:
        """Notes that the definition named at ``name`` spans all of ``node``."""
        extent = (group, node.start_byte, node.end_byte)
        self._extents.setdefault(name.start_byte, []).append(extent)

    def widen(self, drafts: dict[int, Draft]) -> None:
        """Extends drafts, given by the start of their names, over everything noted for them."""
        shared_extents = self._declared_together(drafts)
        for name_start, extents in self._extents.items():
            if draft := drafts.get(name_start):
                for group, start, end in extents:
                    first_draft = shared_extents.get((start, end))
                    if first_draft is not None and first_draft is not draft:
                        head = (start, first_draft.name_start)
                        draft.declaration_head = min(draft.declaration_head or head, head)
                        continue
                    draft.start = min(draft.start, start)
                    draft.end = max(draft.end, end) if first_draft is None else draft.end
                    if group == "extent":
                        draft.head = min(draft.head, start)

    def _declared_together(self, drafts: dict[int, Draft]) -> dict[tuple[int, int], Draft]:
        """Returns the extents of declarations that make several definitions, each with its first
        definition. The text around them belongs to none of them alone."""
        drafts_by_extent: dict[tuple[int, int], list[Draft]] = {}
        for name_start, extents in sorted(self._extents.items()):
            if draft := drafts.get(name_start):
                for start, end in {extent[1:] for extent in extents}:
                    if start <= name_start < end:
                        drafts_by_extent.setdefault((start, end), []).append(draft)
        return {
            extent: together[0]
            for extent, together in drafts_by_extent.items()
            if len({(draft.start, draft.end) for draft in together}) == len(together) > 1
        }

    def take_attributes(self, drafts: dict[int, Draft]) -> None:
        """Extends drafts to the attributes before them."""
        self.attributes.sort()
        for draft in drafts.values() if self.attributes else ():
            index = bisect_right(self.attributes, (draft.start, draft.start))
            for end, start in reversed(self.attributes[max(0, index - _MAX_ATTRIBUTES) : index]):
                if self._source.flat[end : draft.start].strip():
                    break
                draft.start = start
