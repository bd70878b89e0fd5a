"""Evaluates what variables, attributes and function results hold, from bindings and declarations.

In ``till: Till = make()`` the written type decides, in ``till = make()`` the result of `make`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter

from explorer_core.index.extraction.facts import RESULT, TOP, Definition, TypeBinding
from explorer_core.index.extraction.type_names import alternatives, first_result
from explorer_core.index.resolution.evaluation import Evaluation
from explorer_core.index.resolution.function_types import aliased
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.protocols import Semantics
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.held_classes import HeldClasses
from explorer_core.index.resolution.types.written_types import is_own_type, simple_type_text
from explorer_core.index.resolution.values import (
    OUTSIDE,
    UNKNOWN,
    Collection,
    Defined,
    Instance,
    Outside,
    Table,
    Value,
    Values,
    as_held,
    nothing_of_ours,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, VARIABLES, SymbolId

MEANINGS = 24
"""The most definitions of the same name in one place, and bindings of one variable, that are
evaluated. A test file may declare hundreds of functions ``f``, each in terms of the others."""
_WITH_CODE = CALLABLES | MEMBER_HOLDERS
_LINE = attrgetter("line")
_HEAD = re.compile(r"[\w$]+")


class Variables:
    """Evaluates bindings and declarations; memoised."""

    def __init__(self, program: Program, model: Semantics, evaluation: Evaluation) -> None:
        self._program = program
        self._model = model
        self._evaluation = evaluation
        self._held_classes = HeldClasses(program, model)

    def bound(self, table: FileTable, bindings: Sequence[TypeBinding], line: int) -> Values:
        """The value of a variable at a line, from the nearest bindings up to there, all on one
        line; a type that is written there decides. For line 0, the written type decides if it is of
        the repository, and otherwise all bindings count, up to `MEANINGS`."""
        if line:
            nearest = _nearest(bindings, line)
            while nearest and nearest[-1].source == "guard":
                if values := self._binding(table, nearest[-1]):
                    return values
                bindings = [each for each in bindings if each is not nearest[-1]]
                nearest = _nearest(bindings, line)
            stated = [b for b in nearest if b.source == "annotation"]
            if not stated and nearest and nearest[-1].source == "parameter":
                return self._of_parameters(table, nearest)
            bounds = [b for b in nearest if b.source == "bound"]
            bindings = bounds or stated[-1:] or nearest or bindings[:1]
        elif stated := [b for b in bindings[:MEANINGS] if b.source == "annotation"]:
            values = self._of_each(table, stated)
            if not nothing_of_ours(values) or len(stated) == len(bindings):
                return values
        return self._of_each(table, _without_lists(bindings[:MEANINGS]))

    def _of_each(self, table: FileTable, bindings: Sequence[TypeBinding]) -> Values:
        values = [v for binding in bindings for v in self._binding(table, binding)]
        return tuple(dict.fromkeys(values))

    def _of_parameters(self, table: FileTable, bindings: Sequence[TypeBinding]) -> Values:
        """The value of a name that several lambdas on one line bind; UNKNOWN if they disagree."""
        given = [b for b in bindings if b.source == "parameter"]
        found = {self._binding(table, binding) for binding in given}
        return found.pop() if len(found) == 1 else UNKNOWN

    def _binding(self, table: FileTable, binding: TypeBinding) -> Values:
        return self._evaluation.ask(
            (table.path, binding), lambda: self._bound_to(table, binding), UNKNOWN
        )

    def _bound_to(self, table: FileTable, binding: TypeBinding) -> Values:
        scope = self._scope_at(table, binding)
        if binding.source == "literal" or (binding.source == "bound" and not binding.type):
            return (Outside(binding.type),)
        if binding.source == "parameter":
            return self._model.lambdas.parameter(table, binding)
        if binding.source == "held":
            return self._held_classes.values(table, scope, binding)
        if binding.source in ("table", "limit"):
            is_table = binding.source == "table" and scope != TOP
            return (Table(table.id(scope)),) if is_table else UNKNOWN
        if binding.source == "annotation":
            scope = table.beyond_variables(scope, binding.type)
        if binding.source in ("annotation", "construct", "bound", "parts"):
            return self._model.types.type_named(table, scope, binding.type, binding.line)
        if binding.source == "default":
            return self._default(table, scope, binding)
        if binding.type == binding.name:
            function = self._model.scopes.function(table, scope, binding.name)
            return self._model.calls.called(table, function)
        values = self._model.expressions.evaluate(table, scope, binding.type, binding.line)
        if binding.source == "guard":
            return tuple(v for value in values for v in self._guarded(value))
        if binding.name == RESULT and binding.source == "alias":
            values = self._beyond(table, scope, values)
        if binding.name.startswith(".") and self._is_of_default(table, scope, binding):
            values = tuple(v for v in values if not self._program.is_of_kind(v, CALLABLES))
        given = self._model.calls.called(table, values) if binding.source == "call" else values
        return as_held(given, bare_members=table.spec.bare_members)

    @staticmethod
    def _is_of_default(table: FileTable, function: int, binding: TypeBinding) -> bool:
        """Whether an attribute has the value of a parameter with a default. A default function is
        left out then, since callers nearly always pass their own."""
        return any(each.source == "default" for each in table.bound(function, binding.type))

    def _default(self, table: FileTable, function: int, binding: TypeBinding) -> Values:
        """The default value of a parameter, or what that holds if it is a variable, since the
        parameter may hold something else as well."""
        around = table.definitions[function].container
        found: list[Value] = []
        for value in self._model.expressions.evaluate(table, around, binding.type, binding.line):
            is_variable = self._program.is_of_kind(value, VARIABLES)
            found += self.declared(value.id) if is_variable else (value,)
        values = tuple(dict.fromkeys(found))
        return UNKNOWN if nothing_of_ours(values) else values  # it just marks a missing argument

    def _beyond(self, table: FileTable, function: int, values: Values) -> Values:
        """The results of a function, with its own local variables replaced by what these hold."""
        found: list[Value] = []
        for value in values:
            own = value.id if self._program.is_of_kind(value, VARIABLES) else None
            if own is not None and own.path == table.path and self._is_in(own, function):
                found += self.declared(own)
            else:
                found.append(value)
        return tuple(dict.fromkeys(found))

    def _is_in(self, symbol_id: SymbolId, function: int) -> bool:
        return self._program.definition(symbol_id).container == function

    def _guarded(self, value: Value) -> Values:
        """The type that a type guard states of its argument (``node is Text``), if any."""
        if not isinstance(value, Defined):
            return UNKNOWN
        holder = self._program.holder(value.id)
        guard, definition = holder.spec.type_guard, holder.definitions[value.id.ordinal]
        stated = re.match(guard, definition.returns) if guard else None
        if stated is None:
            return UNKNOWN
        written = simple_type_text(stated[1], holder)
        return self._model.types.type_named(holder, value.id.ordinal, written, definition.line)

    def _scope_at(self, table: FileTable, binding: TypeBinding) -> int:
        """The scope in which a binding is evaluated: for an attribute the method that assigns it,
        for a variable of the file the function that does."""
        scope = binding.scope
        if not binding.name.startswith(".") and scope != TOP:
            return scope
        deeper = True
        while deeper:
            inner = (
                child
                for child in table.children.get(scope, ())
                if _spans(table.definitions[child], binding.line, inside=scope == TOP)
            )
            child = next(inner, None)
            deeper = child is not None
            scope = scope if child is None else child
        return scope

    def gives_own(self, member: SymbolId) -> bool:
        """Whether a member returns the object that it is called on, or one of the same type: by its
        declared result, or by what it returns."""
        table = self._program.holder(member)
        definition = table.definitions[member.ordinal]
        spec = table.spec
        if definition.returns:
            written = simple_type_text(first_result(definition.returns, table.spec), table)
            given: Iterable[str] = alternatives(written)
        else:
            given = (each.type for each in table.bound(member.ordinal, RESULT))
        return any(is_own_type(name, spec) and name not in spec.holder_names for name in given)

    def declared(self, type_id: SymbolId) -> Values:
        """The values a variable may hold, or a function may return, as declared."""
        return self._evaluation.ask(type_id, lambda: self._known(type_id), UNKNOWN)

    def _known(self, type_id: SymbolId) -> Values:
        """The same, without collections whose elements only a call determines."""
        table, values = self._program.holder(type_id), self._declared_values(type_id)
        known = tuple(v for v in values if not _lists_parameter(table, type_id.ordinal, v))
        definition = table.definitions[type_id.ordinal]
        if not table.spec.describing_member or definition.kind != "field":
            return known
        return self._described(table, known) if aliased(definition.signature) else known

    def _described(self, table: FileTable, values: Values) -> Values:
        """Replaces descriptors among a class attribute's values by what their ``__get__`` is
        declared to return, which is what objects see."""
        found: list[Value] = []
        for value in values:
            given: Values = UNKNOWN
            if isinstance(value, Instance):
                member = self._model.members.named(table, (value,), table.spec.describing_member)
                stated = tuple(each for each in member if self._states_result(each))
                given = self._model.calls.called(table, stated)
            is_known = given and not any(isinstance(each, Outside) for each in given)
            found += given if is_known else (value,)
        return tuple(dict.fromkeys(found))

    def _states_result(self, value: Value) -> bool:
        return isinstance(value, Defined) and bool(self._program.definition(value.id).returns)

    def _declared_values(self, type_id: SymbolId) -> Values:
        table = self._program.holder(type_id)
        definition = table.definitions[type_id.ordinal]
        if definition.returns and not self._says_nothing(table, definition):
            written = simple_type_text(first_result(definition.returns, table.spec), table)
            is_scope = definition.kind in CALLABLES or definition.kind == "type"
            scope = type_id.ordinal if is_scope else self._scope_of_type(table, definition, written)
            values = self._model.types.type_named(table, scope, written, definition.line)
            known = nothing_of_ours(values) and (
                self._unnamed(table, type_id.ordinal, written)
                or self._documented(table, type_id.ordinal)
            )
            return known or values
        if parts := table.parts(type_id.ordinal):
            return self.bound(table, parts, 0)
        if definition.kind in CALLABLES or definition.kind == "property":
            results = table.bound(type_id.ordinal, RESULT)
            given = self.bound(table, results, 0)
            is_unknown = _is_inferred(table, definition) and nothing_of_ours(given)
            return OUTSIDE if is_unknown else given
        container = definition.container
        label = "." + definition.name if table.is_type(container) else definition.name
        return self.bound(table, table.bindings(container, label, 0), 0)

    def _unnamed(self, table: FileTable, ordinal: int, written: str) -> Values:
        """What a function gives by its values whose written type has no name: it says anything, or
        has its members written out. UNKNOWN for other functions."""
        has_name = written not in table.spec.any_types and not written.startswith("{")
        if has_name or not table.is_callable(ordinal):
            return UNKNOWN
        given = self.bound(table, table.bound(ordinal, RESULT), 0)
        return UNKNOWN if nothing_of_ours(given) else given

    @staticmethod
    def _scope_of_type(table: FileTable, definition: Definition, written: str) -> int:
        """The scope in which the written type of a variable is looked up: the one enclosing its
        own, if a name in the type would otherwise mean the variable itself
        (``layer: "layer.Layer"``)."""
        container, name = definition.container, definition.name
        heads = (_HEAD.match(each) for each in alternatives(written))
        if container == TOP or all(head is None or head.group() != name for head in heads):
            return container
        only = all(map(table.is_variable, table.named.get(container, {}).get(name, ())))
        return table.definitions[container].container if only else container

    @staticmethod
    def _says_nothing(table: FileTable, definition: Definition) -> bool:
        """Whether a written type says nothing of the value: it is inferred or, for a variable, is
        one that anything has or that stands for none."""
        if _is_inferred(table, definition):
            return True
        spec = table.spec
        is_empty = definition.returns in spec.null_types or definition.returns in spec.any_types
        return is_empty and definition.kind in VARIABLES

    def _documented(self, table: FileTable, ordinal: int) -> Values:
        """The collection that a comment documents for a definition whose written type says less."""
        if not table.spec.documented_type:
            return UNKNOWN
        definition = table.definitions[ordinal]
        place = definition.container, "." + definition.name
        bindings = (
            table.bound(ordinal, RESULT) if table.is_callable(ordinal) else table.bound(*place)
        )
        stated = [each for each in bindings if each.source == "annotation"]
        return tuple(v for v in self.bound(table, stated, 0) if isinstance(v, Collection))


def _without_lists(bindings: Sequence[TypeBinding]) -> Sequence[TypeBinding]:
    """Bindings without lists that are written out, if there is also a literal that says nothing:
    then the variable begins as an empty list, and other things are put in it."""
    if not any(binding.source == "literal" for binding in bindings):
        return bindings
    return [each for each in bindings if each.source != "alias" or not each.type.startswith("[")]


def _is_inferred(table: FileTable, definition: Definition) -> bool:
    """Whether the written type leaves the type to the value (``var``)."""
    return bool(definition.returns) and definition.returns == table.spec.inferred_type


def _nearest(bindings: Sequence[TypeBinding], line: int) -> list[TypeBinding]:
    """The bindings on the nearest line up to ``line``. One that changes the variable on that very
    line does not count yet."""
    for last in (line, line - 1):
        end = bisect_right(bindings, last, key=_LINE)
        on = bindings[end - 1].line if end else 0
        begun = bisect_left(bindings, on, hi=end, key=_LINE)
        found = [b for b in bindings[begun:end] if on < line or not _changes(b)]
        if found:
            return found
    return []


def _spans(definition: Definition, line: int, *, inside: bool) -> bool:
    """Whether a line is in the code of a definition. With ``inside``, the line of its name is not:
    the variable whose value it is may be named there."""
    begins = definition.line + 1 if inside else definition.start
    return begins <= line <= definition.end and definition.kind in _WITH_CODE


def _changes(binding: TypeBinding) -> bool:
    """Whether a variable is bound to what is made of its own value, which it still has on that line
    (``node = node.next``)."""
    head = _HEAD.match(binding.type) if binding.source in ("call", "alias") else None
    return head is not None and head.group() == binding.name != binding.type


def _lists_parameter(table: FileTable, ordinal: int, value: Value) -> bool:
    """Whether a value is a collection of a function's type parameter, which its calls determine."""
    if not isinstance(value, Collection) or value.element.path != table.path:
        return False
    return bool(table.type_parameter(ordinal, value.element.text))
