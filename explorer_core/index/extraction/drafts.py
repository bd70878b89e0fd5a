"""Definitions under construction, filled in from the matches of a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from tree_sitter import Node


class Draft(msgspec.Struct, eq=False, gc=False):
    """What the matches say about the definition named at one place."""

    start: int
    end: int
    name_start: int
    name_end: int
    kind: str
    pattern: int
    head: int
    declaration_head: tuple[int, int] | None = None
    """For the later names of a declaration: the span from its start to its first name."""
    body: int = -1
    returns: tuple[int, int] | None = None
    owner: tuple[int, int] | None = None
    callee: tuple[int, int] | None = None
    """For an anonymous function, the span of what it is passed to; its name is the string beside
    it."""
    top: bool = False
    parameter: bool = False
    """Whether it is a parameter that is also a member of the type around its function."""
    is_unqualified: bool = False
    """Whether the name consists of several words or is in quotes, and so is not written with its
    owner."""

    @classmethod
    def of(cls, kind: str, pattern: int, node: Node, captures: dict[str, list[Node]]) -> Draft:
        words = captures["name"]
        start = node.start_byte
        name_start, name_end = words[0].start_byte, words[-1].end_byte
        draft = cls(start, node.end_byte, name_start, name_end, kind, pattern, start)
        draft.is_unqualified = len(words) > 1
        if len(captures) > 2:
            if body := captures.get("body"):
                draft.body = body[0].start_byte
            if returns := captures.get("returns"):
                draft.returns = (returns[0].start_byte, returns[0].end_byte)
            if owner := captures.get("owner"):
                draft.owner = (owner[0].start_byte, owner[0].end_byte)
            if callee := captures.get("called"):
                draft.callee = (callee[0].start_byte, callee[-1].end_byte)
                function = captures["function"][0]
                draft.body = (function.child_by_field_name("body") or function).start_byte
            draft.is_unqualified = draft.is_unqualified or "whole" in captures
            draft.top = "file" in captures
            draft.parameter = "parameter" in captures
        return draft

    def merge(self, other: Draft) -> None:
        """Merges what ``other`` knows of the same name. The later pattern decides the kind."""
        if other.pattern > self.pattern:
            self.kind, self.pattern, self.callee = other.kind, other.pattern, other.callee
        self.start = min(self.start, other.start)
        self.end = max(self.end, other.end)
        self.head = max(self.head, other.head)
        self.body = max(self.body, other.body)
        self.returns = self.returns or other.returns
        self.owner = self.owner or other.owner
