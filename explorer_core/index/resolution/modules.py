"""From an import as written to the files it names. What is not in the repository yields None."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile
from posixpath import basename, dirname, join, normpath

import msgspec

from explorer_core.index.languages.specification import ImportRules
from explorer_core.index.resolution.aliases import Alias
from explorer_core.index.resolution.paths import PathTable, nearest, stem

_VOTERS = 200
"""Files looked at to learn the prefix of a repository's own import paths."""


class Module(msgspec.Struct, frozen=True, gc=False):
    """What an import names: files whose top level it offers, a folder that holds submodules, or a
    declared package (``""`` when none)."""

    files: tuple[str, ...] = ()
    folder: str | None = None
    package: str = ""


class ModuleFinder:
    """Finds modules over the paths of the repository; memoised."""

    def __init__(
        self,
        paths: PathTable,
        imports_of: Callable[[str], Iterable[str]],
        packages: Callable[[ImportRules], Mapping[str, Sequence[str]]],
        aliases: Callable[[ImportRules], Sequence[Alias]],
    ) -> None:
        """``imports_of`` gives the modules a file imports, as written; ``packages`` the folders
        that have a package file, by the name it gives them; ``aliases`` what else paths may begin
        with, the first to be tried first."""
        self._paths = paths
        self._imports_of = imports_of
        self._packages = packages
        self._aliases = aliases
        self._memo: dict[tuple[str, str, tuple[str, ...]], Module | None] = {}
        self._prefixes: dict[tuple[str, ...], list[str]] = {}
        self._roots: dict[tuple[str, tuple[str, ...]], list[tuple[str, bool]]] = {}
        self._holding: dict[tuple[str, ...], frozenset[str]] = {}

    def find(self, origin: str, module: str, rules: ImportRules) -> Module | None:
        """The module that ``origin`` means by ``module``; None when it is not in the repository."""
        here = origin if rules.style == "tree" else dirname(origin)
        key = (here, module, rules.suffixes)
        if key not in self._memo:
            self._memo[key] = self._find(origin, module, rules)
        return self._memo[key]

    def submodule(self, module: Module, name: str, rules: ImportRules) -> Module | None:
        """The module called ``name`` inside another."""
        if module.package:
            return Module(package=f"{module.package}.{name}")
        if module.folder is None:
            return None
        return self._at(join(module.folder, name), rules)

    def package(self, origin: str, name: str, rules: ImportRules) -> Module | None:
        """The top of a sibling package, in a tree of modules."""
        return self._other_tree(origin, [name], rules)

    def package_folder(self, origin: str, rules: ImportRules) -> str | None:
        """The folder of the package that a file is in; None where no package file lies above."""
        folder: str = dirname(origin)
        while join(folder, rules.package_file) not in self._paths:
            if not folder:
                return None
            folder = dirname(folder)
        return folder

    def _find(self, origin: str, module: str, rules: ImportRules) -> Module | None:
        match rules.style:
            case "none":
                return None
            case "dotted":
                return self._dotted(origin, module, rules)
            case "path":
                return self._by_path(origin, module, rules)
            case "folder":
                return self._by_folder(origin, module, rules)
            case "tree":
                return self._in_tree(origin, module, rules)
            case "namespace":
                package = dotted(module)
                return Module(package=package) if package else None
            case "include":
                return self._included(origin, module, rules)

    def _at(self, base: str, rules: ImportRules) -> Module | None:
        """The module whose file is ``base`` plus a suffix, or whose folder is ``base``."""
        folder = base if self._paths.is_folder(base) else None
        file = self._index_file(base, rules) or self._paths.first(base, rules.suffixes)
        if file:
            return Module((file,), folder)
        return Module((), folder) if folder else None

    def _index_file(self, folder: str, rules: ImportRules) -> str | None:
        return next((f for i in rules.index_files if (f := join(folder, i)) in self._paths), None)

    # dotted paths: a file or folder below a source root

    def _dotted(self, origin: str, module: str, rules: ImportRules) -> Module | None:
        rest = module.lstrip(".")
        levels = len(module) - len(rest)
        parts = rest.split(".") if rest else []
        if levels:
            base = dirname(origin)
            for _ in range(levels - 1):
                base = dirname(base)
            return self._at(join(base, *parts) if parts else base, rules)
        roots = self._source_roots(origin, parts, rules)
        if len(roots) > 1:
            roots = sorted(nearest((join(r, "x") for r in roots), origin))
            roots = [dirname(root) for root in roots]
        return self._at(join(roots[0], *parts), rules) if roots else None

    def _source_roots(self, origin: str, parts: list[str], rules: ImportRules) -> list[str]:
        """Folders below which the dotted path exists and at which code at ``origin`` can be meant
        to find top-level modules: it lies below them itself, or they tell it by themselves."""
        here = dirname(origin)
        roots = self._roots_of(parts, rules)
        return [root for root, by_itself in roots if by_itself or _is_above(root, here)]

    def _roots_of(self, parts: list[str], rules: ImportRules) -> list[tuple[str, bool]]:
        """Folders that are not packages themselves below which the dotted path exists, sorted; and
        whether they tell it by themselves: module paths begin in folders called so, or a package
        stands there whose path or depth tells it from a namesake of something outside the
        repository."""
        tail = "/".join(parts)
        key = (tail, rules.suffixes)
        if key not in self._roots:
            hits = {hit[: -len(tail)].rstrip("/") for hit in self._paths.folders_ending(tail)}
            for suffix in rules.suffixes:
                end = len(tail + suffix)
                hits.update(h[:-end].rstrip("/") for h in self._paths.ending(tail, [suffix]))
            roots = sorted(root for root in hits if not self._is_package(root, rules))
            deep = len(parts) > 1
            tops = [join(root, parts[0]) for root in roots]
            self._roots[key] = [
                (
                    root,
                    basename(root) in rules.roots
                    or ((deep or "/" not in root) and self._is_package(top, rules))
                    or (deep and top in self._namespaces(rules)),
                )
                for root, top in zip(roots, tops, strict=True)
            ]
        return self._roots[key]

    def _namespaces(self, rules: ImportRules) -> frozenset[str]:
        """Folders that hold packages. Those that are none themselves are packages still, of which
        other folders may hold the rest (PEP 420)."""
        if rules.index_files not in self._holding:
            indexes = (file for name in rules.index_files for file in self._paths.named(name))
            self._holding[rules.index_files] = frozenset(dirname(dirname(f)) for f in indexes)
        return self._holding[rules.index_files]

    def _is_package(self, folder: str, rules: ImportRules) -> bool:
        return self._index_file(folder, rules) is not None

    # relative paths, with the suffix often left out

    def _by_path(self, origin: str, module: str, rules: ImportRules) -> Module | None:
        if module.startswith((".", "/")):
            base = normpath(join(dirname(origin), module)) if module[0] == "." else module[1:]
            return self._file_at("" if base == "." else base, rules)
        if found := self._by_alias(origin, module, rules):
            return found
        if rules.package_file and (package := self._package(origin, module, rules)):
            return self._inside(*package, rules)
        head, _, rest = module.partition("/")
        if rest and not head.strip(rules.alias_marks):
            return self._only_ending(rest, origin, rules)
        if rest and self._paths.is_folder(head):
            return self._file_at(module, rules)
        return None

    def _by_alias(self, origin: str, module: str, rules: ImportRules) -> Module | None:
        for alias in self._aliases(rules) if rules.alias_key else ():
            path = alias.meant_by(module) if _is_above(alias.folder, dirname(origin)) else None
            if path and (found := self._file_at(path, rules)):
                return found
        return None

    def _package(self, origin: str, module: str, rules: ImportRules) -> tuple[str, str] | None:
        """The folder of the package of this repository that a module path begins with, and what
        follows of it."""
        parts = module.split("/")
        named = 1 + module.startswith("@")
        folder = self._package_named("/".join(parts[:named]), origin, rules)
        return None if folder is None else (folder, "/".join(parts[named:]))

    def _package_named(self, name: str, origin: str, rules: ImportRules) -> str | None:
        """The folder of the package of that name; of several the nearest, if there is one."""
        folders = self._packages(rules).get(name, ())
        close = nearest((join(folder, rules.package_file) for folder in folders), origin)
        return dirname(close[0]) if len(close) == 1 else None

    def _inside(self, package: str, rest: str, rules: ImportRules) -> Module | None:
        """A module of a package: below its folder, or else below the largest of the folders there
        that has it, since what is imported was made of what lies in one of them."""
        if found := self._file_at(join(package, rest) if rest else package, rules):
            return found
        tails = [*self._spellings(rest, rules)] if rest else []
        tails += [join(rest, index) for index in rules.index_files]
        for tail in tails:
            hits = [hit[: -len(tail) - 1] for hit in self._paths.ending(tail, ("",))]
            folders = [folder for folder in hits if dirname(folder) == package and folder]
            if folders:
                largest = max(folders, key=lambda folder: (self._paths.files_below(folder), folder))
                return Module((join(largest, tail),))
        return None

    def _file_at(self, base: str, rules: ImportRules) -> Module | None:
        file = next(
            (f for f in self._spellings(base, rules) if f in self._paths),
            None,
        ) or self._index_file(base, rules)
        return Module((file,)) if file else None

    def _spellings(self, base: str, rules: ImportRules) -> Iterator[str]:
        """The paths that ``base`` may stand for, the most likely first."""
        yield base
        for written, meant in rules.replace_suffixes.items():
            if base.endswith(written):
                yield from (base[: -len(written)] + suffix for suffix in meant)
        yield from (base + suffix for suffix in rules.suffixes)

    def _only_ending(self, tail: str, origin: str, rules: ImportRules) -> Module | None:
        """An aliased path: the file that ends so, when only one is nearest."""
        tails = [*self._spellings(tail, rules), *(join(tail, i) for i in rules.index_files)]
        for wanted in tails:
            close = nearest(self._paths.ending(wanted, ("",)), origin)
            if close:
                return Module((close[0],)) if len(close) == 1 else None
        return None

    # a package is a folder, named by the path of its module or repository plus its own

    def _by_folder(self, origin: str, module: str, rules: ImportRules) -> Module | None:
        if module.startswith("."):
            return self._package_folder(normpath(join(dirname(origin), module)), rules)
        if self.package_folder(origin, rules) is not None:
            return self._below_package(module, rules)
        for prefix in self._own_prefixes(rules):
            if module == prefix:
                return self._package_folder("", rules)
            if module.startswith(prefix + "/"):
                return self._package_folder(module[len(prefix) + 1 :], rules)
        return None

    def _below_package(self, module: str, rules: ImportRules) -> Module | None:
        """A folder below that of the package whose name begins the path, of several the longest."""
        packages = self._packages(rules)
        name, rest = module, ""
        while name:
            for folder in packages.get(name, ()):
                if found := self._package_folder(join(folder, rest).rstrip("/"), rules):
                    return found
            name, _, last = name.rpartition("/")
            rest = join(last, rest) if rest else last
        return None

    def _package_folder(self, folder: str, rules: ImportRules) -> Module | None:
        files = [p for p in self._paths.in_folder(folder) if p.endswith(rules.suffixes)]
        return Module(tuple(files), folder) if files else None

    def _own_prefixes(self, rules: ImportRules) -> list[str]:
        """The prefixes under which the repository imports its own folders, longest first.

        An import path whose tail is a folder here votes for what stands before that tail; foreign
        paths rarely end like several folders of this repository.
        """
        if rules.suffixes not in self._prefixes:
            voters = sorted(self._paths.with_suffix(rules.suffixes))
            step = max(1, len(voters) // _VOTERS)
            seen = {m for voter in voters[::step] for m in self._imports_of(voter)}
            votes: Counter[str] = Counter()
            for module in seen:
                prefix = self._prefix_of(module)
                if prefix:
                    votes[prefix] += 1
            most = max(votes.values(), default=0)
            own = [p for p, count in votes.items() if count * 3 >= most and "." in p.split("/")[0]]
            self._prefixes[rules.suffixes] = sorted(own, key=lambda p: (-len(p), p))
        return self._prefixes[rules.suffixes]

    def _prefix_of(self, module: str) -> str | None:
        parts = module.split("/")
        for cut in range(1, len(parts)):
            if self._paths.is_folder("/".join(parts[cut:])):
                return "/".join(parts[:cut])
        return None

    # a tree of modules rooted in a crate

    def _in_tree(self, origin: str, module: str, rules: ImportRules) -> Module | None:
        parts = [part for part in dotted(module).split(".") if part]
        if not parts:
            return None
        here = self._tree_folder(origin, rules)
        if parts[0] in rules.root_names:
            root = self._tree_root(origin, rules)
            return None if root is None else self._down(root, parts[1:], rules)
        rest = list(dropwhile(lambda part: part in {rules.here, rules.climb}, parts))
        steps = parts[: len(parts) - len(rest)].count(rules.climb)
        for _ in range(steps):
            here = dirname(here)
        found = self._down(here, rest, rules)
        if not found and rest and not steps and self._may_be_root(origin, rules):
            found = self._down(dirname(origin), rest, rules)
        return found or (None if len(rest) < len(parts) else self._other_tree(origin, parts, rules))

    def _may_be_root(self, origin: str, rules: ImportRules) -> bool:
        """Whether a file may root a tree under a name of its own."""
        return dirname(origin) == self._tree_root(origin, rules)

    def _other_tree(self, origin: str, parts: list[str], rules: ImportRules) -> Module | None:
        """A module of a sibling package: one that calls itself so, or a folder of that name, with a
        source root inside."""
        for name in _package_names(parts[0], rules):
            package = self._package_named(name, origin, rules)
            if package is None:
                ends = (join(name, root) for root in rules.roots)
                folders = [folder for end in ends for folder in self._paths.folders_ending(end)]
            else:
                folders = [join(package, root) for root in rules.roots]
            if folders:
                return self._down(folders[0], parts[1:], rules)
        return None

    def _tree_folder(self, origin: str, rules: ImportRules) -> str:
        """The folder that holds the submodules of a file."""
        if basename(origin) in rules.index_files:
            return dirname(origin)
        return join(dirname(origin), stem(origin))

    def _tree_root(self, origin: str, rules: ImportRules) -> str | None:
        """The nearest folder above with a file that roots a tree: any index file but the first,
        which stands for an inner folder. Where there is none, the root has a name of its own (a
        test, an example) and is in the folder of the package that leads to the file."""
        folder: str = dirname(origin)
        while True:
            if any(join(folder, root) in self._paths for root in rules.index_files[1:]):
                return folder
            if not folder:
                break
            folder = dirname(folder)
        package = self.package_folder(origin, rules)
        below = None if package is None else origin[len(package) :].lstrip("/")
        return join(package or "", below.partition("/")[0]) if below and "/" in below else None

    def _down(self, folder: str, parts: list[str], rules: ImportRules) -> Module | None:
        if parts:
            found = self._at(join(folder, *parts), rules)
            return found if found and found.files else None
        file = self._index_file(folder, rules) or self._paths.first(folder, rules.suffixes)
        if file is None and not self._paths.is_folder(folder):
            return None
        return Module((file,) if file else (), folder)

    # included text

    def _included(self, origin: str, module: str, rules: ImportRules) -> Module | None:
        relative = normpath(join(dirname(origin), module))
        suffixes = ("", *rules.suffixes)
        file = self._paths.first(relative, suffixes)
        if file is None:
            file = self._only(self._ends_of(module, rules), suffixes, origin)
        return Module((file,)) if file else None

    def _ends_of(self, module: str, rules: ImportRules) -> tuple[str, ...]:
        """How the path of an included file ends, the surest first: the folder of a package is
        mostly called like it."""
        prefix, folder = rules.package_prefix or ("", "")
        if not prefix or not module.startswith(prefix):
            return (normpath(module).lstrip("./"),)
        package, _, rest = module.removeprefix(prefix).partition("/")
        return f"{package}/{folder}/{rest}", f"{folder}/{rest}"

    def _only(self, ends: Iterable[str], suffixes: tuple[str, ...], origin: str) -> str | None:
        """The only file nearby whose path ends in the first of these that any does."""
        found = (self._paths.ending(end, suffixes) for end in ends)
        hits = nearest(next(filter(None, found), ()), origin)
        return hits[0] if len(hits) == 1 else None


def dotted(module: str) -> str:
    """A namespace path with dots, whatever separates its parts."""
    return module.replace("\\", ".").replace("::", ".").strip(".")


def _package_names(written: str, rules: ImportRules) -> tuple[str, ...]:
    """What a package may be called that a path names."""
    spelling = rules.package_spelling
    return (written, written.replace(*spelling)) if spelling else (written,)


def _is_above(folder: str, other: str) -> bool:
    return not folder or other == folder or other.startswith(folder + "/")
