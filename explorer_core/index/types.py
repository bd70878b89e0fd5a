"""What the syntax says of types: bases of types, and the types of variables and attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from explorer_core.index.definitions import CODE_KINDS, TYPE_KINDS, Frame, bare_type
from explorer_core.index.facts import RESULT, TOP, Supertype, TypeBinding

if TYPE_CHECKING:
    from tree_sitter import Node

    from explorer_core.index.definitions import Definitions
    from explorer_core.index.languages import LanguageSpec
    from explorer_core.index.source import Source

TypeSource = Literal["annotation", "construct", "call", "alias"]
_TEXT = 120


class Types:
    """Gathers supertypes and type bindings; scopes are known once definitions are settled."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self.source = source
        self.spec = spec
        self._bases: list[tuple[int, str, str, str]] = []
        self._bound: list[tuple[int, str, str, str]] = []
        self._declared: list[TypeBinding] = []

    def supertype(self, relation: str, node: Node, captures: dict[str, list[Node]]) -> None:
        owner = captures.get("owner")
        self._bases.append(
            (
                node.start_byte,
                bare_type(self._text(node), self.spec),
                relation,
                bare_type(self._text(owner[0]), self.spec) if owner else "",
            )
        )

    def bind(self, how: str, node: Node, captures: dict[str, list[Node]]) -> None:
        """Note the type of a variable (``@name``), of an attribute (``@field``), or else of the
        enclosing function's result."""
        this = captures.get("self")
        if this and self._text(this[0]) not in self.spec.self_names:
            return
        field = captures.get("field")
        named = field or captures.get("name")
        name = self._text(named[0]) if named else RESULT
        name = "." + name if field else name
        first = captures["receiver"][0] if "receiver" in captures else node
        written = self.source.one_line(first.start_byte, node.end_byte, _TEXT)
        self._bound.append((node.start_byte, name, written, how))

    def declare(self, definitions: Definitions) -> None:
        """Take the written types of declared variables and members."""
        for name, written, frame, line in definitions.values:
            member = frame.kind in TYPE_KINDS
            if kind := annotated(written, self.spec):
                label = "." + name if member else name
                self._declared.append(TypeBinding(label, kind, frame.ordinal, line, "annotation"))

    def supertypes(self, definitions: Definitions) -> tuple[Supertype, ...]:
        """The bases; those that stand in no type and name no owner are left out."""
        found: list[Supertype] = []
        for offset, name, relation, owner in sorted(self._bases):
            frame = None if owner else definitions.frame(offset).type_frame()
            if not name or (frame is None and not owner):
                continue
            found.append(
                Supertype(
                    frame.ordinal if frame else TOP,
                    name,
                    cast("Literal['extends', 'implements']", relation),
                    self.source.line(offset),
                    owner,
                )
            )
        return tuple(found)

    def settle(self, definitions: Definitions) -> tuple[TypeBinding, ...]:
        """The type bindings, in the order of the text."""
        bindings = self._declared
        for offset, name, written, how in self._bound:
            text = annotated(written, self.spec) if how in ("annotation", "construct") else written
            if not text or text == name:
                continue
            frame: Frame = definitions.frame(offset)
            if name == RESULT and (frame.kind not in CODE_KINDS or frame.parent is None):
                continue
            if frame.name == name and frame.parent is not None:
                frame = frame.parent
                name = "." + name if frame.kind in TYPE_KINDS else name
            elif name.startswith("."):
                frame = frame.type_frame() or frame
            line = self.source.line(offset)
            bindings.append(TypeBinding(name, text, frame.ordinal, line, cast("TypeSource", how)))
        return tuple(sorted(dict.fromkeys(bindings), key=lambda one: (one.line, one.name)))

    def _text(self, node: Node) -> str:
        return self.source.one_line(node.start_byte, node.end_byte, _TEXT)


def annotated(written: str, spec: LanguageSpec) -> str:
    """The type meant by an annotation: without arguments, quotes, null alternatives and the
    generic types that merely wrap another (``Optional[Foo]``, ``Foo | None`` give ``Foo``)."""
    text = written.strip().strip("'\"` :")
    for part in _alternatives(text) if "|" in text else (text,):
        part = part.strip().strip("'\"")
        if part in spec.null_types:
            continue
        bare = bare_type(part, spec)
        if bare.rpartition(".")[2].rpartition("::")[2] in spec.transparent_types and bare != part:
            inner = part[part.find(bare) + len(bare) + 1 :].rstrip(" >])")
            return annotated(_alternatives(inner, ",")[0], spec) if inner else bare
        return bare
    return ""


def _alternatives(text: str, mark: str = "|") -> list[str]:
    """Split at ``mark`` outside of brackets."""
    parts: list[str] = []
    depth = start = 0
    for position, char in enumerate(text):
        if char in "[<({":
            depth += 1
        elif char in "]>)}":
            depth -= 1
        elif char == mark and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]
