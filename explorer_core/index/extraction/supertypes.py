"""Collects the bases of types: ``Base`` and ``Sized`` in ``class Cart extends Base implements
Sized``."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from explorer_core.index.extraction.facts import TOP, SuperRelation, Supertype
from explorer_core.index.extraction.frames import Frame
from explorer_core.index.extraction.reduced_types import reduced_type
from explorer_core.index.extraction.type_names import bare_type, reduced_collection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_TYPE_LENGTH = 120
"""How many characters of a written type are kept."""


class Supertypes:
    """Gathers bases. The types they belong to are known once definitions are settled."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self._source = source
        self._spec = spec
        self._bases: list[tuple[int, str, str, str, str]] = []
        """The offsets of bases, with their names, relations, owners and ``collection``
        (`Supertype`)."""

    def note(self, relation: str, node: Node, captures: dict[str, list[Node]]) -> None:
        """Notes one match of ``@supertype.relation``."""
        owner, argument_nodes = captures.get("owner"), captures.get("given")
        arguments = self._text(argument_nodes[0]) if argument_nodes else ""
        for part in type_parts(node, self._spec):
            type_text = self._text(part)
            reduced = (
                reduced_type(type_text + arguments, self._spec) if relation == "extends" else ""
            )
            bare = bare_type(type_text, self._spec)
            is_rooted = type_text.startswith(self._spec.root) and not bare.startswith(
                self._spec.root
            )
            self._bases.append(
                (
                    part.start_byte,
                    self._spec.root + bare if is_rooted else bare,
                    relation,
                    bare_type(self._text(owner[0]), self._spec) if owner else "",
                    reduced if reduced_collection(reduced) else "",
                )
            )

    def settle(self, definitions: Definitions) -> tuple[Supertype, ...]:
        """Returns the bases, without those that are in no type and name no owner."""
        supertypes: list[Supertype] = []
        for offset, name, relation, owner, collection in sorted(self._bases):
            frame = None if owner else _subtype(relation, definitions.frames.at(offset))
            if not name or (frame is None and not owner):
                continue
            supertypes.append(
                Supertype(
                    frame.ordinal if frame else TOP,
                    name,
                    "extends" if relation == "called" else cast("SuperRelation", relation),
                    self._source.line(offset),
                    owner,
                    collection,
                )
            )
        return tuple(supertypes)

    def _text(self, node: Node) -> str:
        return self._source.one_line(node.start_byte, node.end_byte, _TYPE_LENGTH)


def type_parts(node: Node, spec: LanguageSpec) -> Iterator[Node]:
    """Yields the types that a written type is composed of."""
    pending = [node]
    while pending:
        part = pending.pop()
        if part.type in spec.type_operators:
            pending += reversed(part.named_children)
        else:
            yield part


def _subtype(relation: str, frame: Frame) -> Frame | None:
    """Returns the type around a base. For a base that a function calls on its own object, returns
    that function."""
    if relation == "called":
        function = frame.beyond_blocks()
        return function if function.kind == "function" else None
    return frame.type_frame()
