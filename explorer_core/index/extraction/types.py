"""Collects what the syntax says about the types of variables and attributes.

``cart: Cart``, ``cart = make_cart()`` and ``for cart in carts`` each say something about ``cart``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import msgspec

from explorer_core.index.extraction.expressions import LONG, LONGEST
from explorer_core.index.extraction.facts import (
    ALTERNATIVE,
    EACH,
    ENTERED,
    ENTRY,
    FIRST,
    KEY,
    RESULT,
    VALUE,
    TypeBinding,
    TypeSource,
)
from explorer_core.index.extraction.frames import BLOCK, UNBOUND, Frame, Frames
from explorer_core.index.extraction.kinds import CODE_KINDS, TYPE_KINDS
from explorer_core.index.extraction.narrowing import Narrowing, narrowed_part
from explorer_core.index.extraction.patterns import compiled
from explorer_core.index.extraction.reduced_types import reduced_type
from explorer_core.index.extraction.supertypes import type_parts
from explorer_core.index.extraction.type_names import BY_KEY, OF, RETURNS, bare_type, bracket_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.expressions import Expressions
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.specification import LanguageSpec

_LENGTH = 120
_TYPE_SOURCES = ("annotation", "construct", "bound", "limit")
"""Sources that write a type."""
_EXPRESSION_SOURCES = ("call", "alias")
"""Sources that write an expression."""
_SUBSCRIPTS = {
    "member": "",
    "at": "",
    "each": f"[{EACH}]",
    "member_of_each": f"[{EACH}]",
    "entry": f"[{ENTRY}]",
    "first": f"[{FIRST}]",
    "keyed": f"[{VALUE}]",
    "entered": f"[{ENTERED}]",
}
"""Ways to take something out of a value, mapped to the subscripts that express them."""
_LIST_SOURCES = {"listed": ("alias", "literal"), "each_listed": ("each", "alias")}
"""Ways to bind a written list, or each of its elements: how if an element has a name, and how if
none has."""
_NAMED = re.compile(r"(?:new )?[A-Za-z_$][\w$.]*(?:$|\()")
_NAMELESS_SOURCES = ("table", "literal")
"""Sources of a type without a name."""
_CALLEE = re.compile(r"(?<![\w$])[\w$]+(?:(?:::)?<[^<>]*>)?$")
"""The end of a called expression."""
_PATH = re.compile(r"[\w$.]+")
_TRAILING_BLOCK = re.compile(r"\s*\{")
"""A block in place of arguments: the call is given only a function."""
_DOTS = re.compile(r"\.+")


class _TypeMatch(msgspec.Struct, frozen=True, gc=False):
    """What a match says of a variable's type."""

    offset: int
    """The offset at which the variable is bound."""
    name: str
    written: str
    """The type or expression, cut off."""
    kind: str
    full_span: tuple[int, int] | None = None
    """The span of the expression, if it is longer than what is kept of it."""
    suffix: str = ""
    """The subscript or member that follows the expression."""
    owner_type: str = ""
    """What an attribute is set on, if that is no name for the own object: the binding counts only
    in a type of this name."""


class Types:
    """Gathers type bindings. Their scopes are known once definitions are settled."""

    def __init__(self, source: Source, spec: LanguageSpec) -> None:
        self.source = source
        self.spec = spec
        self.documented_type = spec.documented_type
        """The pattern of the language that is being read, which may be embedded in another."""
        self._matches: list[_TypeMatch] = []
        self._narrowing = Narrowing(source)
        self._declarations: list[TypeBinding] = []

    def note(self, kind: str, node: Node, captures: dict[str, list[Node]]) -> None:
        """Notes one match of ``@type.kind``."""
        if kind == "documented":
            self._note_documented(node)
        elif kind == "pairs":
            self._note_pairs(node, captures["value"][0])
        elif kind == "parts":
            parts = (reduced_type(self._text(p), self.spec) for p in type_parts(node, self.spec))
            # The members of unnamed parts are already known as those of the type.
            named = dict.fromkeys(part for part in parts if part and part[0] != "{")
            self._matches.append(_TypeMatch(node.start_byte, RESULT, ALTERNATIVE.join(named), kind))
        else:
            self.bind(kind, node, captures)

    def bind(self, kind: str, node: Node, captures: dict[str, list[Node]]) -> None:
        """Notes the type of a variable (``@name``), of an attribute (``@field``), or else of the
        enclosing function's result."""
        self_text = self._text(captures["self"][0]) if "self" in captures else ""
        owner_type = "" if self_text in self.spec.self_names else self_text
        field = captures.get("field")
        name_nodes = field or captures.get("name")
        name = self._text(name_nodes[0]) if name_nodes else RESULT
        if kind == "placed":
            name, kind = self._index(node), "annotation"
        name = "." + name if field else name
        if key := captures.get("put"):
            name = KEY + self._text(key[0]).strip(".")
        first_node = captures["receiver"][0] if "receiver" in captures else node
        written = self.source.one_line(first_node.start_byte, node.end_byte, _LENGTH)
        if "rest" in captures and (element := reduced_type(written, self.spec)):
            written = (BY_KEY if self._text(captures["rest"][0]) == "**" else OF) + element
        if kind in _LIST_SOURCES:
            written = self._list_text(node)
            kind = _LIST_SOURCES[kind][0 if written else 1]
        full_span, suffix = None, ""
        is_call = self.source.flat[node.end_byte - 1] == ")"
        if kind in _SUBSCRIPTS and kind != "at" and len(written) == _LENGTH and is_call:
            full_span, suffix = (first_node.start_byte, node.end_byte), self._suffix(kind, captures)
            kind = "alias"
        elif kind in _SUBSCRIPTS:
            written, kind = self._element_expression(kind, written, captures), "alias"
        elif kind == "own":
            written, kind = self.spec.self_names[0], "alias"
        elif kind == "asked" or (kind == "call" and written != name):
            call_text = self._with_arguments(written, node.end_byte)
            # Without a class as argument, such a call says nothing more.
            written, kind = (
                (call_text, "alias") if call_text or kind == "asked" else (written, kind)
            )
        # A variable is bound where its name stands, however far below its value is.
        offset = (name_nodes[0] if name_nodes else node).start_byte
        if kind == "call" and written in self.spec.failing_words:
            return  # a failing call gives nothing
        if kind in _EXPRESSION_SOURCES and len(written) == _LENGTH:
            full_span = first_node.start_byte, node.end_byte
        if part := narrowed_part(captures):
            offset = node.start_byte
            self._narrowing.note(node, name, part, captures)
        self._matches.append(_TypeMatch(offset, name, written, kind, full_span, suffix, owner_type))

    def _with_arguments(self, callee: str, end: int) -> str:
        """Returns a call with its arguments, if these decide its result: a call of a function that
        passes its argument on, or a call that is given a class. ``end`` is the end of the called
        expression. Empty for other calls."""
        spec, flat = self.spec, self.source.flat
        width = LONG
        if callee in spec.passed_on:
            begin, prefix = end, callee
        elif callee in spec.collections.listing:
            begin, prefix, width = end, callee, LONGEST
        else:
            match = _CALLEE.search(callee) if spec.asked_class and len(callee) < _LENGTH else None
            begin = end - len(match.group().encode()) if match else -1
            call_match = match and compiled(spec.asked_class).match(flat, begin, begin + LONG)
            if match is None or not call_match:
                return ""
            prefix = callee[: match.start()]
            if flat[call_match.end() - 1] == ">" and _TRAILING_BLOCK.match(flat, call_match.end()):
                return f"{prefix}{call_match.group()}()"
        opening = flat.find("(", begin, begin + width)
        closing = bracket_end(flat[begin : begin + width], opening - begin) if opening >= 0 else -1
        if closing <= 0:
            return ""
        return prefix + " ".join(self.source.piece(begin, begin + closing).split())

    def _element_expression(self, kind: str, written: str, captures: dict[str, list[Node]]) -> str:
        """Returns the expression for something taken out of another expression or type; empty if
        the written text is cut off."""
        if kind == "member":
            is_call = written.endswith(")") and not written.startswith("(")
            written = written if is_call else bare_type(written, self.spec)
        elif len(written) == _LENGTH:
            return ""
        if kind == "at":
            prefix = f"{self._text(captures['of'][0])}." if "of" in captures else ""
            index = self._index(captures["item"][0])
            return f"{prefix}{bare_type(written, self.spec)}[{index}]" if index else ""
        return written + self._suffix(kind, captures)

    def _suffix(self, kind: str, captures: dict[str, list[Node]]) -> str:
        """Returns the subscript or member that follows an expression something is taken out of."""
        key = captures.get("key") or captures["name"]
        member = f".{self._text(key[0])}" if kind.startswith("member") else ""
        return _SUBSCRIPTS[kind] + member

    def _list_text(self, node: Node) -> str:
        """Returns a written list as one line of text. Empty if no element has a name, or if the
        list is long or has brackets in strings."""
        parts = [self._text(element) for element in node.named_children if not element.is_extra]
        written = f"[{', '.join(parts)}]"
        is_short = node.end_byte - node.start_byte <= LONGEST
        is_read = (
            is_short and any(map(_NAMED.match, parts)) and bracket_end(written, 0) == len(written)
        )
        return written if is_read else ""

    def _index(self, node: Node) -> str:
        """Returns the index of a node between commas; empty if a rest pattern before it hides the
        count."""
        index, sibling = 0, node.prev_sibling
        while sibling is not None:
            if sibling.is_named and _DOTS.fullmatch(self._text(sibling)):
                return ""
            index += sibling.type == ","
            sibling = sibling.prev_sibling
        return str(index)

    def _note_documented(self, comment: Node) -> None:
        """Notes the types that a comment gives to what follows it."""
        source = self.source
        described = comment.next_named_sibling
        if described is None or not source.flat.startswith("/**", comment.start_byte):
            return
        pattern = compiled(self.documented_type)
        for match in pattern.finditer(source.flat, comment.start_byte, comment.end_byte):
            parts = match.groupdict()
            name = RESULT if parts["result"] else parts["name"] or ""
            written = parts["result"] or parts["type"]
            if parts.get("member"):
                name = "." + name.lstrip("$")
            if method := parts.get("method"):
                name, written = "." + method, RETURNS + parts["gives"]
            self._matches.append(_TypeMatch(described.start_byte, name, written, "annotation"))

    def _note_pairs(self, targets: Node, values: Node) -> None:
        """Notes ``a, b = f(), c`` as two assignments."""
        if targets.named_child_count != values.named_child_count:
            return
        for target, value in zip(targets.named_children, values.named_children, strict=True):
            object_text, _, name = self._text(target).rpartition(".")
            if not name.isidentifier() or (object_text and object_text not in self.spec.self_names):
                continue
            constructor = value.child_by_field_name("constructor")
            callee = value.child_by_field_name("function") or constructor
            if not callee and not _PATH.fullmatch(self._text(value)):
                continue
            kind = "construct" if constructor else "call" if callee else "alias"
            name = f".{name}" if object_text else name
            self._matches.append(
                _TypeMatch(target.start_byte, name, self._text(callee or value), kind)
            )

    def declare(self, definitions: Definitions) -> None:
        """Notes the written types of declared variables and members."""
        for name, written, frame, line in definitions.typed_variables:
            is_member = frame.kind in TYPE_KINDS or frame.kind == "field"
            if text := reduced_type(written, self.spec):
                label = "." + name if is_member else name
                line, until = definitions.frames.visible_lines(frame, name, line)
                binding = TypeBinding(label, text, frame.ordinal, line, "annotation", until=until)
                self._declarations.append(binding)

    def settle(
        self,
        definitions: Definitions,
        expressions: Expressions,
        parameters: Iterable[TypeBinding],
    ) -> tuple[TypeBinding, ...]:
        """Returns the type bindings, with those of the parameters of lambdas, in text order."""
        bindings = [*self._declarations, *parameters]
        frames, narrowing = definitions.frames, self._narrowing
        same_outside: set[tuple[int, str, int]] = set()
        """Variables that mean the same as the name does around their block."""
        for match in self._matches:
            name, kind = match.name, match.kind
            written = match.written
            if match.full_span:
                written = expressions.text(*match.full_span) + match.suffix
            text = reduced_type(written, self.spec) if kind in _TYPE_SOURCES else written
            frame = frames.at(match.offset)
            if match.owner_type and not _is_in_type_named(frame, match.owner_type):
                continue
            if kind in _NAMELESS_SOURCES or (kind == "bound" and text == name):
                text = self.spec.text_type if kind == "literal" and text[:1] == '"' else ""
            elif not text:
                continue
            elif name == KEY + text and frame.owning_frame(text) is None:
                continue  # not a local variable: known by its name in the object
            elif text == name and kind not in ("annotation", "call", "default"):
                same_outside.add((frame.ordinal, name, frames.visible_lines(frame, name, 0)[1]))
                continue
            if frames.binding_frame(frame, name).kind == UNBOUND:
                continue
            if (match.offset, name) in narrowing.lines:
                source = cast("TypeSource", kind)
                binding = narrowing.binding(match.offset, name, text, source, definitions)
            else:
                binding = self._binding(match, text, frame, frames)
            bindings += [binding] if binding is not None else []
        bindings += (
            b for b in _hiding_bindings(bindings, definitions) if _scope_key(b) not in same_outside
        )
        return tuple(sorted(dict.fromkeys(bindings), key=lambda b: (b.line, b.name)))

    def _binding(
        self, match: _TypeMatch, text: str, inner_frame: Frame, frames: Frames
    ) -> TypeBinding | None:
        """Returns the binding of a variable in a frame to the type or expression ``text``. None for
        the result of what returns nothing."""
        name, frame = match.name, frames.binding_frame(inner_frame, match.name)
        if self.spec.assigns_outer and name.isidentifier():
            frame = inner_frame.owning_frame(name) or frames.file
        if name == RESULT:
            frame = frames.definition(frame)
        name = name or frame.name
        returns = frame.kind in CODE_KINDS and frame.parent is not None
        if name == RESULT and not returns and match.kind != "parts":
            return None
        is_own_type = frame.name == name and frame.kind not in CODE_KINDS
        if is_own_type and frame.parent is not None:
            inner_frame = frame = frame.parent
            name = "." + name if frame.kind in TYPE_KINDS else name
        elif name.startswith("."):
            frame = frame.type_frame() or frame
        line, until = frames.visible_lines(inner_frame, name, self.source.line(match.offset))
        source = cast("TypeSource", match.kind)
        return TypeBinding(name, text, frame.ordinal, line, source, until=until)

    def _text(self, node: Node) -> str:
        return self.source.one_line(node.start_byte, node.end_byte, _LENGTH)


def _is_in_type_named(frame: Frame, name: str) -> bool:
    """Whether the innermost type around a frame has this name."""
    enclosing = frame.type_frame()
    return enclosing is not None and enclosing.name == name


def _hiding_bindings(
    bindings: list[TypeBinding], definitions: Definitions
) -> Iterator[TypeBinding]:
    """Yields an empty binding for each untyped variable of a block that hides a typed one of the
    same name."""
    typed: dict[tuple[int, str], list[TypeBinding]] = {}
    for binding in bindings:
        typed.setdefault((binding.scope, binding.name), []).append(binding)
    for frame in definitions.frames.all:
        for name in frame.own_variables if frame.kind == BLOCK else ():
            others = typed.get((frame.ordinal, name), [])
            line, until = definitions.frames.lines(frame) if others else (0, 0)
            is_typed_outside = any(not b.until or b.line <= line < b.until for b in others)
            if is_typed_outside and all(b.until != until for b in others):
                yield TypeBinding(name, "", frame.ordinal, line, "alias", until=until)


def _scope_key(binding: TypeBinding) -> tuple[int, str, int]:
    return binding.scope, binding.name, binding.until
