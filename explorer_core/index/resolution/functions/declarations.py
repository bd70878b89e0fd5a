"""Finds the definitions of what other files, such as headers, declare.

``int width(void);`` in a header leads to ``int width(void) { ... }`` in a file that includes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from explorer_core.index.extraction.facts import TOP
from explorer_core.index.extraction.type_names import simple_type_name
from explorer_core.index.resolution.function_types import parameters_of
from explorer_core.index.resolution.functions.labels import selector_parts
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.types.written_types import simple_type_text
from explorer_core.index.symbols import CALLABLES, VARIABLES, SymbolId
from explorer_core.memoised import memoised

_MAX_INCLUDED = 200
"""The most files that are followed from one through its includes."""


class Declarations:
    """Finds the definitions of declarations; memoised."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @memoised
    def bodies(self, declared: SymbolId) -> tuple[SymbolId, ...]:
        """The definitions of a header's declaration: in files that include it, or the only one."""
        return tuple(self._find_bodies(declared))

    def _find_bodies(self, declared: SymbolId) -> Iterable[SymbolId]:
        holder = self._program.table_of(declared)
        if not holder.spec.imports.wildcard_default:
            return ()
        definition = holder.definitions[declared.ordinal]
        if definition.kind == "type" and definition.returns.endswith(definition.name):
            return self._find_named_type(declared)
        if not definition.exported or not definition.bodiless:
            return ()
        if definition.kind in VARIABLES:
            is_extern = definition.kind == "variable" and bool(holder.spec.told_of)
            return self._find_variable(declared) if is_extern else ()
        if definition.kind not in CALLABLES or definition.kind == "macro":
            return ()
        owner = self.owner_name(declared)
        bodies: list[SymbolId] = []
        qualified: list[SymbolId] = []
        for other in self._program.defining(definition.name, holder.spec.family_name):
            for ordinal in other.by_name[definition.name]:
                body = other.definitions[ordinal]
                same_owner = simple_type_name(body.owner) == owner
                is_definition = other.has_body(ordinal) and body.exported
                if same_owner and is_definition and other.is_member(ordinal) == bool(owner):
                    bodies.append(other.id(ordinal))
                elif body.owner and is_definition and not owner:
                    qualified.append(other.id(ordinal))
        bodies = self._in_namespace_of(declared, bodies, qualified)
        bodies = self._with_same_parameters(
            declared, [id_ for id_ in bodies if id_.path != holder.path]
        )
        return self._in_including_files(bodies, declared.path)

    def _find_variable(self, declared: SymbolId) -> Sequence[SymbolId]:
        """The definitions of a variable that a header declares (``extern int a;``)."""
        holder = self._program.table_of(declared)
        definition = holder.definitions[declared.ordinal]
        definitions = [
            other.id(ordinal)
            for other in self._program.defining(definition.name, holder.spec.family_name)
            for ordinal in other.by_name[definition.name]
            if other.is_variable(ordinal) and not other.is_member(ordinal)
            if other.definitions[ordinal].exported
            if not other.definitions[ordinal].bodiless
        ]
        return self._in_including_files(self._in_namespace_of(declared, definitions), declared.path)

    def _in_including_files(self, definitions: Sequence[SymbolId], path: str) -> Sequence[SymbolId]:
        """The definitions in files that include ``path``; otherwise the only definition."""
        in_including = [id_ for id_ in definitions if self.includes(id_.path, path)]
        return in_including or (definitions if len(definitions) == 1 else ())

    def _find_named_type(self, declared: SymbolId) -> Iterator[SymbolId]:
        """The struct that a declaration names like itself (``typedef struct item item;``)."""
        holder = self._program.table_of(declared)
        definition = holder.definitions[declared.ordinal]
        if simple_type_text(definition.returns, holder) != definition.name:
            return
        for other in self._program.defining(definition.name, holder.spec.family_name):
            if other is holder or self.includes(other.path, declared.path):
                for ordinal in other.by_name[definition.name]:
                    if other.definitions[ordinal].kind == "struct" and not other.is_member(ordinal):
                        yield other.id(ordinal)

    def _in_namespace_of(
        self, declared: SymbolId, definitions: list[SymbolId], qualified: Sequence[SymbolId] = ()
    ) -> list[SymbolId]:
        """Those in the namespaces of the declaration, which may also stand before the name
        (``int text::width() { ... }``). Otherwise those with some namespaces more or fewer around
        them: inline ones may be left out, and so may those that a macro opens."""
        namespaces = self._namespaces(declared)
        matching = [id_ for id_ in definitions if self._namespaces(id_) == namespaces]
        for id_ in qualified:
            qualifiers = self._program.definition(id_).owner.split("::")
            matching += [id_] if self._namespaces(id_) + qualifiers == namespaces else ()
        return matching or [
            id_ for id_ in definitions if _is_subsequence(self._namespaces(id_), namespaces)
        ]

    def _namespaces(self, symbol_id: SymbolId) -> list[str]:
        """The names of the namespaces around a definition, the outermost first."""
        table = self._program.table_of(symbol_id)
        names = [table.definitions[o].name for o in table.enclosing_namespaces(symbol_id.ordinal)]
        return [part for name in reversed(names) for part in name.split("::")]

    def _with_same_parameters(
        self, declared: SymbolId, candidates: list[SymbolId]
    ) -> list[SymbolId]:
        """Of several overloads those with the same parameters, else those with as many."""
        if len(candidates) < 2:
            return candidates
        parameters = self._parameters(declared)
        matching = [id_ for id_ in candidates if self._parameters(id_) == parameters]
        return matching or [
            id_ for id_ in candidates if len(self._parameters(id_)) == len(parameters)
        ]

    def _parameters(self, symbol_id: SymbolId) -> list[str]:
        definition = self._program.definition(symbol_id)
        bracketed = self._program.table_of(symbol_id).spec.bracketed_calls
        parts = selector_parts(definition.signature) if bracketed else []
        return parts or parameters_of(definition.signature, definition.name)

    def visible_from(self, path: str, candidates: tuple[SymbolId, ...]) -> tuple[SymbolId, ...]:
        """Of what a name may mean in a file, the definitions in files that it includes, if there
        are any and all these files are known."""
        included = self._all_included(path)
        is_complete = len(included) < _MAX_INCLUDED
        return (
            tuple(id_ for id_ in candidates if is_complete and id_.path in included) or candidates
        )

    def includes(self, path: str, included: str) -> bool:
        """Whether a file includes another, itself or through those it includes."""
        return included in self._all_included(path)

    @memoised
    def _all_included(self, path: str) -> frozenset[str]:
        reached = [path]
        for current in reached:
            unseen = set(self._directly_included(current)).difference(reached)
            reached += sorted(unseen) if len(reached) < _MAX_INCLUDED else ()
        return frozenset(reached)

    def _directly_included(self, path: str) -> list[str]:
        table = self._program.table(path)
        if table is None:
            return []
        find = self._program.finder(table).find
        modules = (find(path, binding.module) for binding in table.wildcards)
        return [file for module in modules if module is not None for file in module.files]

    def owner_name(self, member: SymbolId) -> str:
        """The simple name of the type that a definition is a member of; empty for others."""
        table = self._program.table_of(member)
        definition = table.definitions[member.ordinal]
        if definition.owner:
            return simple_type_name(definition.owner)
        is_in_type = definition.container != TOP and table.is_member(member.ordinal)
        return table.definitions[definition.container].name if is_in_type else ""


def _is_subsequence(names: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the names of the shorter of two lists stand in the longer one, in the same order."""
    shorter, longer = sorted((names, others), key=len)
    remaining = iter(longer)
    return all(name in remaining for name in shorter)
