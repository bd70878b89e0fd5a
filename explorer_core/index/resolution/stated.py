"""The edges that a file's references and imports state.

``from shop import Cart`` states an ``imports`` edge, and ``Cart()`` a ``calls`` edge. A use of a
preprocessor macro also states the edges of the macro's body.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from explorer_core.contracts import Relation
from explorer_core.index.extraction.facts import ImportBinding
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.kinds import CLASS_KINDS, CONVERSION_KINDS
from explorer_core.index.extraction.reference_table import CALLS, Reference
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.resolve import Resolver
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import Defined, Values
from explorer_core.index.symbols import VARIABLES, Edge, SymbolId
from explorer_core.memoised import memoised

_MACRO_KINDS = ("macro", "constant")


class StatedEdges:
    """Makes edges from references and imports."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver

    def of_reference(self, table: FileTable, index: int) -> Iterator[Edge]:
        """The edges of the file's reference at ``index``. A use of a preprocessor macro also has
        the edges of the macro's body, because that text takes its place."""
        for edge in self.as_written(table, index):
            yield edge
            if self.is_macro(edge.target):
                for inner in self._body_edges(edge.target):
                    if inner.target != edge.source:
                        yield restated(inner, edge.source, edge.path, edge.line)

    def is_macro(self, symbol_id: SymbolId) -> bool:
        """Whether a definition is a preprocessor macro (``#define``)."""
        if symbol_id.is_file:
            return False
        holder = self._resolver.program.table_of(symbol_id)
        return holder.spec.preprocessor and (
            holder.definitions[symbol_id.ordinal].kind in _MACRO_KINDS
        )

    @memoised
    def _body_edges(self, macro: SymbolId) -> tuple[Edge, ...]:
        """The uses in a macro's body, also through macros: one edge per relation and target."""
        edges: dict[tuple[Relation, SymbolId], Edge] = {}
        macros = [macro]
        for current in macros:
            for edge in self._in_body(current):
                if edge.target == macro:
                    continue
                edges.setdefault((edge.relation, edge.target), edge)
                if edge.target not in macros and self.is_macro(edge.target):
                    macros.append(edge.target)
        return tuple(edges.values())

    def _in_body(self, macro: SymbolId) -> Iterator[Edge]:
        holder = self._resolver.program.table_of(macro)
        for index in holder.facts.references.in_scope(macro.ordinal):
            yield from self.as_written(holder, index)

    def as_written(self, table: FileTable, index: int) -> Sequence[Edge]:
        """The edges of the reference itself, without those of macro bodies."""
        resolution = self._resolver.resolve(table, index)
        if resolution is None:
            return ()
        reference = table.facts.references[index]
        is_call = reference.kind in CALLS
        source = table.id(reference.scope)
        return [
            Edge(
                "calls" if is_call and self._is_called(table, target) else "references",
                source,
                target,
                table.path,
                reference.line,
                resolution.witness,
                resolution.namesakes,
            )
            for target in resolution.targets
        ]

    def _is_called(self, table: FileTable, target: SymbolId) -> bool:
        """Whether what looks like a call of a target is one."""
        if target.is_file:
            return True
        return not self._is_indexed(table, target) and not self._is_converted_to(target)

    def _is_converted_to(self, target: SymbolId) -> bool:
        """Whether what looks like a call of a target makes a value of that type from another
        (``Level(3)``): an enum or a named type that is no class and has no constructor."""
        program, hierarchy = self._resolver.program, self._resolver.model.hierarchy
        if program.kind(target) not in CONVERSION_KINDS:
            return False
        return not any(
            program.kind(type_id) in CLASS_KINDS
            or any(
                hierarchy.own_members(type_id, name)
                for name in program.table_of(type_id).spec.constructors
            )
            for type_id in hierarchy.lookup_order(target)
        )

    def _is_indexed(self, table: FileTable, target: SymbolId) -> bool:
        """Whether what looks like a call of a target indexes its value (``xs(1)``)."""
        if not table.spec.calls_index:
            return False
        definition = self._resolver.program.definition(target)
        return definition.kind in VARIABLES and "=>" not in definition.returns

    def is_for_member(self, edge: Edge) -> bool:
        """Whether an edge names an object only to take a member out of it (``routes.list``), and
        that member is known: it is defined in the object, or the object's own code refers to it."""
        table = self._resolver.program.table_of(edge.source)
        references = table.facts.references
        indices = references.in_scope(edge.source.ordinal)
        on_line = [index for index in indices if references[index].line == edge.line]
        certain = self._resolver.certain
        heads = {references[i].name for i in on_line if edge.target in certain(table, i)}
        qualifiers = {i: last_part(references[i].receiver) for i in on_line}
        member_reads = {i: qualifier for i, qualifier in qualifiers.items() if qualifier in heads}
        if not heads or heads.difference(member_reads.values()):
            return False  # before looking up all that a large table refers to
        uses = {edge.target for edge in self.uses_in(*self._table_and_scope(edge.target))}
        known = {
            qualifier
            for i, qualifier in member_reads.items()
            if any(
                target in uses or self._is_inside(target, edge.target)
                for target in certain(table, i)
            )
        }
        return known == heads

    def _table_and_scope(self, symbol_id: SymbolId) -> tuple[FileTable, int]:
        return self._resolver.program.table_of(symbol_id), symbol_id.ordinal

    def _is_inside(self, symbol_id: SymbolId, container: SymbolId) -> bool:
        if symbol_id.is_file or symbol_id.path != container.path:
            return False
        return self._resolver.program.definition(symbol_id).container == container.ordinal

    def uses_in(
        self, table: FileTable, scope: int, names: Collection[str] | None = None
    ) -> Iterator[Edge]:
        """The edges of the references that stand directly in a definition; with ``names``, only of
        those that may mean something the file knows by one of these names."""
        references = table.facts.references
        for index in references.in_scope(scope):
            if names is None or _may_mean(table, references[index], names):
                yield from self.of_reference(table, index)

    def imports_in(self, table: FileTable, scope: int) -> Iterator[Edge]:
        """The edges of the imports that stand directly in a definition."""
        for binding in table.facts.imports:
            if binding.scope == scope:
                yield from self.of_import(table, binding)

    def of_import(self, table: FileTable, binding: ImportBinding) -> Iterator[Edge]:
        """The edges of one import, to definitions or whole files; none for a declaration."""
        if binding.is_declaration:
            return
        source = table.id(binding.scope)
        for target in _imported(self._resolver.names.imported(table, binding)):
            if target.path != table.path or not target.is_file:
                yield Edge("imports", source, target, table.path, binding.line, "graph:import")


def _may_mean(table: FileTable, reference: Reference, names: Collection[str]) -> bool:
    """Whether a reference may mean what its file calls by one of ``names``: it has one of these
    names, or is a keyword, local variable or macro that stands for something of another name."""
    name, spec = reference.name, table.spec
    if name in names or spec.preprocessor or (reference.local and not reference.receiver):
        return True
    keywords = (*spec.self_names, *spec.super_names, *spec.constructors, *spec.construct_members)
    return name in keywords


def restated(edge: Edge, source: SymbolId, path: str, line: int) -> Edge:
    """The same relation and target, stated by another source at another place."""
    return Edge(edge.relation, source, edge.target, path, line, edge.witness, edge.namesakes)


def _imported(values: Values) -> Iterator[SymbolId]:
    for value in values:
        if isinstance(value, Defined):
            yield value.id
        elif isinstance(value, Module):
            yield from (SymbolId.of_file(file) for file in value.files)
