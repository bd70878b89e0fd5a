"""Finds overloads, and selects those that a call may mean by its arguments.

``add(job)`` and ``add(job, count: 2)`` differ in the number of arguments and in their names; their
types are not compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.extraction.reference_table import LABEL_SEPARATOR, UNLABELLED, Reference
from explorer_core.index.languages.specification import LanguageSpec
from explorer_core.index.resolution.function_types import Arity, arity, parameters_of
from explorer_core.index.resolution.functions.declarations import Declarations
from explorer_core.index.resolution.functions.labels import (
    accepts_labels,
    has_parameters,
    matches_selector,
)
from explorer_core.index.resolution.hierarchy.inheritance import Inheritance
from explorer_core.index.resolution.names.packages import package_of
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.types.owners import Owners
from explorer_core.index.symbols import CALLABLES, SymbolId
from explorer_core.memoised import memoised

_FUNCTION_KINDS = frozenset({"function"})


@dataclass(eq=False, repr=False)
class Overloads:
    """Finds overloads, and selects among them in languages that choose by arguments."""

    _program: Program
    _owners: Owners
    _inheritance: Inheritance
    _declarations: Declarations

    def overloads_of(self, table: FileTable, targets: Iterable[SymbolId]) -> dict[SymbolId, None]:
        """The overloads of several targets that a file sees. Targets that are overloads of each
        other are looked up once."""
        overloads: dict[SymbolId, None] = {}
        for target in targets:
            if target not in overloads:
                overloads |= dict.fromkeys(self._overloads(table, target))
        return overloads

    @memoised
    def _overloads(self, table: FileTable, target: SymbolId) -> tuple[SymbolId, ...]:
        """The other definitions of a name in its namespace, in files that a file includes:
        overloads of a function, specialisations of a type."""
        return tuple(self._find_overloads(table, target))

    def _find_overloads(self, table: FileTable, target: SymbolId) -> Iterator[SymbolId]:
        holder = self._program.table_of(target)
        definition = holder.definitions[target.ordinal]
        package = None if definition.owner else package_of(holder, target.ordinal)
        kinds = next((k for k in (_FUNCTION_KINDS, CLASS_KINDS) if definition.kind in k), None)
        if package is None or kinds is None:
            return
        for other in self._program.defining(definition.name, holder.spec.family_name):
            if other is table or self._declarations.includes(table.path, other.path):
                for ordinal in other.by_name[definition.name]:
                    candidate = other.definitions[ordinal]
                    is_overload = (
                        candidate.kind in kinds
                        and not candidate.owner
                        and other.id(ordinal) != target
                    )
                    if is_overload and package_of(other, ordinal) == package:
                        yield other.id(ordinal)

    def select(self, targets: Iterable[SymbolId], call: Reference) -> tuple[SymbolId, ...]:
        """The targets that take as many arguments as a call gives: those that take exactly so many,
        or else may take them, or else their namesakes in supertypes. None if nothing does. All if
        nobody counted the arguments, except those that a mere name leaves out (`_read`); those of a
        language with a preprocessor if nothing fits."""
        candidates = tuple(targets)
        if call.arguments < 0 or not candidates:
            return self._read(candidates) if call.kind == "read" else candidates
        if applicable := self.applicable(candidates, call):
            return self._without_receiver_as_argument(applicable, call)
        inherited = (base for target in candidates for base in self._inherited(target))
        if applicable := self.applicable(tuple(dict.fromkeys(inherited)), call):
            return applicable
        return tuple(t for t in candidates if self._program.table_of(t).spec.preprocessor)

    def _read(self, targets: tuple[SymbolId, ...]) -> tuple[SymbolId, ...]:
        """The targets that a name without arguments means where it may be a call: those without
        parameters, if there are any."""
        if len(targets) < 2 or not self._spec(targets[0]).bare_members:
            return targets
        bare = (t for t in targets if (takes := self._arity(t)) is None or 0 in takes)
        return tuple(bare) or targets

    def applicable(self, targets: tuple[SymbolId, ...], call: Reference) -> tuple[SymbolId, ...]:
        """The targets that take as many arguments as a call gives, with its labels."""
        arguments = call.arguments
        arities = {target: self._arity(target) for target in self._with_labels(targets, call)}
        exactly = Arity(arguments, arguments)
        if exactly in arities.values():
            return tuple(t for t, takes in arities.items() if takes in (None, exactly))
        return tuple(
            target
            for target, takes in arities.items()
            if takes is None
            or arguments in takes
            # An override has the defaults of what it overrides, and need not repeat them.
            or (arguments < takes.least and self._program.definition(target).overrides)
        )

    def _without_receiver_as_argument(
        self, targets: tuple[SymbolId, ...], call: Reference
    ) -> tuple[SymbolId, ...]:
        """Drops extensions that only fit with the receiver counted among the arguments, unless that
        is the type they stand in (``Texts.Trim(text)``). Keeps all if none would be left."""
        if not call.receiver:
            return targets
        others = tuple(t for t in targets if not self._needs_receiver_as_argument(t, call))
        return others or targets

    def _needs_receiver_as_argument(self, target: SymbolId, call: Reference) -> bool:
        """Whether a target takes a call's arguments only with the receiver among them."""
        holder, takes = self._program.table_of(target), self._arity(target)
        definition = self._program.definition(target)
        if takes is None or not holder.is_extension(target.ordinal):
            return False
        parameters = parameters_of(definition.signature, definition.name)[:1]
        has_self = any(
            parameter.partition(" ")[0] in holder.spec.self_names for parameter in parameters
        )
        is_named = last_part(call.receiver) == holder.definitions[definition.container].name
        return has_self and not is_named and call.arguments == takes.most

    def _with_labels(self, targets: tuple[SymbolId, ...], call: Reference) -> tuple[SymbolId, ...]:
        """The targets that have parameters for a call's labels. If there are none, those of
        languages where labels are not part of the name."""
        labels = (
            call.labels.split(LABEL_SEPARATOR) if call.labels else [UNLABELLED] * call.arguments
        )
        labelled = tuple(
            target for target in targets if self._accepts_labels(target, tuple(labels))
        )
        if labelled:
            return labelled
        return tuple(target for target in targets if not self._spec(target).labels_in_names)

    def _accepts_labels(self, target: SymbolId, labels: tuple[str, ...]) -> bool:
        rest = self._rest_pattern(target)
        spec, definition = self._spec(target), self._program.definition(target)
        if spec.bracketed_calls and definition.kind in CALLABLES:
            return matches_selector(labels, definition.signature)
        if rest is None:
            return True
        if not spec.labels_in_names:
            return has_parameters(labels, definition, spec)
        return accepts_labels(labels, definition.signature, definition.name, rest)

    def _spec(self, target: SymbolId) -> LanguageSpec:
        return self._program.table_of(target).spec

    def _inherited(self, target: SymbolId) -> Iterable[SymbolId]:
        """The definitions of a target's name in the supertypes of its type."""
        holder = self._program.table_of(target)
        owner = self._owners.declaring_type(holder, target.ordinal)
        name = self._program.definition(target).name
        return self._inheritance.inherited(owner, name, None) if owner else ()

    def _arity(self, target: SymbolId) -> Arity | None:
        """How many arguments a target takes; None where their number does not matter."""
        rest = self._rest_pattern(target)
        if rest is None:
            return None
        definition, spec = self._program.definition(target), self._spec(target)
        return arity(definition.signature, definition.name, rest, spec.self_names)

    def _rest_pattern(self, target: SymbolId) -> str | None:
        """The regex for a parameter that takes any number of arguments; None where arguments do not
        decide whether a target is meant."""
        is_called = self._program.is_function(target)
        return self._spec(target).rest_parameter if is_called else None
