"""The modules that an import may mean, as the top of its file would write them.

An import inside an inline module may be relative to that module
(``mod inner { use super::Cart; }``), and one inside a type or package to what encloses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from explorer_core.index.extraction.facts import TOP, ImportBinding
from explorer_core.index.resolution.finders.modules import dotted
from explorer_core.index.resolution.names.packages import Packages, joined, package_of
from explorer_core.index.resolution.tables import FileTable
from explorer_core.memoised import memoised


class ImportPaths:
    """Finds the modules that wildcard imports may mean; memoised."""

    def __init__(self, packages: Packages) -> None:
        self._packages = packages

    def of_wildcard(self, table: FileTable, binding: ImportBinding) -> tuple[str, ...]:
        """The modules that a wildcard import may mean, in the order they are searched."""
        written = path_from_top(table, binding)
        if not table.spec.imports.relative:
            return (written,)
        return self._relative(table, written, binding.scope)

    @memoised
    def _relative(self, table: FileTable, written: str, scope: int) -> tuple[str, ...]:
        relative = tuple(relative_paths(table, dotted(written), scope))
        via_wildcards = (f"{dotted(b.module)}.{dotted(written)}" for b in table.wildcards)
        types = (path for path in (*relative, *via_wildcards) if self._is_definition(table, path))
        first = next(types, None)
        return (written, *((first,) if first else relative))

    def _is_definition(self, table: FileTable, path: str) -> bool:
        package, _, name = path.rpartition(".")
        return bool(self._packages.visible(table, package, name, "graph:import"))


def path_from_top(table: FileTable, binding: ImportBinding) -> str:
    """The module of an import as the top of the file would write it. Inside an inline module it may
    be relative to that (``mod inner { use super::cart::Cart; }``)."""
    rules = table.spec.imports
    if rules.style != "tree" or binding.scope == TOP:
        return binding.module
    parts = binding.module.split(rules.separator)
    inline = [table.definitions[o].name for o in table.enclosing_namespaces(binding.scope)]
    if not inline or parts[0] not in (rules.here, rules.climb):
        return binding.module
    steps = len(list(takewhile(lambda part: part == rules.climb, parts)))
    climbs = [rules.climb] * (steps - len(inline)) or [rules.here]
    return rules.separator.join([*climbs, *reversed(inline[steps:]), *parts[steps or 1 :]])


def relative_paths(table: FileTable, written: str, scope: int) -> Iterator[str]:
    """The paths an import may mean relative to enclosing types and packages, innermost first."""
    if not table.spec.imports.relative:
        return
    container = next((o for o in table.scopes(scope) if o == TOP or table.is_type(o)), TOP)
    prefix = dotted(table.package)
    if container != TOP:
        prefix = joined(package_of(table, container), table.definitions[container].name)
    while prefix:
        yield f"{prefix}.{written}"
        prefix = prefix.rpartition(".")[0]
