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
from explorer_core.index.resolution.function_types import aliased_type
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
    ObjectLiteral,
    Outside,
    Value,
    Values,
    all_outside,
    as_held,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, VARIABLES, SymbolId

MEANINGS = 24
"""The most definitions of the same name in one place, and bindings of one variable, that are
evaluated. A test file may declare hundreds of functions ``f``, each in terms of the others."""
_WITH_CODE = CALLABLES | MEMBER_HOLDERS
_BY_LINE = attrgetter("line")
_HEAD = re.compile(r"[\w$]+")


class Variables:
    """Evaluates bindings and declarations; memoised."""

    def __init__(self, program: Program, model: Semantics, evaluation: Evaluation) -> None:
        self._program = program
        self._model = model
        self._evaluation = evaluation
        self._held_classes = HeldClasses(program, model)

    def value_at(self, table: FileTable, bindings: Sequence[TypeBinding], line: int) -> Values:
        """The value of a variable at a line, from the nearest bindings up to there, all on one
        line; a type that is written there decides. For line 0, the written type decides if it is of
        the repository, and otherwise all bindings count, up to `MEANINGS`."""
        if line:
            nearest = _nearest_bindings(bindings, line)
            while nearest and nearest[-1].source == "guard":
                if values := self._binding_values(table, nearest[-1]):
                    return values
                bindings = [binding for binding in bindings if binding is not nearest[-1]]
                nearest = _nearest_bindings(bindings, line)
            annotated = [b for b in nearest if b.source == "annotation"]
            if not annotated and nearest and nearest[-1].source == "parameter":
                return self._parameter_values(table, nearest)
            bounds = [b for b in nearest if b.source == "bound"]
            bindings = bounds or annotated[-1:] or nearest or bindings[:1]
        elif annotated := [b for b in bindings[:MEANINGS] if b.source == "annotation"]:
            values = self._values_of(table, annotated)
            if not all_outside(values) or len(annotated) == len(bindings):
                return values
        return self._values_of(table, _without_initial_lists(bindings[:MEANINGS]))

    def _values_of(self, table: FileTable, bindings: Sequence[TypeBinding]) -> Values:
        values = [v for binding in bindings for v in self._binding_values(table, binding)]
        return tuple(dict.fromkeys(values))

    def _parameter_values(self, table: FileTable, bindings: Sequence[TypeBinding]) -> Values:
        """The value of a name that several lambdas on one line bind; UNKNOWN if they disagree."""
        parameters = [b for b in bindings if b.source == "parameter"]
        values = {self._binding_values(table, binding) for binding in parameters}
        return values.pop() if len(values) == 1 else UNKNOWN

    def _binding_values(self, table: FileTable, binding: TypeBinding) -> Values:
        return self._evaluation.ask(
            (table.path, binding), lambda: self._evaluate_binding(table, binding), UNKNOWN
        )

    def _evaluate_binding(self, table: FileTable, binding: TypeBinding) -> Values:
        scope = self._evaluation_scope(table, binding)
        if binding.source == "literal" or (binding.source == "bound" and not binding.type):
            return (Outside(binding.type),)
        if binding.source == "parameter":
            return self._model.lambdas.parameter(table, binding)
        if binding.source == "held":
            return self._held_classes.values(table, scope, binding)
        if binding.source in ("table", "limit"):
            is_table = binding.source == "table" and scope != TOP
            return (ObjectLiteral(table.id(scope)),) if is_table else UNKNOWN
        if binding.source == "annotation":
            scope = table.unshadowed_scope(scope, binding.type)
        if binding.source in ("annotation", "construct", "bound", "parts"):
            return self._model.types.evaluate(table, scope, binding.type, binding.line)
        if binding.source == "default":
            return self._default_values(table, scope, binding)
        if binding.type == binding.name:
            function = self._model.scopes.function(table, scope, binding.name)
            return self._model.calls.results(table, function)
        values = self._model.expressions.evaluate(table, scope, binding.type, binding.line)
        if binding.source == "guard":
            return tuple(v for value in values for v in self._guarded_type(value))
        if binding.name == RESULT and binding.source == "alias":
            values = self._without_locals(table, scope, values)
        if binding.name.startswith(".") and self._may_be_default(table, scope, binding):
            values = tuple(v for v in values if not self._program.is_of_kind(v, CALLABLES))
        is_call = binding.source == "call"
        results = self._call_results(table, scope, binding, values) if is_call else values
        return as_held(results, bare_members=table.spec.bare_members)

    def _call_results(
        self, table: FileTable, scope: int, binding: TypeBinding, callees: Values
    ) -> Values:
        """The results of the call that a binding names the callee of. One that begins with a name
        which nothing in the repository has (``Vector()``, ``io.open()``) gives a value from
        outside; but not that of a lone function (``make()``), which may be generated code, nor one
        that is given members here (``Object.create(base)``)."""
        callee = binding.type
        may_be_ours = callee.isidentifier() and not callee[0].isupper()
        if callees or may_be_ours or binding.name in table.members_by_owner:
            return self._model.calls.results(table, callees)
        return self._model.expressions.evaluate(table, scope, f"{callee}()", binding.line)

    @staticmethod
    def _may_be_default(table: FileTable, function: int, binding: TypeBinding) -> bool:
        """Whether an attribute has the value of a parameter with a default. A default function is
        left out then, since callers nearly always pass their own."""
        return any(other.source == "default" for other in table.bindings(function, binding.type))

    def _default_values(self, table: FileTable, function: int, binding: TypeBinding) -> Values:
        """The default value of a parameter, or what that holds if it is a variable, since the
        parameter may hold something else as well."""
        outer_scope = table.definitions[function].container
        results: list[Value] = []
        for value in self._model.expressions.evaluate(
            table, outer_scope, binding.type, binding.line
        ):
            is_variable = self._program.is_of_kind(value, VARIABLES)
            results += self.declared_values(value.id) if is_variable else (value,)
        values = tuple(dict.fromkeys(results))
        return UNKNOWN if all_outside(values) else values  # it just marks a missing argument

    def _without_locals(self, table: FileTable, function: int, values: Values) -> Values:
        """The results of a function, with its own local variables replaced by what these hold."""
        results: list[Value] = []
        for value in values:
            variable = value.id if self._program.is_of_kind(value, VARIABLES) else None
            if (
                variable is not None
                and variable.path == table.path
                and self._is_local_of(variable, function)
            ):
                results += self.declared_values(variable)
            else:
                results.append(value)
        return tuple(dict.fromkeys(results))

    def _is_local_of(self, symbol_id: SymbolId, function: int) -> bool:
        return self._program.definition(symbol_id).container == function

    def _guarded_type(self, value: Value) -> Values:
        """The type that a type guard states of its argument (``node is Text``), if any."""
        if not isinstance(value, Defined):
            return UNKNOWN
        holder = self._program.table_of(value.id)
        guard, definition = holder.spec.type_guard, holder.definitions[value.id.ordinal]
        match = re.match(guard, definition.returns) if guard else None
        if match is None:
            return UNKNOWN
        written = simple_type_text(match[1], holder)
        return self._model.types.evaluate(holder, value.id.ordinal, written, definition.line)

    def _evaluation_scope(self, table: FileTable, binding: TypeBinding) -> int:
        """The scope in which a binding is evaluated: for an attribute the method that assigns it,
        for a variable of the file the function that does."""
        scope = binding.scope
        if not binding.name.startswith(".") and scope != TOP:
            return scope
        has_inner = True
        while has_inner:
            containing = (
                child
                for child in table.children.get(scope, ())
                if _covers_line(table.definitions[child], binding.line, after_name=scope == TOP)
            )
            child = next(containing, None)
            has_inner = child is not None
            scope = scope if child is None else child
        return scope

    def returns_self(self, member: SymbolId) -> bool:
        """Whether a member returns the object that it is called on, or one of the same type: by its
        declared result, or by what it returns."""
        table = self._program.table_of(member)
        definition = table.definitions[member.ordinal]
        spec = table.spec
        if definition.returns:
            written = simple_type_text(first_result(definition.returns, table.spec), table)
            type_names: Iterable[str] = alternatives(written)
        else:
            type_names = (binding.type for binding in table.bindings(member.ordinal, RESULT))
        return any(is_own_type(name, spec) and name not in spec.holder_names for name in type_names)

    def declared_values(self, symbol_id: SymbolId) -> Values:
        """The values a variable may hold, or a function may return, as declared."""
        return self._evaluation.ask(
            symbol_id, lambda: self._without_undetermined(symbol_id), UNKNOWN
        )

    def _without_undetermined(self, symbol_id: SymbolId) -> Values:
        """The same, without collections whose elements only a call determines."""
        table, values = self._program.table_of(symbol_id), self._find_declared(symbol_id)
        known = tuple(
            v for v in values if not _collects_type_parameter(table, symbol_id.ordinal, v)
        )
        definition = table.definitions[symbol_id.ordinal]
        if not table.spec.describing_member or definition.kind != "field":
            return known
        return (
            self._through_descriptors(table, known) if aliased_type(definition.signature) else known
        )

    def _through_descriptors(self, table: FileTable, values: Values) -> Values:
        """Replaces descriptors among a class attribute's values by what their ``__get__`` is
        declared to return, which is what objects see."""
        results: list[Value] = []
        for value in values:
            described: Values = UNKNOWN
            if isinstance(value, Instance):
                members = self._model.members.named(table, (value,), table.spec.describing_member)
                declaring = tuple(member for member in members if self._declares_result(member))
                described = self._model.calls.results(table, declaring)
            is_known = described and not any(isinstance(result, Outside) for result in described)
            results += described if is_known else (value,)
        return tuple(dict.fromkeys(results))

    def _declares_result(self, value: Value) -> bool:
        return isinstance(value, Defined) and bool(self._program.definition(value.id).returns)

    def _find_declared(self, symbol_id: SymbolId) -> Values:
        table = self._program.table_of(symbol_id)
        definition = table.definitions[symbol_id.ordinal]
        if definition.returns and not self._is_uninformative(table, definition):
            written = simple_type_text(first_result(definition.returns, table.spec), table)
            is_scope = definition.kind in CALLABLES or definition.kind == "type"
            scope = symbol_id.ordinal if is_scope else self._type_scope(table, definition, written)
            values = self._model.types.evaluate(table, scope, written, definition.line)
            known = all_outside(values) and (
                self._returned_values(table, symbol_id.ordinal, written)
                or self._documented_collections(table, symbol_id.ordinal)
            )
            return known or values
        if parts := table.constituents(symbol_id.ordinal):
            return self.value_at(table, parts, 0)
        if definition.kind in CALLABLES or definition.kind == "property":
            bindings = table.bindings(symbol_id.ordinal, RESULT)
            if definition.kind == "property" and table.spec.attribute_mark:
                attribute = f".{table.spec.attribute_mark}{definition.name}"
                bindings = bindings or table.bindings(definition.container, attribute)
            returned = self.value_at(table, bindings, 0)
            is_unknown = _is_inferred(table, definition) and all_outside(returned)
            return OUTSIDE if is_unknown else returned
        container = definition.container
        label = "." + definition.name if table.is_type(container) else definition.name
        return self.value_at(table, table.bindings_at(container, label, 0), 0)

    def _returned_values(self, table: FileTable, ordinal: int, written: str) -> Values:
        """The values that a function returns, if its written result type names no type: it says
        "anything" or spells out the members. UNKNOWN for other functions."""
        has_name = written not in table.spec.any_types and not written.startswith("{")
        if has_name or not table.is_callable(ordinal):
            return UNKNOWN
        returned = self.value_at(table, table.bindings(ordinal, RESULT), 0)
        return UNKNOWN if all_outside(returned) else returned

    @staticmethod
    def _type_scope(table: FileTable, definition: Definition, written: str) -> int:
        """The scope in which the written type of a variable is looked up: the one enclosing its
        own, if a name in the type would otherwise mean the variable itself
        (``layer: "layer.Layer"``)."""
        container, name = definition.container, definition.name
        heads = (_HEAD.match(alternative) for alternative in alternatives(written))
        if container == TOP or all(head is None or head.group() != name for head in heads):
            return container
        only_variables = all(
            map(table.is_variable, table.by_scope.get(container, {}).get(name, ()))
        )
        return table.definitions[container].container if only_variables else container

    @staticmethod
    def _is_uninformative(table: FileTable, definition: Definition) -> bool:
        """Whether a written type says nothing of the value: it is inferred or, for a variable, is
        one that anything has or that stands for none."""
        if _is_inferred(table, definition):
            return True
        spec = table.spec
        is_empty = definition.returns in spec.null_types or definition.returns in spec.any_types
        return is_empty and definition.kind in VARIABLES

    def _documented_collections(self, table: FileTable, ordinal: int) -> Values:
        """The collection that a comment documents for a definition whose written type says less."""
        if not table.spec.documented_type:
            return UNKNOWN
        definition = table.definitions[ordinal]
        attribute = definition.container, "." + definition.name
        bindings = (
            table.bindings(ordinal, RESULT)
            if table.is_callable(ordinal)
            else table.bindings(*attribute)
        )
        annotated = [binding for binding in bindings if binding.source == "annotation"]
        return tuple(v for v in self.value_at(table, annotated, 0) if isinstance(v, Collection))


def _without_initial_lists(bindings: Sequence[TypeBinding]) -> Sequence[TypeBinding]:
    """Bindings without lists that are written out, if there is also a literal that says nothing:
    then the variable begins as an empty list, and other things are put in it."""
    if not any(binding.source == "literal" for binding in bindings):
        return bindings
    return [
        binding
        for binding in bindings
        if binding.source != "alias" or not binding.type.startswith("[")
    ]


def _is_inferred(table: FileTable, definition: Definition) -> bool:
    """Whether the written type leaves the type to the value (``var``)."""
    return bool(definition.returns) and definition.returns == table.spec.inferred_type


def _nearest_bindings(bindings: Sequence[TypeBinding], line: int) -> list[TypeBinding]:
    """The bindings on the nearest line up to ``line``. One that changes the variable on that very
    line does not count yet."""
    for last in (line, line - 1):
        end = bisect_right(bindings, last, key=_BY_LINE)
        nearest_line = bindings[end - 1].line if end else 0
        start = bisect_left(bindings, nearest_line, hi=end, key=_BY_LINE)
        nearest = [b for b in bindings[start:end] if nearest_line < line or not _rebinds_itself(b)]
        if nearest:
            return nearest
    return []


def _covers_line(definition: Definition, line: int, *, after_name: bool) -> bool:
    """Whether a line is in the code of a definition. With ``after_name``, the line of its name is
    not: the variable whose value it is may be named there."""
    first_line = definition.line + 1 if after_name else definition.start
    return first_line <= line <= definition.end and definition.kind in _WITH_CODE


def _rebinds_itself(binding: TypeBinding) -> bool:
    """Whether a variable is bound to what is made of its own value, which it still has on that line
    (``node = node.next``)."""
    head = _HEAD.match(binding.type) if binding.source in ("call", "alias") else None
    return head is not None and head.group() == binding.name != binding.type


def _collects_type_parameter(table: FileTable, ordinal: int, value: Value) -> bool:
    """Whether a value is a collection of a function's type parameter, which its calls determine."""
    if not isinstance(value, Collection) or value.element.path != table.path:
        return False
    return bool(table.type_parameter(ordinal, value.element.text))
