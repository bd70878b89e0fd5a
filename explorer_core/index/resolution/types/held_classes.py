"""Evaluates attributes that a library makes of a class: ``rack = ForeignKey(Rack)``.

An object of the enclosing class has a value of the given class there, as with libraries that map
objects to tables, check them or make them up for tests. Nothing declares that. So only members that
the given class has are looked up, and if a text names the class, they are known by name only.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.facts import TypeBinding
from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.protocols import Semantics
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import (
    OUTSIDE,
    UNKNOWN,
    Asked,
    Instance,
    Values,
    nothing_of_ours,
)
from explorer_core.index.symbols import SymbolId

_QUOTES = "'\""


class HeldClasses:
    """Finds the classes that such attributes are given."""

    def __init__(self, program: Program, model: Semantics) -> None:
        self._program = program
        self._model = model

    def values(self, table: FileTable, scope: int, binding: TypeBinding) -> Values:
        """The values of an attribute that is bound to a call with one argument. UNKNOWN if the
        callee is of the repository, or the argument is no class."""
        makes, _, given = binding.type.partition("(")
        line = binding.line
        if not nothing_of_ours(self._model.expressions.evaluate(table, scope, makes, line)):
            return UNKNOWN
        written = given.rpartition("=")[2].strip()
        if written.strip(_QUOTES) != written:
            named = self._named(table, scope, written.strip(_QUOTES))
            return (Asked(of=named, otherwise=OUTSIDE, how="graph:name"),) if named else UNKNOWN
        values = self._model.types.types_named(table, scope, written, line)
        classes = (value.id for value in values if isinstance(value, Instance))
        return tuple(
            Asked(of=each, otherwise=OUTSIDE)
            for each in classes
            if self._program.kind(each) in CLASS_KINDS
        )

    def _named(self, table: FileTable, scope: int, text: str) -> SymbolId | None:
        """The class that a text names: the enclosing one, by the language's word for it; else the
        only one of that name, or the only one in a folder that the text names."""
        if text in table.spec.self_names:
            around = table.enclosing_type(scope)
            return None if around is None else table.id(around)
        where, _, name = text.rpartition(".")
        if not name.isidentifier() or self._program.is_common(name):
            return None
        found = list(self._classes(table, name))
        if len(found) > 1:
            head = where.partition(".")[0]
            found = [each for each in found if head in each.path.split("/")]
        return found[0] if len(found) == 1 else None

    def _classes(self, table: FileTable, name: str) -> Iterator[SymbolId]:
        for other in self._program.defining(name, table.spec.family_name):
            for ordinal in other.by_name[name]:
                if other.definitions[ordinal].kind in CLASS_KINDS:
                    yield other.id(ordinal)
