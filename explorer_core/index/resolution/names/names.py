"""Resolves bare names by definitions, imports, wildcard imports and packages.

`Names.in_scope` looks into one scope alone, and `Names.ambient` at what a file sees without binding
it. `Scopes` adds local variables and members of enclosing types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from explorer_core.index.extraction.facts import DEFAULT, TOP, ImportBinding
from explorer_core.index.extraction.kinds import CLASS_KINDS
from explorer_core.index.resolution.finders.modules import Module, dotted
from explorer_core.index.resolution.finders.paths import nearest
from explorer_core.index.resolution.names.autoload import Autoload
from explorer_core.index.resolution.names.exports import Exports
from explorer_core.index.resolution.names.macros import Macros
from explorer_core.index.resolution.names.packages import (
    Packages,
    enclosing_packages,
    joined,
    package_of,
)
from explorer_core.index.resolution.program import Program
from explorer_core.index.resolution.tables import FileTable
from explorer_core.index.resolution.values import (
    OUTSIDE,
    UNKNOWN,
    Defined,
    Outside,
    Value,
    Values,
    with_witness,
)
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, NAMESPACES, SymbolId
from explorer_core.memoised import memoised

_ROOT_KINDS = CALLABLES | {"constant"}


class Names:
    """Looks names up in files and modules; memoised."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._packages = Packages(program)
        self._macros = Macros(program)
        self._exports = Exports(program, self._packages, self._macros)
        self._autoload = Autoload(program, self._packages)
        self._values_in_scope: dict[tuple[str, int, str], Values] = {}

    def in_scope(self, table: FileTable, scope: int, name: str) -> Values:
        """The bindings of a name in one scope, without those around it: its definitions, then its
        imports, then the members of types that it imports whole (``use Event::*``)."""
        key = (table.path, scope, name)
        values = self._values_in_scope.get(key)
        if values is None:
            values = self._find_in_scope(table, scope, name)
            if not values and table.spec.imports.style == "tree" and scope in table.wildcards_in:
                values = self._members_of(self._wildcard_types(table, scope), name)
            self._values_in_scope[key] = values
        return values

    def _find_in_scope(self, table: FileTable, scope: int, name: str) -> Values:
        ordinals = table.by_scope.get(scope, {}).get(name, ())
        imports = table.imports.get((scope, name), ())
        if not ordinals and not imports:
            return UNKNOWN
        # An export under another name (``export { a as b }``) is no name in the file itself.
        bindings = [binding for binding in imports if binding.module or not binding.exported]
        if bindings and all(table.is_export(ordinal) for ordinal in ordinals):
            return self._imported_values(table, bindings)
        redefined = table.spec.imports.reexports and not all(table.is_variable(o) for o in ordinals)
        if ordinals and bindings and not redefined:
            imported = self._imported_values(table, bindings)
            if any(isinstance(value, Defined | Module) for value in imported):
                return imported
        return tuple(Defined(table.id(o), "graph:scope") for o in ordinals)

    def imports_in(self, table: FileTable, scope: int, name: str) -> Values:
        """The imports of a name in one scope, even if the scope defines it too."""
        return self._imported_values(table, table.imports[scope, name])

    @memoised
    def ambient(self, table: FileTable, name: str) -> Values:
        """The values of a name that a file sees without a binding of its own: from wildcard
        imports, its package, macros, global declarations, or because types need no import."""
        needs_definition = table.spec.imports.style in ("namespace", "include")
        if needs_definition and not self._program.source.files_defining(name):
            return UNKNOWN  # packages and included files export only what they declare
        # What a build target defines comes before what its files import.
        own_package = (
            self._from_package(table, name) if table.spec.imports.target_folders else UNKNOWN
        )
        values = (
            own_package
            or self._exports.from_wildcards(table, name)
            or self._from_package(table, name)
        )
        values = (
            values
            or self._macros.named(table, name)
            or self._packages.forward_declared(table, name)
        )
        return (
            values
            or self._global_declarations(table, name)
            or self._autoload.type_named_by_file(table, name)
        )

    def _global_declarations(self, table: FileTable, name: str) -> Values:
        """The definitions of a name in the nearest file of global declarations (``.d.ts``)."""
        suffix = table.spec.imports.global_suffix
        paths = self._program.source.files_defining(name) if suffix else ()
        tables = (self._program.table(p) for p in sorted(paths) if p.endswith(suffix))
        definitions = {
            other.path: tuple(Defined(other.id(o), "graph:import") for o in other.top_level[name])
            for other in tables
            if other and name in other.top_level and _is_global(other)
        }
        return tuple(v for path in nearest(definitions, table.path) for v in definitions[path])

    def forward_declared(self, table: FileTable, name: str) -> Values:
        """The definitions of types that a file only declares (``class Cart;``)."""
        return self._packages.forward_declared(table, name)

    def imported(self, table: FileTable, binding: ImportBinding) -> Values:
        """The values that an import binds."""
        values = self._exports.imported(table, binding)
        if values != OUTSIDE or not binding.name or table.spec.imports.style != "tree":
            return values
        types = self._types_at_path(table, binding.scope, binding.module)
        return (types if binding.name == "*" else self._members_of(types, binding.name)) or values

    @memoised
    def _wildcard_types(self, table: FileTable, scope: int) -> Values:
        """The types whose members a scope imports whole."""
        wildcards = table.wildcards_in[scope]
        types = (v for b in wildcards for v in self._types_at_path(table, scope, b.module))
        return tuple(dict.fromkeys(types))

    def _types_at_path(self, table: FileTable, scope: int, path: str) -> Values:
        """The types that the path of an import names. A path of one name is looked up from the
        enclosing scope, which may have imported it."""
        module, _, name = path.rpartition(table.spec.imports.separator)
        imported = self._exports.imported
        values = imported(table, ImportBinding(name, module, name, 0, scope)) if module else UNKNOWN
        for enclosing in () if module else table.scopes(scope):
            ordinals = table.by_scope.get(enclosing, {}).get(name, ())
            bindings = table.imports.get((enclosing, name), ())
            values = values or tuple(Defined(table.id(o), "graph:scope") for o in ordinals)
            values = values or tuple(v for b in bindings for v in imported(table, b))
        values = values or self.ambient(table, name)
        return tuple(v for v in values if self._program.is_of_kind(v, MEMBER_HOLDERS))

    def _members_of(self, types: Values, name: str) -> Values:
        """The definitions of a name inside types, without what is declared elsewhere for them."""
        members: list[Value] = []
        for value in types:
            if isinstance(value, Defined):
                holder = self._program.table_of(value.id)
                ordinals = holder.by_scope.get(value.id.ordinal, {}).get(name, ())
                members += (Defined(holder.id(o), "graph:import") for o in ordinals)
        return tuple(members)

    def member(self, table: FileTable, module: Module, name: str) -> Values:
        """The values of ``name`` in ``module``, as seen from a file."""
        return self._exports.member(table, module, name)

    def relative_root(self, table: FileTable, scope: int, name: str) -> Values:
        """The module at which a path relative to this one begins (``crate``, ``super``)."""
        rules = table.spec.imports
        if rules.style != "tree" or name not in (*rules.root_names, rules.climb, rules.here):
            return UNKNOWN
        inline = table.enclosing_namespaces(scope)
        if name not in rules.root_names and inline:
            remaining = inline if name != rules.climb else inline[1:]
            if remaining:
                return (Defined(table.id(remaining[0]), "graph:import"),)
            return (Module((table.path,)),)
        if name == rules.here:
            return (Module((table.path,)),)
        module = self._program.finder(table).find(table.path, name)
        return (module,) if module else UNKNOWN

    def may_reach(self, table: FileTable, name: str) -> bool:
        """Whether a name that no enclosing scope binds may mean something in the repository. The
        name of a type does not reach what is nested in a class."""
        spec = table.spec
        if not spec.type_name or re.search(spec.type_name, name) is None:
            return bool(self._program.source.files_defining(name))
        return any(
            other.definitions[ordinal].owner or not _is_in_class(other, ordinal)
            for other in self._program.defining(name, spec.family_name)
            for ordinal in other.by_name[name]
        )

    def module(self, table: FileTable, path: str) -> Values:
        """The module that the path of an import means in a file; OUTSIDE if there is none."""
        module = self._program.finder(table).find(table.path, path)
        return (module,) if module else OUTSIDE

    def package(self, table: FileTable, name: str) -> Values:
        """The package that a path begins with if nothing binds its first name, where packages need
        no import; OUTSIDE if it is not in the repository."""
        if table.spec.imports.style != "tree":
            return UNKNOWN
        module = self._program.finder(table).package(table.path, name)
        return (module,) if module else OUTSIDE

    def in_package(self, table: FileTable, package: list[str], name: str) -> Values:
        """A definition by its package and name, as the file calls the package: by an import, or
        relative to its own."""
        rules = table.spec.imports
        if rules.autoload:
            return self._autoload.qualified_type(table, package, name)
        if rules.style != "namespace":
            return UNKNOWN
        imported = [b for b in table.imports.get((TOP, package[0]), ()) if b.module]
        for binding in imported:
            head = dotted(f"{binding.module}.{binding.name}")
            qualified = ".".join([head, *package[1:]])
            if values := self._packages.visible(table, qualified, name, "graph:import"):
                return values
        for enclosing in () if imported else enclosing_packages(table):
            qualified = ".".join([enclosing, *package] if enclosing else package)
            if values := self._packages.visible(table, qualified, name, "graph:scope"):
                return values
        return UNKNOWN

    def at_root(self, table: FileTable, package: list[str], name: str) -> Values:
        """A definition by its package and name, as its file declares them."""
        return self._packages.visible(table, ".".join(package), name, "graph:import")

    def in_namespace(self, holder: FileTable, ordinal: int, name: str) -> Values:
        """The definitions of a name in a namespace, wherever that is opened again. A namespace that
        a macro opens holds the top level of the files that use the macro."""
        spec = holder.spec
        if not spec.imports.wildcard_default and not spec.open_types:
            return UNKNOWN
        namespace = holder.definitions[ordinal]
        qualified = joined(package_of(holder, ordinal), namespace.name)
        definitions = tuple(self._packages.defining(holder, qualified, name, "graph:import"))
        if definitions or spec.open_types:
            return definitions
        if any(
            declaration.scope == ordinal
            for declaration in holder.forward_declarations.get(name, ())
        ):
            return OUTSIDE  # what is declared there is defined in no file
        if not self._is_opened_by_macro(namespace.name, spec.family_name):
            return UNKNOWN
        return tuple(self._packages.defining(holder, "", name, "graph:import"))

    def in_owner_namespace(self, table: FileTable, function: int, name: str) -> Values:
        """The definitions of a name in the namespace that stands before a function's name:
        ``int text::width() { ... }``."""
        if not table.spec.imports.wildcard_default:
            return UNKNOWN
        owner = joined(package_of(table, function), table.definitions[function].owner)
        return tuple(self._packages.defining(table, owner, name, "graph:scope"))

    @memoised
    def _is_opened_by_macro(self, name: str, family: str) -> bool:
        """Whether a namespace stands somewhere without contents: a macro opens it, and its members
        cannot be told from other top-level definitions."""
        return any(
            _is_namespace(other, ordinal) and _is_empty(other, ordinal)
            for other in self._program.defining(name, family)
            for ordinal in other.by_name[name]
        )

    def in_type(self, table: FileTable, ordinal: int, name: str) -> Iterator[Value]:
        """The members called ``name`` in any declaration of a type."""
        qualified = joined(package_of(table, ordinal), table.definitions[ordinal].name)
        return self._packages.defining(table, qualified, name, "graph:type")

    def declarations(self, type_id: SymbolId) -> Iterator[SymbolId]:
        """The declarations of a type, in the same order whichever of them is given."""
        table = self._program.table_of(type_id)
        package = package_of(table, type_id.ordinal) if table.spec.open_types else None
        if package is None:
            yield type_id
            return
        name = table.definitions[type_id.ordinal].name
        for value in self._packages.defining(table, package, name, "graph:type"):
            if self._program.kind(value.id) in MEMBER_HOLDERS:
                yield value.id

    def first_declaration(self, type_id: SymbolId) -> SymbolId:
        """The declaration that stands for the whole type, its first one."""
        if not self._program.table_of(type_id).spec.open_types:
            return type_id
        return next(self.declarations(type_id), type_id)

    def is_accessible(self, table: FileTable, member: SymbolId) -> bool:
        """Whether a file may use a member of its own package or of an imported one."""
        return self._packages.is_accessible(table, member)

    def default_export(self, table: FileTable, module: Module) -> Values:
        """The default export of a module, in languages where it may stand for the module."""
        return self.member(table, module, DEFAULT) if table.spec.default_export else UNKNOWN

    def _imported_values(
        self, table: FileTable, bindings: list[ImportBinding] | tuple[()]
    ) -> Values:
        values = [v for binding in bindings for v in self.imported(table, binding)]
        known = [value for value in values if not isinstance(value, Outside)]
        return tuple(dict.fromkeys(known)) or OUTSIDE

    def _from_package(self, table: FileTable, name: str) -> Values:
        rules = table.spec.imports
        if not rules.same_package_visible:
            return UNKNOWN
        if rules.style == "folder":
            return tuple(self._in_folder(table, name)) or self._renamed_package(table, name)
        own_package, *outer_packages = enclosing_packages(table)
        values = self._packages.visible(table, own_package, name, "graph:scope")
        for package in outer_packages if rules.relative else ():
            values = values or self._packages.visible(table, package, name, "graph:scope")
        if not values and rules.root_functions:
            at_root = self._packages.visible(table, "", name, "graph:scope")
            values = tuple(v for v in at_root if self._program.is_of_kind(v, _ROOT_KINDS))
        return _nearest_only(table, values) if rules.style == "include" else values

    def _in_folder(self, table: FileTable, name: str) -> Iterator[Value]:
        folder = table.path.rpartition("/")[0]
        for other in self._program.defining(name, table.spec.family_name):
            if other.path.rpartition("/")[0] == folder and other.package == table.package:
                for ordinal in other.by_scope.get(TOP, {}).get(name, ()):
                    yield Defined(other.id(ordinal), "graph:scope")

    def _renamed_package(self, table: FileTable, name: str) -> Values:
        """The package that calls itself by a name and is imported by a path that ends in another
        one. The file uses the latter nowhere, and the language (Go) allows no unused imports."""
        for value in self._unused_imports(table):
            files = value.files if isinstance(value, Module) else ()
            if any(t and t.package == name for t in map(self._program.table, files)):
                return (value,)
        return UNKNOWN

    @memoised
    def _unused_imports(self, table: FileTable) -> Values:
        """The imports of a file by names that no receiver in it begins with."""
        package_imports = (b for b in table.facts.imports if b.local and not b.name)
        unused = (b for b in package_imports if b.local not in table.heads)
        return tuple(v for b in unused for v in self.imported(table, b))


def _is_global(table: FileTable) -> bool:
    """Whether a file is no module, so that all others see what it declares."""
    top_definitions = table.children.get(TOP, ())
    top_imports = (binding for binding in table.facts.imports if binding.scope == TOP)
    return not any(top_imports) and not any(table.definitions[o].exported for o in top_definitions)


def _is_in_class(table: FileTable, ordinal: int) -> bool:
    """Whether a definition is nested in a class, and not in a trait that lends others its names."""
    container = table.definitions[ordinal].container
    return container != TOP and table.definitions[container].kind in CLASS_KINDS


def _is_empty(table: FileTable, ordinal: int) -> bool:
    """Whether a namespace holds neither definitions nor mere declarations."""
    declared = (
        binding.scope for bindings in table.forward_declarations.values() for binding in bindings
    )
    return not table.children.get(ordinal) and ordinal not in declared


def _is_namespace(table: FileTable, ordinal: int) -> bool:
    return ordinal != TOP and table.definitions[ordinal].kind in NAMESPACES


def _nearest_only(table: FileTable, values: Values) -> Values:
    """Of definitions in several files that see each other without an import, those nearest to a
    file. They are known by name only, since nothing says which of the files run together."""
    paths = {value: value.id.path for value in values if isinstance(value, Defined)}
    if len(set(paths.values())) < 2:
        return values
    nearest_paths = set(nearest(paths.values(), table.path))
    return with_witness(
        tuple(value for value in paths if paths[value] in nearest_paths), "graph:name"
    )
