"""Tells calls after an empty macro (``EMPTY done(3);``) from declarations (``done done_(3);``).

Both are a word, a name and arguments. Only what surely is a call resolves to a function.
"""

from __future__ import annotations

from explorer_core.index.extraction.facts import TOP, UNSURE
from explorer_core.index.extraction.indexed_names import last_part
from explorer_core.index.extraction.reference_table import Reference
from explorer_core.index.resolution.expressions.scopes import Scopes
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import UNKNOWN, Value, Values
from explorer_core.memoised import memoised


class Unsure:
    """Tells calls from declarations; memoised."""

    def __init__(self, program: Program, scopes: Scopes) -> None:
        self._program = program
        self._scopes = scopes

    def called_functions(self, table: FileTable, reference: Reference) -> Values:
        """The functions in scope that are called; UNKNOWN if a variable is declared, or may be."""
        word, name = reference.receiver.removeprefix(UNSURE), reference.name
        if not self._is_empty_macro(table, word) or self._has_used_member(table, reference):
            return UNKNOWN
        return self._scopes.function(table, reference.scope, name)

    @memoised
    def _is_empty_macro(self, table: FileTable, word: str) -> bool:
        """Whether a word is no type: it stands nowhere else in the file, names no included file,
        and means nothing in the repository but a macro."""
        references = table.facts.references
        as_receiver = sum(reference.receiver == UNSURE + word for reference in references)
        included = (last_part(binding.module) for binding in table.wildcards)
        return (
            len(references.named(word)) == as_receiver
            and all(file_name.partition(".")[0] != word for file_name in included)
            and all(map(self._is_macro, self._scopes.lookup(table, TOP, word)))
        )

    def _is_macro(self, value: Value) -> bool:
        return self._program.is_of_kind(value, ("macro",))

    @staticmethod
    def _has_used_member(table: FileTable, reference: Reference) -> bool:
        """Whether a member of what would be a variable is used."""
        references = table.facts.references.within(reference.scope)
        return any(used.receiver == reference.name for used in references)
