"""Looks up what modules export: what they define, and what they re-export from other modules.

``from shop import Cart`` looks `Cart` up among the definitions and imports of `shop`, then in the
modules that `shop` imports whole, then among its submodules and macros.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.facts import DEFAULT, TOP, ImportBinding
from explorer_core.index.resolution.finders.modules import Module, dotted
from explorer_core.index.resolution.names.import_paths import ImportPaths, from_top, nearby
from explorer_core.index.resolution.names.macros import Macros
from explorer_core.index.resolution.names.packages import Packages, joined, package_of
from explorer_core.index.resolution.names.searches import (
    ModuleMember,
    PassedOn,
    Question,
    Search,
    Searches,
)
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import OUTSIDE, UNKNOWN, Defined, Outside, Value, Values
from explorer_core.index.symbols import NAMESPACES


class Exports:
    """Looks names up in modules; memoised."""

    def __init__(self, program: Program, packages: Packages, macros: Macros) -> None:
        self._program = program
        self._packages = packages
        self._macros = macros
        self._import_paths = ImportPaths(packages)
        self._searches = Searches(self._find)

    def member(self, table: FileTable, module: Module, name: str) -> Values:
        """The values of ``name`` in ``module``, as seen from a file."""
        return self._searches.answer(ModuleMember(table, module, name))

    def imported(self, table: FileTable, binding: ImportBinding) -> Values:
        """The values that an import binds."""
        return self._searches.run(self._import(table, binding))

    def from_wildcards(self, table: FileTable, name: str) -> Values:
        """The values of ``name`` in the first wildcard import that exports it."""
        return self._searches.run(self._from_wildcards(table, name))

    def _find(self, asked: Question) -> Search:
        is_member = isinstance(asked, ModuleMember)
        return self._find_member(asked) if is_member else self._find_passed_on(asked)

    def _find_member(self, asked: ModuleMember) -> Search:
        table, module, name = asked.table, asked.module, asked.name
        if module.package:
            return self._packages.visible(table, module.package, name, "graph:import")
        offering = [t for t in map(self._program.table, module.files) if t]
        found: list[Value] = []
        for other in offering:
            found += yield from self._offered(other, name, private=asked.is_below)
        if not found:
            for other in offering:
                found += yield from self._from_wildcards(other, name, offered=True)
        if not found:
            inner = self._program.finder(table).submodule(module, name)
            found += (inner,) if inner else ()
        if not found:
            for inside in self._macros.modules(module, offering):
                found += yield ModuleMember(table, inside, name)
        if not found and offering:
            found += self._macros.named(offering[0], name)
        return tuple(dict.fromkeys(found))

    def _offered(self, other: FileTable, name: str, *, private: bool) -> Search:
        """The exports of a name by a file itself: its definitions or imports. With ``private``,
        imports count even if they are not re-exported."""
        reexports = other.spec.imports.reexports or private
        bindings = [
            binding
            for binding in other.imports.get((TOP, name), ())
            if reexports or binding.exported
        ]
        inside = [binding for binding in bindings if self._of_itself(other, binding)]
        bindings = [binding for binding in bindings if binding not in inside]
        ordinals = other.top.get(name, ())
        if all(map(other.is_variable, ordinals)) and any(self._inner(other, b) for b in inside):
            ordinals = ()  # stand-ins for a submodule that cannot be imported
        found: Values = tuple(Defined(other.id(o), "graph:import") for o in ordinals)
        if not found and name in other.declared:
            return self._packages.declared(other, name)
        if not bindings or not all(other.is_variable(o) for o in ordinals):
            return found
        through: list[Value] = []
        for binding in bindings:
            through += yield from self._import(other, binding)
        known = [value for value in through if not isinstance(value, Outside)]
        return tuple(known) or found or tuple(through)

    def _of_itself(self, table: FileTable, binding: ImportBinding) -> bool:
        """Whether an import names a module that the file itself stands for (``from . import a`` in
        a package). It binds a submodule then, and not something that the file exports."""
        if not binding.module or binding.local != binding.name:
            return False
        module = self._program.finder(table).find(table.path, binding.module)
        return module is not None and table.path in module.files

    def _inner(self, table: FileTable, binding: ImportBinding) -> Module | None:
        """The submodule of the file's own module that an import names."""
        finder = self._program.finder(table)
        module = finder.find(table.path, binding.module)
        return finder.submodule(module, binding.name) if module else None

    def _from_wildcards(self, table: FileTable, name: str, *, offered: bool = False) -> Search:
        rules = table.spec.imports
        by_path = rules.style == "namespace"
        holding = self._packages.holding(table, name) if by_path else frozenset[str]()
        last_counts = rules.style == "dotted"
        find = self._program.finder(table).find
        wildcards = self._packages.wildcards(table)
        for binding in reversed(wildcards) if last_counts else wildcards:
            if offered and not (rules.reexports or binding.exported or rules.wildcard_default):
                continue
            for written in self._import_paths.of_wildcard(table, binding):
                if by_path and dotted(written) not in holding:
                    continue
                module = find(table.path, written)
                if module is None:
                    continue
                found = yield ModuleMember(table, module, name)
                if found:
                    return (*found, *self._alternatives(table, module, name, found))
                found = yield from self._inside(table, written, name)
                if found:
                    return found
        return self._packages.passed_on(table, name) if rules.target_folders else UNKNOWN

    def _alternatives(
        self, table: FileTable, module: Module, name: str, found: Values
    ) -> Iterator[Defined]:
        """Definitions in files that are included alternatively, under a preprocessor condition: if
        an included file has the body of a name, the others may have another one. Only one is meant
        at a time."""
        own = [value.id for value in found if isinstance(value, Defined)]
        holders = [(self._program.holder(id_), id_.ordinal) for id_ in own]
        if not table.spec.preprocessor or not any(t.has_body(o) for t, o in holders):
            return
        packages = {package_of(*holder) for holder in holders}
        for binding in table.wildcards:
            other = self._program.finder(table).find(table.path, binding.module)
            if other is None or other == module:
                continue
            for included in filter(None, map(self._program.table, other.files)):
                for ordinal in included.top.get(name, ()):
                    if included.has_body(ordinal) and package_of(included, ordinal) in packages:
                        yield Defined(included.id(ordinal), "graph:import")

    def _import(self, table: FileTable, binding: ImportBinding) -> Search:
        rules = table.spec.imports
        find = self._program.finder(table).find
        written = from_top(table, binding)
        if not binding.name:
            if rules.style == "dotted" and binding.local == written:
                written = written.partition(".")[0]
            module = find(table.path, written)
            if module and rules.style in {"namespace", "tree"}:
                return (yield from self._named_by_path(table, written)) or (module,)
            if module:
                return (module,)
            found = yield from self._named_by_path(table, written)
            if rules.style == "path" and not any(map(self._offers_names, found)):
                found = (yield from self._inside(table, written, DEFAULT)) or found
            return found or OUTSIDE
        if not written:
            return (yield from self._renamed(table, binding))
        module = find(table.path, written)
        found = (yield ModuleMember(table, module, binding.name)) if module else UNKNOWN
        if not found and rules.style == "include":
            found = yield from self._from_namespace(table, binding)
        if module and not found and binding.name == DEFAULT and table.spec.default_export:
            return (module,)
        found = found or (yield from self._inside(table, written, binding.name))
        for path in () if found else nearby(table, dotted(written), binding.scope):
            found = found or (yield ModuleMember(table, Module(package=path), binding.name))
            found = found or (yield from self._inside(table, path, binding.name))
        if not found and module and module.package:
            found = (Module(package=f"{module.package}.{binding.name}"),)
        if binding.name == DEFAULT:
            found = (*found, *self._wrapped(found, binding.local))
        return found or OUTSIDE

    def _from_namespace(self, table: FileTable, binding: ImportBinding) -> Search:
        """Resolves an import from a namespace that included text declares (``using a::b::c``). Its
        path may be relative to any namespace around; of several definitions, those that the file
        includes count, and any of these where a macro opens the namespace."""
        included = yield from self._from_wildcards(table, binding.name)
        written = dotted(binding.module)
        around: str | None = ""
        if binding.scope != TOP:
            around = joined(package_of(table, binding.scope), table.definitions[binding.scope].name)
        while around is not None:
            package = joined(around, written)
            found = self._packages.visible(table, package, binding.name, "graph:import")
            if found:
                return tuple(value for value in found if value in included) or found
            around = around.rpartition(".")[0] if around else None
        is_known = self._program.source.files_defining(written.rpartition(".")[2])
        return included if is_known else UNKNOWN

    def _wrapped(self, values: Values, name: str) -> Iterator[Value]:
        """The function or type that a default export passes to a call, if it is imported under its
        own name: ``export default memo(Button)`` imported as ``Button``."""
        for value in values:
            if not isinstance(value, Defined):
                continue
            table = self._program.holder(value.id)
            for handed in table.facts.references.within(value.id.ordinal):
                if handed.kind == "argument" and handed.name == name and not handed.receiver:
                    for ordinal in table.top.get(name, ()):
                        if not table.is_variable(ordinal):
                            yield Defined(table.id(ordinal), "graph:import")

    def _renamed(self, table: FileTable, binding: ImportBinding) -> Search:
        """A name that the file exports under another one (``export { a as b }``)."""
        found: list[Value] = []
        renames = [binding]
        for each in renames:
            named = table.named.get(each.scope, {}).get(each.name)
            ordinals = named or table.named.get(TOP, {}).get(each.name, ())
            found += (Defined(table.id(o), "graph:import") for o in ordinals)
            others = () if ordinals else table.imports.get((TOP, each.name), ())
            for other in others:
                if other.module or not other.name:
                    found += yield from self._import(table, other)
                elif other not in renames:
                    renames.append(other)
        return tuple(found)

    def _named_by_path(self, table: FileTable, written: str) -> Search:
        """Resolves an import whose path ends in a definition rather than a module, or is declared
        to be a module (``declare module "path"``)."""
        style = table.spec.imports.style
        if style == "path":
            return tuple(self._declared_modules(table, written))
        head, _, last = dotted(written).rpartition(".")
        if style == "tree" and not head:
            ordinals = table.named.get(TOP, {}).get(last, ())
            return tuple(Defined(table.id(o), "graph:import") for o in ordinals)
        if style == "namespace" and not head:
            return self._packages.visible(table, "", last, "graph:import")
        if style not in {"namespace", "tree"}:
            return UNKNOWN
        module = self._program.finder(table).find(table.path, head)
        if module is None:
            return (yield from self._inside(table, head, last)) if style == "tree" else UNKNOWN
        return (yield ModuleMember(table, module, last))

    def _declared_modules(self, table: FileTable, written: str) -> Iterator[Defined]:
        suffix = table.spec.imports.global_suffix
        for other in self._program.defining(written, table.spec.family_name) if suffix else ():
            for ordinal in other.by_name[written] if other.path.endswith(suffix) else ():
                if other.definitions[ordinal].kind in NAMESPACES:
                    yield Defined(other.id(ordinal), "graph:import")

    def _offers_names(self, value: Value) -> bool:
        """Whether a declared module exports names, and not just one value as a whole."""
        if not isinstance(value, Defined):
            return False
        holder = self._program.holder(value.id)
        inside = holder.children.get(value.id.ordinal, ())
        return any(holder.definitions[ordinal].exported for ordinal in inside)

    def _inside(self, table: FileTable, written: str, name: str) -> Search:
        """The members of a definition that ends an import's path (as in static imports)."""
        found: list[Value] = []
        for value in (yield from self._named_by_path(table, written)):
            if isinstance(value, Defined):
                holder, ordinal = self._program.holder(value.id), value.id.ordinal
                members = [o for o in holder.members(ordinal, name) if not holder.is_extension(o)]
                found += (Defined(holder.id(o), "graph:import") for o in members)
                if (ordinal, name) in holder.imports:
                    found += yield PassedOn(holder, ordinal, name)
        return tuple(found)

    def _find_passed_on(self, asked: PassedOn) -> Search:
        found: list[Value] = []
        for binding in asked.table.imports[asked.ordinal, asked.name]:
            found += yield from self._import(asked.table, binding)
        return tuple(found)
