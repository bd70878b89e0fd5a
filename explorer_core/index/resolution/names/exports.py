"""Looks up what modules export: what they define, and what they re-export from other modules.

``from shop import Cart`` looks `Cart` up among the definitions and imports of `shop`, then in the
modules that `shop` imports whole, then among its submodules and macros.
"""

from __future__ import annotations

from collections.abc import Iterator

from explorer_core.index.extraction.facts import DEFAULT, TOP, ImportBinding
from explorer_core.index.resolution.finders.modules import Module, dotted
from explorer_core.index.resolution.names.import_paths import (
    ImportPaths,
    path_from_top,
    relative_paths,
)
from explorer_core.index.resolution.names.macros import Macros
from explorer_core.index.resolution.names.packages import Packages, joined, package_of
from explorer_core.index.resolution.names.searches import (
    InlineImport,
    ModuleMember,
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

    def _find(self, question: Question) -> Search:
        is_member = isinstance(question, ModuleMember)
        return self._find_member(question) if is_member else self._find_inline_import(question)

    def _find_member(self, question: ModuleMember) -> Search:
        table, module, name = question.table, question.module, question.name
        if module.package:
            return self._packages.visible(table, module.package, name, "graph:import")
        files = [t for t in map(self._program.table, module.files) if t]
        values: list[Value] = []
        for other in files:
            values += yield from self._exported_by(other, name, private=question.is_inside)
        if not values:
            for other in files:
                values += yield from self._from_wildcards(other, name, for_export=True)
        if not values:
            inner = self._program.finder(table).submodule(module, name)
            values += (inner,) if inner else ()
        if not values:
            for declared_module in self._macros.modules(module, files):
                values += yield ModuleMember(table, declared_module, name)
        if not values and files:
            values += self._macros.named(files[0], name)
        return tuple(dict.fromkeys(values))

    def _exported_by(self, other: FileTable, name: str, *, private: bool) -> Search:
        """The exports of a name by a file itself: its definitions or imports. With ``private``,
        imports count even if they are not re-exported."""
        reexports = other.spec.imports.reexports or private
        bindings = [
            binding
            for binding in other.imports.get((TOP, name), ())
            if reexports or binding.exported
        ]
        own_submodules = [
            binding for binding in bindings if self._imports_own_submodule(other, binding)
        ]
        bindings = [binding for binding in bindings if binding not in own_submodules]
        ordinals = other.top_level.get(name, ())
        if all(map(other.is_variable, ordinals)) and any(
            self._own_submodule(other, b) for b in own_submodules
        ):
            ordinals = ()  # stand-ins for a submodule that cannot be imported
        definitions: Values = tuple(Defined(other.id(o), "graph:import") for o in ordinals)
        if not definitions and name in other.forward_declarations:
            return self._packages.forward_declared(other, name)
        if not bindings or not all(other.is_variable(o) for o in ordinals):
            return definitions
        imported: list[Value] = []
        for binding in bindings:
            imported += yield from self._import(other, binding)
        known = [value for value in imported if not isinstance(value, Outside)]
        return tuple(known) or definitions or tuple(imported)

    def _imports_own_submodule(self, table: FileTable, binding: ImportBinding) -> bool:
        """Whether an import names a module that the file itself stands for (``from . import a`` in
        a package). It binds a submodule then, and not something that the file exports."""
        if not binding.module or binding.local != binding.name:
            return False
        module = self._program.finder(table).find(table.path, binding.module)
        return module is not None and table.path in module.files

    def _own_submodule(self, table: FileTable, binding: ImportBinding) -> Module | None:
        """The submodule of the file's own module that an import names."""
        finder = self._program.finder(table)
        module = finder.find(table.path, binding.module)
        return finder.submodule(module, binding.name) if module else None

    def _from_wildcards(self, table: FileTable, name: str, *, for_export: bool = False) -> Search:
        rules = table.spec.imports
        by_namespace = rules.style == "namespace"
        declaring = (
            self._packages.declaring_paths(table, name) if by_namespace else frozenset[str]()
        )
        last_wins = rules.style == "dotted"
        find = self._program.finder(table).find
        wildcards = self._packages.wildcards(table)
        for binding in reversed(wildcards) if last_wins else wildcards:
            if for_export and not (rules.reexports or binding.exported or rules.wildcard_default):
                continue
            for written in self._import_paths.of_wildcard(table, binding):
                if by_namespace and dotted(written) not in declaring:
                    continue
                module = find(table.path, written)
                if module is None:
                    continue
                values = yield ModuleMember(table, module, name)
                if values:
                    return (*values, *self._conditional_definitions(table, module, name, values))
                values = yield from self._members_by_path(table, written, name)
                if values:
                    return values
        return self._packages.reexported(table, name) if rules.target_folders else UNKNOWN

    def _conditional_definitions(
        self, table: FileTable, module: Module, name: str, values: Values
    ) -> Iterator[Defined]:
        """Definitions in files that are included alternatively, under a preprocessor condition: if
        an included file has the body of a name, the others may have another one. Only one is meant
        at a time."""
        ids = [value.id for value in values if isinstance(value, Defined)]
        definitions = [(self._program.table_of(id_), id_.ordinal) for id_ in ids]
        if not table.spec.preprocessor or not any(t.has_body(o) for t, o in definitions):
            return
        packages = {package_of(*definition) for definition in definitions}
        for binding in table.wildcards:
            alternative = self._program.finder(table).find(table.path, binding.module)
            if alternative is None or alternative == module:
                continue
            for included in filter(None, map(self._program.table, alternative.files)):
                for ordinal in included.top_level.get(name, ()):
                    if included.has_body(ordinal) and package_of(included, ordinal) in packages:
                        yield Defined(included.id(ordinal), "graph:import")

    def _import(self, table: FileTable, binding: ImportBinding) -> Search:
        rules = table.spec.imports
        find = self._program.finder(table).find
        written = path_from_top(table, binding)
        if not binding.name:
            if rules.style == "dotted" and binding.local == written:
                written = written.partition(".")[0]
            module = find(table.path, written)
            if module and rules.style in {"namespace", "tree"}:
                return (yield from self._named_by_path(table, written)) or (module,)
            if module:
                return (module,)
            values = yield from self._named_by_path(table, written)
            if rules.style == "path" and not any(map(self._has_named_exports, values)):
                values = (yield from self._members_by_path(table, written, DEFAULT)) or values
            return values or OUTSIDE
        if not written:
            return (yield from self._exported_under(table, binding))
        module = find(table.path, written)
        values = (yield ModuleMember(table, module, binding.name)) if module else UNKNOWN
        if not values and rules.style == "include":
            values = yield from self._from_namespace(table, binding)
        if module and not values and binding.name == DEFAULT and table.spec.default_export:
            return (module,)
        values = values or (yield from self._members_by_path(table, written, binding.name))
        for path in () if values else relative_paths(table, dotted(written), binding.scope):
            values = values or (yield ModuleMember(table, Module(package=path), binding.name))
            values = values or (yield from self._members_by_path(table, path, binding.name))
        if not values and module and module.package:
            values = (Module(package=f"{module.package}.{binding.name}"),)
        if binding.name == DEFAULT:
            values = (*values, *self._wrapped_by_default(values, binding.local))
        return values or OUTSIDE

    def _from_namespace(self, table: FileTable, binding: ImportBinding) -> Search:
        """Resolves an import from a namespace that included text declares (``using a::b::c``). Its
        path may be relative to any namespace around; of several definitions, those that the file
        includes count, and any of these where a macro opens the namespace."""
        included = yield from self._from_wildcards(table, binding.name)
        written = dotted(binding.module)
        namespace: str | None = ""
        if binding.scope != TOP:
            namespace = joined(
                package_of(table, binding.scope), table.definitions[binding.scope].name
            )
        while namespace is not None:
            package = joined(namespace, written)
            definitions = self._packages.visible(table, package, binding.name, "graph:import")
            if definitions:
                return tuple(value for value in definitions if value in included) or definitions
            namespace = namespace.rpartition(".")[0] if namespace else None
        is_known = self._program.source.files_defining(written.rpartition(".")[2])
        return included if is_known else UNKNOWN

    def _wrapped_by_default(self, values: Values, name: str) -> Iterator[Value]:
        """The function or type that a default export passes to a call, if it is imported under its
        own name: ``export default memo(Button)`` imported as ``Button``."""
        for value in values:
            if not isinstance(value, Defined):
                continue
            table = self._program.table_of(value.id)
            for argument in table.facts.references.within(value.id.ordinal):
                if argument.kind == "argument" and argument.name == name and not argument.receiver:
                    for ordinal in table.top_level.get(name, ()):
                        if not table.is_variable(ordinal):
                            yield Defined(table.id(ordinal), "graph:import")

    def _exported_under(self, table: FileTable, binding: ImportBinding) -> Search:
        """A name that the file exports under another one (``export { a as b }``)."""
        values: list[Value] = []
        bindings = [binding]
        for current in bindings:
            in_scope = table.by_scope.get(current.scope, {}).get(current.name)
            ordinals = in_scope or table.by_scope.get(TOP, {}).get(current.name, ())
            values += (Defined(table.id(o), "graph:import") for o in ordinals)
            imports = () if ordinals else table.imports.get((TOP, current.name), ())
            for imported in imports:
                if imported.module or not imported.name:
                    values += yield from self._import(table, imported)
                elif imported not in bindings:
                    bindings.append(imported)
        return tuple(values)

    def _named_by_path(self, table: FileTable, written: str) -> Search:
        """Resolves an import whose path ends in a definition rather than a module, or is declared
        to be a module (``declare module "path"``)."""
        style = table.spec.imports.style
        if style == "path":
            return tuple(self._declared_modules(table, written))
        head, _, last = dotted(written).rpartition(".")
        if style == "tree" and not head:
            ordinals = table.by_scope.get(TOP, {}).get(last, ())
            return tuple(Defined(table.id(o), "graph:import") for o in ordinals)
        if style == "namespace" and not head:
            return self._packages.visible(table, "", last, "graph:import")
        if style not in {"namespace", "tree"}:
            return UNKNOWN
        module = self._program.finder(table).find(table.path, head)
        if module is None:
            return (
                (yield from self._members_by_path(table, head, last))
                if style == "tree"
                else UNKNOWN
            )
        return (yield ModuleMember(table, module, last))

    def _declared_modules(self, table: FileTable, written: str) -> Iterator[Defined]:
        suffix = table.spec.imports.global_suffix
        for other in self._program.defining(written, table.spec.family_name) if suffix else ():
            for ordinal in other.by_name[written] if other.path.endswith(suffix) else ():
                if other.definitions[ordinal].kind in NAMESPACES:
                    yield Defined(other.id(ordinal), "graph:import")

    def _has_named_exports(self, value: Value) -> bool:
        """Whether a declared module exports names, and not just one value as a whole."""
        if not isinstance(value, Defined):
            return False
        holder = self._program.table_of(value.id)
        children = holder.children.get(value.id.ordinal, ())
        return any(holder.definitions[ordinal].exported for ordinal in children)

    def _members_by_path(self, table: FileTable, written: str, name: str) -> Search:
        """The members of a definition that ends an import's path (as in static imports)."""
        values: list[Value] = []
        for value in (yield from self._named_by_path(table, written)):
            if isinstance(value, Defined):
                holder, ordinal = self._program.table_of(value.id), value.id.ordinal
                members = [o for o in holder.members(ordinal, name) if not holder.is_extension(o)]
                values += (Defined(holder.id(o), "graph:import") for o in members)
                if (ordinal, name) in holder.imports:
                    values += yield InlineImport(holder, ordinal, name)
        return tuple(values)

    def _find_inline_import(self, question: InlineImport) -> Search:
        values: list[Value] = []
        for binding in question.table.imports[question.ordinal, question.name]:
            values += yield from self._import(question.table, binding)
        return tuple(values)
