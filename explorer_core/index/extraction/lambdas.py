"""Finds anonymous functions and objects, what they are passed to, and the names of their parameters
and keys.

In ``app.get("/", (req, res) => ...)`` the function is argument 1 of ``app.get``, which decides what
``req`` and ``res`` are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from explorer_core.index.extraction.facts import (
    ASSIGNED,
    ELEMENT,
    RESULT,
    TOP,
    UNNAMED,
    Lambda,
    TypeBinding,
)
from explorer_core.index.extraction.kinds import TYPE_KINDS
from explorer_core.index.extraction.references import head_of
from explorer_core.index.extraction.source import span as span_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from explorer_core.index.extraction.definitions import Definitions
    from explorer_core.index.extraction.expressions import Expressions
    from explorer_core.index.extraction.frames import Frame
    from explorer_core.index.extraction.source import Source
    from explorer_core.index.languages.lambda_rules import LambdaContext

_TYPE_LENGTH = 120
"""How many characters of a written type are kept."""
_SIGNATURE_LENGTH = 400
_CALLABLE_TYPES = TYPE_KINDS | {"type"}
_MAX_HEIGHT = 10
"""How many nodes there may be between a function and what it is passed to."""


class _Parameter(NamedTuple):
    start: int
    name: str
    path: str
    function: tuple[int, int]


class _Place(NamedTuple):
    """Where a function stands. ``start`` is the start of the argument list, or of what returns it;
    ``types`` are the spans of written types, or of what it is assigned to. The rest is as in
    `Lambda`."""

    role: str
    keys: tuple[str, ...] = ()
    start: int = 0
    argument: str = ""
    types: tuple[tuple[int, int], ...] = ()
    is_only_argument: bool = False


class Key(NamedTuple):
    """A key of an object, from ``start`` to ``end``; ``holder`` is its receiver as a reference."""

    start: int
    end: int
    holder: str


class LambdaFacts(NamedTuple):
    """The functions and objects, the bindings of parameters, and the keys."""

    lambdas: tuple[Lambda, ...]
    bindings: list[TypeBinding]
    keys: list[Key]
    placeholders: dict[int, tuple[int, str]]
    """The receivers that stand for unnamed parameters: by the parameter's start, its end and
    receiver."""


class Lambdas:
    """Gathers anonymous functions. What they are passed to is looked up once definitions are
    settled."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.node_roles: Mapping[str, LambdaContext] = {}
        """What nodes mean in the language that is being read, which may be embedded in another."""
        self._places: dict[tuple[int, int], _Place] = {}
        self._parameters: list[_Parameter] = []
        self._keys: list[tuple[Node, tuple[int, int], str]] = []
        """Keys, each with the span of its object. For a key taken from a parameter, the function's
        span and the parameter's index."""
        self._signatures: list[tuple[int, int]] = []
        self._placeholders: dict[tuple[int, int], tuple[int, int]] = {}
        """The spans of unnamed parameters, mapped to those of their functions."""

    def note(self, detail: str, node: Node, captures: dict[str, list[Node]]) -> None:
        """Notes one match of ``@lambda.detail``."""
        if detail == "signature":
            self._signatures.append((captures["list"][0].start_byte, node.end_byte))
            return
        if detail in ("function", "member"):
            self._note_place(detail, node, captures)
            return
        if detail == "placeholder":
            self._note_placeholder(node)
            return
        if detail == "key":
            self._note_key(node, captures["object"][0])
            return
        path = str(_index_in_list(captures.get("item", [node])[0], captures["list"][0]))
        function = captures["function"][0]
        span = span_of(function)
        if key := captures.get("key"):
            self._keys.append((key[0], span, path))
            path += f".{self._source.text(key[0])}"
        self._parameters.append(_Parameter(node.start_byte, self._source.text(node), path, span))
        if span not in self._places:
            self._places[span] = self._place(function)

    def _note_place(self, detail: str, node: Node, captures: dict[str, list[Node]]) -> None:
        """Notes where a function stands. For an anonymous object each match names one of its types,
        or some."""
        span = span_of(node)
        known_place = self._places.get(span)
        if expected := captures.get("expected"):
            types = (*(known_place.types if known_place else ()), *map(span_of, expected))
            keys = (self._source.text(captures["name"][0]),)
            self._places[span] = _Place("typed", keys, types=tuple(dict.fromkeys(types)))
        elif known_place is None:
            place = self._place(node)
            is_member = detail == "member" and (place.role or len(place.keys) > 1)
            if is_member or place.role in ("arguments", "assigned"):
                self._places[span] = place

    def _note_placeholder(self, node: Node) -> None:
        """Notes an unnamed parameter (``$0``, ``_``), of the function around it or of the argument
        around it, which it makes a function."""
        has_function_nodes = "function" in self.node_roles.values()
        function, outer = node, node.parent
        while outer is not None:
            deciding_node = function if has_function_nodes else outer
            if self.node_roles.get(deciding_node.type) == (
                "function" if has_function_nodes else "arguments"
            ):
                span = span_of(function)
                self._placeholders[span_of(node)] = span
                if span not in self._places:
                    self._places[span] = self._place(function)
                return
            function, outer = outer, outer.parent

    def _note_key(self, key: Node, object_node: Node) -> None:
        """Notes a key of an object; it may be a member of the type expected there."""
        span = span_of(object_node)
        if span not in self._places:
            place = self._place(object_node)
            self._places[span] = place._replace(keys=(*place.keys, ""))
        if self._places[span].role:
            self._keys.append((key, span, ""))

    def _place(self, node: Node) -> _Place:
        """Finds what a function or object is passed to, going by the types of the nodes around
        it."""
        if self.node_roles.get(node.type) == "component":
            return self._component(node, ())
        own_name = self._name_of_value(node)
        inner, label, keys = node, "", (own_name,) if own_name else ()
        for _ in range(_MAX_HEIGHT):
            outer = inner.parent
            role = self._role_of(outer)
            if outer is None or not role or (role == "object" and not keys):
                break
            if place := self._deciding_place(role, outer, inner, keys, label):
                return place
            if role == "last":
                label = "-1"
            elif role == "entry":
                keys = (self._name_of_value(outer), *keys)
            elif role == "element":
                keys = (ELEMENT, *keys)
            elif role == "argument":
                text_before = self._source.flat[outer.start_byte : inner.start_byte].strip(
                    " \t\n=:"
                )
                label = text_before if text_before.isidentifier() else ""
            inner = outer
        else:
            return _Place("")
        return _Place("", keys if self.node_roles.get(inner.type) == "object" else ())

    def _role_of(self, outer: Node | None) -> str:
        """Returns what a node means for the node inside it. What looks like an assignment in an
        object is an entry."""
        role = self.node_roles.get(outer.type, "") if outer else ""
        enclosing = outer.parent if outer and role == "assigned" else None
        return "entry" if enclosing and self.node_roles.get(enclosing.type) == "object" else role

    def _deciding_place(
        self, role: str, outer: Node, inner: Node, keys: tuple[str, ...], label: str
    ) -> _Place | None:
        """Returns the place of ``inner`` if the node ``outer`` around it decides that."""
        if role == "arguments":
            argument = label or str(_index_in_list(inner, outer))
            is_only_argument = outer.named_child_count == 1
            return _Place(role, keys, outer.start_byte, argument, is_only_argument=is_only_argument)
        if role == "component":
            return self._component(outer, keys)
        if role == "variable":
            type_node = outer.child_by_field_name("type")
            return _Place("typed", keys, types=(span_of(type_node),) if type_node else ())
        if role == "cast" and (type_node := _cast_type(inner, outer)):
            return _Place("typed", keys, types=(span_of(type_node),))
        if role == "assigned" and (target := outer.named_children[0]) != inner:
            return _Place(role, keys, argument=ASSIGNED, types=(span_of(target),))
        return _Place(role, keys, outer.start_byte) if role == "result" else None

    @staticmethod
    def _component(element: Node, keys: tuple[str, ...]) -> _Place:
        """Returns the place of an element's attributes: keys of the first argument of the
        component."""
        name_node = element.child_by_field_name("name")
        return _Place("arguments", keys, name_node.end_byte, "0") if name_node else _Place("")

    def _name_of_value(self, node: Node) -> str:
        """Returns the name that a node gives to its value; empty if it gives none."""
        name_node = node.child_by_field_name("key") or node.child_by_field_name("name")
        if name_node is None and self._role_of(node) == "entry":
            name_node = node.named_children[0]
        return self._source.text(name_node).strip("'\"") if name_node else ""

    def settle(self, definitions: Definitions, expressions: Expressions) -> LambdaFacts:
        """Returns all that was gathered. The functions are in no order."""
        lambdas: list[Lambda] = []
        numbers: dict[tuple[int, int], int] = {}
        with_parameters = {parameter.function for parameter in self._parameters}
        for span, place in self._places.items():
            function = self._lambda(span, place, definitions, expressions)
            is_nested = function.definition != TOP and len(function.keys) > 1
            if function.callee or span in with_parameters or is_nested:
                numbers[span] = len(lambdas)
                lambdas.append(function)
        line, frame_at, visible_lines = (
            self._source.line,
            definitions.frames.at,
            definitions.frames.visible_lines,
        )
        bindings: list[TypeBinding] = []
        for start, name, path, span in self._parameters:
            number = numbers[span]
            enclosing = frame_at(start)
            if lambdas[number].callee or definitions.frames.definition(enclosing) is enclosing:
                first_line, _ = visible_lines(enclosing, name, line(start))
                binding = TypeBinding(
                    name, path, enclosing.ordinal, first_line, "parameter", number
                )
                bindings.append(binding)
        for start, end in self._signatures:
            if frame_at(start).kind in _CALLABLE_TYPES:
                text = self._source.one_line(start, end, _SIGNATURE_LENGTH)
                scope = frame_at(start).ordinal
                bindings.append(TypeBinding(RESULT, text, scope, line(start), "signature"))
        keys = [
            Key(key.start_byte, key.end_byte, f"{UNNAMED}{numbers[span]}.{path}")
            for key, span, path in self._keys
            if span in numbers
        ]
        return LambdaFacts(tuple(lambdas), bindings, keys, self._placeholder_receivers(numbers))

    def _placeholder_receivers(
        self, numbers: dict[tuple[int, int], int]
    ) -> dict[int, tuple[int, str]]:
        """Returns the receivers for unnamed parameters: by their number (``$0``), or counted in
        order."""
        receivers: dict[int, tuple[int, str]] = {}
        counts: dict[tuple[int, int], int] = {}
        for (start, end), span in sorted(self._placeholders.items()):
            if span in numbers:
                counts[span] = counts.get(span, -1) + 1
                number = self._source.piece(start, end)[1:] or str(counts[span])
                receivers[start] = end, f"{UNNAMED}{numbers[span]}.{number}"
        return receivers

    def _lambda(
        self,
        span: tuple[int, int],
        place: _Place,
        definitions: Definitions,
        expressions: Expressions,
    ) -> Lambda:
        source = self._source
        enclosing = definitions.frames.at(span[0])
        line, end = source.line(span[0]), source.line(span[1] - 1)
        if place.role == "arguments":
            start, name_end, callee_end = expressions.ending_before(place.start)
            scope = definitions.frames.at(start)
            callee_line = source.line(start)
            callee = expressions.text(start, name_end) + source.piece(name_end, callee_end)
        else:
            scope, callee_line, callee = enclosing, line, ""
        if place.role == "result":
            returning = definitions.frames.at(place.start)
            callee = definitions.return_type(definitions.frames.definition(returning))
        elif place.role == "assigned":
            callee = expressions.text(*place.types[0])
        elif place.role == "typed":
            types = (
                source.one_line(*type_span, _TYPE_LENGTH).lstrip(": ") for type_span in place.types
            )
            callee = " & ".join(types)
        return Lambda(
            scope.ordinal,
            callee_line,
            line,
            end,
            callee,
            place.argument,
            place.keys,
            local=bool(place.argument) and head_of(callee) in scope.visible,
            definition=_definition_ordinal(enclosing, place.keys),
            is_only_argument=place.is_only_argument,
        )


def _definition_ordinal(frame: Frame, keys: tuple[str, ...]) -> int:
    """Returns the ordinal of the definition that a function at a frame is, as a member of an
    object."""
    owner = frame if frame.kind != "scope" else frame.parent
    return owner.ordinal if owner and owner.name and owner.name in keys[-1:] else TOP


def _cast_type(value: Node, cast: Node) -> Node | None:
    """Returns the type in a cast, also if it stands before the value in brackets (``<T>value``)."""
    type_node = next((child for child in cast.named_children if child != value), None)
    if type_node is not None and type_node.start_byte == cast.start_byte:
        return next(iter(type_node.named_children), None)
    return type_node


def _index_in_list(node: Node, parent: Node) -> int:
    """Returns the index of a node in its list."""
    start = node.start_byte
    if start <= parent.start_byte + 1:
        return 0  # most are the first, and looking at the others takes time
    return sum(
        sibling.start_byte < start and not sibling.is_extra for sibling in parent.named_children
    )
